import collections
import datetime


def _get_incarico_own(env, incarico_id):
    job = env.files.get("data/incarichi.json", incarico_id)
    if job is None or job["socio_id"] != env.user_id:
        raise env.Error(f"you have no job {incarico_id}")
    return job


def _get_incarico_awaited(env, incarico_id):
    """The awaited court place of a job, or None."""
    found = env.files.records("data/giuramenti.jsonl", {"incarico_id": incarico_id, "outcome": "awaited"})
    return found[0] if found else None


def _get_incarico_paid(env, incarico_id):
    return sum(one["amount_cents"] for one in env.files.records("data/cassa.csv", {"incarico_id": incarico_id}))


def _book_giuramento_check_morning(env, job, mattina):
    if mattina["status"] != "open":
        raise env.Error(f"the court morning of {mattina['day']} is lost")
    if mattina["day"] <= job["ready_on"]:
        raise env.Error(f"job {job['id']} is ready on {job['ready_on']} only")
    if mattina["day"] > job["deadline"]:
        raise env.Error(f"the deadline of job {job['id']} is {job['deadline']}")


def _book_giuramento_check_away(env, socio_id, day):
    if env.files.count("data/assenze.csv", {"socio_id": socio_id, "day": day}):
        name = env.files.get("data/soci.json", socio_id)["name"]
        raise env.Error(f"{name} is away on {day}")


def _list_mattine_closing_day(holidays, day):
    """The last working day before a court morning."""
    before = datetime.date.fromisoformat(day) - datetime.timedelta(days=1)
    while before.weekday() > 4 or before.isoformat() in holidays:
        before -= datetime.timedelta(days=1)
    return before.isoformat()


def _book_giuramento_check_closing(env, mattina, urgent):
    holidays = {one["day"] for one in env.files.records("data/festivi.tsv")}
    closing = _list_mattine_closing_day(holidays, mattina["day"]) + ("T17:00:00" if urgent else "T12:00:00")
    if env.now > closing:
        raise env.Error(f"the court morning of {mattina['day']} closed for this job on {closing[:10]} at {closing[11:16]}")


BOOK_GIURAMENTO_JOBS_WITHOUT_DEPOSIT = 6


PRICE_JOB_LINE_CENTS = 140
PRICE_JOB_MINIMUM_CENTS = 3500
PRICE_JOB_URGENT_PERCENT = 30
PRICE_JOB_SWEARING_CENTS = 4000
PRICE_JOB_VAT_PERCENT = 22
PRICE_JOB_STAMP_CENTS = 1600


def _price_job_total(lines, urgent, exempt):
    work = max(PRICE_JOB_MINIMUM_CENTS, lines * PRICE_JOB_LINE_CENTS)
    if urgent:
        work = work * (100 + PRICE_JOB_URGENT_PERCENT) // 100
    net = work + PRICE_JOB_SWEARING_CENTS
    gross = (net * (100 + PRICE_JOB_VAT_PERCENT) + 50) // 100
    stamps = 0 if exempt else PRICE_JOB_STAMP_CENTS * ((lines + 99) // 100)
    return gross + stamps


def _get_cliente_sworn_and_paid(env, cliente_id, without_id):
    """Jobs of the customer that are sworn or collected and fully paid, the job without_id left out."""
    paid = collections.Counter()
    for one in env.files.records("data/cassa.csv"):
        paid[one["incarico_id"]] += one["amount_cents"]
    return sum(
        1
        for one in env.files.records("data/incarichi.json", {"cliente_id": cliente_id})
        if one["id"] != without_id
        and one["status"] in ("sworn", "collected")
        and paid[one["id"]] >= _price_job_total(one["lines"], one["urgent"], one["exempt"])
    )


def _book_giuramento_deposit_ok(env, job, paid):
    """Whether paid cents are half of the total, or no deposit is needed."""
    if 2 * paid >= _price_job_total(job["lines"], job["urgent"], job["exempt"]):
        return True
    if job["urgent"]:
        return False
    return _get_cliente_sworn_and_paid(env, job["cliente_id"], job["id"]) >= BOOK_GIURAMENTO_JOBS_WITHOUT_DEPOSIT


BOOK_GIURAMENTO_PLACES = 5


def _book_giuramento_check_places(env, socio_id, mattina, job, leaving_id):
    """Refuses when the job finds no place on the morning; the job leaving_id is counted as gone."""
    theirs = {one["id"]: one["urgent"] for one in env.files.records("data/incarichi.json", {"socio_id": socio_id})}
    before = [
        one["incarico_id"]
        for one in env.files.records("data/giuramenti.jsonl", {"mattina_id": mattina["id"]})
        if one["outcome"] != "cancelled" and one["incarico_id"] in theirs and one["incarico_id"] != job["id"]
    ]
    others = [one for one in before if one != leaving_id]
    files = len(others) + 1
    if files > BOOK_GIURAMENTO_PLACES:
        name = env.files.get("data/soci.json", socio_id)["name"]
        raise env.Error(f"{name} has {len(others)} files on {mattina['day']} already")
    if files < BOOK_GIURAMENTO_PLACES or job["urgent"]:
        return
    kept = len(before) == len(others) + 1 and any(theirs[one] for one in others)
    if not kept:
        name = env.files.get("data/soci.json", socio_id)["name"]
        raise env.Error(f"the 5th place of {name} on {mattina['day']} is for an urgent file")


def _list_giuramenti_rows(env, giuramenti):
    clienti = {one["id"]: one["name"] for one in env.files.records("data/clienti.yaml")}
    soci = {one["id"]: one["name"] for one in env.files.records("data/soci.json")}
    days = {one["id"]: one["day"] for one in env.files.records("data/mattine.json")}
    jobs = {one["id"]: one for one in env.files.records("data/incarichi.json")}
    rows = []
    for one in giuramenti:
        job = jobs[one["incarico_id"]]
        rows.append(
            {
                "id": one["id"],
                "incarico_id": one["incarico_id"],
                "document": job["document"],
                "cliente_name": clienti[job["cliente_id"]],
                "socio_id": job["socio_id"],
                "socio_name": soci[job["socio_id"]],
                "urgent": bool(job["urgent"]),
                "mattina_id": one["mattina_id"],
                "mattina_day": days[one["mattina_id"]],
                "entered_at": one["entered_at"],
                "outcome": one["outcome"],
                "outcome_at": one["outcome_at"],
                "cancelled_at": one["cancelled_at"],
            }
        )
    return rows


def book_giuramento(env, *, incarico_id: int, mattina_id: int) -> dict:
    """Books a court place for an accepted job of the user."""
    job = _get_incarico_own(env, incarico_id)
    mattina = env.files.get("data/mattine.json", mattina_id)
    if mattina is None:
        raise env.Error(f"there is no court morning {mattina_id}")
    if job["status"] != "accepted":
        raise env.Error(f"job {incarico_id} is {job['status']}, not accepted")
    if _get_incarico_awaited(env, incarico_id) is not None:
        raise env.Error(f"job {incarico_id} is booked already")
    _book_giuramento_check_morning(env, job, mattina)
    _book_giuramento_check_away(env, env.user_id, mattina["day"])
    _book_giuramento_check_closing(env, mattina, job["urgent"])
    if job["original_received_on"] is None:
        raise env.Error(f"the original of job {incarico_id} has not come")
    if not _book_giuramento_deposit_ok(env, job, _get_incarico_paid(env, incarico_id)):
        raise env.Error(f"less than half of the total of job {incarico_id} is paid")
    _book_giuramento_check_places(env, env.user_id, mattina, job, None)
    key = env.files.append(
        "data/giuramenti.jsonl",
        {
            "incarico_id": incarico_id,
            "mattina_id": mattina_id,
            "entered_at": env.now,
            "outcome": "awaited",
            "outcome_at": None,
            "cancelled_at": None,
        },
    )
    return _list_giuramenti_rows(env, [env.files.get("data/giuramenti.jsonl", key)])[0]
