def get_socio(env, *, socio_id: int) -> dict:
    """Shows one member with combinations and days away."""
    socio = env.files.get("data/soci.json", socio_id)
    if socio is None:
        raise env.Error(f"there is no member {socio_id}")
    combinations = sorted(
        env.files.records("data/combinazioni.tsv", {"socio_id": socio_id}),
        key=lambda one: (one["from_language"], one["into_language"], one["id"]),
    )
    away = sorted(env.files.records("data/assenze.csv", {"socio_id": socio_id}), key=lambda one: (one["day"], one["id"]))
    return {
        "id": socio["id"],
        "name": socio["name"],
        "telephone": socio["telephone"],
        "me": socio["id"] == env.user_id,
        "combinazioni": [
            {"id": one["id"], "from_language": one["from_language"], "into_language": one["into_language"]}
            for one in combinations
        ],
        "assenze": [{"id": one["id"], "day": one["day"]} for one in away],
    }
