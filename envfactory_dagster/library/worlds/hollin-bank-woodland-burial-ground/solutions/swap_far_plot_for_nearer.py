def solve(tools):
    active = tools.list_my_reservations(status="active")["reservations"]
    two = [r for r in active if r["bearing_degrees"] in (205, 219) and r["reserved_at"].startswith("2019")]
    farther = max(two, key=lambda r: r["distance_m"])
    free = tools.search_plots(status="free", max_distance_m=25, max_price_cents=99999)["plots"]
    cheapest = min(free, key=lambda p: p["price_cents"])
    released = tools.release_reservation(reservation_id=farther["id"])["reservation"]
    new = tools.reserve_plot(plot_id=cheapest["id"])["reservation"]
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": (
            f"Your plot at bearing {released['bearing_degrees']} degrees, {released['distance_m']} metres from the post, is "
            f"released and {released['refund_cents'] / 100:.2f} euros are refunded. In its place the plot at bearing "
            f"{new['bearing_degrees']} degrees, {new['distance_m']} metres from the post, is reserved for you at "
            f"{new['price_cents'] / 100:.2f} euros."
        ),
    }
