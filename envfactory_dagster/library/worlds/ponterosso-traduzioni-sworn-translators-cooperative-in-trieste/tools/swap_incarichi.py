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


def _pass_incarico_check_sworn_for(env, socio_id, job):
    if not env.files.count(
        "data/combinazioni.tsv",
        {"socio_id": socio_id, "from_language": job["from_language"], "into_language": job["into_language"]},
    ):
        name = env.files.get("data/soci.json", socio_id)["name"]
        raise env.Error(f"{name} is not sworn from {job['from_language']} into {job['into_language']}")


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


def swap_incarichi(env, *, incarico_id: int, colleague_incarico_id: int, agreed_by_telephone: bool) -> dict:
    """Swaps a booked job of the user for a booked job of a colleague."""
    given = _get_incarico_own(env, incarico_id)
    taken = env.files.get("data/incarichi.json", colleague_incarico_id)
    if taken is None or taken["socio_id"] == env.user_id:
        raise env.Error(f"no colleague has a job {colleague_incarico_id}")
    colleague_id = taken["socio_id"]
    given_place = _get_incarico_awaited(env, incarico_id)
    if given_place is None:
        raise env.Error(f"job {incarico_id} has no awaited court place")
    taken_place = _get_incarico_awaited(env, colleague_incarico_id)
    if taken_place is None:
        raise env.Error(f"job {colleague_incarico_id} has no awaited court place")
    given_morning = env.files.get("data/mattine.json", given_place["mattina_id"])
    taken_morning = env.files.get("data/mattine.json", taken_place["mattina_id"])
    _book_giuramento_check_closing(env, given_morning, given["urgent"])
    _book_giuramento_check_closing(env, taken_morning, taken["urgent"])
    if not agreed_by_telephone:
        name = env.files.get("data/soci.json", colleague_id)["name"]
        raise env.Error(f"{name} has not agreed by telephone")
    _pass_incarico_check_sworn_for(env, colleague_id, given)
    _pass_incarico_check_sworn_for(env, env.user_id, taken)
    _book_giuramento_check_away(env, colleague_id, given_morning["day"])
    _book_giuramento_check_away(env, env.user_id, taken_morning["day"])
    _book_giuramento_check_places(env, colleague_id, given_morning, given, colleague_incarico_id)
    _book_giuramento_check_places(env, env.user_id, taken_morning, taken, incarico_id)
    env.files.update("data/incarichi.json", incarico_id, {"socio_id": colleague_id})
    env.files.update("data/incarichi.json", colleague_incarico_id, {"socio_id": env.user_id})
    return {
        "given": _get_incarico_show(env, incarico_id),
        "taken": _get_incarico_show(env, colleague_incarico_id),
    }
