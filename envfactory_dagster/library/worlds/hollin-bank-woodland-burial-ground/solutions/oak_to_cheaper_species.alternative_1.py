def solve(tools):
    ordered = tools.list_my_memorial_trees(status="ordered")["memorial_trees"]
    oak = next(
        t for t in ordered
        if t["bearing_degrees"] == 205
        and t["planting_date"] == "2027-03-20"
        and "oak" in t["tree_species_name"].lower()
    )
    plot = tools.get_plot(plot_id=oak["plot_id"])
    species = tools.search_tree_species(
        soil_id=plot["soil_id"], max_price_cents=oak["price_cents"] - 3000
    )["tree_species"]
    fitting = [
        s for s in species
        if "willow" not in s["name"].lower() and s["id"] != oak["tree_species_id"]
    ]
    chosen = max(fitting, key=lambda s: s["price_cents"])
    tree = tools.change_memorial_tree(memorial_tree_id=oak["id"], tree_species_id=chosen["id"])["memorial_tree"]
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": (
            f"The tree ordered for your plot at bearing 205 degrees is now of the kind {tree['tree_species_name']} at "
            f"{tree['price_cents'] / 100:.2f} euros instead of {oak['price_cents'] / 100:.2f}; it is still to be planted on "
            f"{tree['planting_date']}."
        ),
    }
