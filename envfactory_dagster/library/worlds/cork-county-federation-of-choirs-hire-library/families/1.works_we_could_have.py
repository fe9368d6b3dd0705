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


SEASONS = (("Christmas", "christmas"), ("no particular season", "general"))


def instances(world, rng):
    """A season with a long list of works, a concert, and a number of copies that some of them have and some have not."""
    today = world.clock[:10]
    singers = world.one("SELECT singers FROM choirs WHERE id = 1")["singers"]
    next_id = world.one("SELECT max(id) AS n FROM bookings")["n"] + 1
    lists = {}
    for name, season in SEASONS:
        editions = world.query(
            "SELECT e.id, e.work_id, e.copies_owned, w.note FROM editions e JOIN works w ON w.id = e.work_id"
            " WHERE w.season = ? ORDER BY e.id",
            [season],
        )
        if len(editions) >= 9:
            lists[name] = editions
    while lists:
        name = rng.choice(sorted(lists))
        editions = lists[name]
        first = _desk_day(_day(today, rng.randint(4, 200)), 1)
        if name == "Christmas":
            first = _desk_day(_day(today, rng.randint(2, 14)), 1)
        concert = datetime.date.fromisoformat(_day(first, rng.randint(18, 75)))
        if name == "Christmas":
            concert = datetime.date.fromisoformat(_day(first, rng.randint(14, 24)))
        while concert.weekday() not in (5, 6):
            concert += datetime.timedelta(days=1)
        concert = concert.isoformat()
        if name == "Christmas" and not "12-01" <= concert[5:] <= "12-23":
            continue
        if concert[5:] in ("12-24", "12-25", "12-26"):
            continue
        last = _day(concert, 14)
        copies = singers + rng.randint(-5, 3)
        given = []
        for _ in range(rng.randint(1, 4)):
            edition = rng.choice(editions)
            choirs = _other_choirs(world, edition["work_id"])
            taken_works = [one["work_id"] for one in editions if one["id"] in [row["edition_id"] for row in given]]
            if not choirs or not edition["note"].startswith("SATB") or edition["work_id"] in taken_works:
                continue
            other = rng.choice(choirs)
            wanted = _desk_day(max(_day(today, 1), _day(first, rng.randint(-20, 20))), 1)
            day = datetime.date.fromisoformat(_day(wanted, rng.randint(14, 60)))
            while day.weekday() not in (5, 6):
                day += datetime.timedelta(days=1)
            free = edition["copies_owned"] - _most(
                _sets(world, edition["id"], today), wanted, _day(day.isoformat(), 14)
            )
            if name == "Christmas" and not "12-01" <= day.isoformat()[5:] <= "12-23" or free < 10:
                continue
            given.append({
                "id": next_id + len(given), "choir_id": other["id"], "edition_id": edition["id"],
                "copies": min(other["singers"] + rng.randint(-2, 3), free), "wanted_from": wanted,
                "concert_date": day.isoformat(), "booked_on": _desk_day(_day(today, -rng.randint(3, 80)), -1),
                "status": "open", "cancelled_on": "",
            })
        have = set()
        for edition in editions:
            sets = _sets(world, edition["id"], today) + [
                (row["copies"], row["wanted_from"], _day(row["concert_date"], 14))
                for row in given if row["edition_id"] == edition["id"]
            ]
            if edition["copies_owned"] - _most(sets, first, last) >= copies:
                have.add(edition["work_id"])
        if 1 <= len(have) < len({edition["work_id"] for edition in editions}):
            instance = {"p": {"season": name, "concert": concert, "first": first, "copies": copies, "today": today}}
            if given:
                instance["given"] = {"bookings": given}
            yield instance


def solve(tools, p):
    season = next(season for name, season in SEASONS if name == p["season"])
    last = _day(p["concert"], 14)
    found = []
    for work in tools.search_works(season=season)["works"]:
        for edition in tools.list_editions(work_id=work["id"])["editions"]:
            free = tools.check_availability(edition_id=edition["id"], first_day=p["first"], last_day=last)["copies_free"]
            label = f"{work['composer']}: {work['title']}"
            if free >= p["copies"] and label not in found:
                found.append(label)
    return {
        "outcome": "done",
        "answers": {"works": found},
        "reason": None,
        "message": f"With {p['copies']} copies of one edition you could have: {'; '.join(found)}.",
    }


def goal_says_which_works(world, p):
    """Says all works of which one edition has so many copies free in those weeks, and no other."""
    season = next(season for name, season in SEASONS if name == p["season"])
    last = _day(p["concert"], 14)
    found = []
    for edition in world.initial.query(
        "SELECT e.id, e.copies_owned, w.composer, w.title FROM editions e JOIN works w ON w.id = e.work_id"
        " WHERE w.season = ? ORDER BY w.id, e.id",
        [season],
    ):
        label = edition["composer"] + ": " + edition["title"]
        sets = _sets(world.initial, edition["id"], p["today"])
        if edition["copies_owned"] - _most(sets, p["first"], last) >= p["copies"] and label not in found:
            found.append(label)
    return world.report.says("works", found)


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return world.changes == []
