import datetime

DESK_DAYS = (1, 5)


def _day(text, days=0):
    return (datetime.date.fromisoformat(text) + datetime.timedelta(days=days)).isoformat()


def _desk_day(text, step):
    """The next day from this one on, forwards or backwards, on which the library is staffed."""
    day = datetime.date.fromisoformat(text)
    while day.weekday() not in DESK_DAYS:
        day += datetime.timedelta(days=step)
    return day.isoformat()


def _sets(world, edition_id, today):
    """Copies of an edition that are out or booked, with the first and the last day of each set."""
    sets = [
        (row["copies"], row["out_on"], max(row["due_on"], today))
        for row in world.query(
            "SELECT copies, out_on, due_on FROM loans WHERE edition_id = ? AND status = 'out'", [edition_id]
        )
    ]
    for row in world.query(
        "SELECT copies, wanted_from, concert_date FROM bookings WHERE edition_id = ? AND status = 'open'", [edition_id]
    ):
        sets.append((row["copies"], row["wanted_from"], _day(row["concert_date"], 14)))
    return sets


def _most(sets, first_day, last_day):
    days = [first_day] + [first for _, first, _ in sets if first_day < first <= last_day]
    return max(sum(copies for copies, first, last in sets if first <= day <= last) for day in days)


def _other_choirs(world, work_id):
    """Mixed choirs that have nothing of this work out or booked."""
    return world.query(
        "SELECT id, singers FROM choirs WHERE id <> 1 AND name NOT LIKE '%Women%' AND name NOT LIKE '%Ladies%'"
        " AND name NOT LIKE '%Male%' AND id NOT IN (SELECT l.choir_id FROM loans l JOIN editions e"
        " ON e.id = l.edition_id WHERE l.status = 'out' AND e.work_id = ?)"
        " AND id NOT IN (SELECT b.choir_id FROM bookings b JOIN editions e ON e.id = b.edition_id"
        " WHERE b.status = 'open' AND e.work_id = ?) ORDER BY id",
        [work_id, work_id],
    )



def _concert(rng, wanted):
    day = datetime.date.fromisoformat(_day(wanted, rng.randint(25, 80)))
    while day.weekday() not in (5, 6):
        day += datetime.timedelta(days=1)
    return day.isoformat()


def instances(world, rng):
    """A number of copies for which some booked sets can be raised, and a few more bookings of the choir."""
    today = world.clock[:10]
    most = world.one("SELECT singers FROM choirs WHERE id = 1")["singers"] + 3
    mine = world.query(
        "SELECT b.id, b.edition_id, b.copies, b.wanted_from, b.concert_date, w.id AS work_id, w.title, e.copies_owned"
        " FROM bookings b JOIN editions e ON e.id = b.edition_id JOIN works w ON w.id = e.work_id"
        " WHERE b.choir_id = 1 AND b.status = 'open' ORDER BY b.id"
    )
    editions = world.query(
        "SELECT e.id, e.work_id, e.copies_owned, w.title FROM editions e JOIN works w ON w.id = e.work_id"
        " WHERE w.note LIKE 'SATB%' AND w.season IN ('general', 'easter', 'lent')"
        " AND w.id NOT IN (SELECT x.work_id FROM loans l JOIN editions x ON x.id = l.edition_id"
        " WHERE l.choir_id = 1 AND l.status = 'out') ORDER BY e.id"
    )
    next_id = world.one("SELECT max(id) AS n FROM bookings")["n"] + 1
    while True:
        all_mine = [dict(one) for one in mine]
        given = []
        for _ in range(rng.randint(2, 3)):
            edition = rng.choice(editions)
            if any(one["title"] == edition["title"] or one["work_id"] == edition["work_id"] for one in all_mine):
                continue
            wanted = _desk_day(_day(today, rng.randint(20, 260)), 1)
            concert = _concert(rng, wanted)
            sets = _sets(world, edition["id"], today)
            copies = most - rng.randint(3, max(4, most // 4))
            booked_on = _desk_day(_day(today, -rng.randint(4, 60)), -1)
            if edition["copies_owned"] - _most(sets, wanted, _day(concert, 14)) < copies:
                continue
            row = {
                "id": next_id + len(given), "choir_id": 1, "edition_id": edition["id"], "copies": copies,
                "wanted_from": wanted, "concert_date": concert, "booked_on": booked_on, "status": "open",
                "cancelled_on": "",
            }
            given.append(row)
            all_mine.append(dict(row, work_id=edition["work_id"], title=edition["title"], copies_owned=edition["copies_owned"]))
            choirs = _other_choirs(world, edition["work_id"])
            free = edition["copies_owned"] - _most(sets + [(copies, wanted, _day(concert, 14))], wanted, _day(concert, 14))
            if choirs and rng.random() < 0.6 and free >= 8:
                other = rng.choice(choirs)
                given.append({
                    "id": next_id + len(given), "choir_id": other["id"], "edition_id": edition["id"],
                    "copies": min(other["singers"] + 3, free), "wanted_from": _desk_day(_day(wanted, 4), 1),
                    "concert_date": _concert(rng, _desk_day(_day(wanted, 4), 1)),
                    "booked_on": _desk_day(_day(today, -rng.randint(1, 3)), -1), "status": "open", "cancelled_on": "",
                })
                last = given[-1]
                rest = sets + [(copies, wanted, _day(concert, 14))]
                if _most(rest, last["wanted_from"], _day(last["concert_date"], 14)) + last["copies"] > edition["copies_owned"]:
                    given.pop()
        if len(all_mine) < 4:
            continue
        if rng.random() < 0.25:
            copies = most + rng.randint(1, 5)
            if len([one for one in all_mine if one["copies"] < copies]) < 2:
                continue
            yield {
                "p": {"copies": copies}, "kind": "refusal", "rule": "copies_per_work", "given": {"bookings": given},
            }
            continue
        copies = most - rng.randint(0, 5)
        smaller = [one for one in all_mine if one["copies"] < copies]
        raised = 0
        for one in smaller:
            sets = _sets(world, one["edition_id"], today)
            if one["id"] < next_id:
                sets.remove((one["copies"], one["wanted_from"], _day(one["concert_date"], 14)))
            for row in given:
                if row["edition_id"] == one["edition_id"] and row["id"] != one["id"]:
                    sets.append((row["copies"], row["wanted_from"], _day(row["concert_date"], 14)))
            if one["copies_owned"] - _most(sets, one["wanted_from"], _day(one["concert_date"], 14)) >= copies:
                raised += 1
        if len(smaller) >= 2 and raised >= 1:
            yield {"p": {"copies": copies}, "given": {"bookings": given}}


def solve(tools, p):
    choir = tools.get_choir()
    smaller = [one for one in tools.list_bookings(status="open")["bookings"] if one["copies"] < p["copies"]]
    raised, left = [], []
    for booking in smaller:
        if p["copies"] <= choir["max_copies"]:
            free = tools.check_availability(
                edition_id=booking["edition_id"], first_day=booking["wanted_from"],
                last_day=_day(booking["concert_date"], 14),
            )["copies_free"]
            if free + booking["copies"] < p["copies"]:
                left.append(booking["title"])
                continue
        try:
            tools.change_booking(booking_id=booking["id"], copies=p["copies"])
            raised.append(booking["title"])
        except tools.Error as error:
            if p["copies"] <= choir["max_copies"]:
                raise
            left.append(str(error))
    if p["copies"] > choir["max_copies"]:
        return {
            "outcome": "refused",
            "answers": {"stay_smaller": None},
            "reason": "copies_per_work",
            "message": f"That cannot be done, a choir may have at most its singers plus 3 copies of a work: {left[0]}.",
        }
    told = "Too few are free of: " + ", ".join(left) + "." if left else "None stays smaller."
    return {
        "outcome": "done",
        "answers": {"stay_smaller": left},
        "reason": None,
        "message": f"Brought up to {p['copies']} copies: {', '.join(raised)}. {told}",
    }


def _allowed(world, p):
    return p["copies"] <= world.initial.one("SELECT singers FROM choirs WHERE id = 1")["singers"] + 3


def _plan(world, p):
    """Bookings to be raised, and titles of those that stay smaller."""
    raised, left = [], []
    for one in world.initial.query(
        "SELECT b.id, b.edition_id, b.wanted_from, date(b.concert_date, '+14 days') AS last_day, w.title, e.copies_owned"
        " FROM bookings b JOIN editions e ON e.id = b.edition_id JOIN works w ON w.id = e.work_id"
        " WHERE b.choir_id = 1 AND b.status = 'open' AND b.copies < ?",
        [p["copies"]],
    ):
        sets = world.initial.query(
            "SELECT copies, wanted_from AS first_day, date(concert_date, '+14 days') AS last_day FROM bookings"
            " WHERE edition_id = ? AND status = 'open' AND id <> ?"
            " UNION ALL SELECT copies, out_on, due_on FROM loans WHERE edition_id = ? AND status = 'out'",
            [one["edition_id"], one["id"], one["edition_id"]],
        )
        rows = [(row["copies"], row["first_day"], row["last_day"]) for row in sets]
        if one["copies_owned"] - _most(rows, one["wanted_from"], one["last_day"]) >= p["copies"]:
            raised.append(one["id"])
        else:
            left.append(one["title"])
    return raised, left


def goal_raises_what_can_be_raised(world, p):
    """Every smaller booking with so many copies free has that number; where the rule forbids it, that is reported."""
    if not _allowed(world, p):
        return world.report.outcome == "refused" and world.report.reason == "copies_per_work"
    return all(
        world.final.one("SELECT copies FROM bookings WHERE id = ?", [booking_id])["copies"] == p["copies"]
        for booking_id in _plan(world, p)[0]
    )


def goal_says_which_stay_smaller(world, p):
    """Says for which works it cannot be done; nothing where the rule forbids all of it."""
    if not _allowed(world, p):
        return world.report.outcome == "refused" and world.report.says("stay_smaller", None)
    return world.report.says("stay_smaller", _plan(world, p)[1])


def guard_outcome(world, p):
    """Reports it as done, or as refused by the rule on copies."""
    if world.report.outcome is None:
        return True
    if _allowed(world, p):
        return world.report.outcome == "done"
    return world.report.outcome == "refused" and world.report.reason == "copies_per_work"


def guard_changes_only_those_copies(world, p):
    """Changed nothing but the copies of the bookings to be raised."""
    raised = _plan(world, p)[0] if _allowed(world, p) else []
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "bookings" or before is None or after is None or before["id"] not in raised:
            return False
        if any(before[name] != after[name] for name in before if name != "copies"):
            return False
    return True
