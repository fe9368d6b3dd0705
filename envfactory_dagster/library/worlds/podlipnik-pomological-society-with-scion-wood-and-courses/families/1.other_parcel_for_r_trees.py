import datetime

RULE = "r_lot_parcel_and_k1"


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
    """All R trees of the user for one parcel, some of them added, and a new parcel in one of the settlements."""
    mine = world.query(
        "SELECT r.id, r.lot_id, r.trees, r.parcel_number, l.name, l.is_r FROM tree_reservations r"
        " JOIN lots l ON l.id = r.lot_id WHERE r.member_id = 1 AND r.status IN ('awaiting deposit', 'held') ORDER BY r.id"
    )
    last = world.one("SELECT MAX(id) AS n FROM tree_reservations")["n"]
    k1 = world.one(
        "SELECT MIN(d.id) AS n FROM tree_collection_days d JOIN collection_places p ON p.id = d.place_id"
        " WHERE p.takes_r_lots = 1"
    )["n"]
    settlements = world.query("SELECT settlement, municipality FROM settlements ORDER BY id")
    lots = world.query(
        "SELECT l.id, l.name, l.member_price_cents FROM lots l WHERE l.kind = 'tree' AND l.is_r = 1"
        " AND l.reserved_or_sold > (SELECT COALESCE(SUM(r.trees), 0) FROM tree_reservations r WHERE r.lot_id = l.id"
        " AND r.status IN ('awaiting deposit', 'held', 'collected')) ORDER BY l.id"
    )
    held = {row["lot_id"] for row in mine}
    lots = [lot for lot in lots if lot["id"] not in held]
    room = 10 - sum(row["trees"] for row in mine)
    old_r = [row for row in mine if row["is_r"] == 1]
    old_parcel = old_r[0]["parcel_number"]
    for _ in range(400):
        extra = rng.sample(lots, rng.randrange(1, min(len(lots), room) + 1))
        other = f"{rng.randrange(500, 640)}/{rng.randrange(1, 9)}"
        parcel = f"{rng.randrange(20, 490)}/{rng.randrange(1, 9)}"
        if parcel == old_parcel or other == old_parcel:
            continue
        rows, ids, names = [], [row["id"] for row in old_r], [row["name"] for row in old_r]
        for n, lot in enumerate(extra):
            on_old = n == 0 or rng.random() < 0.5
            rows.append(_row(last + 1 + n, lot, k1, 1, old_parcel if on_old else other, rng))
            if on_old:
                ids.append(last + 1 + n)
                names.append(lot["name"])
        place = rng.choice(settlements)
        forbidden = place["municipality"] != "Podlipnik"
        instance = {
            "p": {
                "old_parcel": old_parcel,
                "parcel": parcel,
                "settlement": place["settlement"],
                "ids": ids,
                "names": sorted(set(names)),
                "forbidden": forbidden,
                "rule": RULE,
            },
            "given": {"tree_reservations": rows},
        }
        if forbidden:
            instance["kind"] = "refusal"
            instance["rule"] = RULE
        yield instance


def solve(tools, p):
    place = next(s for s in tools.list_settlements()["settlements"] if s["settlement"] == p["settlement"])
    names = []
    for row in tools.list_my_tree_reservations()["tree_reservations"]:
        if row["is_r"] != 1 or row["status"] not in ("awaiting deposit", "held"):
            continue
        full = tools.get_tree_reservation(tree_reservation_id=row["tree_reservation_id"])["tree_reservation"]
        if full["parcel_number"] != p["old_parcel"]:
            continue
        try:
            tools.name_parcel(
                tree_reservation_id=row["tree_reservation_id"],
                parcel_number=p["parcel"],
                parcel_municipality=place["municipality"],
                is_signed=1,
            )
        except tools.Error:
            return {
                "outcome": "refused",
                "answers": {"varieties": None},
                "reason": RULE,
                "message": (
                    f"This cannot be done: {p['settlement']} does not belong to the municipality of Podlipnik, and trees "
                    "of a lot marked R may only stand on a parcel there."
                ),
            }
        names.append(row["name"])
    return {
        "outcome": "done",
        "answers": {"varieties": sorted(set(names))},
        "reason": None,
        "message": f"{', '.join(sorted(set(names)))} are now down for parcel {p['parcel']}.",
    }


def _refused(world, p):
    return world.report.outcome == "refused" and world.report.reason == p["rule"]


def goal_puts_them_all_on_the_new_parcel(world, p):
    """Has every R tree of the old parcel on the new one, signed, or has refused it where the rule forbids it."""
    if p["forbidden"]:
        return _refused(world, p)
    for number in p["ids"]:
        row = world.final.one(
            "SELECT parcel_number, parcel_municipality, is_signed FROM tree_reservations WHERE id = ?", [number]
        )
        if row is None or row["parcel_number"] != p["parcel"]:
            return False
        if row["parcel_municipality"] != "Podlipnik" or row["is_signed"] != 1:
            return False
    return True


def goal_names_the_varieties(world, p):
    """Names the varieties concerned, or none where it is refused."""
    if p["forbidden"]:
        return world.report.outcome is not None and world.report.says("varieties", None)
    return world.report.says("varieties", p["names"])


def guard_changes_their_parcel_only(world, p):
    """Changed nothing but the parcel of these reservations, and nothing at all where it is refused."""
    for change in world.changes:
        before, after = change["before"], change["after"]
        if p["forbidden"] or change["table"] != "tree_reservations" or before is None or after is None:
            return False
        if before["id"] not in p["ids"] or after["parcel_number"] != p["parcel"]:
            return False
        if any(before[column] != after[column] for column in before if column != "parcel_number"):
            return False
    return True


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or that it is refused where the rule forbids it."""
    return world.report.outcome in (None, "refused" if p["forbidden"] else "done")


def guard_gives_the_right_reason(world, p):
    """Gives the rule as the reason of a refusal, and no reason otherwise."""
    return world.report.outcome is None or world.report.reason == (p["rule"] if p["forbidden"] else None)
