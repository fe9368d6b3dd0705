def solve(tools):
    losses = []
    for reservation in tools.list_my_reservations(status="active")["reservations"]:
        plot = tools.get_plot(plot_id=reservation["plot_id"])
        losses.append((reservation["price_cents"] - plot["refund_cents"], reservation))
    least_loss, least = min(losses, key=lambda pair: pair[0])
    most_loss, most = max(losses, key=lambda pair: pair[0])
    return {
        "outcome": "done",
        "answers": {
            "least_loss_bearing": least["bearing_degrees"],
            "least_loss": least_loss,
            "least_loss_paid_until": least["upkeep_paid_until_year"],
            "most_loss_bearing": most["bearing_degrees"],
        },
        "reason": None,
        "message": (
            f"Giving up the plot at bearing {least['bearing_degrees']} degrees would cost you the least,"
            f" {least_loss / 100:.2f} euros; its upkeep is paid up to {least['upkeep_paid_until_year']}."
            f" You would lose the most on the plot at bearing {most['bearing_degrees']} degrees."
        ),
    }
