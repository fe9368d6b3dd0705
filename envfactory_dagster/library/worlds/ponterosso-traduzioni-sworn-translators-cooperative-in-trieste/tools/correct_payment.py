import collections
import datetime


def _correct_payment_own(env, movimento_id):
    """A payment on a job of the user that is neither withdrawn nor collected, and the job."""
    payment = env.files.get("data/cassa.csv", movimento_id)
    job = None if payment is None else env.files.get("data/incarichi.json", payment["incarico_id"])
    if job is None or job["socio_id"] != env.user_id:
        raise env.Error(f"there is no payment {movimento_id} on a job of yours")
    if job["status"] in ("withdrawn", "collected"):
        raise env.Error(f"job {job['id']} is {job['status']}")
    return payment, job


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


def _get_incarico_awaited(env, incarico_id):
    """The awaited court place of a job, or None."""
    found = env.files.records("data/giuramenti.jsonl", {"incarico_id": incarico_id, "outcome": "awaited"})
    return found[0] if found else None


BOOK_GIURAMENTO_JOBS_WITHOUT_DEPOSIT = 6


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


def _correct_payment_check_half(env, job, paid):
    if _get_incarico_awaited(env, job["id"]) is not None and not _book_giuramento_deposit_ok(env, job, paid):
        raise env.Error(f"job {job['id']} is booked for court, and less than half of its total would be paid")


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


def correct_payment(
    env, *, movimenti_di_cassa_id: int, day: str = None, amount_cents: int = None, method: str = None
) -> dict:
    """Changes amount, day or method of a payment on a job of the user."""
    payment, job = _correct_payment_own(env, movimenti_di_cassa_id)
    if day is None and amount_cents is None and method is None:
        raise env.Error("nothing is named that is to be changed")
    new_day = payment["day"] if day is None else day
    new_amount = payment["amount_cents"] if amount_cents is None else amount_cents
    new_method = payment["method"] if method is None else method
    rest = _get_incarico_paid(env, job["id"]) - payment["amount_cents"]
    _record_payment_check(env, job, new_day, new_amount, new_method, rest)
    if new_amount < payment["amount_cents"]:
        _correct_payment_check_half(env, job, rest + new_amount)
    env.files.update(
        "data/cassa.csv", movimenti_di_cassa_id, {"day": new_day, "amount_cents": new_amount, "method": new_method}
    )
    return _list_movimenti_rows(env, [env.files.get("data/cassa.csv", movimenti_di_cassa_id)])[0]
