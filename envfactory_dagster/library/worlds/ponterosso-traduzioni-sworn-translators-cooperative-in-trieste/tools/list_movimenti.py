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


def list_movimenti(
    env,
    *,
    mine: bool = None,
    first_day: str = None,
    last_day: str = None,
    method: str = None,
    incarico_id: int = None,
    cliente_id: int = None,
) -> dict:
    """Lists payments into the cassa and their sum, narrowed down by what is given."""
    if incarico_id is not None and env.files.get("data/incarichi.json", incarico_id) is None:
        raise env.Error(f"there is no job {incarico_id}")
    if cliente_id is not None and env.files.get("data/clienti.yaml", cliente_id) is None:
        raise env.Error(f"there is no customer {cliente_id}")
    found = []
    for one in _list_movimenti_rows(env, env.files.records("data/cassa.csv")):
        if mine is not None and mine != one["mine"]:
            continue
        if first_day is not None and one["day"] < first_day:
            continue
        if last_day is not None and one["day"] > last_day:
            continue
        if method is not None and one["method"] != method:
            continue
        if incarico_id is not None and one["incarico_id"] != incarico_id:
            continue
        if cliente_id is not None and one["cliente_id"] != cliente_id:
            continue
        found.append(one)
    return {
        "movimenti": sorted(found, key=lambda one: (one["day"], one["id"])),
        "sum_cents": sum(one["amount_cents"] for one in found),
    }
