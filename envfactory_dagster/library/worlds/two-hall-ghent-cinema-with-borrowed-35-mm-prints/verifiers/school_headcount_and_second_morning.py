def _morning(world):
    return world.initial.one(
        "SELECT b.id, b.school_id, b.pupils_announced FROM school_bookings b JOIN schools o ON o.id = b.school_id JOIN screenings s ON s.id = b.screening_id"
        " JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id WHERE o.contact_account_id = 1 AND b.status = 'confirmed'"
        " AND t.name = 'Kraaienwinter' AND substr(s.starts_at, 1, 10) = '2025-11-13'")


def _new(world):
    return [c["after"] for c in world.changes if c["table"] == "school_bookings" and c["before"] is None]


def _fitting(world):
    """The school screenings of that week with a film up to 9 and 45 seats left."""
    rows = world.initial.query(
        "SELECT s.id, h.seats - s.seats_held - (SELECT COALESCE(SUM(COALESCE(b.pupils_final, b.pupils_announced) + b.teachers), 0) FROM school_bookings b"
        " WHERE b.screening_id = s.id AND b.status IN ('option', 'confirmed')) AS room"
        " FROM screenings s JOIN halls h ON h.id = s.hall_id JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE s.kind = 'school' AND s.status = 'scheduled' AND substr(s.starts_at, 1, 10) BETWEEN '2025-11-24' AND '2025-11-28' AND t.kijkwijzer_age <= 9", [])
    return [r["id"] for r in rows if r["room"] >= 45]


def goal_final_count_is_87(world) -> bool:
    """The final count of 13 November is 87."""
    row = world.final.one("SELECT pupils_final, status FROM school_bookings WHERE id = ?", [_morning(world)["id"]])
    return row["pupils_final"] == 87 and row["status"] == "confirmed"


def goal_second_morning_fits(world) -> bool:
    """The school has places at one school screening of that week that fits."""
    rows = _new(world)
    return len(rows) == 1 and rows[0]["school_id"] == _morning(world)["school_id"] and rows[0]["screening_id"] in _fitting(world)


def goal_second_morning_for_the_first_years(world) -> bool:
    """It is for 42 pupils, the youngest 11, with three teachers."""
    rows = _new(world)
    return len(rows) == 1 and rows[0]["pupils_announced"] == 42 and rows[0]["teachers"] == 3 and rows[0]["youngest_age"] == 11


def goal_second_morning_is_confirmed(world) -> bool:
    """It is booked, not just an option."""
    rows = _new(world)
    return len(rows) == 1 and rows[0]["status"] == "confirmed"


def guard_changes_nothing_else(world) -> bool:
    """Changed only that final count and added at most one booking of the school."""
    morning = _morning(world)
    if len(_new(world)) > 1:
        return False
    for c in world.changes:
        if c["table"] != "school_bookings" or c["after"] is None:
            return False
        if c["before"] is None:
            if c["after"]["school_id"] != morning["school_id"] or c["after"]["cancelled_at"] is not None or c["after"]["pupils_final"] not in (None, 42):
                return False
        elif c["before"]["id"] != morning["id"] or any(c["before"][f] != c["after"][f] for f in c["before"] if f != "pupils_final"):
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
