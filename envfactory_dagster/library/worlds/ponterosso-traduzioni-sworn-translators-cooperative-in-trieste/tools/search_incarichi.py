import collections


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


def search_incarichi(
    env,
    *,
    mine: bool = None,
    socio_id: int = None,
    cliente_id: int = None,
    document: str = None,
    status: str = None,
    booked: bool = None,
    urgent: bool = None,
) -> dict:
    """Lists jobs of all members, narrowed down by what is given."""
    if socio_id is not None and env.files.get("data/soci.json", socio_id) is None:
        raise env.Error(f"there is no member {socio_id}")
    if cliente_id is not None and env.files.get("data/clienti.yaml", cliente_id) is None:
        raise env.Error(f"there is no customer {cliente_id}")
    awaited = {one["incarico_id"] for one in env.files.records("data/giuramenti.jsonl", {"outcome": "awaited"})}
    found = []
    for job in env.files.records("data/incarichi.json"):
        if mine is not None and mine != (job["socio_id"] == env.user_id):
            continue
        if socio_id is not None and job["socio_id"] != socio_id:
            continue
        if cliente_id is not None and job["cliente_id"] != cliente_id:
            continue
        if document is not None and document.strip().lower() not in job["document"].lower():
            continue
        if status is not None and job["status"] != status:
            continue
        if booked is not None and booked != (job["id"] in awaited):
            continue
        if urgent is not None and urgent != bool(job["urgent"]):
            continue
        found.append(job)
    found = sorted(found, key=lambda one: (one["quoted_at"], one["id"]))
    return {"incarichi": _get_incarico_views(env, found, False)}
