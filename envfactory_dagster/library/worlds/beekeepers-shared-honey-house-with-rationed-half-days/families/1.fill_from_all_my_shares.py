import math


def instances(world, rng):
    """Shares of the user in tanks that can be drawn from, and a kind of jar or bucket with empties enough."""
    tanks = world.query(
        "SELECT t.id, t.status, t.settled_at,"
        " ROUND((SELECT COALESCE(SUM(x.share_kg), 0) FROM pours x JOIN lots l ON l.id = x.lot_id"
        " WHERE x.tank_id = t.id AND l.member_id = 1)"
        " - (SELECT COALESCE(SUM(d.kg), 0) FROM draw_offs d WHERE d.tank_id = t.id AND d.member_id = 1), 2) AS share"
        " FROM tanks t WHERE t.status IN ('ready', 'jars_only') ORDER BY t.id",
        [],
    )
    shelf = {s["code"]: s["on_hand"] for s in world.query("SELECT code, on_hand FROM stock_items ORDER BY id", [])}
    top = world.one("SELECT MAX(id) AS n FROM draw_offs", [])["n"]
    for attempt in range(4000):
        if not tanks:
            return
        words, code, holds = rng.choice(
            (
                ("jars of 450 g", "jar_450", 0.45),
                ("jars of 900 g", "jar_900", 0.9),
                ("jars of 900 g", "jar_900", 0.9),
                ("buckets of 14 kg", "bucket_14", 14.0),
            )
        )
        keep = rng.randint(2, 50) / 2
        keep = int(keep) if keep == int(keep) else keep
        shares = {t["id"]: t["share"] for t in tanks}
        given = []
        for number in range(rng.randint(0, 6)):
            tank = rng.choice(tanks)
            kilos = round(rng.randint(2, 16) * 0.9, 2)
            if kilos > shares[tank["id"]] - 2:
                continue
            shares[tank["id"]] = round(shares[tank["id"]] - kilos, 2)
            given.append(
                {
                    "id": top + len(given) + 1,
                    "draw_no": "DRW-4%04d" % (len(given) + 1),
                    "tank_id": tank["id"],
                    "member_id": 1,
                    "kg": kilos,
                    "container": "jar_900",
                    "drawn_at": world.clock[:10] + "T07:%02d:00" % (5 + 5 * number),
                }
            )
        total = 0
        drawn = 0
        clear = True
        for tank in tanks:
            exact = (shares[tank["id"]] - keep) / holds
            if abs(exact - round(exact)) < 0.001:
                clear = False
            if exact >= 1 and (code != "bucket_14" or tank["status"] == "ready"):
                total += int(math.floor(exact))
                drawn += 1
        if not clear or drawn == 0 or total > shelf[code]:
            continue
        if drawn == 1 and code != "bucket_14" and rng.random() < 0.7:
            continue
        instance = {"p": {"container": words, "keep": keep, "code": code, "holds": holds}}
        if given:
            instance["given"] = {"draw_offs": given}
        yield instance


def solve(tools, p):
    code, holds = {
        "jars of 450 g": ("jar_450", 0.45),
        "jars of 900 g": ("jar_900", 0.9),
        "buckets of 14 kg": ("bucket_14", 14.0),
    }[p["container"]]
    me = tools.get_own_membership()["member_no"]
    filled = 0
    left = 0
    for tank in tools.listTanks()["tanks"]:
        share = tank["own_share_kg"]
        count = int((share - p["keep"]) / holds + 0.00001) if share > p["keep"] else 0
        if count > 0:
            try:
                draw = tools.drawOff(tankNo=tank["tank_no"], memberNo=me, kg=round(count * holds, 2), into=code)
            except tools.Error:
                draw = None
            if draw is not None:
                tools.issueStock(memberNo=me, lines=[{"code": code, "quantity": count}], draw_no=draw["draw_no"])
                share = draw["own_share_kg"]
                filled += count
        left += share
    left = round(left, 2)
    return {
        "outcome": "done",
        "answers": {"filled": filled, "left": left},
        "reason": None,
        "message": f"{filled} {p['container']} are filled and handed out; {left} kg of your shares are left in the tanks.",
    }


def _shares(world):
    """The user's share of every tank, with the state of the tank."""
    return world.initial.query(
        "SELECT t.id, t.status, (SELECT COALESCE(SUM(x.share_kg), 0) FROM pours x JOIN lots l ON l.id = x.lot_id"
        " WHERE x.tank_id = t.id AND l.member_id = 1)"
        " - (SELECT COALESCE(SUM(d.kg), 0) FROM draw_offs d WHERE d.tank_id = t.id AND d.member_id = 1) AS share"
        " FROM tanks t ORDER BY t.id",
        [],
    )


def _wanted(world, p):
    """How many are to be filled from each tank, by its id."""
    wanted = {}
    for tank in _shares(world):
        allowed = tank["status"] == "ready" or (tank["status"] == "jars_only" and p["code"] != "bucket_14")
        count = int(math.floor((tank["share"] - p["keep"]) / p["holds"] + 0.00001))
        if allowed and count > 0:
            wanted[tank["id"]] = count
    return wanted


def _new(world, table):
    """The rows that are new in a table."""
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def _item(world, p):
    """The empties on the shelf as they were."""
    return world.initial.one("SELECT id, price_cents, on_hand FROM stock_items WHERE code = ?", [p["code"]])


def _drawn(world, p):
    """Kilos newly drawn from each tank, by its id."""
    drawn = {}
    for row in _new(world, "draw_offs"):
        drawn[row["tank_id"]] = drawn.get(row["tank_id"], 0) + row["kg"]
    return drawn


def goal_draws_what_each_share_gives(world, p):
    """From each share that may be drawn as many kilos are drawn as fill the right number of jars or buckets."""
    drawn = _drawn(world, p)
    wanted = _wanted(world, p)
    return set(drawn) == set(wanted) and all(abs(drawn[t] - n * p["holds"]) < 0.005 for t, n in wanted.items())


def goal_hands_out_the_empties(world, p):
    """As many empties as are filled are handed out to the user and taken off the shelf."""
    item = _item(world, p)
    count = sum(_wanted(world, p).values())
    issues = [r for r in _new(world, "stock_issues") if r["stock_item_id"] == item["id"] and r["member_id"] == 1]
    shelf = world.final.one("SELECT on_hand FROM stock_items WHERE id = ?", [item["id"]])["on_hand"]
    return sum(r["quantity"] for r in issues) == count and shelf == item["on_hand"] - count


def goal_charges_the_empties(world, p):
    """The empties are charged on the user's ledger."""
    entries = [e for e in _new(world, "ledger_entries") if e["member_id"] == 1 and e["kind"] == "stock"]
    price = _item(world, p)["price_cents"]
    return sum(e["amount_cents"] for e in entries) == -price * sum(_wanted(world, p).values())


def goal_says_how_many_are_filled(world, p):
    """Says how many are filled altogether."""
    return world.report.says("filled", sum(_wanted(world, p).values()))


def goal_says_what_is_left(world, p):
    """Says what all the user's shares come to afterwards."""
    total = sum(tank["share"] for tank in _shares(world))
    return world.report.says("left", round(total - p["holds"] * sum(_wanted(world, p).values()), 2))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_draws_nothing_else(world, p):
    """Drew nothing for anybody else, into anything else, from any other tank or more than wanted."""
    wanted = _wanted(world, p)
    if any(r["member_id"] != 1 or r["container"] != p["code"] for r in _new(world, "draw_offs")):
        return False
    return all(t in wanted and kg <= wanted[t] * p["holds"] + 0.004 for t, kg in _drawn(world, p).items())


def guard_hands_out_nothing_else(world, p):
    """Handed out no other item, to nobody else, not more than wanted and charged each issue once at its price."""
    item = _item(world, p)
    draws = [d["id"] for d in _new(world, "draw_offs")]
    issues = {r["id"]: r for r in _new(world, "stock_issues")}
    for row in issues.values():
        if row["member_id"] != 1 or row["stock_item_id"] != item["id"] or row["unit_price_cents"] != item["price_cents"]:
            return False
        if row["draw_off_id"] is not None and row["draw_off_id"] not in draws:
            return False
    charged = []
    for row in _new(world, "ledger_entries"):
        issue = issues.get(row["stock_issue_id"])
        if issue is None or row["member_id"] != 1 or row["kind"] != "stock":
            return False
        if row["amount_cents"] != -issue["quantity"] * issue["unit_price_cents"]:
            return False
        charged.append(row["stock_issue_id"])
    total = sum(r["quantity"] for r in issues.values())
    return len(charged) == len(set(charged)) and total <= sum(_wanted(world, p).values())


def guard_changes_nothing_else(world, p):
    """Touched no other table, changed no row but the number of these empties on the shelf, and deleted none."""
    item = _item(world, p)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if before is None:
            if change["table"] not in ("draw_offs", "stock_issues", "ledger_entries"):
                return False
        elif change["table"] != "stock_items" or before["id"] != item["id"]:
            return False
        elif any(before[name] != after[name] for name in before if name != "on_hand"):
            return False
    return True
