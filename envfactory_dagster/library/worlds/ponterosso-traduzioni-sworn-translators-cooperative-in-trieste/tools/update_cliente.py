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


def update_cliente(
    env,
    *,
    cliente_id: int,
    name: str = None,
    telephone: str = None,
    email: str = None,
    address: str = None,
    tax_code: str = None,
) -> dict:
    """Changes what is known of a customer."""
    cliente = env.files.get("data/clienti.yaml", cliente_id)
    if cliente is None:
        raise env.Error(f"there is no customer {cliente_id}")
    if name is None and telephone is None and email is None and address is None and tax_code is None:
        raise env.Error("nothing is named that is to be changed")
    if any(one is not None and not one.strip() for one in (name, telephone, address)):
        raise env.Error("name, telephone and address cannot be empty")
    if tax_code is not None:
        for one in env.files.records("data/clienti.yaml", {"tax_code": tax_code}):
            if one["id"] != cliente_id:
                raise env.Error(f"the tax code {tax_code} is that of {one['name']}")
    env.files.update(
        "data/clienti.yaml",
        cliente_id,
        {
            "name": cliente["name"] if name is None else name.strip(),
            "telephone": cliente["telephone"] if telephone is None else telephone.strip(),
            "email": cliente["email"] if email is None else email or None,
            "address": cliente["address"] if address is None else address.strip(),
            "tax_code": cliente["tax_code"] if tax_code is None else tax_code,
        },
    )
    return _search_clienti_view(env.files.get("data/clienti.yaml", cliente_id))
