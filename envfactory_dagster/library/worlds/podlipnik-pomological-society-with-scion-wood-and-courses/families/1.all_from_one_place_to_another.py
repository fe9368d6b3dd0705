import datetime

RULE = "collection_place_change"


def _row(number, lot, day_id, trees, parcel, rng):
    reserved = datetime.date(2026, 3, 2) + datetime.timedelta(days=rng.randrange(0, 36))
    return {
        "id": number,
        "code": f"TR-{700 + number:05d}",
        "member_id": 1,
        "lot_id": lot["id"],
        "tree_collection_day_id": day_id,
        "trees": trees,
        "price_per_tree_cents": lot["member_price_cents"],
        "deposit_per_tree_cents": 500,
        "parcel_number": parcel,
        "parcel_municipality": None if parcel is None else "Podlipnik",
        "is_signed": 0 if parcel is None else 1,
        "status": "held",
        "reserved_on": reserved.isoformat(),
        "deposit_due_on": (reserved + datetime.timedelta(days=15)).isoformat(),
        "deposit_paid_on": (reserved + datetime.timedelta(days=rng.randrange(2, 14))).isoformat(),
        "place_changed_on": None,
        "ended_on": None,
    }


def instances(world, rng):
    """What the user is to collect at one place, with one or two reservations added, and another place and its day."""
    mine = world.query(
        "SELECT r.id, r.lot_id, r.trees, r.tree_collection_day_id, r.price_per_tree_cents, r.deposit_paid_on, l.is_r,"
        " l.name, (SELECT COALESCE(SUM(e.points), 0) FROM points_entries e WHERE e.tree_reservation_id = r.id"
        " AND e.kind = 'used') AS points FROM tree_reservations r JOIN lots l ON l.id = r.lot_id"
        " WHERE r.member_id = 1 AND r.status IN ('awaiting deposit', 'held') ORDER BY r.id"
    )
    days = world.query(
        "SELECT d.id, d.held_on, p.settlement FROM tree_collection_days d JOIN collection_places p ON p.id = d.place_id"
        " WHERE d.for_what NOT LIKE '%last pick-up%' AND d.held_on > ? ORDER BY d.held_on",
        [world.clock[:10]],
    )
    last = world.one("SELECT MAX(id) AS n FROM tree_reservations")["n"]
    lots = world.query(
        "SELECT l.id, l.name, l.member_price_cents FROM lots l WHERE l.kind = 'tree' AND l.handed_out_at = 'K1 K2 K3'"
        " AND l.lot <> 'D-13' AND l.reserved_or_sold > (SELECT COALESCE(SUM(r.trees), 0) FROM tree_reservations r"
        " WHERE r.lot_id = l.id AND r.status IN ('awaiting deposit', 'held', 'collected')) ORDER BY l.id"
    )
    names = {row["name"] for row in mine}
    lots = [lot for lot in lots if lot["name"] not in names]
    room = min(10 - sum(row["trees"] for row in mine), 2)
    for _ in range(600):
        start, end = rng.sample(days, 2)
        rows = []
        for n, lot in enumerate(rng.sample(lots, rng.randrange(0, room + 1))):
            day = start if rng.random() < 0.75 else rng.choice(days)
            rows.append(_row(last + 1 + n, lot, day["id"], 1, None, rng))
        everything = [dict(row) for row in mine]
        for row in rows:
            everything.append({**row, "is_r": 0, "points": 0})
        moved = [row for row in everything if row["tree_collection_day_id"] == start["id"]]
        if not moved:
            continue
        forbidden = any(row["is_r"] == 1 for row in moved)
        if forbidden and rng.random() < 0.35:
            continue
        if not forbidden and len(moved) < 2:
            continue
        there = moved + [row for row in everything if row["tree_collection_day_id"] == end["id"]]
        money = 0
        for row in there:
            money += row["trees"] * row["price_per_tree_cents"] - round(row["points"] * 150)
            money -= 500 * row["trees"] if row["deposit_paid_on"] else 0
        instance = {
            "p": {
                "from_place": start["settlement"],
                "from_day": start["held_on"],
                "to_place": end["settlement"],
                "to_day": end["held_on"],
                "ids": [row["id"] for row in moved],
                "day_id": end["id"],
                "money": money,
                "forbidden": forbidden,
                "rule": RULE,
            }
        }
        if rows:
            instance["given"] = {"tree_reservations": rows}
        if forbidden:
            instance["kind"] = "refusal"
            instance["rule"] = RULE
        yield instance


def solve(tools, p):
    days = tools.list_collection_days()["tree_collection_days"]
    start = next(d for d in days if d["settlement"] == p["from_place"] and d["held_on"] == p["from_day"])
    end = next(d for d in days if d["settlement"] == p["to_place"] and d["held_on"] == p["to_day"])
    moved, money = [], 0
    for row in tools.list_my_tree_reservations()["tree_reservations"]:
        if row["status"] not in ("awaiting deposit", "held"):
            continue
        if row["tree_collection_day_id"] not in (start["tree_collection_day_id"], end["tree_collection_day_id"]):
            continue
        full = tools.get_tree_reservation(tree_reservation_id=row["tree_reservation_id"])["tree_reservation"]
        money += full["left_to_pay_cents"]
        if row["tree_collection_day_id"] == start["tree_collection_day_id"]:
            moved.append(full)
    moved.sort(key=lambda row: (-row["is_r"], row["tree_reservation_id"]))
    for row in moved:
        try:
            tools.change_collection_day(
                tree_reservation_id=row["tree_reservation_id"], tree_collection_day_id=end["tree_collection_day_id"]
            )
        except tools.Error:
            return {
                "outcome": "refused",
                "answers": {"still_to_pay": None},
                "reason": RULE,
                "message": (
                    f"Nothing was moved: {row['name']} is of a lot marked R, and the collection place of such a lot "
                    "cannot be changed."
                ),
            }
    return {
        "outcome": "done",
        "answers": {"still_to_pay": money},
        "reason": None,
        "message": (
            f"{', '.join(row['name'] for row in moved)} will be handed out in {p['to_place']}; "
            f"for all that you get there {money / 100:.2f} EUR are still to be paid."
        ),
    }


def _refused(world, p):
    return world.report.outcome == "refused" and world.report.reason == p["rule"]


def goal_moves_all_of_it(world, p):
    """Has all that was to be collected at the one place at the other, or has refused it where the rule forbids it."""
    if p["forbidden"]:
        return _refused(world, p)
    for number in p["ids"]:
        row = world.final.one("SELECT tree_collection_day_id AS n FROM tree_reservations WHERE id = ?", [number])
        if row is None or row["n"] != p["day_id"]:
            return False
    return True


def goal_says_what_is_still_to_pay(world, p):
    """Says what is still to be paid for all at the new place, or nothing where it is refused."""
    if p["forbidden"]:
        return world.report.outcome is not None and world.report.says("still_to_pay", None)
    return world.report.says("still_to_pay", p["money"])


def guard_changes_their_collection_day_only(world, p):
    """Changed nothing but the collection day of these reservations, and nothing at all where it is refused."""
    for change in world.changes:
        before, after = change["before"], change["after"]
        if p["forbidden"] or change["table"] != "tree_reservations" or before is None or after is None:
            return False
        if before["id"] not in p["ids"] or after["tree_collection_day_id"] != p["day_id"]:
            return False
        if any(
            before[column] != after[column]
            for column in before
            if column not in ("tree_collection_day_id", "place_changed_on")
        ):
            return False
    return True


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or that it is refused where the rule forbids it."""
    return world.report.outcome in (None, "refused" if p["forbidden"] else "done")


def guard_gives_the_right_reason(world, p):
    """Gives the rule as the reason of a refusal, and no reason otherwise."""
    return world.report.outcome is None or world.report.reason == (p["rule"] if p["forbidden"] else None)
