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


def move_giuramento(env, *, incarico_id: int, mattina_id: int) -> dict:
    """Moves the awaited court place of a job of the user to another morning."""
    job = _get_incarico_own(env, incarico_id)
    mattina = env.files.get("data/mattine.json", mattina_id)
    if mattina is None:
        raise env.Error(f"there is no court morning {mattina_id}")
    place = _get_incarico_awaited(env, incarico_id)
    if place is None:
        raise env.Error(f"job {incarico_id} has no awaited court place")
    if place["mattina_id"] == mattina_id:
        raise env.Error(f"job {incarico_id} is booked for {mattina['day']} already")
    _book_giuramento_check_closing(env, env.files.get("data/mattine.json", place["mattina_id"]), job["urgent"])
    _book_giuramento_check_morning(env, job, mattina)
    _book_giuramento_check_away(env, env.user_id, mattina["day"])
    _book_giuramento_check_closing(env, mattina, job["urgent"])
    _book_giuramento_check_places(env, env.user_id, mattina, job, None)
    env.files.update("data/giuramenti.jsonl", place["id"], {"mattina_id": mattina_id, "entered_at": env.now})
    return _list_giuramenti_rows(env, [env.files.get("data/giuramenti.jsonl", place["id"])])[0]
