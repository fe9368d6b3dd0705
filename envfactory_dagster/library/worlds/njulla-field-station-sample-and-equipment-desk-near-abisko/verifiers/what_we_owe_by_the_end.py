import datetime


def _day(text):
    return datetime.date.fromisoformat(text[:10])


def _lines(world, to_the_end):
    """What every booking of the project costs, up to today or up to the end that the person supposes."""
    today = datetime.date(2026, 4, 13)
    rows = world.initial.query(
        "SELECT b.store_place_id AS place_id, b.from_on AS from_on, b.until_on AS until_on, b.status AS status,"
        " b.out_at AS out_at, b.back_at AS back_at, p.week_price_cents AS week_price, e.kind AS kind,"
        " e.day_price_cents AS day_price, e.late_day_price_cents AS late_price"
        " FROM bookings b JOIN projects j ON j.id = b.project_id"
        " LEFT JOIN store_places p ON p.id = b.store_place_id LEFT JOIN equipment e ON e.id = b.equipment_id"
        " WHERE j.code = ? AND b.status <> 'cancelled'",
        ["NJ-26-14"],
    )
    lines = []
    for row in rows:
        if row["status"] == "booked" and not to_the_end:
            continue
        until = _day(row["until_on"])
        first = _day(row["out_at"]) if row["out_at"] is not None else _day(row["from_on"])
        if row["back_at"] is not None:
            last = _day(row["back_at"])
        elif not to_the_end:
            last = today
        elif row["place_id"] is not None:
            last = datetime.date(2026, 4, 30)
        else:
            last = max(until, today) if row["status"] == "out" else until
        days = (last - first).days + 1
        if row["place_id"] is not None:
            lines.append({"what": "rack", "amount": (days + 6) // 7 * row["week_price"], "late": 0})
            continue
        late_days = max(0, (last - until).days)
        late = late_days * row["late_price"]
        what = "corer" if row["kind"].endswith("_corer") else row["kind"]
        lines.append({"what": what, "amount": (days - late_days) * row["day_price"] + late, "late": late})
    return lines


def _so_far(world, what):
    return sum(line["amount"] for line in _lines(world, False) if line["what"] == what)


def goal_says_racks_so_far(world) -> bool:
    """Has told what the racks cost so far."""
    return bool(world.report.says("racks_so_far", _so_far(world, "rack")))


def goal_says_corers_so_far(world) -> bool:
    """Has told what the corers cost so far."""
    return bool(world.report.says("corers_so_far", _so_far(world, "corer")))


def goal_says_snowmobiles_so_far(world) -> bool:
    """Has told what the snowmobiles cost so far."""
    return bool(world.report.says("snowmobiles_so_far", _so_far(world, "snowmobile")))


def goal_says_late_days_so_far(world) -> bool:
    """Has told how much of it is for late days, snow tubes included."""
    return bool(world.report.says("late_days_so_far", sum(line["late"] for line in _lines(world, False))))


def goal_says_total_by_the_end(world) -> bool:
    """Has told the total if everything comes back on its last day and the racks on 30 April."""
    return bool(world.report.says("total_by_the_end", sum(line["amount"] for line in _lines(world, True))))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all."""
    return world.changes == []
