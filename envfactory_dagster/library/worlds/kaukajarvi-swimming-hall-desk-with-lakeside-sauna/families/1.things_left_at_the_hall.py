import datetime

THINGS = (
    ("blue goggles", "swim_gear", ", Speedo", ", Arena, cracked strap"),
    ("red swim cap", "swim_gear", ", silicone", ", with a club badge"),
    ("black nose clip", "swim_gear", ", in a plastic case", " with a string"),
    ("yellow beach towel", "swim_gear", ", large", " with a hole"),
    ("purple swimsuit", "swim_gear", ", size 40", ", size 36"),
    ("grey woolly hat", "clothes_shoes_bags", ", hand-knitted", ", with a bobble"),
    ("green rain jacket", "clothes_shoes_bags", ", size L", ", child's size 140"),
    ("brown leather gloves", "clothes_shoes_bags", ", lined", ", only the left one"),
    ("white trainers", "clothes_shoes_bags", ", size 41", ", size 37"),
    ("checked scarf", "clothes_shoes_bags", ", wool", ", silk"),
    ("small black rucksack", "clothes_shoes_bags", ", empty", " with school books in it"),
    ("silver bracelet", "valuables", ", thin chain", " with a heart"),
    ("bicycle key", "valuables", " on a green ribbon", ", Abus"),
    ("fitness watch", "valuables", ", black strap", ", broken glass"),
    ("white earphones", "valuables", " in their case", ", one missing"),
)
PLACES = ("Hall, lobby", "Hall, pool side", "Hall, showers", "Rantasauna, changing room", "Rantasauna, terrace")
KEEP = (("swim_gear", 14), ("clothes_shoes_bags", 91), ("valuables", 91))


def _row(number, thing, day, details, fee, rng):
    phrase, category = thing[0], thing[1]
    keep = datetime.date.fromisoformat(day) + datetime.timedelta(days=dict(KEEP)[category])
    return {
        "id": number,
        "book_number": f"FB-26-{number + 600}",
        "category": category,
        "description": phrase[0].upper() + phrase[1:] + details,
        "place": rng.choice(PLACES),
        "found_on": day,
        "keep_until": keep.isoformat(),
        "price_id": fee["id"],
        "status": "held",
    }


def instances(world, rng):
    """A day of last week and four things left that day, of which some have been handed in."""
    today = datetime.date.fromisoformat(world.clock[:10])
    fees = {
        r["code"][6:]: r for r in world.query("SELECT id, code, price_cents FROM prices WHERE category = 'found_item' ORDER BY id")
    }
    known = " | ".join(r["description"].lower() for r in world.query("SELECT description FROM found_items ORDER BY id"))
    top = world.one("SELECT max(id) AS n FROM found_items")["n"]
    pool = [t for t in THINGS if t[0] not in known]
    for _ in range(1000):
        day = today - datetime.timedelta(days=rng.randint(1, 7))
        gear = rng.sample([t for t in pool if t[1] == "swim_gear"], 1)
        things = gear + rng.sample([t for t in pool if t[1] == "clothes_shoes_bags"], rng.choice([1, 2]))
        things += rng.sample([t for t in pool if t[1] == "valuables"], 1)
        if len(things) < 4:
            things += rng.sample([t for t in pool if t not in things and t[1] != "valuables"], 4 - len(things))
        rng.shuffle(things)
        there = [t for t in things if rng.random() < 0.7]
        limit = rng.choice([300, 500, 600, 1000])
        wanted = [t for t in there if fees[t[1]]["price_cents"] <= limit]
        if not wanted or len(there) == len(things):
            continue
        rows = [_row(0, t, day.isoformat(), t[2], fees[t[1]], rng) for t in there]
        for t in things:
            if rng.random() < 0.4:
                before = day - datetime.timedelta(days=rng.randint(1, 5))
                rows.append(_row(0, t, before.isoformat(), t[3], fees[t[1]], rng))
        rows.sort(key=lambda r: (r["found_on"], r["description"]))
        for i, r in enumerate(rows):
            r["id"] = top + 1 + i
            r["book_number"] = f"FB-26-{r['id'] + 600}"
        ids = {r["description"].lower(): r["id"] for r in rows}
        yield {
            "p": {
                "day": day.isoformat(),
                "things": [t[0] for t in things],
                "limit": limit,
                "items": [
                    {"id": ids[t[0] + t[2].lower()], "thing": t[0], "fee": fees[t[1]]["price_cents"]} for t in things if t in wanted
                ],
                "missing": [t[0] for t in things if t not in there],
            },
            "given": {"found_items": rows},
        }


def solve(tools, p):
    me = tools.get_my_profile()["customer"]["id"]
    fetched, missing, dear = [], [], []
    for thing in p["things"]:
        items = [
            i
            for i in tools.search_found_items(text=thing, first_day=p["day"])["found_items"]
            if i["status"] == "held" and i["owner_id"] is None
        ]
        if not items:
            missing.append(thing)
        elif items[0]["price_cents"] > p["limit"]:
            dear.append(thing)
        else:
            tools.claim_found_item(found_item_id=items[0]["id"], customer_id=me, method="bank_card")
            fetched.append(thing)
    left = f" Left for its fee: {', '.join(dear)}." if dear else ""
    return {
        "outcome": "done",
        "answers": {"fetched": fetched, "not_handed_in": missing},
        "reason": None,
        "message": f"Fetched: {', '.join(fetched)}. Not handed in: {', '.join(missing)}.{left}",
    }


def goal_fetches_what_is_worth_it(world, p):
    """All that was handed in and costs no more than the person would pay is fetched as theirs, for its fee."""
    for item in p["items"]:
        row = world.final.one("SELECT * FROM found_items WHERE id = ?", [item["id"]])
        if (row["status"], row["owner_id"], row["fetched_by_id"], row["fee_cents"]) != ("fetched", 1, 1, item["fee"]):
            return False
        if row["fetched_at"] is None:
            return False
    return True


def goal_pays_the_fees_with_the_bank_card(world, p):
    """Every fee has been paid once with the bank card, and the things to be fetched are fetched."""
    wanted = sorted((i["id"], "bank_card", i["fee"]) for i in p["items"] if i["fee"] > 0)
    rows = [c["after"] for c in world.changes if c["table"] == "payments" and c["before"] is None]
    paid = sorted((r["found_item_id"] or 0, r["method"], r["amount_cents"]) for r in rows)
    done = [world.final.one("SELECT status FROM found_items WHERE id = ?", [i["id"]])["status"] for i in p["items"]]
    return paid == wanted and all(s == "fetched" for s in done)


def goal_says_what_is_fetched(world, p):
    """Says which of the things are fetched."""
    return world.report.says("fetched", [i["thing"] for i in p["items"]])


def goal_says_what_has_not_been_handed_in(world, p):
    """Says which of the things have not been handed in."""
    return world.report.says("not_handed_in", p["missing"])


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_touches_nothing_else(world, p):
    """Changed nothing but these items and the payments of their fees."""
    ids = {i["id"] for i in p["items"]}
    columns = {"status", "owner_id", "fetched_by_id", "fetched_at", "fee_cents"}
    payments = 0
    for c in world.changes:
        before, after = c["before"], c["after"]
        if after is None:
            return False
        if c["table"] == "payments":
            payments += 1
            if before is not None or after["customer_id"] != 1 or after["kind"] != "payment" or after["found_item_id"] not in ids:
                return False
        elif c["table"] != "found_items" or before is None or before["id"] not in ids:
            return False
        elif any(before[k] != after[k] for k in before if k not in columns):
            return False
    return payments <= len(ids)
