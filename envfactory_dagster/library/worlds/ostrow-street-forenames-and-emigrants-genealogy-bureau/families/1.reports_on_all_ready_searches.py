import datetime

LANGUAGES = ("English", "German", "Polish", "Czech", "Swedish", "Norwegian")
FORMATS = ("printed", "digital")
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


def _report(number, commission_id, state, language, ended, today, rng):
    row = {
        "id": number,
        "commission_id": commission_id,
        "format": rng.choice(FORMATS),
        "language": language,
        "status": state,
        "ordered_at": None,
        "delivered_at": None,
        "cancelled_at": None,
    }
    if state == "ordered":
        row["ordered_at"] = _at(today - datetime.timedelta(days=rng.randrange(1, 12)), rng, 8, 21)
        return row
    ordered = _day(ended, rng, 2, 20)
    row["ordered_at"] = _at(ordered, rng, 8, 21)
    if state == "delivered":
        row["delivered_at"] = _at(_day(ordered, rng, 7, 16), rng, 10, 16)
    else:
        row["cancelled_at"] = _at(ordered + datetime.timedelta(days=rng.randrange(1, 4)), rng, 8, 21)
    return row


def instances(world, rng):
    """Ended searches with more or fewer findings and with reports in all states, a language, a format and a number."""
    top = world.one(
        "SELECT (SELECT max(id) FROM commissions) AS c, (SELECT max(id) FROM findings) AS f,"
        " (SELECT max(id) FROM time_entries) AS t, (SELECT max(id) FROM reports) AS r"
    )
    own = world.query(
        "SELECT c.id, c.surname, (SELECT count(*) FROM findings f WHERE f.commission_id = c.id AND f.status = 'open'"
        " AND f.confidence_grade >= 3) AS good FROM commissions c WHERE c.client_id = 1 ORDER BY c.id"
    )
    had = world.query(
        "SELECT r.commission_id, r.status, r.language FROM reports r JOIN commissions c ON c.id = r.commission_id"
        " WHERE c.client_id = 1 ORDER BY r.id"
    )
    today = datetime.date.fromisoformat(world.clock[:10])
    taken = {row["surname"] for row in own}
    for _ in range(600):
        language, least = rng.choice(LANGUAGES), rng.choice([3, 4, 5])
        good = {row["id"]: row["good"] for row in own}
        states = [(row["commission_id"], row["status"], row["language"]) for row in had]
        commissions, entries, findings, reports = [], [], [], []
        number_of_entry, number_of_finding, number_of_report = top["t"], top["f"], top["r"]
        cursor = datetime.date(2021, 1, 11) + datetime.timedelta(days=rng.randrange(0, 200))
        people = rng.sample([pair for pair in PEOPLE if pair[0] not in taken], rng.randrange(3, 5))
        for place, (surname, region) in enumerate(people):
            number = top["c"] + 1 + place
            asked = _day(cursor, rng, 3, 25)
            begun = _day(asked, rng, 4, 14)
            ended = _day(begun, rng, 60, 100)
            cursor = ended
            hours_in_all = 0
            for day in sorted({_day(begun, rng, 0, 50) for _ in range(rng.randrange(3, 6))}):
                number_of_entry += 1
                hours = rng.choice([2.0, 2.5, 3.0, 3.5, 4.5, 5.0])
                hours_in_all += hours
                entries.append({
                    "id": number_of_entry,
                    "commission_id": number,
                    "worked_on": day.isoformat(),
                    "source_type": rng.choice(SOURCE_TYPES),
                    "hours": hours,
                })
            count = rng.choice([2, 3, 3, 4, 4, 5, 5, 6])
            kinds = [("open", rng.choice([3, 4, 5])) for _ in range(count)]
            kinds += [("open", rng.choice([1, 2])) for _ in range(rng.randrange(0, 3))]
            kinds += [(rng.choice(["disputed", "withdrawn"]), rng.choice([2, 3, 4])) for _ in range(rng.randrange(0, 3))]
            rng.shuffle(kinds)
            days = sorted(_day(begun, rng, 1, 55) for _ in kinds)
            for (status, grade), day in zip(kinds, days):
                number_of_finding += 1
                findings.append(_finding(number_of_finding, number, surname, grade, status, day, rng))
            good[number] = count
            commissions.append(_search(number, surname, region, asked, begun, ended, hours_in_all, rng))
            if count >= 3:
                state = rng.choice(["none", "none", "same", "other", "cancelled", "ordered"])
                other = rng.choice([name for name in LANGUAGES if name != language])
                if state != "none":
                    number_of_report += 1
                    row = _report(
                        number_of_report,
                        number,
                        "delivered" if state in ("same", "other") else state,
                        language if state in ("same", "cancelled") else other,
                        ended,
                        today,
                        rng,
                    )
                    reports.append(row)
                    states.append((number, row["status"], row["language"]))
        stopped = {n for n, status, spoken in states if status == "ordered" or (status == "delivered" and spoken == language)}
        enough = {n for n, count in good.items() if count >= least}
        wanted, left_out = enough - stopped, enough & stopped
        if len(wanted) < 2 or len(left_out) < 1 or len(wanted) == len(left_out):
            continue
        given = {"commissions": commissions, "time_entries": entries, "findings": findings}
        if reports:
            given["reports"] = reports
        yield {"p": {"language": language, "format": rng.choice(FORMATS), "least": least}, "given": given}


def solve(tools, p):
    stopped = set()
    for report in tools.list_my_reports()["reports"]:
        if report["status"] == "ordered" or (report["status"] == "delivered" and report["language"] == p["language"]):
            stopped.add(report["commission_id"])
    ordered, left_out = [], 0
    for commission in tools.list_my_commissions()["commissions"]:
        findings = tools.list_findings(commission_id=commission["id"], status="open", min_confidence_grade=3)["findings"]
        if len(findings) < p["least"]:
            continue
        if commission["id"] in stopped:
            left_out += 1
            continue
        tools.order_report(commission_id=commission["id"], format=p["format"], language=p["language"])
        ordered.append(commission["surname"])
    return {
        "outcome": "done",
        "answers": {"reports_ordered": len(ordered), "searches_left_out": left_out},
        "reason": None,
        "message": (
            f"I ordered {len(ordered)} reports in {p['language']}, for {', '.join(ordered)}. Searches with enough findings"
            f" that I left out because of a report they have already: {left_out}."
        ),
    }


def _searches(world, p):
    return world.initial.query(
        "SELECT c.id, EXISTS (SELECT 1 FROM reports r WHERE r.commission_id = c.id AND (r.status = 'ordered'"
        " OR (r.status = 'delivered' AND r.language = ?))) AS stopped FROM commissions c WHERE c.client_id = 1"
        " AND (SELECT count(*) FROM findings f WHERE f.commission_id = c.id AND f.status = 'open'"
        " AND f.confidence_grade >= 3) >= ? ORDER BY c.id",
        [p["language"], p["least"]],
    )


def _wanted(world, p):
    return [row["id"] for row in _searches(world, p) if not row["stopped"]]


def goal_orders_a_report_on_each(world, p):
    """Ordered one report of the right form and language on each search that fits."""
    for number in _wanted(world, p):
        row = world.final.one(
            "SELECT count(*) AS n FROM reports WHERE commission_id = ? AND status = 'ordered' AND format = ?"
            " AND language = ?",
            [number, p["format"], p["language"]],
        )
        if row["n"] != 1:
            return False
    return True


def goal_says_how_many_were_ordered(world, p):
    """Says how many reports were ordered."""
    return bool(world.report.says("reports_ordered", len(_wanted(world, p))))


def goal_says_how_many_were_left_out(world, p):
    """Says how many searches with enough findings were left out because of a report they have already."""
    return bool(world.report.says("searches_left_out", sum(1 for row in _searches(world, p) if row["stopped"])))


def guard_adds_only_reports_on_the_right_searches(world, p):
    """Changed nothing but new reports, at most one on each search that fits."""
    wanted = _wanted(world, p)
    numbers = []
    for change in world.changes:
        if change["table"] != "reports" or change["before"] is not None or change["after"] is None:
            return False
        numbers.append(change["after"]["commission_id"])
    return len(numbers) == len(set(numbers)) and all(number in wanted for number in numbers)


def guard_orders_them_as_they_were_asked_for(world, p):
    """Every new report is ordered, in the form and the language that was asked for."""
    return all(
        c["after"] is not None
        and c["after"].get("status") == "ordered"
        and c["after"].get("format") == p["format"]
        and c["after"].get("language") == p["language"]
        for c in world.changes
    )


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world, p):
    """Gives no rule as a reason, as nothing is refused."""
    return world.report.reason is None
