import datetime


def _get_incarico_own(env, incarico_id):
    job = env.files.get("data/incarichi.json", incarico_id)
    if job is None or job["socio_id"] != env.user_id:
        raise env.Error(f"you have no job {incarico_id}")
    return job


def _get_incarico_paid(env, incarico_id):
    return sum(one["amount_cents"] for one in env.files.records("data/cassa.csv", {"incarico_id": incarico_id}))


def _price_job_working_day(env, day):
    try:
        weekday = datetime.date.fromisoformat(day).weekday()
    except ValueError:
        return False
    return weekday < 5 and env.files.count("data/festivi.tsv", {"day": day}) == 0


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


def _record_payment_check(env, job, day, amount_cents, method, paid):
    """Refuses a payment that cannot be entered on the job; paid is what else is paid."""
    if env.files.get("data/clienti.yaml", job["cliente_id"])["kind"] == "firm" and method != "transfer":
        raise env.Error("firms pay by transfer")
    if day < job["quoted_at"][:10]:
        raise env.Error(f"job {job['id']} was quoted on {job['quoted_at'][:10]} only")
    if day > env.now[:10]:
        raise env.Error(f"{day} is still to come")
    if not _price_job_working_day(env, day):
        raise env.Error(f"{day} is no working day")
    due = _price_job_total(job["lines"], job["urgent"], job["exempt"]) - paid
    if amount_cents > due:
        raise env.Error(f"only {max(due, 0)} cents are owed on job {job['id']}")


def _list_movimenti_rows(env, movimenti):
    clienti = {one["id"]: one["name"] for one in env.files.records("data/clienti.yaml")}
    soci = {one["id"]: one["name"] for one in env.files.records("data/soci.json")}
    jobs = {one["id"]: one for one in env.files.records("data/incarichi.json")}
    rows = []
    for one in movimenti:
        job = jobs[one["incarico_id"]]
        rows.append(
            {
                "id": one["id"],
                "incarico_id": one["incarico_id"],
                "document": job["document"],
                "cliente_id": job["cliente_id"],
                "cliente_name": clienti[job["cliente_id"]],
                "socio_id": job["socio_id"],
                "socio_name": soci[job["socio_id"]],
                "mine": job["socio_id"] == env.user_id,
                "day": one["day"],
                "amount_cents": one["amount_cents"],
                "method": one["method"],
            }
        )
    return rows


def record_payment(env, *, incarico_id: int, day: str, amount_cents: int, method: str) -> dict:
    """Enters a payment on a job of the user."""
    job = _get_incarico_own(env, incarico_id)
    if job["status"] == "withdrawn":
        raise env.Error(f"job {incarico_id} is withdrawn and owes nothing")
    _record_payment_check(env, job, day, amount_cents, method, _get_incarico_paid(env, incarico_id))
    key = env.files.append(
        "data/cassa.csv", {"incarico_id": incarico_id, "day": day, "amount_cents": amount_cents, "method": method}
    )
    return _list_movimenti_rows(env, [env.files.get("data/cassa.csv", key)])[0]
