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
    """Two files that the user carries to court on the same morning, and how busy the colleagues are."""
    today = world.clock[:10]
    colleagues = world.query(
        "SELECT clienti.id AS id, clienti.kind AS kind, incarichi.socio_id AS socio_id,"
        " min(incarichi.from_language) AS source, max(incarichi.into_language) AS target FROM incarichi"
        " JOIN clienti ON clienti.id = incarichi.cliente_id WHERE incarichi.socio_id <> 1"
        " AND incarichi.status <> 'withdrawn' AND incarichi.into_language = 'Italian'"
        " GROUP BY clienti.id, incarichi.socio_id ORDER BY clienti.id"
    )
    own = world.query(
        "SELECT clienti.id AS id, clienti.kind AS kind, incarichi.from_language AS source,"
        " incarichi.into_language AS target FROM incarichi JOIN clienti ON clienti.id = incarichi.cliente_id"
        " WHERE incarichi.socio_id = 1 AND incarichi.status <> 'withdrawn' GROUP BY clienti.id ORDER BY clienti.id"
    )
    pairs = world.query("SELECT socio_id, from_language, into_language FROM combinazioni WHERE socio_id <> 1")
    sworn = {(row["socio_id"], row["from_language"], row["into_language"]) for row in pairs}
    soci = world.query("SELECT id, name, telephone FROM soci WHERE id <> 1 ORDER BY name")
    mornings = world.query("SELECT id, day FROM mattine WHERE status = 'open' AND day > ? ORDER BY day", [_shift(today, 3)])
    assenze = {(row["socio_id"], row["day"]) for row in world.query("SELECT socio_id, day FROM assenze")}
    for _ in range(500):
        mattina = rng.choice(mornings[:6])
        if (1, mattina["day"]) in assenze:
            continue
        writer = _writer(world, rng)
        places = world.query(
            "SELECT incarichi.id AS id, incarichi.socio_id AS socio_id, incarichi.urgent AS urgent,"
            " incarichi.from_language AS source, incarichi.into_language AS target, clienti.name AS name,"
            " clienti.id AS cliente_id FROM giuramenti JOIN incarichi ON incarichi.id = giuramenti.incarico_id"
            " JOIN clienti ON clienti.id = incarichi.cliente_id"
            " WHERE giuramenti.mattina_id = ? AND giuramenti.outcome = 'awaited'",
            [mattina["id"]],
        )
        goal = rng.choice((3, 4, 4))
        wanted = [(1, other) for other in rng.sample(own, min(8, len(own)))]
        wanted += [(other["socio_id"], other) for other in rng.sample(colleagues, min(6, len(colleagues)))]
        for member, other in wanted:
            count = len([row for row in places if row["socio_id"] == member])
            if count >= (goal if member == 1 else 4) or (member, mattina["day"]) in assenze:
                continue
            if any(row["cliente_id"] == other["id"] for row in places):
                continue
            taken = {row["document"] for row in world.query(
                "SELECT document FROM incarichi WHERE cliente_id = ?", [other["id"]]
            )}
            rest = [one for one in (FIRM_PAPERS if other["kind"] == "firm" else PRIVATE_PAPERS) if one[0] not in taken]
            job = _give_job(
                world, rng, writer, other, member, rng.choice(rest), (other["source"], other["target"]),
                "accepted", True, 0.5, mattina,
            )
            if job is not None:
                name = world.one("SELECT name FROM clienti WHERE id = ?", [other["id"]])["name"]
                places.append({
                    "id": job["id"], "socio_id": member, "urgent": 0, "source": other["source"],
                    "target": other["target"], "name": name, "cliente_id": other["id"],
                })
        mine = [row for row in places if row["socio_id"] == 1]
        if not 2 <= len(mine) <= 5:
            continue
        two = rng.sample(mine, 2)
        if two[0]["name"] == two[1]["name"] or any(len([r for r in mine if r["name"] == x["name"]]) > 1 for x in two):
            continue
        able = [
            one for one in soci
            if all((one["id"], file["source"], file["target"]) in sworn for file in two)
        ]
        given = _given(writer)
        busy = [one["id"] for one in able if not any(row["socio_id"] == one["id"] for row in places)]
        if busy and rng.random() < 0.5:
            member = rng.choice(busy)
            if (member, mattina["day"]) not in assenze:
                top = world.one("SELECT max(id) AS id FROM assenze")["id"]
                given["assenze"] = [{"id": top + 1, "socio_id": member, "day": mattina["day"]}]
        gone = {row["socio_id"] for row in given.get("assenze", [])}
        ordinary = len([file for file in two if not file["urgent"]])
        found = []
        for one in able:
            files = len([row for row in places if row["socio_id"] == one["id"]])
            if one["id"] in gone or (one["id"], mattina["day"]) in assenze:
                continue
            if files + 2 <= 5 and (not ordinary or files + ordinary <= 4):
                found.append(one)
        if len(able) < 2 or not found and rng.random() < 0.7:
            continue
        yield {"p": {
            "first": two[0]["name"], "second": two[1]["name"], "day": mattina["day"],
            "colleagues": [one["name"] for one in found], "telephones": [one["telephone"] for one in found],
        }, "given": given}


def solve(tools, p):
    files = [
        row for row in tools.list_giuramenti(mine=True, first_day=p["day"], last_day=p["day"], outcome="awaited")["giuramenti"]
        if row["cliente_name"] in (p["first"], p["second"])
    ]
    able = None
    for file in files:
        job = tools.get_incarico(incarico_id=file["incarico_id"])
        sworn = tools.search_soci(from_language=job["from_language"], into_language=job["into_language"])["soci"]
        ids = {one["id"] for one in sworn}
        able = [one for one in sworn if not one["me"]] if able is None else [one for one in able if one["id"] in ids]
    ordinary = len([file for file in files if not file["urgent"]])
    found = []
    for one in sorted(able, key=lambda one: one["name"]):
        morning = tools.list_mattine(first_day=p["day"], last_day=p["day"], socio_id=one["id"])["mattine"][0]
        if morning["away"] or morning["files"] + 2 > 5 or ordinary and morning["files"] + ordinary > 4:
            continue
        found.append(one)
    told = ", ".join(f"{one['name']} ({one['telephone']})" for one in found) or "nobody"
    return _report(
        "done",
        {"colleagues": [one["name"] for one in found], "telephones": [one["telephone"] for one in found]},
        None,
        f"Who could take the files of {p['first']} and {p['second']} to court on {p['day']}: {told}.",
    )


def goal_says_the_colleagues(world, p):
    """Says which colleagues could take both files."""
    return world.report.says("colleagues", p["colleagues"])


def goal_says_their_telephones(world, p):
    """Says how they are reached."""
    return world.report.says("telephones", p["telephones"])


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing(world, p):
    """Changed nothing."""
    return world.changes == []
