def solve(tools):
    sand = next(s for s in tools.list_soils()["soils"] if s["name"].lower() == "sand")
    plots = tools.search_plots(status="free", soil_id=sand["id"])["plots"]
    plot = min(plots, key=lambda p: p["price_cents"])
    species = tools.search_tree_species(soil_id=sand["id"])["tree_species"]
    tree = min(species, key=lambda s: s["price_cents"])
    kinds = [s["name"] for s in species]
    total = plot["price_cents"] + tree["price_cents"]
    return {
        "outcome": "done",
        "answers": {
            "bearing": plot["bearing_degrees"],
            "distance": plot["distance_m"],
            "plot_price": plot["price_cents"],
            "kinds_of_tree": kinds,
            "total": total,
        },
        "reason": None,
        "message": (
            f"The cheapest free plot on sand lies at bearing {plot['bearing_degrees']} degrees, {plot['distance_m']} metres "
            f"from the survey post, and costs {plot['price_cents'] / 100:.2f} euros. The kinds of tree that suit sand are "
            f"{', '.join(kinds)}; with the cheapest, {tree['name']} at {tree['price_cents'] / 100:.2f} euros, the plot "
            f"comes to {total / 100:.2f} euros."
        ),
    }
