import collections


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


def _get_incarico_awaited(env, incarico_id):
    """The awaited court place of a job, or None."""
    found = env.files.records("data/giuramenti.jsonl", {"incarico_id": incarico_id, "outcome": "awaited"})
    return found[0] if found else None


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


def _correct_payment_check_half(env, job, paid):
    if _get_incarico_awaited(env, job["id"]) is not None and not _book_giuramento_deposit_ok(env, job, paid):
        raise env.Error(f"job {job['id']} is booked for court, and less than half of its total would be paid")


def remove_payment(env, *, movimenti_di_cassa_id: int) -> dict:
    """Takes an entry made by mistake out of the cassa."""
    payment, job = _correct_payment_own(env, movimenti_di_cassa_id)
    rest = _get_incarico_paid(env, job["id"]) - payment["amount_cents"]
    _correct_payment_check_half(env, job, rest)
    env.files.remove("data/cassa.csv", movimenti_di_cassa_id)
    return {
        "removed_movimenti_di_cassa_id": movimenti_di_cassa_id,
        "incarico_id": job["id"],
        "amount_cents": payment["amount_cents"],
        "due_cents": _price_job_total(job["lines"], job["urgent"], job["exempt"]) - rest,
    }
