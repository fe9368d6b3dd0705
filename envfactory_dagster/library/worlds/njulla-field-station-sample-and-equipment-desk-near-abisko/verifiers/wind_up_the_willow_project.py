import datetime


def _project(world):
    return world.initial.one(
        "SELECT j.id AS id FROM projects j JOIN people p ON p.id = j.leader_id WHERE p.name = ? AND j.title LIKE ?",
        ["Ewa Nowak", "%willow%"],
    )["id"]


def _rack_booking(world):
    """The booking on which the project holds A6."""
    return world.initial.one(
        "SELECT b.id AS id FROM bookings b JOIN store_places p ON p.id = b.store_place_id"
        " WHERE b.project_id = ? AND p.code = ? AND b.status = 'out'",
        [_project(world), "A6"],
    )["id"]


def _sample(world, material):
    """The sample of this material that stands in A6."""
    return world.initial.one(
        "SELECT s.id AS id FROM samples s JOIN store_places p ON p.id = s.store_place_id"
        " WHERE s.project_id = ? AND p.code = ? AND s.material = ?",
        [_project(world), "A6", material],
    )["id"]


def _new_departures(world):
    return [
        change["after"] for change in world.changes if change["table"] == "departures" and change["before"] is None
    ]


def _is_gone(world, sample_id):
    row = world.final.one("SELECT status, store_place_id FROM samples WHERE id = ?", [sample_id])
    return row is not None and row["status"] == "gone" and row["store_place_id"] is None


def goal_leaves_are_entered_as_used_up(world) -> bool:
    """The 6 leaf vials are entered once as used up, on a day in January."""
    sample_id = _sample(world, "willow leaves")
    new = [one for one in _new_departures(world) if one["sample_id"] == sample_id]
    return (
        len(new) == 1
        and new[0]["vials"] == 6
        and new[0]["reason"] == "used_up"
        and "2026-01-01" <= new[0]["left_on"] <= "2026-01-31"
    )


def goal_roots_are_entered_as_discarded(world) -> bool:
    """The 11 root vials are entered once as discarded, today."""
    sample_id = _sample(world, "willow roots")
    new = [one for one in _new_departures(world) if one["sample_id"] == sample_id]
    return (
        len(new) == 1
        and new[0]["vials"] == 11
        and new[0]["reason"] == "discarded"
        and new[0]["left_on"] == "2026-03-03"
    )


def goal_leaves_and_roots_are_gone(world) -> bool:
    """Both samples are gone from A6."""
    return _is_gone(world, _sample(world, "willow leaves")) and _is_gone(world, _sample(world, "willow roots"))


def goal_rack_is_given_back(world) -> bool:
    """A6 is given back."""
    row = world.final.one("SELECT status FROM bookings WHERE id = ?", [_rack_booking(world)])
    return row is not None and row["status"] == "back"


def goal_says_final_bill(world) -> bool:
    """Has told what the bill comes to up to today, late days included."""
    rows = world.initial.query(
        "SELECT b.until_on AS until_on, b.out_at AS out_at, b.back_at AS back_at, p.week_price_cents AS week_price,"
        " e.day_price_cents AS day_price, e.late_day_price_cents AS late_price FROM bookings b"
        " LEFT JOIN store_places p ON p.id = b.store_place_id LEFT JOIN equipment e ON e.id = b.equipment_id"
        " WHERE b.project_id = ? AND b.status IN ('out', 'back')",
        [_project(world)],
    )
    total = 0
    for row in rows:
        first = datetime.date.fromisoformat(row["out_at"][:10])
        last = datetime.date.fromisoformat((row["back_at"] or "2026-03-03")[:10])
        until = datetime.date.fromisoformat(row["until_on"])
        days = (last - first).days + 1
        if row["week_price"] is not None:
            total += (days + 6) // 7 * row["week_price"]
        else:
            late_days = max(0, (last - until).days)
            total += (days - late_days) * row["day_price"] + late_days * row["late_price"]
    return bool(world.report.says("final_bill", total))


def goal_says_whether_anything_else_is_out(world) -> bool:
    """Has told whether anything but A6 is still out."""
    row = world.initial.one(
        "SELECT count(*) AS n FROM bookings WHERE project_id = ? AND status = 'out' AND id <> ?",
        [_project(world), _rack_booking(world)],
    )
    return bool(world.report.says("anything_else_out", row["n"] > 0))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_enters_no_other_departure(world) -> bool:
    """Entered at most one departure of the leaves and one of the roots."""
    ids = [one["sample_id"] for one in _new_departures(world)]
    return len(ids) == len(set(ids)) and set(ids) <= {_sample(world, "willow leaves"), _sample(world, "willow roots")}


def guard_changes_nothing_else(world) -> bool:
    """Of what was there, only the two samples are gone and A6 is back."""
    samples = (_sample(world, "willow leaves"), _sample(world, "willow roots"))
    booking = _rack_booking(world)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None:
            if change["table"] != "departures":
                return False
            continue
        if after is None:
            return False
        if change["table"] == "samples" and before["id"] in samples:
            may_change = ("status", "store_place_id")
        elif change["table"] == "bookings" and before["id"] == booking:
            may_change = ("status", "back_at")
        else:
            return False
        if any(after[name] != before[name] for name in before if name not in may_change):
            return False
        if after["status"] not in ("gone", "back"):
            return False
    return True
