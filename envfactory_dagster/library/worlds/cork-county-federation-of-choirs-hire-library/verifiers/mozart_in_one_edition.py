import datetime

FIRST = "2026-03-31"
LAST = "2026-06-13"


def _fitting(world):
    """Editions of the Mozart Requiem with 40 copies free on every day of the booking, at the start."""
    fitting = {}
    editions = world.initial.query(
        "SELECT e.id, e.publisher, e.copies_owned FROM editions e JOIN works w ON w.id = e.work_id"
        " WHERE w.title = 'Requiem' AND w.composer LIKE '%Mozart%'"
    )
    for edition in editions:
        sets = [
            (row["copies"], row["out_on"], row["due_on"])
            for row in world.initial.query(
                "SELECT copies, out_on, due_on FROM loans WHERE edition_id = ? AND status = 'out'", [edition["id"]]
            )
        ]
        for row in world.initial.query(
            "SELECT copies, wanted_from, concert_date FROM bookings WHERE edition_id = ? AND status = 'open'",
            [edition["id"]],
        ):
            end = datetime.date.fromisoformat(row["concert_date"]) + datetime.timedelta(days=14)
            sets.append((row["copies"], row["wanted_from"], end.isoformat()))
        days = [FIRST] + [first for _, first, _ in sets if FIRST < first <= LAST]
        most = max(sum(copies for copies, first, last in sets if first <= day <= last) for day in days)
        if edition["copies_owned"] - most >= 40:
            fitting[edition["id"]] = edition["publisher"]
    return fitting


def _booked(world):
    """New bookings of an edition that fits, just as they are wanted."""
    fitting = _fitting(world)
    return [
        change["after"] for change in world.changes
        if change["table"] == "bookings" and change["before"] is None and change["after"] is not None
        and change["after"]["choir_id"] == 1 and change["after"]["edition_id"] in fitting
        and change["after"]["copies"] == 40 and change["after"]["wanted_from"] == "2026-03-31"
        and change["after"]["concert_date"] == "2026-05-30" and change["after"]["status"] == "open"
    ]


def goal_has_forty_booked_of_one_edition(world) -> bool:
    """Has one open booking of 40 copies of an edition of the Mozart Requiem that has them free."""
    return len(_booked(world)) == 1


def goal_says_the_publisher(world) -> bool:
    """Says which publisher's edition is booked."""
    booked = _booked(world)
    return len(booked) == 1 and world.report.says("publisher", _fitting(world)[booked[0]["edition_id"]])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but one new booking of the choir."""
    return len(world.changes) <= 1 and all(
        change["table"] == "bookings" and change["before"] is None and change["after"]["choir_id"] == 1
        for change in world.changes
    )
