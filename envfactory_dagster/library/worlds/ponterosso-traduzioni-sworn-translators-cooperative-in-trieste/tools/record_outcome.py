def _get_incarico_own(env, incarico_id):
    job = env.files.get("data/incarichi.json", incarico_id)
    if job is None or job["socio_id"] != env.user_id:
        raise env.Error(f"you have no job {incarico_id}")
    return job


def _get_incarico_awaited(env, incarico_id):
    """The awaited court place of a job, or None."""
    found = env.files.records("data/giuramenti.jsonl", {"incarico_id": incarico_id, "outcome": "awaited"})
    return found[0] if found else None


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


def record_outcome(env, *, incarico_id: int, sworn: bool) -> dict:
    """Enters what came of the awaited court place of a job of the user."""
    _get_incarico_own(env, incarico_id)
    place = _get_incarico_awaited(env, incarico_id)
    if place is None:
        raise env.Error(f"job {incarico_id} has no awaited court place")
    day = env.files.get("data/mattine.json", place["mattina_id"])["day"]
    if env.now[:10] < day:
        raise env.Error(f"the court morning of {day} is still to come")
    env.files.update(
        "data/giuramenti.jsonl", place["id"], {"outcome": "sworn" if sworn else "not_sworn", "outcome_at": env.now}
    )
    if sworn:
        env.files.update("data/incarichi.json", incarico_id, {"status": "sworn"})
    return _list_giuramenti_rows(env, [env.files.get("data/giuramenti.jsonl", place["id"])])[0]
