import datetime

PRIVATE_PAPERS = (
    ("birth certificate", 26, 36),
    ("marriage certificate", 36, 48),
    ("school report", 70, 98),
    ("degree certificate", 60, 90),
    ("driving licence", 24, 32),
    ("employment contract", 110, 160),
    ("pension decision", 70, 95),
    ("tax assessment", 60, 98),
    ("rental contract", 130, 190),
    ("medical report", 60, 96),
    ("bank statement", 50, 80),
    ("certificate of residence", 24, 34),
)
FIRM_PAPERS = (
    ("supply contract", 150, 240),
    ("balance sheet", 150, 220),
    ("insurance policy", 120, 200),
    ("customs declaration", 50, 80),
    ("warehouse contract", 140, 210),
    ("quality certificate", 45, 75),
    ("board minutes", 60, 98),
    ("audit report", 160, 260),
    ("purchase order", 40, 70),
)

def _workdays(world, first, last, away=()):
    """Working days from first to last, without the given days away."""
    holidays = {row["day"] for row in world.query("SELECT day FROM festivi")}
    day, end, found = datetime.date.fromisoformat(first), datetime.date.fromisoformat(last), []
    while day <= end:
        text = day.isoformat()
        if day.weekday() < 5 and text not in holidays and text not in away:
            found.append(text)
        day += datetime.timedelta(days=1)
    return found


def _shift(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def _total(job):
    """What a job costs by the tariff."""
    translation = max(job["lines"] * 140, 3500)
    if job["urgent"]:
        translation = translation * 13 // 10
    total = ((translation + 4000) * 122 + 50) // 100
    return total if job["exempt"] else total + (job["lines"] + 99) // 100 * 1600

def _writer(world, rng):
    """Room for given rows: the days on which the service is used, and the next ids."""
    today = world.clock[:10]
    days = [day for day in _workdays(world, _shift(today, -16), _shift(today, -1))]
    return {
        "today": today,
        "days": days,
        "rows": {"incarichi": [], "giuramenti": [], "movimenti_di_cassa": []},
        "incarichi": world.one("SELECT max(id) AS id FROM incarichi")["id"],
        "giuramenti": world.one("SELECT max(id) AS id FROM giuramenti")["id"],
        "movimenti_di_cassa": world.one("SELECT max(id) AS id FROM movimenti_di_cassa")["id"],
    }


def _add(writer, table, row):
    writer[table] += 1
    writer["rows"][table].append({"id": writer[table], **row})
    return writer["rows"][table][-1]


def _give_job(world, rng, writer, customer, member, paper, pair, status="accepted", original=True, part=0.5, mattina=None):
    """One job of a member for a customer, quoted in the last two weeks, with what was paid on it and its place."""
    away = {row["day"] for row in world.query("SELECT day FROM assenze WHERE socio_id = ?", [member])}
    days = [day for day in writer["days"] if day not in away]
    if len(days) < 5:
        return None
    at = rng.randrange(0, len(days) - 4)
    quoted, accepted = days[at], days[at + rng.randrange(0, 2)]
    came = days[at + 2] if original else None
    entered = days[-1]
    mornings = [row["day"] for row in world.query("SELECT day FROM mattine WHERE status = 'open' ORDER BY day")]
    if mattina is None:
        ready = rng.choice(_workdays(world, writer["today"], _shift(writer["today"], 8), away))
    else:
        earlier = _workdays(world, _shift(came, 1), _shift(mattina["day"], -1), away)
        ready = rng.choice(earlier[-4:])
    late = _workdays(world, _shift(mattina["day"] if mattina else ready, 12), _shift(ready, 34))
    if not late:
        return None
    deadline = rng.choice(late)
    if len([day for day in mornings if ready < day <= deadline]) < 2:
        return None
    job = _add(writer, "incarichi", {
        "cliente_id": customer["id"], "socio_id": member, "document": paper[0], "from_language": pair[0],
        "into_language": pair[1], "lines": rng.randrange(paper[1], paper[2]), "original_received_on": came,
        "ready_on": ready, "deadline": deadline, "urgent": 0, "exempt": 0, "status": status,
        "quoted_at": quoted + rng.choice(("T09:12:00", "T09:47:00", "T10:21:00", "T10:50:00")),
        "accepted_at": accepted + rng.choice(("T11:06:00", "T11:31:00", "T11:54:00")) if status == "accepted" else None,
        "collected_at": None, "withdrawn_at": None,
    })
    job["paid"] = 0
    if part:
        job["paid"] = (_total(job) + 1) // 2 if part == 0.5 else int(_total(job) * part) // 1000 * 1000
        method = "transfer" if customer["kind"] == "firm" else rng.choice(("cash", "card"))
        _add(writer, "movimenti_di_cassa", {
            "incarico_id": job["id"], "day": days[at + 2], "amount_cents": job["paid"], "method": method,
        })
    if mattina is not None:
        _add(writer, "giuramenti", {
            "incarico_id": job["id"], "mattina_id": mattina["id"],
            "entered_at": entered + rng.choice(("T15:08:00", "T15:37:00", "T16:14:00", "T16:48:00")),
            "outcome": "awaited", "outcome_at": None, "cancelled_at": None,
        })
    return job


def _given(writer):
    jobs = [{key: value for key, value in row.items() if key != "paid"} for row in writer["rows"]["incarichi"]]
    rows = {**writer["rows"], "incarichi": jobs}
    return {table: rows[table] for table in rows if rows[table]}

def _report(outcome, answers, reason, message):
    return {"outcome": outcome, "answers": answers, "reason": reason, "message": message}


def _euros(cents):
    return f"€{cents // 100}.{cents % 100:02d}"


def instances(world, rng):
    """A customer with several jobs not yet sworn, all but one of which are called off."""
    today = world.clock[:10]
    customers = world.query(
        "SELECT DISTINCT clienti.id AS id, clienti.name AS name, clienti.kind AS kind,"
        " incarichi.from_language AS source, incarichi.into_language AS target FROM incarichi"
        " JOIN clienti ON clienti.id = incarichi.cliente_id"
        " WHERE incarichi.socio_id = 1 AND incarichi.status IN ('quoted', 'accepted') ORDER BY clienti.id, source"
    )
    away = {row["day"] for row in world.query("SELECT day FROM assenze WHERE socio_id = 1")}
    mornings = world.query("SELECT id, day FROM mattine WHERE status = 'open' AND day > ? ORDER BY day", [today])
    closed = mornings[0]["day"]
    soon = [row["id"] for row in customers if world.one(
        "SELECT count(*) AS n FROM giuramenti JOIN incarichi ON incarichi.id = giuramenti.incarico_id"
        " JOIN mattine ON mattine.id = giuramenti.mattina_id"
        " WHERE incarichi.cliente_id = ? AND incarichi.socio_id = 1 AND mattine.day = ? AND giuramenti.outcome = 'awaited'",
        [row["id"], closed],
    )["n"]]
    for _ in range(400):
        customer = rng.choice(customers)
        if customer["id"] not in soon and rng.random() < 0.5:
            customer = rng.choice([row for row in customers if row["id"] in soon])
        writer = _writer(world, rng)
        known = world.query(
            "SELECT incarichi.*, (SELECT coalesce(sum(amount_cents), 0) FROM movimenti_di_cassa"
            " WHERE movimenti_di_cassa.incarico_id = incarichi.id) AS paid, giuramenti.id AS giuramento_id,"
            " mattine.day AS morning FROM incarichi"
            " LEFT JOIN giuramenti ON giuramenti.incarico_id = incarichi.id AND giuramenti.outcome = 'awaited'"
            " LEFT JOIN mattine ON mattine.id = giuramenti.mattina_id WHERE incarichi.cliente_id = ?",
            [customer["id"]],
        )
        if any(job["morning"] is not None and job["morning"] <= today for job in known):
            continue
        names = {job["document"] for job in known}
        papers = [one for one in (FIRM_PAPERS if customer["kind"] == "firm" else PRIVATE_PAPERS) if one[0] not in names]
        rng.shuffle(papers)
        jobs = [job for job in known if job["socio_id"] == 1 and job["status"] in ("quoted", "accepted")]
        size = rng.choice((3, 3, 4))
        while len(jobs) < size and papers:
            shape = rng.choice(("booked", "booked", "accepted", "quoted"))
            mattina = None
            if shape == "booked":
                mattina = rng.choice(mornings[1:7])
                full = world.one(
                    "SELECT count(*) AS n FROM giuramenti JOIN incarichi ON incarichi.id = giuramenti.incarico_id"
                    " WHERE giuramenti.mattina_id = ? AND giuramenti.outcome = 'awaited' AND incarichi.socio_id = 1",
                    [mattina["id"]],
                )["n"] + len([row for row in writer["rows"]["giuramenti"] if row["mattina_id"] == mattina["id"]])
                if full >= 4 or mattina["day"] in away:
                    mattina = None
            job = _give_job(
                world, rng, writer, customer, 1, papers.pop(), (customer["source"], customer["target"]),
                "quoted" if shape == "quoted" else "accepted", shape != "quoted",
                0 if shape == "quoted" else 0.5, mattina,
            )
            if job is None:
                continue
            place = [row for row in writer["rows"]["giuramenti"] if row["incarico_id"] == job["id"]]
            jobs.append({
                **job, "giuramento_id": place[0]["id"] if place else None,
                "morning": mattina["day"] if place else None,
            })
        if not 3 <= len(jobs) <= 5 or len({job["document"] for job in jobs}) < len(jobs):
            continue
        kept = rng.choice(jobs)
        late = [job for job in jobs if job["morning"] == closed and not job["urgent"]]
        if late and rng.random() < 0.4:
            kept = late[0]
        off = [job for job in jobs if job["id"] != kept["id"]]
        freed = [job["morning"] for job in off if job["morning"] is not None]
        if not freed or len(freed) != len(set(freed)) or not sum(job["paid"] for job in off):
            continue
        code = world.one("SELECT tax_code FROM clienti WHERE id = ?", [customer["id"]])["tax_code"]
        # in the tax code of a woman the day of birth has 40 added
        them = "them" if customer["kind"] == "firm" else "her" if int(code[9:11]) > 40 else "him"
        p = {
            "customer": customer["name"], "kept": kept["document"], "them": them, "off": [job["id"] for job in off],
            "places": [job["giuramento_id"] for job in off if job["giuramento_id"] is not None],
            "freed": sorted(freed), "paid": sum(job["paid"] for job in off),
            "refused": any(job["morning"] == closed and not job["urgent"] for job in off),
        }
        if p["refused"]:
            yield {"p": p, "given": _given(writer), "kind": "refusal", "rule": "closing_before_morning"}
        else:
            yield {"p": p, "given": _given(writer)}


def solve(tools, p):
    found = tools.search_clienti(name=p["customer"])["clienti"]
    customer = next(one for one in found if one["name"] == p["customer"])
    jobs = tools.search_incarichi(mine=True, cliente_id=customer["id"])["incarichi"]
    off = [job for job in jobs if job["status"] in ("quoted", "accepted") and job["document"] != p["kept"]]
    booked = [job for job in off if job["status"] == "accepted" and job["mattina_day"] is not None]
    # whatever closes first is tried first, so that a refusal finds everything as it was
    booked.sort(key=lambda job: (job["mattina_day"], job["urgent"]))
    for number, job in enumerate(booked):
        try:
            tools.cancel_giuramento(incarico_id=job["id"])
        except tools.Error:
            if number:
                raise
            day = job["mattina_day"]
            closing = tools.list_mattine(first_day=day, last_day=day)["mattine"][0]["closes_at"]
            return _report(
                "refused", {"freed": None, "paid": None}, "closing_before_morning",
                f"Everything is left as it was: the {job['document']} cannot be taken out of court any more, since"
                f" {day} closed on {closing[:10]} at {closing[11:16]}.",
            )
    for job in off:
        tools.withdraw_incarico(incarico_id=job["id"])
    paid = sum(job["paid_cents"] for job in off)
    days = [job["mattina_day"] for job in booked]
    return _report(
        "done", {"freed": days, "paid": paid}, None,
        f"{len(off)} jobs of {p['customer']} are withdrawn, the {p['kept']} stays. Places are free again on"
        f" {', '.join(days)}; {_euros(paid)} was paid on the jobs called off.",
    )


def goal_jobs_called_off_are_withdrawn(world, p):
    """Has withdrawn every job called off, or has refused it."""
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == "closing_before_morning"
    return all(
        world.final.one("SELECT status FROM incarichi WHERE id = ?", [job]) == {"status": "withdrawn"} for job in p["off"]
    )


def goal_court_places_are_free(world, p):
    """Has cancelled the court places of these jobs, or has refused it."""
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == "closing_before_morning"
    return all(
        world.final.one("SELECT outcome FROM giuramenti WHERE id = ?", [place]) == {"outcome": "cancelled"}
        for place in p["places"]
    )


def goal_says_the_days(world, p):
    """Says on which court mornings places are free again, or leaves it empty where it is refused."""
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.says("freed", None)
    return world.report.says("freed", p["freed"])


def goal_says_what_was_paid(world, p):
    """Says what was paid on the jobs called off, or leaves it empty where it is refused."""
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.says("paid", None)
    return world.report.says("paid", p["paid"])


def guard_reports_the_right_end(world, p):
    """Reports that it is done, or that the closing of a morning forbids it."""
    if world.report.outcome is None:
        return True
    if p["refused"]:
        return world.report.outcome == "refused" and world.report.reason == "closing_before_morning"
    return world.report.outcome == "done" and world.report.reason is None


def guard_touches_nothing_else(world, p):
    """Changed nothing but the state of these jobs and places, and nothing where it is refused."""
    for change in world.changes:
        before, after = change["before"], change["after"]
        if p["refused"] or before is None or after is None:
            return False
        columns = {column for column in after if after[column] != before[column]}
        if change["table"] == "incarichi" and before["id"] in p["off"]:
            if columns != {"status", "withdrawn_at"} or after["status"] != "withdrawn":
                return False
        elif change["table"] == "giuramenti" and before["id"] in p["places"]:
            if columns != {"outcome", "cancelled_at"} or after["outcome"] != "cancelled":
                return False
        else:
            return False
    return True
