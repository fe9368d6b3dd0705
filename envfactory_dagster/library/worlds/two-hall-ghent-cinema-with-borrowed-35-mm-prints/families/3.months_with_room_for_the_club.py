import datetime

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")


def _plus(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _spoken(month):
    return MONTHS[int(month[5:7]) - 1] + " " + month[:4]


def _span(first, last):
    """All months from one to another, both included, as 2026-03."""
    months = []
    year, number = int(first[:4]), int(first[5:7])
    while str(year) + "-" + str(number).zfill(2) <= last:
        months.append(str(year) + "-" + str(number).zfill(2))
        number += 1
        if number > 12:
            year, number = year + 1, 1
    return months


def _taken(db, club, clock):
    """Month and carrier of everything that a club has used or reserved in the season."""
    return db.query(
        "SELECT substr(s.starts_at, 1, 7) AS month, c.carrier FROM screenings s JOIN copies c ON c.id = s.copy_id JOIN clubs b ON b.id = s.club_id"
        " WHERE b.name = ? AND s.kind = 'club' AND s.status <> 'cancelled' AND substr(s.starts_at, 1, 10) BETWEEN '2025-09-01' AND '2026-08-31'"
        " UNION ALL SELECT substr(COALESCE(r.quoted_start_at, r.first_wish_at), 1, 7), r.carrier FROM programming_requests r JOIN clubs b ON b.id = r.club_id"
        " WHERE b.name = ? AND (r.status IN ('to_be_traced', 'submitted') OR (r.status = 'quoted' AND r.quote_valid_until >= ?))"
        " AND substr(COALESCE(r.quoted_start_at, r.first_wish_at), 1, 10) BETWEEN '2025-09-01' AND '2026-08-31'", [club, club, clock])


def _limit(db, club, clock):
    since = db.one("SELECT partner_since FROM clubs WHERE name = ?", [club])["partner_since"]
    return 10 if str(int(since[:4]) + 10) + since[4:] < clock[:10] else 8


def _figures(taken, limit, first, last):
    """Months with room, evenings left in them, and what is left of the season."""
    counts = [max(0, 2 - len([t for t in taken if t["month"] == m])) for m in _span(first, last)]
    return len([n for n in counts if n > 0]), sum(counts), max(0, limit - len(taken))


def instances(world, rng):
    """A span of months of the season for a club that has taken part of its evenings."""
    today = world.clock[:10]
    club = world.one("SELECT id, name FROM clubs WHERE treasurer_account_id = 1 OR second_contact_account_id = 1 ORDER BY id LIMIT 1")
    taken = _taken(world, club["name"], world.clock)
    limit = _limit(world, club["name"], world.clock)
    title = world.one("SELECT t.id FROM titles t JOIN copies c ON c.title_id = t.id WHERE c.carrier = 'DCP' ORDER BY t.id LIMIT 1")
    top = world.one("SELECT MAX(id) AS id FROM programming_requests WHERE id > 0")
    season = _span("2025-09", "2026-06")
    while True:
        start = rng.randint(0, len(season) - 4)
        length = rng.randint(3, len(season) - 1 - start)
        first, last = season[start], season[start + length]
        more = []
        room = limit - len(taken)
        months = [t["month"] for t in taken]
        lapsed = rng.random() < 0.5
        for _ in range(rng.randint(0, max(0, room))):
            day = _plus(today, rng.randint(45, 225))
            if day > "2026-06-25" or datetime.date.fromisoformat(day).weekday() > 3 or months.count(day[:7]) >= 2:
                continue
            months.append(day[:7])
            more.append({"day": day, "status": "submitted"})
        requests = []
        for row in more:
            requests.append({
                "id": top["id"] + 1 + len(requests), "club_id": club["id"], "title_id": title["id"], "carrier": "DCP", "first_wish_at": row["day"] + "T20:00:00",
                "second_wish_at": _plus(row["day"], 8) + "T20:00:00", "third_wish_at": _plus(row["day"], 15) + "T20:00:00", "expected_public": rng.randint(30, 90),
                "status": "submitted", "submitted_at": _plus(today, -rng.randint(3, 12)) + "T17:15:00",
            })
        if lapsed:
            day = _plus(today, rng.randint(55, 90))
            requests.append({
                "id": top["id"] + 1 + len(requests), "club_id": club["id"], "title_id": title["id"], "carrier": "DCP", "first_wish_at": day + "T20:00:00",
                "second_wish_at": _plus(day, 8) + "T20:00:00", "third_wish_at": _plus(day, 15) + "T20:00:00", "expected_public": 40, "status": "withdrawn",
                "submitted_at": _plus(today, -20) + "T17:15:00", "closed_at": _plus(today, -rng.randint(1, 6)) + "T09:30:00",
            })
        figures = _figures(taken + [{"month": r["day"][:7]} for r in more], limit, first, last)
        if len(set(figures)) < 3:
            continue
        instance = {"p": {"club": club["name"], "first": _spoken(first), "last": _spoken(last), "from": first, "to": last, "now": world.clock}}
        if requests:
            instance["given"] = {"programming_requests": requests}
        yield instance


def solve(tools, p):
    club = next(c for c in tools.get_my_account()["clubs"] if c["name"] == p["club"])

    def code(spoken):
        name, year = spoken.split(" ")
        return year + "-" + str(MONTHS.index(name) + 1).zfill(2)

    with_room = 0
    evenings = 0
    season = None
    for month in _span(code(p["first"]), code(p["last"])):
        quota = tools.get_club_quota(club_id=club["id"], month=month)
        season = quota["season_left"]
        evenings += quota["month_left"]
        if quota["month_left"] > 0:
            with_room += 1
    return {
        "outcome": "done", "answers": {"months_with_room": with_room, "evenings_left": evenings, "season_left": season}, "reason": None,
        "message": f"{p['club']} has room in {with_room} of these months, for {evenings} evenings by the months; {season} screenings of the season are left.",
    }


def _right(world, p):
    return _figures(_taken(world.initial, p["club"], p["now"]), _limit(world.initial, p["club"], p["now"]), p["from"], p["to"])


def goal_says_months_with_room(world, p):
    """Says in how many months there is room."""
    return world.report.says("months_with_room", _right(world, p)[0])


def goal_says_evenings_left(world, p):
    """Says how many evenings are left in these months."""
    return world.report.says("evenings_left", _right(world, p)[1])


def goal_says_season_left(world, p):
    """Says how many screenings of the season are left."""
    return world.report.says("season_left", _right(world, p)[2])


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return len(world.changes) == 0
