def solve(tools):
    mine = tools.list_my_reservations()["reservations"]
    held = next(r for r in mine if r["bearing_degrees"] == 112 and r["status"] in ("active", "used"))
    plot = tools.get_plot(plot_id=held["plot_id"])
    species = tools.search_tree_species(soil_id=plot["soil_id"], max_price_cents=12000)["tree_species"]
    chosen = min(species, key=lambda s: s["price_cents"])
    paid = tools.pay_upkeep(reservation_id=held["id"], until_year=2028)
    tree = tools.order_memorial_tree(
        plot_id=held["plot_id"], tree_species_id=chosen["id"], planting_date="2026-12-05"
    )["memorial_tree"]
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": (
            f"The upkeep of your plot at bearing 112 degrees is paid up to and including "
            f"{paid['reservation']['upkeep_paid_until_year']}, for {paid['paid_cents'] / 100:.2f} euros. The tree ordered for it, "
            f"to be planted on {tree['planting_date']}, is of the kind {tree['tree_species_name']} and costs "
            f"{tree['price_cents'] / 100:.2f} euros."
        ),
    }
