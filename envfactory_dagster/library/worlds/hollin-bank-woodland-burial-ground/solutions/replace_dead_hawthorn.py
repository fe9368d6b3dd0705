def solve(tools):
    dead = next(
        t for t in tools.list_my_memorial_trees(status="dead")["memorial_trees"]
        if t["bearing_degrees"] == 96 and "hawthorn" in t["tree_species_name"].lower()
    )
    plot = tools.get_plot(plot_id=dead["plot_id"])
    species = tools.search_tree_species(soil_id=plot["soil_id"])["tree_species"]
    maples = [s for s in species if s["name"].lower() == "field maple"]
    chosen = maples[0] if maples else min(species, key=lambda s: s["price_cents"])
    tree = tools.order_memorial_tree(
        plot_id=plot["id"], tree_species_id=chosen["id"], planting_date="2027-01-15"
    )["memorial_tree"]
    if maples:
        why = f"A field maple is listed for the {plot['soil_name']} there"
    else:
        why = f"Field maple isn't listed for the {plot['soil_name']} there, so the cheapest kind that is was taken"
    return {
        "outcome": "done",
        "answers": {"kind_of_tree": tree["tree_species_name"], "price": tree["price_cents"]},
        "reason": None,
        "message": (
            f"{why}. The new tree on your father's plot at bearing 96 degrees is of the kind {tree['tree_species_name']}, "
            f"to be planted on {tree['planting_date']}, and comes to {tree['price_cents'] / 100:.2f} euros."
        ),
    }
