import datetime
import math

RULE = "points_half_and_thirty"
NUMBERS = ("", "", "two", "three", "four", "five", "six")


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
    """A held reservation of the user, with or without further points, and a number of points near the most allowed."""
    mine = world.query(
        "SELECT r.id, r.lot_id, r.trees, r.status, r.price_per_tree_cents, l.name,"
        " (SELECT COALESCE(SUM(e.points), 0) FROM points_entries e WHERE e.tree_reservation_id = r.id"
        " AND e.kind = 'used') AS points FROM tree_reservations r JOIN lots l ON l.id = r.lot_id"
        " WHERE r.member_id = 1 AND r.status IN ('awaiting deposit', 'held') ORDER BY r.id"
    )
    state = world.one(
        "SELECT SUM(CASE WHEN kind IN ('used', 'expired') THEN -points ELSE points END) AS balance,"
        " SUM(CASE WHEN kind = 'used' AND substr(entered_on, 1, 4) = ? THEN points ELSE 0 END) AS used"
        " FROM points_entries WHERE member_id = 1",
        [world.clock[:4]],
    )
    last = world.one("SELECT MAX(id) AS n FROM tree_reservations")["n"]
    last_entry = world.one("SELECT MAX(id) AS n FROM points_entries")["n"]
    days = world.query("SELECT id FROM tree_collection_days WHERE for_what NOT LIKE '%last pick-up%' ORDER BY id")
    lots = world.query(
        "SELECT l.id, l.name, l.member_price_cents FROM lots l WHERE l.kind = 'tree' AND l.is_r = 0"
        " AND l.lot <> 'D-13' AND l.reserved_or_sold >= 2 + (SELECT COALESCE(SUM(r.trees), 0) FROM tree_reservations r"
        " WHERE r.lot_id = l.id AND r.status IN ('awaiting deposit', 'held', 'collected')) ORDER BY l.id"
    )
    names = {row["name"] for row in mine}
    lots = [lot for lot in lots if lot["name"] not in names]
    room = min(10 - sum(row["trees"] for row in mine), 2)
    help_done = (("2026-03-28", 6, None, 3.0), ("2026-01-17", 5, 2, 2.0), ("2026-03-21", 8, 6, 1.0), ("2026-02-14", 8, 4, 1.0))
    for _ in range(600):
        entries = []
        for on, rate, work_day, points in help_done:
            if rng.random() < 0.6:
                entries.append({
                    "id": last_entry + 1 + len(entries),
                    "member_id": 1,
                    "kind": "earned",
                    "points": points,
                    "entered_on": on,
                    "work_day_id": work_day,
                    "point_rate_id": rate,
                    "tree_reservation_id": None,
                    "course_registration_id": None,
                })
        balance = state["balance"] + sum(entry["points"] for entry in entries)
        given = {"points_entries": entries} if entries else {}
        if rng.random() < 0.65:
            lot = rng.choice(lots)
            trees = rng.randrange(1, room + 1)
            row = _row(last + 1, lot, rng.choice(days)["id"], trees, None, rng)
            given["tree_reservations"] = [row]
            chosen = {"id": last + 1, "name": lot["name"], "total": trees * lot["member_price_cents"], "points": 0}
        else:
            held = [row for row in mine if row["status"] == "held"]
            row = rng.choice(held)
            chosen = {
                "id": row["id"],
                "name": row["name"],
                "total": row["trees"] * row["price_per_tree_cents"],
                "points": row["points"],
            }
        chosen["trees"] = row["trees"]
        half = math.floor(chosen["total"] / 300 * 2) / 2 - chosen["points"]
        most = min(half, 30 - state["used"])
        forbidden = rng.random() < 0.45
        whole = math.floor(most)
        points = whole + rng.choice((1, 1, 2, 3)) if forbidden else whole - rng.choice((0, 0, 1, 2))
        if points < 2 or points > balance or chosen["trees"] > 6:
            continue
        instance = {
            "p": {
                "points": points,
                "what": (NUMBERS[chosen["trees"]] + " " + chosen["name"]).strip(),
                "reservation": chosen["id"],
                "left": chosen["total"] - 500 * chosen["trees"] - round((chosen["points"] + points) * 150),
                "before": chosen["points"],
                "forbidden": forbidden,
                "rule": RULE,
            }
        }
        if given:
            instance["given"] = given
        if forbidden:
            instance["kind"] = "refusal"
            instance["rule"] = RULE
        yield instance


def solve(tools, p):
    me = tools.get_my_membership()
    mine = tools.list_my_tree_reservations(status="held")["tree_reservations"]
    first, _, rest = p["what"].partition(" ")
    variety = rest if first in NUMBERS[2:] else p["what"]
    row = next(r for r in mine if r["name"] == variety)
    full = tools.get_tree_reservation(tree_reservation_id=row["tree_reservation_id"])["tree_reservation"]
    try:
        after = tools.set_points_against_trees(
            tree_reservation_id=row["tree_reservation_id"], points=p["points"]
        )["tree_reservation"]
    except tools.Error as error:
        return {
            "outcome": "refused",
            "answers": {"left_in_money": None},
            "reason": RULE,
            "message": (
                f"{p['points']} points cannot be set against the {variety}, whose invoice is "
                f"{full['total_cents'] / 100:.2f} EUR, {me['points_used_this_year']} points having been used this year: "
                f"{error}"
            ),
        }
    left = after["left_to_pay_cents"]
    return {
        "outcome": "done",
        "answers": {"left_in_money": left},
        "reason": None,
        "message": f"{p['points']} points are set against the {variety}; {left / 100:.2f} EUR are left to be paid.",
    }


def _refused(world, p):
    return world.report.outcome == "refused" and world.report.reason == p["rule"]


def goal_sets_so_many_points(world, p):
    """Has exactly so many points set against the reservation, or has refused it where the rule forbids it."""
    if p["forbidden"]:
        return _refused(world, p)
    row = world.final.one(
        "SELECT COALESCE(SUM(points), 0) AS n FROM points_entries"
        " WHERE member_id = 1 AND kind = 'used' AND tree_reservation_id = ?",
        [p["reservation"]],
    )
    return row["n"] == p["before"] + p["points"]


def goal_says_what_is_left(world, p):
    """Says what is left to be paid in money, or nothing where it is refused."""
    if p["forbidden"]:
        return world.report.outcome is not None and world.report.says("left_in_money", None)
    return world.report.says("left_in_money", p["left"])


def guard_adds_these_points_only(world, p):
    """Changed nothing but points newly set against this reservation, at most so many."""
    total = 0
    for change in world.changes:
        after = change["after"]
        if p["forbidden"] or change["table"] != "points_entries" or change["before"] is not None:
            return False
        if after["member_id"] != 1 or after["kind"] != "used" or after["tree_reservation_id"] != p["reservation"]:
            return False
        total += after["points"]
    return total <= p["points"]


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or that it is refused where the rule forbids it."""
    return world.report.outcome in (None, "refused" if p["forbidden"] else "done")


def guard_gives_the_right_reason(world, p):
    """Gives the rule as the reason of a refusal, and no reason otherwise."""
    return world.report.outcome is None or world.report.reason == (p["rule"] if p["forbidden"] else None)
