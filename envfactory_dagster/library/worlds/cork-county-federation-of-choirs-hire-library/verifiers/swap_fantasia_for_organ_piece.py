def _free(world, edition_id, first_day, last_day):
    """Copies of an edition free on every day from first_day to last_day, at the start."""
    sets = [
        (row["copies"], row["out_on"], max(row["due_on"], "2026-11-14"))
        for row in world.initial.query(
            "SELECT copies, out_on, due_on FROM loans WHERE edition_id = ? AND status = 'out'", [edition_id]
        )
    ]
    for row in world.initial.query(
        "SELECT copies, wanted_from, date(concert_date, '+14 days') AS last_day FROM bookings"
        " WHERE edition_id = ? AND status = 'open'",
        [edition_id],
    ):
        sets.append((row["copies"], row["wanted_from"], row["last_day"]))
    days = [first_day] + [first for _, first, _ in sets if first_day < first <= last_day]
    most = max(sum(copies for copies, first, last in sets if first <= day <= last) for day in days)
    return world.initial.one("SELECT copies_owned AS n FROM editions WHERE id = ?", [edition_id])["n"] - most


def _fantasia(world):
    return world.initial.one(
        "SELECT b.id FROM bookings b JOIN editions e ON e.id = b.edition_id JOIN works w ON w.id = e.work_id"
        " WHERE b.choir_id = 1 AND b.status = 'open' AND w.title = 'Fantasia on Christmas Carols'"
    )


def _fitting(world):
    """Editions of Christmas works for organ alone with 20 copies free, with title and copies free."""
    editions = world.initial.query(
        "SELECT e.id, w.title FROM editions e JOIN works w ON w.id = e.work_id"
        " WHERE w.season = 'christmas' AND w.note LIKE '%organ alone%'"
        " AND w.note NOT LIKE '%not with organ alone%' AND w.note NOT LIKE '%organ alone cannot%'"
    )
    found = {}
    for row in editions:
        free = _free(world, row["id"], "2026-11-28", "2027-01-03")
        if free >= 20:
            found[row["id"]] = (row["title"], free)
    return found


def _booked(world):
    """New bookings of an edition that fits, just as they are wanted."""
    fitting = _fitting(world)
    return [
        change["after"] for change in world.changes
        if change["table"] == "bookings" and change["before"] is None and change["after"] is not None
        and change["after"]["choir_id"] == 1 and change["after"]["edition_id"] in fitting
        and change["after"]["copies"] == 20 and change["after"]["wanted_from"] == "2026-11-28"
        and change["after"]["concert_date"] == "2026-12-20" and change["after"]["status"] == "open"
    ]


def goal_fantasia_is_cancelled(world) -> bool:
    """The booking of the Fantasia is cancelled."""
    row = world.final.one("SELECT status FROM bookings WHERE id = ?", [_fantasia(world)["id"]])
    return row is not None and row["status"] == "cancelled"


def goal_has_a_work_for_organ_booked(world) -> bool:
    """Has one open booking of 20 copies of a Christmas work that goes with organ alone and has them free."""
    return len(_booked(world)) == 1


def goal_says_which_work(world) -> bool:
    """Says which work was booked."""
    booked = _booked(world)
    return len(booked) == 1 and world.report.says("work", _fitting(world)[booked[0]["edition_id"]][0])


def goal_says_how_many_are_left(world) -> bool:
    """Says how many copies of the edition booked are still free."""
    booked = _booked(world)
    return len(booked) == 1 and world.report.says("copies_left", _fitting(world)[booked[0]["edition_id"]][1] - 20)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but the cancelled booking of the Fantasia and one new booking of the choir."""
    fantasia = _fantasia(world)
    new = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "bookings" or after is None:
            return False
        if before is None:
            new += 1
            if after["choir_id"] != 1:
                return False
        elif before["id"] != fantasia["id"] or after["status"] != "cancelled":
            return False
        elif any(before[name] != after[name] for name in before if name not in ("status", "cancelled_on")):
            return False
    return new <= 1
