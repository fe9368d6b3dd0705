def search_soci(env, *, name: str = None, from_language: str = None, into_language: str = None) -> dict:
    """Lists members by part of the name and by combination."""
    sworn = set()
    for one in env.files.records("data/combinazioni.tsv"):
        if from_language is not None and one["from_language"].lower() != from_language.strip().lower():
            continue
        if into_language is not None and one["into_language"].lower() != into_language.strip().lower():
            continue
        sworn.add(one["socio_id"])
    found = []
    for socio in env.files.records("data/soci.json"):
        if name is not None and name.strip().lower() not in socio["name"].lower():
            continue
        if (from_language is not None or into_language is not None) and socio["id"] not in sworn:
            continue
        found.append(
            {
                "id": socio["id"],
                "name": socio["name"],
                "telephone": socio["telephone"],
                "me": socio["id"] == env.user_id,
            }
        )
    return {"soci": sorted(found, key=lambda one: (one["name"], one["id"]))}
