import datetime

PEOPLE = (
    ("Sikorski", "Kujawy"), ("Hruska", "Moravia"), ("Eklund", "Dalarna"), ("Nilsen", "Nordland"),
    ("Kaminski", "Podlasie"), ("Vesely", "South Bohemia"), ("Haugen", "Telemark"), ("Schroeder", "Posen"),
    ("Zielinski", "Mazovia"), ("Moberg", "Halland"), ("Fiala", "Silesia"), ("Rasmussen", "Jutland"),
)
FORENAMES = ("Anna", "Johan", "Katarina", "Peter", "Margareta", "Franz", "Agnes", "Jakob", "Elisabet", "Karl")
EVENTS = (
    "was baptised in {}", "was married in {}", "sailed for New York in {}", "was buried in {}",
    "held a farm lease in {}", "was confirmed in {}",
)
SOURCES = (
    "Parish register, baptisms {}", "Parish register, marriages {}", "Passenger list of {}", "Census sheet of {}",
    "Civil register, deaths {}", "Tax roll of {}",
)
SOURCE_TYPES = ("parish_register", "ship_list", "census", "civil_register", "other")


def _day(first, rng, low, high):
    day = first + datetime.timedelta(days=rng.randrange(low, high + 1))
    while day.weekday() > 4:
        day += datetime.timedelta(days=1)
    return day


def _at(day, rng, first_hour, last_hour):
    return f"{day.isoformat()}T{rng.randrange(first_hour, last_hour + 1):02d}:{rng.randrange(0, 12) * 5:02d}:00"


def _text(surname, rng):
    year = rng.randrange(1841, 1909)
    return f"{rng.choice(FORENAMES)} {surname} " + rng.choice(EVENTS).format(year), rng.choice(SOURCES).format(year)


def _finding(number, commission_id, surname, grade, status, day, rng):
    statement, source = _text(surname, rng)
    row = {
        "id": number,
        "commission_id": commission_id,
        "statement": statement,
        "source": source,
        "confidence_grade": grade,
        "status": status,
        "recorded_at": _at(day, rng, 10, 16),
        "disputed_at": None,
        "dispute_reason": None,
        "withdrawn_at": None,
    }
    if status == "disputed":
        row["disputed_at"] = _at(day + datetime.timedelta(days=rng.randrange(2, 20)), rng, 8, 21)
        row["dispute_reason"] = "The dates do not fit our family."
    if status == "withdrawn":
        row["withdrawn_at"] = _at(day + datetime.timedelta(days=rng.randrange(3, 25)), rng, 10, 16)
    return row


def _search(number, surname, region, asked, begun, ended, hours, rng):
    return {
        "id": number,
        "client_id": 1,
        "surname": surname,
        "region": region,
        "budget_hours": float(min(60, int(hours / 0.7) + 4)),
        "status": "completed",
        "requested_at": _at(asked, rng, 8, 21),
        "started_at": f"{begun.isoformat()}T09:{rng.randrange(0, 6) * 5:02d}:00",
        "paused_at": None,
        "consented_at": None,
        "completed_at": _at(ended, rng, 16, 17),
        "cancelled_at": None,
    }


def instances(world, rng):
    """Searches of the past beside those there are, a grade and a span of days, with one search that was the quickest."""
    top = world.one(
        "SELECT (SELECT max(id) FROM commissions) AS c, (SELECT max(id) FROM time_entries) AS t,"
        " (SELECT max(id) FROM findings) AS f"
    )
    own = world.query(
        "SELECT c.id, c.surname, c.started_at, f.confidence_grade AS grade, f.recorded_at FROM commissions c"
        " JOIN findings f ON f.commission_id = c.id WHERE c.client_id = 1 AND f.status = 'open'"
        " AND c.started_at IS NOT NULL ORDER BY f.recorded_at, f.id"
    )
    taken = {row["surname"] for row in own}
    for _ in range(600):
        known = [(r["id"], r["started_at"][:10], r["grade"], r["recorded_at"][:10]) for r in own]
        commissions, entries, findings = [], [], []
        number_of_entry, number_of_finding = top["t"], top["f"]
        cursor = datetime.date(2021, 1, 11) + datetime.timedelta(days=rng.randrange(0, 200))
        people = rng.sample([pair for pair in PEOPLE if pair[0] not in taken], rng.randrange(3, 6))
        for place, (surname, region) in enumerate(people):
            number = top["c"] + 1 + place
            asked = _day(cursor, rng, 3, 25)
            begun = _day(asked, rng, 4, 14)
            ended = _day(begun, rng, 60, 110)
            cursor = ended
            span = (ended - begun).days
            hours_in_all = 0
            days = {begun + datetime.timedelta(days=d) for d in rng.sample(range(0, span - 4), rng.randrange(4, 8))}
            days = sorted(day for day in days if day.weekday() < 5)
            for day in days:
                number_of_entry += 1
                hours = rng.choice([1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.5, 5.0])
                hours_in_all += hours
                entries.append({
                    "id": number_of_entry,
                    "commission_id": number,
                    "worked_on": day.isoformat(),
                    "source_type": rng.choice(SOURCE_TYPES),
                    "hours": hours,
                })
            for day in days:
                if rng.random() < 0.25:
                    continue
                number_of_finding += 1
                grade = rng.choice([1, 2, 2, 3, 3, 4, 4, 5])
                status = rng.choice(["open", "open", "open", "open", "disputed", "withdrawn"])
                findings.append(_finding(number_of_finding, number, surname, grade, status, day, rng))
                if status == "open":
                    known.append((number, begun.isoformat(), grade, day.isoformat()))
            commissions.append(_search(number, surname, region, asked, begun, ended, hours_in_all, rng))
        grade = rng.choice([3, 4])
        starts = sorted({start for _, start, _, _ in known})
        low = rng.randrange(0, len(starts) - 2)
        high = rng.randrange(low + 2, len(starts))
        since = datetime.date.fromisoformat(starts[low]) - datetime.timedelta(days=rng.randrange(0, 4))
        until = datetime.date.fromisoformat(starts[high]) + datetime.timedelta(days=rng.randrange(0, 4))
        first = {}
        for number, start, found, recorded in known:
            if since.isoformat() <= start <= until.isoformat() and found >= grade:
                day = datetime.date.fromisoformat(recorded) - datetime.date.fromisoformat(start)
                first[number] = min(day.days, first.get(number, 99999))
        lengths = sorted(first.values())
        if len(lengths) < 3 or lengths[0] == lengths[1] or lengths[0] < 1:
            continue
        yield {
            "p": {"since": since.isoformat(), "until": until.isoformat(), "grade": grade},
            "given": {"commissions": commissions, "time_entries": entries, "findings": findings},
        }


def solve(tools, p):
    best = None
    for commission in tools.list_my_commissions()["commissions"]:
        if commission["started_at"] is None:
            continue
        if not p["since"] <= commission["started_at"][:10] <= p["until"]:
            continue
        begun = datetime.date.fromisoformat(commission["started_at"][:10])
        findings = tools.list_findings(
            commission_id=commission["id"], status="open", min_confidence_grade=p["grade"]
        )["findings"]
        if not findings:
            continue
        recorded = datetime.date.fromisoformat(min(f["recorded_at"] for f in findings)[:10])
        days = (recorded - begun).days
        if best is None or days < best["days"]:
            best = {"days": days, "recorded": recorded, "id": commission["id"], "surname": commission["surname"]}
    entries = tools.list_time_entries(commission_id=best["id"], last_day=best["recorded"].isoformat())["time_entries"]
    hours = sum(entry["hours"] for entry in entries)
    return {
        "outcome": "done",
        "answers": {"surname": best["surname"], "days": best["days"], "hours": hours},
        "reason": None,
        "message": (
            f"The {best['surname']} search was the quickest: its first such finding came {best['days']} day(s) after it was taken up,"
            f" and by then {hours:g} hours had been worked on it."
        ),
    }


def _quickest(world, p):
    return world.initial.one(
        "SELECT c.id, c.surname, min(substr(f.recorded_at, 1, 10)) AS recorded,"
        " CAST(julianday(min(substr(f.recorded_at, 1, 10))) - julianday(substr(c.started_at, 1, 10)) AS INTEGER) AS days"
        " FROM commissions c JOIN findings f ON f.commission_id = c.id WHERE c.client_id = 1 AND f.status = 'open'"
        " AND f.confidence_grade >= ? AND substr(c.started_at, 1, 10) BETWEEN ? AND ? GROUP BY c.id ORDER BY days, c.id LIMIT 1",
        [p["grade"], p["since"], p["until"]],
    )


def goal_says_which_search(world, p):
    """Says the surname of the search whose first such finding came soonest."""
    return bool(world.report.says("surname", _quickest(world, p)["surname"]))


def goal_says_after_how_many_days(world, p):
    """Says after how many days that finding was recorded."""
    return bool(world.report.says("days", _quickest(world, p)["days"]))


def goal_says_how_many_hours(world, p):
    """Says how many hours had been worked on that search by the end of that day."""
    best = _quickest(world, p)
    row = world.initial.one(
        "SELECT coalesce(sum(hours), 0) AS n FROM time_entries WHERE commission_id = ? AND worked_on <= ?",
        [best["id"], best["recorded"]],
    )
    return bool(world.report.says("hours", row["n"]))


def guard_changes_nothing(world, p):
    """Changed nothing, as only an answer was wanted."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world, p):
    """Gives no rule as a reason, as nothing is refused."""
    return world.report.reason is None
