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


def list_giuramenti(
    env,
    *,
    mine: bool = None,
    socio_id: int = None,
    mattina_id: int = None,
    first_day: str = None,
    last_day: str = None,
    outcome: str = None,
) -> dict:
    """Lists court places, narrowed down by what is given."""
    if socio_id is not None and env.files.get("data/soci.json", socio_id) is None:
        raise env.Error(f"there is no member {socio_id}")
    if mattina_id is not None and env.files.get("data/mattine.json", mattina_id) is None:
        raise env.Error(f"there is no court morning {mattina_id}")
    found = []
    for one in _list_giuramenti_rows(env, env.files.records("data/giuramenti.jsonl")):
        if mine is not None and mine != (one["socio_id"] == env.user_id):
            continue
        if socio_id is not None and one["socio_id"] != socio_id:
            continue
        if mattina_id is not None and one["mattina_id"] != mattina_id:
            continue
        if first_day is not None and one["mattina_day"] < first_day:
            continue
        if last_day is not None and one["mattina_day"] > last_day:
            continue
        if outcome is not None and one["outcome"] != outcome:
            continue
        found.append(one)
    return {"giuramenti": sorted(found, key=lambda one: (one["mattina_day"], one["entered_at"], one["id"]))}
