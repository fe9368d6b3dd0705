import datetime


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

def _report(outcome, answers, reason, message):
    return {"outcome": outcome, "answers": answers, "reason": reason, "message": message}


def _euros(cents):
    return f"€{cents // 100}.{cents % 100:02d}"


def instances(world, rng):
    """Six customers who owe something on jobs of the user, and a day of the last week of work."""
    today = world.clock[:10]
    jobs = world.query(
        "SELECT incarichi.id AS id, incarichi.lines AS lines, incarichi.urgent AS urgent, incarichi.exempt AS exempt,"
        " substr(incarichi.quoted_at, 1, 10) AS quoted, clienti.name AS name, (SELECT coalesce(sum(amount_cents), 0)"
        " FROM movimenti_di_cassa WHERE movimenti_di_cassa.incarico_id = incarichi.id) AS paid"
        " FROM incarichi JOIN clienti ON clienti.id = incarichi.cliente_id"
        " WHERE incarichi.socio_id = 1 AND incarichi.status IN ('accepted', 'sworn') ORDER BY incarichi.id"
    )
    last = {}
    for row in world.query(
        "SELECT clienti.name AS name, max(movimenti_di_cassa.day) AS day FROM movimenti_di_cassa"
        " JOIN incarichi ON incarichi.id = movimenti_di_cassa.incarico_id"
        " JOIN clienti ON clienti.id = incarichi.cliente_id GROUP BY clienti.name"
    ):
        last[row["name"]] = row["day"]
    owed = {}
    for job in jobs:
        if _total(job) > job["paid"]:
            owed.setdefault(job["name"], []).append([job["id"], _total(job) - job["paid"], job["quoted"]])
    days = _workdays(world, _shift(today, -8), _shift(today, -1))[-3:]
    for _ in range(400):
        day = rng.choice(days)
        fit = [
            name for name in sorted(owed)
            if all(job[2] <= day for job in owed[name]) and last.get(name, "2026-01-01") <= day
        ]
        size = 6
        if len(fit) < size:
            continue
        names = rng.sample(fit, size)
        if sum(len(owed[name]) for name in names) < 8:
            continue
        yield {"p": {
            "names": names, "day": day,
            "due": [[job[0], job[1]] for name in names for job in owed[name]],
            "amounts": [sum(job[1] for job in owed[name]) for name in names],
        }}


def solve(tools, p):
    amounts = []
    for name in p["names"]:
        customer = next(one for one in tools.search_clienti(name=name)["clienti"] if one["name"] == name)
        amount = 0
        for job in tools.search_incarichi(mine=True, cliente_id=customer["id"])["incarichi"]:
            if job["status"] in ("accepted", "sworn", "collected") and job["due_cents"] > 0:
                tools.record_payment(
                    incarico_id=job["id"], day=p["day"], amount_cents=job["due_cents"], method="transfer"
                )
                amount += job["due_cents"]
        amounts.append(amount)
    told = "; ".join(f"{name} {_euros(amount)}" for name, amount in zip(p["names"], amounts))
    return _report("done", {"amounts": amounts}, None, f"The transfers of {p['day']} are entered: {told}.")


def goal_every_open_job_is_paid(world, p):
    """Has the balance of every job that these customers have accepted entered as a transfer of that day."""
    for job, cents in p["due"]:
        rows = world.final.query(
            "SELECT amount_cents FROM movimenti_di_cassa WHERE incarico_id = ? AND method = 'transfer' AND day = ?"
            " AND amount_cents = ? AND id > ?",
            [job, p["day"], cents, world.initial.one("SELECT max(id) AS id FROM movimenti_di_cassa")["id"]],
        )
        if len(rows) != 1:
            return False
    return True


def goal_says_what_each_transferred(world, p):
    """Says what each of these customers transferred, in the order in which they were named."""
    return world.report.says("amounts", p["amounts"])


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_enters_nothing_else(world, p):
    """Changed nothing but one new transfer of that day for the balance of each of these jobs."""
    due = {job: cents for job, cents in p["due"]}
    entered = []
    for change in world.changes:
        if change["table"] != "movimenti_di_cassa" or change["before"] is not None or change["after"] is None:
            return False
        row = change["after"]
        if due.get(row["incarico_id"]) != row["amount_cents"] or row["method"] != "transfer" or row["day"] != p["day"]:
            return False
        entered.append(row["incarico_id"])
    return len(entered) == len(set(entered))
