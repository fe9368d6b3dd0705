import datetime

HOLIDAYS = ("2025-11-01", "2025-11-11", "2025-12-25", "2026-01-01", "2026-04-06", "2026-05-01", "2026-05-14", "2026-05-15", "2026-05-25")
LEGAL = ("2025-11-01", "2025-11-11", "2025-12-25", "2026-01-01", "2026-04-06", "2026-05-01", "2026-05-14", "2026-05-25")
SCHOOL_HOLIDAYS = (("2025-12-22", "2026-01-04"), ("2026-02-16", "2026-02-22"), ("2026-04-06", "2026-04-19"))
STEPS = (0, 6, 9, 12, 14, 16, 18)
FILMS = (
    "De klas van meester Wim", "Sneeuw op de speelplaats", "Het raadsel van de Leiebrug", "Noor en de nachtboot", "Alle hens aan dek", "De jongen van de overkant",
    "Vuurvliegjes", "Een stem voor Samir", "Het laatste schooljaar", "Op zoek naar Olivier", "De vleugels van Febe", "Zonder zwembandjes",
    "Het dagboek van Rosalie", "Tweeling", "De stille bank", "Roetzwart", "Wat de zee bewaart", "Bende van de Bijloke",
)


def _plus(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _school_day(day):
    return datetime.date.fromisoformat(day).weekday() < 5 and day not in HOLIDAYS and not any(a <= day <= b for a, b in SCHOOL_HOLIDAYS)


def _headcount_day(day):
    left = 5
    while left > 0:
        day = _plus(day, -1)
        if datetime.date.fromisoformat(day).weekday() < 5 and day not in LEGAL:
            left -= 1
    return day


def _above(rating, age):
    """How many rating steps a film lies above the youngest pupil."""
    return max(0, STEPS.index(rating) - STEPS.index(max(s for s in STEPS if s <= age)))


def instances(world, rng):
    """A film with some school screenings, at the first of which a class has no room or the school has its month full."""
    today = world.clock[:10]
    school = world.one("SELECT id, level FROM schools WHERE contact_account_id = 1")
    months = world.query(
        "SELECT substr(s.starts_at, 1, 7) AS month, COUNT(*) AS n FROM school_bookings b JOIN screenings s ON s.id = b.screening_id"
        " WHERE b.school_id = ? AND (b.status = 'confirmed' OR (b.status = 'option' AND b.option_until >= ?)) GROUP BY 1 ORDER BY 1", [school["id"], world.clock])
    booked = {row["month"]: row["n"] for row in months}
    busy = {(row["hall_id"], row["day"]) for row in world.query(
        "SELECT hall_id, substr(starts_at, 1, 10) AS day FROM screenings WHERE status <> 'cancelled' AND kind IN ('public', 'club', 'school')"
        " UNION SELECT hall_id, substr(starts_at, 1, 10) FROM hall_bookings WHERE status IN ('option', 'confirmed') ORDER BY 1, 2")}
    other = world.one("SELECT c.id FROM copies c JOIN titles t ON t.id = c.title_id WHERE c.carrier = 'DCP' AND c.key_from IS NULL AND t.kijkwijzer_age = 0 ORDER BY c.id LIMIT 1")
    if other is None:
        other = world.one("SELECT c.id FROM copies c JOIN titles t ON t.id = c.title_id WHERE c.carrier = 'DCP' AND c.key_from IS NULL AND t.kijkwijzer_age = 6 ORDER BY c.id LIMIT 1")
    top = world.one("SELECT (SELECT MAX(id) FROM titles) AS t, (SELECT MAX(id) FROM copies) AS c, (SELECT MAX(id) FROM screenings) AS s, (SELECT MAX(id) FROM school_bookings) AS b")
    while True:
        film = rng.choice(FILMS)
        age = rng.randint(12, 16) if school["level"] == "secondary" else rng.randint(6, 11)
        reached = STEPS.index(max(s for s in STEPS if s <= age))
        rating = STEPS[min(6, max(0, reached + rng.choice((-1, 0, 0, 1, 1, 1, 2, 2))))]
        pupils, teachers = rng.randint(24, 50), rng.randint(2, 4)
        first = _plus(today, rng.randint(16, 60))
        span = rng.randint(25, 45)
        last = _plus(first, span)
        free = [(h, _plus(first, n)) for h in (1, 2) for n in range(span + 1) if (h, _plus(first, n)) not in busy and _school_day(_plus(first, n))]
        number = rng.randint(4, 6)
        days = sorted(rng.sample(sorted({d for _, d in free}), min(number + 2, len({d for _, d in free}))))
        if len(days) < number + 2:
            continue
        extra = []
        counts = dict(booked)
        month = days[0][:7]
        if rng.random() < 0.45 and counts.get(month, 0) < 2:
            for day in days[:2 - counts.get(month, 0)]:
                if day[:7] == month:
                    extra.append(day)
                    counts[month] = counts.get(month, 0) + 1
        shows = [d for d in days if d not in extra][:number]
        screenings, bookings, fitting = [], [], None
        for place, day in enumerate(extra + shows):
            hall = rng.choice([h for h, d in free if d == day])
            seats = 142 if hall == 1 else 58
            start = day + ("T09:45:00" if datetime.date.fromisoformat(day).weekday() == 2 else rng.choice(("T09:45:00", "T13:30:00")))
            screening = top["s"] + 1 + place
            if day in extra:
                screenings.append({"id": screening, "copy_id": other["id"], "hall_id": hall, "starts_at": start, "kind": "school", "is_preview": 0, "seats_held": 0, "status": "scheduled"})
                bookings.append({
                    "id": top["b"] + 1 + len(bookings), "school_id": school["id"], "screening_id": screening, "pupils_announced": 41, "teachers": 3, "youngest_age": max(age, 6),
                    "preview_confirmed": 0, "optioned_at": _plus(today, -9) + "T10:20:00", "option_until": _plus(today, -2) + "T10:20:00", "status": "confirmed",
                })
                continue
            position = place - len(extra)
            room = rng.randint(5, pupils + teachers - 1) if position == 0 or rng.random() < 0.35 else min(seats, pupils + teachers + rng.randint(0, 6))
            screenings.append({"id": screening, "copy_id": top["c"] + 1, "hall_id": hall, "starts_at": start, "kind": "school", "is_preview": 0, "seats_held": seats - room, "status": "scheduled"})
            if fitting is None and room >= pupils + teachers and counts.get(day[:7], 0) < 2:
                fitting = screenings[-1]
        if fitting is None:
            continue
        given = {
            "titles": [{"id": top["t"] + 1, "name": film, "year": 2023, "director": "Bieke Ronsse", "minutes": rng.randint(70, 98), "languages": "Dutch", "kijkwijzer_age": rating}],
            "copies": [{"id": top["c"] + 1, "title_id": top["t"] + 1, "carrier": "DCP", "lender": "Noordzee Film", "condition": "good", "guessed_fee_cents": 14000}],
            "screenings": screenings,
        }
        if bookings:
            given["school_bookings"] = bookings
        above = _above(rating, age)
        instance = {
            "p": {"film": film, "first": first, "last": last, "pupils": pupils, "teachers": teachers, "age": age, "screening": fitting["id"], "starts_at": fitting["starts_at"], "above": above},
            "given": given,
        }
        if above > 1:
            instance["kind"] = "refusal"
            instance["rule"] = "house_age_limit"
        yield instance


def solve(tools, p):
    months = {}
    for booking in tools.list_my_school_bookings()["school_bookings"]:
        if booking["status"] == "confirmed" or (booking["status"] == "option" and booking["cancellation_fee_now_cents"] is not None):
            month = booking["starts_at"][:7]
            months[month] = months.get(month, 0) + 1
    shows = tools.search_screenings(title_contains=p["film"], first_day=p["first"], last_day=p["last"], kind="school")["screenings"]
    chosen = None
    for show in sorted(shows, key=lambda s: s["starts_at"]):
        detail = tools.get_screening(screening_id=show["id"])
        if detail["title_name"] == p["film"] and detail["seats_left"] >= p["pupils"] + p["teachers"] and months.get(show["starts_at"][:7], 0) < 2:
            chosen = detail
            break
    try:
        option = tools.take_school_option(screening_id=chosen["id"], pupils_announced=p["pupils"], teachers=p["teachers"], youngest_age=p["age"])
    except tools.Error as error:
        return {
            "outcome": "refused", "answers": {"day": None, "start": None, "headcount_by": None}, "reason": "house_age_limit",
            "message": f"The outing cannot be booked, because of the age limit of the house: {error}",
        }
    if option["preview_needed"]:
        tools.confirm_school_preview(school_booking_id=option["school_booking_id"])
    done = tools.confirm_school_booking(school_booking_id=option["school_booking_id"])
    day, start, by = chosen["starts_at"][:10], chosen["starts_at"][11:16], done["headcount_deadline_at"][:10]
    return {
        "outcome": "done", "answers": {"day": day, "start": start, "headcount_by": by}, "reason": None,
        "message": f"{p['film']} is booked for {p['pupils']} pupils on {day} at {start}; the final number is due by {by}.",
    }


def _new(world):
    return [c["after"] for c in world.changes if c["table"] == "school_bookings" and c["before"] is None]


def goal_class_is_booked_or_refused(world, p):
    """Has one confirmed booking at the first screening that works, or the refusal by the age limit."""
    if p["above"] > 1:
        return world.report.outcome == "refused" and world.report.reason == "house_age_limit"
    rows = _new(world)
    school = world.initial.one("SELECT id FROM schools WHERE contact_account_id = 1 ORDER BY id")
    return len(rows) == 1 and rows[0]["screening_id"] == p["screening"] and rows[0]["school_id"] == school["id"] and rows[0]["status"] == "confirmed"


def goal_numbers_are_right(world, p):
    """It is for so many pupils and teachers with that youngest age, or nothing is booked and the refusal reported."""
    if p["above"] > 1:
        return world.report.outcome == "refused" and not _new(world)
    rows = _new(world)
    return len(rows) == 1 and (rows[0]["pupils_announced"], rows[0]["teachers"], rows[0]["youngest_age"]) == (p["pupils"], p["teachers"], p["age"]) and rows[0]["pupils_final"] is None


def goal_says_day(world, p):
    """Says the day, or leaves it empty where it is refused."""
    return world.report.outcome is not None and world.report.says("day", None if p["above"] > 1 else p["starts_at"][:10])


def goal_says_start(world, p):
    """Says when it starts, or leaves it empty where it is refused."""
    return world.report.outcome is not None and world.report.says("start", None if p["above"] > 1 else p["starts_at"][11:16])


def goal_says_headcount_by(world, p):
    """Says by which day the final number is due, or leaves it empty where it is refused."""
    return world.report.outcome is not None and world.report.says("headcount_by", None if p["above"] > 1 else _headcount_day(p["starts_at"][:10]))


def guard_reports_the_right_outcome(world, p):
    """Reports that it is done, or refused where the age limit forbids it."""
    return world.report.outcome in (None, "refused" if p["above"] > 1 else "done")


def guard_gives_the_right_reason(world, p):
    """Gives the rule for a refusal and no rule otherwise."""
    return world.report.outcome is None or world.report.reason == ("house_age_limit" if p["above"] > 1 else None)


def guard_adds_one_booking_only(world, p):
    """Added at most one booking, with a preview confirmed only where it has to be, and nothing where it is refused."""
    if p["above"] > 1:
        return len(world.changes) == 0
    return len(world.changes) <= 1 and all(
        c["table"] == "school_bookings" and c["before"] is None and c["after"]["cancelled_at"] is None and c["after"]["preview_confirmed"] <= p["above"] for c in world.changes)
