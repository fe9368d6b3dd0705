def solve(tools):
    active = tools.get_my_profile()["active_reservations"]
    refused = active >= 4
    if not refused:
        plot = tools.search_plots(status="free", min_bearing_degrees=241, max_bearing_degrees=241)["plots"][0]
        try:
            tools.reserve_plot(plot_id=plot["id"])
        except tools.Error:
            refused = True
    if refused:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "reservation_limit",
            "message": (
                f"The plot at bearing 241 degrees can't be reserved for you: a family contact can reserve a plot only while "
                f"they have fewer than 4 active reservations, and you have {active}."
            ),
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "The free plot at bearing 241 degrees is reserved in your name.",
    }
