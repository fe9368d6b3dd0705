def _get_incarico_own(env, incarico_id):
    job = env.files.get("data/incarichi.json", incarico_id)
    if job is None or job["socio_id"] != env.user_id:
        raise env.Error(f"you have no job {incarico_id}")
    return job


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


def correct_outcome(env, *, incarico_id: int, sworn: bool) -> dict:
    """Turns the latest outcome of a job of the user round."""
    job = _get_incarico_own(env, incarico_id)
    if job["status"] in ("collected", "withdrawn"):
        raise env.Error(f"job {incarico_id} is {job['status']}")
    places = sorted(
        env.files.records("data/giuramenti.jsonl", {"incarico_id": incarico_id}),
        key=lambda one: (one["entered_at"], one["id"]),
    )
    if not any(one["outcome"] in ("sworn", "not_sworn") for one in places):
        raise env.Error(f"job {incarico_id} has no outcome")
    last = places[-1]
    if last["outcome"] not in ("sworn", "not_sworn"):
        raise env.Error(f"job {incarico_id} has been booked again since")
    outcome = "sworn" if sworn else "not_sworn"
    if last["outcome"] == outcome:
        raise env.Error(f"the outcome of job {incarico_id} is {outcome} already")
    if sworn and job["original_received_on"] is None:
        raise env.Error(f"the original of job {incarico_id} is not entered")
    env.files.update("data/giuramenti.jsonl", last["id"], {"outcome": outcome})
    env.files.update("data/incarichi.json", incarico_id, {"status": "sworn" if sworn else "accepted"})
    return _list_giuramenti_rows(env, [env.files.get("data/giuramenti.jsonl", last["id"])])[0]
