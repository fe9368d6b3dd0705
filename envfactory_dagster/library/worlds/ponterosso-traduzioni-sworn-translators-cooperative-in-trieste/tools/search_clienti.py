def _search_clienti_view(one):
    return {
        "id": one["id"],
        "name": one["name"],
        "kind": one["kind"],
        "telephone": one["telephone"],
        "email": one["email"],
        "address": one["address"],
        "tax_code": one["tax_code"],
    }


def search_clienti(env, *, name: str = None, kind: str = None) -> dict:
    """Lists customers by part of the name or by kind."""
    found = []
    for one in env.files.records("data/clienti.yaml"):
        if name is not None and name.strip().lower() not in one["name"].lower():
            continue
        if kind is not None and one["kind"] != kind:
            continue
        found.append(_search_clienti_view(one))
    return {"clienti": sorted(found, key=lambda one: (one["name"], one["id"]))}
