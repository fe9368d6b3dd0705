import datetime

PLACES = ("family changing room", "cloakroom", "shower room")
THINGS = (
    ("swim_gear", "purple swimming goggles", "", "all", "family changing room, shower room"),
    ("swim_gear", "orange bath towel", "an", "all", "family changing room, shower room"),
    ("swim_gear", "silver swimming cap", "a", "all", "family changing room, shower room"),
    ("swim_gear", "bottle of birch shampoo", "a", "all", "shower room, family changing room"),
    ("swim_gear", "striped swimsuit", "a", "all", "family changing room, shower room"),
    ("clothing", "dark blue woollen hat", "a", "winter", "cloakroom, family changing room"),
    ("clothing", "pair of red mittens", "a", "winter", "cloakroom, family changing room"),
    ("clothing", "checked scarf", "a", "all", "cloakroom, family changing room"),
    ("clothing", "beige cardigan", "a", "all", "cloakroom, family changing room"),
    ("clothing", "pair of sandals", "a", "summer", "cloakroom, family changing room"),
    ("clothing", "green rain jacket", "a", "all", "cloakroom, family changing room"),
    ("clothing", "white sun hat", "a", "summer", "cloakroom, family changing room"),
    ("valuable", "bicycle key", "a", "all", "cloakroom, family changing room"),
    ("valuable", "white Nokia phone", "a", "all", "cloakroom, family changing room"),
    ("valuable", "silver bracelet", "a", "all", "shower room, family changing room"),
    ("valuable", "gold-coloured ring", "a", "all", "shower room, family changing room"),
    ("wallet", "green wallet", "a", "all", "cloakroom, family changing room"),
    ("wallet", "brown leather purse", "a", "all", "cloakroom, family changing room"),
)


def _fee(category, found_on, today, born_on):
    age = int(today[:4]) - int(born_on[:4]) - (1 if today[5:] < born_on[5:] else 0)
    if found_on == today or age < 15:
        return 0
    return 300 if category == "clothing" else 800 if category in ("valuable", "wallet") else 0


def instances(world, rng):
    """A customer, one visit of the last days, and a handful of things of which some were found."""
    today = world.clock[:10]
    people = world.query("SELECT id, name, born_on FROM customers WHERE name NOT LIKE '%Hautamäki%' ORDER BY name")
    people = [c for c in people if int(today[:4]) - int(c["born_on"][:4]) >= 10 and sum(c["name"] in o["name"] for o in people) == 1]
    item = world.one("SELECT coalesce(max(id), 0) AS n FROM found_items")["n"] + 1
    while True:
        who = rng.choice(people)
        child = int(today[:4]) - int(who["born_on"][:4]) < 16
        season = "winter" if today < "2026-05-01" else "summer"
        place, other = rng.sample(PLACES, 2)
        fitting = [t for t in THINGS if t[3] in ("all", season) and place in t[4].split(", ") and (not child or t[0] in ("swim_gear", "clothing") or t[1] == "bicycle key")]
        if len(fitting) < 5:
            continue
        lost = rng.sample(fitting, rng.randint(3, 4))
        back = rng.choice((0, 1, 1, 2, 2, 3, 4, 5, 6))
        date = datetime.date.fromisoformat(today) - datetime.timedelta(days=back)
        day = date.isoformat()
        number = rng.randint(2, len(lost) - 1)
        found = lost[:number]
        rows = []

        def add(thing, where, on):
            rows.append({"id": item + len(rows), "category": thing[0], "description": thing[1], "place": where, "found_on": on,
                         "stored_in": "shelf" if thing[0] in ("swim_gear", "clothing") else "safe", "status": "held", "recorded_by": 1})

        for n in range(1, 3):
            if rng.random() < 0.7:
                thing = rng.choice(lost[number:] + found)
                add(thing, rng.choice([w for w in (place, other) if w in thing[4].split(", ")]), (date - datetime.timedelta(days=rng.randint(1, 5))).isoformat())
        stranger = rng.choice([t for t in fitting if t not in lost])
        add(stranger, place, day)
        items = []
        for thing in found:
            add(thing, place, day)
            items.append({"id": rows[-1]["id"], "fee": _fee(thing[0], day, today, who["born_on"])})
        order = [(t[2] + " " + t[1]).strip() for t in lost]
        rng.shuffle(order)
        if not any(i["fee"] for i in items) and rng.random() < 0.6:
            continue
        yield {
            "p": {"who": who["name"], "place": place, "day": day, "things": order, "how": rng.choice(("by card", "in cash")), "customer": who["id"],
                  "items": [i["id"] for i in items], "fees": [i["fee"] for i in items], "missing": sorted(t[1] for t in lost[number:])},
            "given": {"found_items": rows},
        }


def solve(tools, p):
    who = next(c for c in tools.search_customers(name=p["who"])["customers"] if c["name"] == p["who"])
    held = tools.search_found_items(status="held", first_day=p["day"], last_day=p["day"])["found_items"]
    total, missing = 0, []
    for thing in p["things"]:
        name = thing[thing.index(" ") + 1:] if thing.startswith(("a ", "an ")) else thing
        fitting = [i for i in held if i["place"] == p["place"] and i["description"] == name]
        if not fitting:
            missing.append(name)
            continue
        item = tools.hand_over_found_item(found_item_id=fitting[0]["id"], customer_id=who["id"])["found_item"]
        if item["fee_cents"]:
            tools.take_payment(customer_id=who["id"], method="card" if p["how"] == "by card" else "cash", amount_cents=item["fee_cents"], purpose="found_item", found_item_id=item["id"])
            total += item["fee_cents"]
    return {"outcome": "done", "answers": {"to_pay": total, "not_turned_up": missing}, "reason": None,
            "message": f"{p['who']} has the things that were found and has paid {total / 100:.2f} euros; not turned up: {', '.join(missing)}."}


def goal_the_things_are_handed_over(world, p):
    """All things of that visit that were found are handed over to the right person at the right fee."""
    return all(
        world.final.one("SELECT status, handed_over_to_id, fee_cents FROM found_items WHERE id = ?", [n]) == {"status": "handed_over", "handed_over_to_id": p["customer"], "fee_cents": p["fees"][k]}
        for k, n in enumerate(p["items"])
    )


def goal_the_fees_are_paid(world, p):
    """The fee of each of these things is paid the way it was said, once they are handed over."""
    if not all(world.final.one("SELECT status FROM found_items WHERE id = ?", [n])["status"] == "handed_over" for n in p["items"]):
        return False
    return all(
        world.final.one(
            "SELECT coalesce(sum(amount_cents), 0) AS n FROM payments WHERE found_item_id = ? AND kind = 'charge' AND purpose = 'found_item' AND method = ? AND customer_id = ?",
            [n, "card" if p["how"] == "by card" else "cash", p["customer"]],
        )["n"] == p["fees"][k]
        for k, n in enumerate(p["items"])
    )


def goal_says_what_there_was_to_pay(world, p):
    """Says what there was to pay for them."""
    return world.report.says("to_pay", sum(p["fees"]))


def goal_says_what_has_not_turned_up(world, p):
    """Says which of the things were not found."""
    return world.report.says("not_turned_up", p["missing"])


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world, p):
    """Gives no rule as a reason."""
    return world.report.reason is None


def guard_hands_over_nothing_else(world, p):
    """Changed no other item, and these only by handing them over to this person."""
    for change in world.changes:
        if change["table"] == "found_items":
            if change["before"] is None or change["after"] is None or change["before"]["id"] not in p["items"] or change["after"]["handed_over_to_id"] != p["customer"]:
                return False
            if any(k not in ("status", "handed_over_to_id", "handed_over_at", "fee_cents") and change["before"][k] != change["after"][k] for k in change["after"]):
                return False
    return True


def guard_takes_the_fees_only(world, p):
    """Added no payment but from this person, the way it was said, for these things."""
    return all(
        c["before"] is None and c["after"] is not None and c["after"]["kind"] == "charge" and c["after"]["purpose"] == "found_item" and c["after"]["found_item_id"] in p["items"]
        and c["after"]["customer_id"] == p["customer"] and c["after"]["method"] == ("card" if p["how"] == "by card" else "cash")
        for c in world.changes
        if c["table"] == "payments"
    )


def guard_touches_no_other_table(world, p):
    """Changed rows only among found items and payments."""
    return all(c["table"] in ("found_items", "payments") for c in world.changes)
