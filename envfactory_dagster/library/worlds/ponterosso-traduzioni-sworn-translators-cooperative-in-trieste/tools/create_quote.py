import collections
import datetime


def _price_job_working_day(env, day):
    try:
        weekday = datetime.date.fromisoformat(day).weekday()
    except ValueError:
        return False
    return weekday < 5 and env.files.count("data/festivi.tsv", {"day": day}) == 0


def _price_job_open_mornings(env, ready_on, deadline):
    """Checks the two dates and counts the open mornings after the ready date, up to and including the deadline."""
    if not _price_job_working_day(env, ready_on):
        raise env.Error(f"the ready date {ready_on} is no working day")
    if not _price_job_working_day(env, deadline):
        raise env.Error(f"the deadline {deadline} is no working day")
    if deadline <= ready_on:
        raise env.Error("the deadline must lie after the ready date")
    mornings = env.files.records("data/mattine.json")
    last = max(one["day"] for one in mornings)
    if deadline[:7] > last[:7]:
        raise env.Error(f"court mornings are known until {last} only")
    found = [one for one in mornings if one["status"] == "open" and ready_on < one["day"] <= deadline]
    if not found:
        raise env.Error(f"there is no open court morning after {ready_on} up to {deadline}")
    return len(found)


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


def create_quote(
    env,
    *,
    cliente_id: int,
    document: str,
    from_language: str,
    into_language: str,
    lines: int,
    ready_on: str,
    deadline: str,
    exempt: bool = False,
) -> dict:
    """Enters a quote as the user's job."""
    cliente = env.files.get("data/clienti.yaml", cliente_id)
    if cliente is None:
        raise env.Error(f"there is no customer {cliente_id}")
    if not document.strip():
        raise env.Error("it is not said what the document is")
    pair = None
    for one in env.files.records("data/combinazioni.tsv", {"socio_id": env.user_id}):
        if (
            one["from_language"].lower() == from_language.strip().lower()
            and one["into_language"].lower() == into_language.strip().lower()
        ):
            pair = one
    if pair is None:
        raise env.Error(f"you are not sworn from {from_language} into {into_language}")
    foreign = pair["into_language"] if pair["from_language"] == "Italian" else pair["from_language"]
    holders = {
        one["socio_id"]
        for one in env.files.records("data/incarichi.json", {"cliente_id": cliente_id})
        if one["status"] != "withdrawn" and foreign in (one["from_language"], one["into_language"])
    }
    if holders and env.user_id not in holders:
        name = env.files.get("data/soci.json", min(holders))["name"]
        raise env.Error(f"the {foreign} papers of {cliente['name']} are with {name}")
    if ready_on < env.now[:10]:
        raise env.Error(f"the ready date {ready_on} is past")
    urgent = 1 if _price_job_open_mornings(env, ready_on, deadline) == 1 else 0
    key = env.files.append(
        "data/incarichi.json",
        {
            "cliente_id": cliente_id,
            "socio_id": env.user_id,
            "document": document.strip(),
            "from_language": pair["from_language"],
            "into_language": pair["into_language"],
            "lines": lines,
            "original_received_on": None,
            "ready_on": ready_on,
            "deadline": deadline,
            "urgent": urgent,
            "exempt": 1 if exempt else 0,
            "status": "quoted",
            "quoted_at": env.now,
            "accepted_at": None,
            "collected_at": None,
            "withdrawn_at": None,
        },
    )
    return _get_incarico_show(env, key)
