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


def add_cliente(
    env, *, name: str, kind: str, telephone: str, email: str = None, address: str, tax_code: str
) -> dict:
    """Enters a new customer."""
    if not name.strip() or not telephone.strip() or not address.strip():
        raise env.Error("a customer needs a name, a telephone and an address")
    same = env.files.records("data/clienti.yaml", {"tax_code": tax_code})
    if same:
        raise env.Error(f"the tax code {tax_code} is that of {same[0]['name']}")
    key = env.files.append(
        "data/clienti.yaml",
        {
            "name": name.strip(),
            "kind": kind,
            "telephone": telephone.strip(),
            "email": email,
            "address": address.strip(),
            "tax_code": tax_code,
        },
    )
    return _search_clienti_view(env.files.get("data/clienti.yaml", key))
