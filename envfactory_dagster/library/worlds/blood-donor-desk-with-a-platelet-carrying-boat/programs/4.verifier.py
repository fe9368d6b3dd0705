import datetime


def _donor(world, given, surnames):
    """Card of a donor."""
    return world.initial.one("SELECT * FROM donors WHERE given_names = ? AND surnames = ?", [given, surnames])


def _both(world):
    """Cards of Pedro and Gladys."""
    return _donor(world, "Pedro", "Ahumada Ríos"), _donor(world, "Gladys", "Pinto Aravena")


def _free_from(world, donor):
    """First day on which the interval after the last whole blood donation is over."""
    row = world.initial.one(
        "SELECT MAX(given_on) AS day FROM donations WHERE donor_id = ? AND kind = 'whole_blood'"
        " AND NOT (failed = 1 AND volume_ml < 50)",
        [donor["id"]],
    )
    gap = 90 if donor["sex"] == "M" else 120
    return (datetime.date.fromisoformat(row["day"]) + datetime.timedelta(days=gap)).isoformat()


def _slot(world):
    """The slot into which both belong."""
    first = max([_free_from(world, d) for d in _both(world)] + ["2026-10-10"])
    return world.initial.one(
        "SELECT s.* FROM slots s JOIN sites t ON t.id = s.site_id WHERE t.site_code = 'um_portales'"
        " AND substr(s.starts_at, 1, 10) >= ? AND substr(s.starts_at, 12, 5) >= '09:00' AND s.state = 'free'"
        " AND s.takes_whole_blood = 1 AND s.places - (SELECT COUNT(*) FROM appointments a WHERE a.slot_id = s.id"
        " AND a.cancelled_at IS NULL) = 2 ORDER BY s.starts_at LIMIT 1",
        [first],
    )


def _booked(world, donor):
    """Whether a donor is booked for whole blood in that slot."""
    row = world.final.one(
        "SELECT * FROM appointments WHERE donor_id = ? AND slot_id = ? AND kind = 'whole_blood' AND state = 'booked'"
        " AND replacement_request_id IS NULL AND recorded_by = 1",
        [donor["id"], _slot(world)["id"]],
    )
    return row is not None


def goal_books_both_into_the_same_slot(world) -> bool:
    """Pedro and Gladys are booked into the first slot from 09:00 on with both places empty on a day both may give."""
    return all(_booked(world, d) for d in _both(world))


def goal_says_the_day(world) -> bool:
    """Says the day."""
    return world.report.says("day", _slot(world)["starts_at"][:10])


def goal_says_the_hour(world) -> bool:
    """Says the hour."""
    return world.report.says("hour", _slot(world)["starts_at"][11:16])


def goal_says_because_of_whom(world) -> bool:
    """Says who of the two may not give yet on Saturday 10 October."""
    late = [d for d in _both(world) if _free_from(world, d) > "2026-10-10"]
    name = late[0]["given_names"] + " " + late[0]["surnames"] if late else None
    return world.report.says("because_of", name)


def guard_changes_their_appointments_only(world) -> bool:
    """Changed nothing but one new appointment for each of the two."""
    ids = [d["id"] for d in _both(world)]
    new = []
    for c in world.changes:
        if c["table"] != "appointments" or c["before"] is not None or c["after"]["donor_id"] not in ids:
            return False
        new.append(c["after"]["donor_id"])
    return len(new) == len(set(new))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
