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


OCCASIONS = (
    "a wedding in Cloyne", "a memorial service in Macroom", "the opening of the parish centre in Carrigaline",
    "a fundraiser for the lifeboat in Ballycotton", "an ecumenical service in Bandon", "a civic reception in Mallow",
    "an anniversary Mass in Kinsale", "a charity evening in Midleton", "a jubilee Mass in Fermoy",
)


def _extra_loan(world, rng, today):
    """A third set that the choir has out, with its hire."""
    editions = world.query(
        "SELECT e.id, e.work_id, e.copies_owned, w.title FROM editions e JOIN works w ON w.id = e.work_id"
        " WHERE w.note LIKE 'SATB%' AND w.season = 'general' AND w.id NOT IN (SELECT x.work_id FROM editions x"
        " JOIN loans l ON l.edition_id = x.id WHERE l.choir_id = 1 AND l.status = 'out')"
        " AND w.id NOT IN (SELECT x.work_id FROM editions x JOIN bookings b ON b.edition_id = x.id"
        " WHERE b.choir_id = 1 AND b.status = 'open') ORDER BY e.id"
    )
    choir = world.one("SELECT singers, paid_to FROM choirs WHERE id = 1")
    collectors = world.query("SELECT id FROM collectors WHERE choir_id = 1 ORDER BY id")
    edition = rng.choice(editions)
    copies = min(choir["singers"] + rng.randint(-4, 2), edition["copies_owned"])
    concert = datetime.date.fromisoformat(_day(today, rng.randint(-9, -1)))
    while concert.weekday() not in (5, 6):
        concert -= datetime.timedelta(days=1)
    concert = concert.isoformat()
    out_on = _desk_day(_day(concert, -rng.randint(30, 70)), 1)
    if _most(_sets(world, edition["id"], today), out_on, _day(concert, 14)) + copies > edition["copies_owned"]:
        return None
    loan = {
        "id": world.one("SELECT max(id) AS n FROM loans")["n"] + 1, "choir_id": 1, "edition_id": edition["id"],
        "copies": copies, "concert_date": concert, "out_on": out_on, "due_on": _day(concert, 14), "extended": 0,
        "collector_id": rng.choice(collectors)["id"], "entered_by": "nuala", "status": "out", "back_on": "",
        "copies_lost": 0,
    }
    charge = {
        "id": world.one("SELECT max(id) AS n FROM charges")["n"] + 1, "choir_id": 1, "loan_id": loan["id"],
        "kind": "hire", "amount_cents": copies * (80 if choir["paid_to"] >= out_on else 160), "charged_on": out_on,
        "status": "paid", "paid_on": out_on,
    }
    return loan, charge, dict(edition)


def _other_booking(world, rng, edition, loan, today, given):
    """A booking of that edition by another choir, soon after the set is due."""
    choirs = _other_choirs(world, edition["work_id"])
    if not choirs:
        return None
    choir = rng.choice(choirs)
    wanted = _desk_day(_day(max(loan["due_on"], today), rng.randint(1, 40)), 1)
    concert = datetime.date.fromisoformat(_day(wanted, rng.randint(0, 60)))
    while concert.weekday() not in (5, 6):
        concert += datetime.timedelta(days=1)
    last = _day(concert.isoformat(), 14)
    sets = _sets(world, edition["id"], today) + given
    free = edition["copies_owned"] - _most(sets, wanted, last)
    copies = min(choir["singers"] + 3, free)
    if copies < 12:
        return None
    return {
        "id": world.one("SELECT max(id) AS n FROM bookings")["n"] + 1, "choir_id": choir["id"],
        "edition_id": edition["id"], "copies": copies - rng.randint(0, 2), "wanted_from": wanted,
        "concert_date": concert.isoformat(), "booked_on": _desk_day(_day(today, -rng.randint(5, 90)), -1),
        "status": "open", "cancelled_on": "",
    }


def _plan(loans, bookings, day):
    """Which loans are extended, to when, and which works have to come back."""
    extended, back = {}, []
    for loan in loans:
        if loan["due_on"] >= day:
            continue
        new_due = _day(loan["due_on"], 21)
        wanted = [
            one for one in bookings
            if one["edition_id"] == loan["edition_id"] and loan["due_on"] <= one["wanted_from"] <= new_due
        ]
        if loan["extended"] or new_due < day or wanted:
            back.append(loan["title"])
        else:
            extended[loan["id"]] = new_due
    return extended, back


def instances(world, rng):
    """A day for which at least one set that is out can be kept and has to be extended."""
    today = world.clock[:10]
    loans = world.query(
        "SELECT l.id, l.edition_id, l.due_on, l.extended, l.copies, w.title, e.work_id, e.copies_owned FROM loans l"
        " JOIN editions e ON e.id = l.edition_id JOIN works w ON w.id = e.work_id"
        " WHERE l.choir_id = 1 AND l.status = 'out' ORDER BY l.id"
    )
    bookings = world.query(
        "SELECT edition_id, wanted_from FROM bookings WHERE status = 'open' AND choir_id <> 1 ORDER BY id"
    )
    seen = set()
    for _ in range(4000):
        given, mine, theirs = {}, [dict(one) for one in loans], list(bookings)
        works = {one["work_id"] for one in mine}
        if len(works) < 3:
            extra = _extra_loan(world, rng, today)
            if extra is None:
                continue
            loan, charge, edition = extra
            given["loans"], given["charges"] = [loan], [charge]
            mine.append({
                "id": loan["id"], "edition_id": edition["id"], "due_on": loan["due_on"], "extended": 0,
                "copies": loan["copies"], "title": edition["title"], "work_id": edition["work_id"],
                "copies_owned": edition["copies_owned"],
            })
        if rng.random() < 0.6:
            loan = rng.choice([one for one in mine if not one["extended"]])
            edition = {"id": loan["edition_id"], "work_id": loan["work_id"], "copies_owned": loan["copies_owned"]}
            own = [] if loan["id"] in [one["id"] for one in loans] else [
                (loan["copies"], today, max(loan["due_on"], today))
            ]
            booking = _other_booking(world, rng, edition, loan, today, own)
            if booking is not None:
                given["bookings"] = [booking]
                theirs.append({"edition_id": booking["edition_id"], "wanted_from": booking["wanted_from"]})
        day = _day(today, rng.randint(3, 32))
        extended, back = _plan(mine, theirs, day)
        checked = [
            one for one in mine if one["due_on"] < day and not one["extended"] and _day(one["due_on"], 21) >= day
        ]
        if not extended or len(checked) + len(extended) < 2 or len({one["title"] for one in mine}) < len(mine):
            continue
        occasion = rng.choice(OCCASIONS)
        key = (day, occasion, _key(given))
        if key in seen:
            continue
        seen.add(key)
        instance = {"p": {"occasion": occasion, "day": day}}
        if given:
            instance["given"] = given
        yield instance


def _key(given):
    return repr(sorted((table, [sorted(row.items()) for row in rows]) for table, rows in given.items()))


def solve(tools, p):
    today = tools.get_choir()["today"]
    kept, back = [], []
    for loan in tools.list_loans(status="out")["loans"]:
        if loan["due_on"] >= p["day"]:
            continue
        new_due = _day(loan["due_on"], 21)
        if loan["extended"] or new_due < p["day"]:
            back.append(loan["title"])
            continue
        first_day = max(loan["due_on"], today)
        taken = tools.check_availability(edition_id=loan["edition_id"], first_day=first_day, last_day=new_due)["taken"]
        if any(
            one["kind"] == "booking" and not one["own"] and loan["due_on"] <= one["first_day"] <= new_due for one in taken
        ):
            back.append(loan["title"])
            continue
        try:
            tools.extend_loan(loan_id=loan["id"])
            kept.append(loan["title"])
        except tools.Error:
            back.append(loan["title"])
    told = "These have to come back before: " + ", ".join(back) + "." if back else "Nothing has to come back before."
    return {
        "outcome": "done",
        "answers": {"must_come_back": back},
        "reason": None,
        "message": f"Extended: {', '.join(kept)}. {told}",
    }


def _wanted(world, p):
    loans = world.initial.query(
        "SELECT l.id, l.edition_id, l.due_on, l.extended, w.title FROM loans l JOIN editions e ON e.id = l.edition_id"
        " JOIN works w ON w.id = e.work_id WHERE l.choir_id = 1 AND l.status = 'out'"
    )
    bookings = world.initial.query("SELECT edition_id, wanted_from FROM bookings WHERE status = 'open' AND choir_id <> 1")
    return _plan(loans, bookings, p["day"])


def goal_extends_what_can_be_kept(world, p):
    """Every set due before that day that an extension keeps until then is extended."""
    for loan_id, new_due in _wanted(world, p)[0].items():
        row = world.final.one("SELECT due_on, extended, status FROM loans WHERE id = ?", [loan_id])
        if row is None or row["extended"] != 1 or row["due_on"] != new_due or row["status"] != "out":
            return False
    return True


def goal_says_what_has_to_come_back(world, p):
    """Says which works cannot be kept until then."""
    return world.report.says("must_come_back", _wanted(world, p)[1])


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_those_extensions(world, p):
    """Changed nothing but the day due and the extension of those loans."""
    extended = _wanted(world, p)[0]
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "loans" or before is None or after is None or before["id"] not in extended:
            return False
        if any(before[name] != after[name] for name in before if name not in ("due_on", "extended")):
            return False
    return True
