import collections


def _get_incarico_own(env, incarico_id):
    job = env.files.get("data/incarichi.json", incarico_id)
    if job is None or job["socio_id"] != env.user_id:
        raise env.Error(f"you have no job {incarico_id}")
    return job


def _get_incarico_awaited(env, incarico_id):
    """The awaited court place of a job, or None."""
    found = env.files.records("data/giuramenti.jsonl", {"incarico_id": incarico_id, "outcome": "awaited"})
    return found[0] if found else None


def _correct_incarico_changeable(env, job):
    """Refuses unless the job is quoted or accepted and has no awaited court place."""
    if job["status"] not in ("quoted", "accepted"):
        raise env.Error(f"job {job['id']} is {job['status']}, not quoted or accepted")
    if _get_incarico_awaited(env, job["id"]) is not None:
        raise env.Error(f"job {job['id']} has an awaited court place")


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


def _get_incarico_views(env, jobs, full):
    clienti = {one["id"]: one["name"] for one in env.files.records("data/clienti.yaml")}
    soci = {one["id"]: one["name"] for one in env.files.records("data/soci.json")}
    days = {one["id"]: one["day"] for one in env.files.records("data/mattine.json")}
    live = {
        one["incarico_id"]: one
        for one in env.files.records("data/giuramenti.jsonl")
        if one["outcome"] in ("awaited", "sworn")
    }
    paid = collections.Counter()
    for one in env.files.records("data/cassa.csv"):
        paid[one["incarico_id"]] += one["amount_cents"]
    views = []
    for job in jobs:
        total = _price_job_total(job["lines"], job["urgent"], job["exempt"])
        place = live.get(job["id"])
        view = {
            "id": job["id"],
            "cliente_id": job["cliente_id"],
            "cliente_name": clienti[job["cliente_id"]],
            "socio_id": job["socio_id"],
            "socio_name": soci[job["socio_id"]],
            "mine": job["socio_id"] == env.user_id,
            "document": job["document"],
            "from_language": job["from_language"],
            "into_language": job["into_language"],
            "lines": job["lines"],
            "original_received_on": job["original_received_on"],
            "ready_on": job["ready_on"],
            "deadline": job["deadline"],
            "urgent": bool(job["urgent"]),
            "exempt": bool(job["exempt"]),
            "status": job["status"],
            "total_cents": total,
            "paid_cents": paid[job["id"]],
            "due_cents": 0 if job["status"] == "withdrawn" else total - paid[job["id"]],
            "giuramento_id": place["id"] if place else None,
            "mattina_day": days[place["mattina_id"]] if place else None,
        }
        if full:
            view["quoted_at"] = job["quoted_at"]
            view["accepted_at"] = job["accepted_at"]
            view["collected_at"] = job["collected_at"]
            view["withdrawn_at"] = job["withdrawn_at"]
        views.append(view)
    return views


def _get_incarico_show(env, incarico_id):
    return _get_incarico_views(env, [env.files.get("data/incarichi.json", incarico_id)], True)[0]


def withdraw_incarico(env, *, incarico_id: int) -> dict:
    """Marks a quoted or accepted job of the user as withdrawn."""
    job = _get_incarico_own(env, incarico_id)
    _correct_incarico_changeable(env, job)
    env.files.update("data/incarichi.json", incarico_id, {"status": "withdrawn", "withdrawn_at": env.now})
    return _get_incarico_show(env, incarico_id)
