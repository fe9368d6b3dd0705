def solve(tools):
    loam = next(s["id"] for s in tools.list_soils()["soils"] if s["name"].lower() == "loam")
    plots = tools.search_plots(
        status="free",
        soil_id=loam,
        min_bearing_degrees=100,
        max_bearing_degrees=130,
        max_distance_m=40,
        max_price_cents=89999,
    )["plots"]
    nearest = min(plots, key=lambda p: p["distance_m"])
    reservation = tools.reserve_plot(plot_id=nearest["id"])["reservation"]
    price = reservation["price_cents"]
    return {
        "outcome": "done",
        "answers": {"price": price},
        "reason": None,
        "message": (
            f"The loam plot at bearing {reservation['bearing_degrees']} degrees, {reservation['distance_m']} metres from "
            f"the survey post, is reserved in your name for your aunt Hedwig; it costs {price / 100:.2f} euros."
        ),
    }
