def solve(tools):
    soils = {s["name"]: s["id"] for s in tools.list_soils()["soils"]}
    kinds = {}
    for name in ("loam", "clay"):
        kinds[name] = tools.search_tree_species(soil_id=soils[name], max_price_cents=13000)["tree_species"]
    more = max(kinds, key=lambda name: len(kinds[name]))
    cheapest = min(kinds[more], key=lambda t: t["price_cents"])
    euros = f"{cheapest['price_cents'] / 100:.2f}"
    return {
        "outcome": "done",
        "answers": {
            "loam_kinds": len(kinds["loam"]),
            "clay_kinds": len(kinds["clay"]),
            "cheapest_kind": cheapest["name"],
            "cheapest_price": cheapest["price_cents"],
        },
        "reason": None,
        "message": (
            f"At 130 euros or less, {len(kinds['loam'])} kinds of tree may be planted on loam and"
            f" {len(kinds['clay'])} on clay. {more.capitalize()} has more of them, and the cheapest there is"
            f" {cheapest['name']} at {euros} euros."
        ),
    }
