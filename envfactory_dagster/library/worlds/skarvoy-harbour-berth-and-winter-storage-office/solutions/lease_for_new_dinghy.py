def kroner(cents):
    return f"{cents / 100:,.2f} kroner"


def solve(tools):
    boat = next(b for b in tools.list_my_boats()["boats"] if b["name"] == "Ternen")
    found = tools.search_berths(
        kind="summer",
        min_length_cm=boat["length_cm"] + 50,
        min_width_cm=boat["beam_cm"] + 40,
        min_depth_cm=boat["draught_cm"] + 30,
        free_first_day="2026-05-01",
        free_last_day="2026-10-31",
    )["berths"]
    fitting = [b for b in found if b["jetty_name"] != "North Jetty"]
    if not fitting:
        return {
            "outcome": "done",
            "answers": {"cheapest_berth_if_none_requested": None},
            "reason": None,
            "message": "No berth off the North Jetty that the Ternen fits into is free from 1 May to 31 October 2026, so nothing was requested.",
        }
    cheapest = min(fitting, key=lambda b: (b["season_price_cents"], b["code"]))
    if cheapest["season_price_cents"] >= 600000:
        return {
            "outcome": "done",
            "answers": {"cheapest_berth_if_none_requested": cheapest["code"]},
            "reason": None,
            "message": f"Nothing under 6,000 kroner is left, so nothing was requested; the cheapest is {cheapest['code']} at the "
                       f"{cheapest['jetty_name']} for {kroner(cheapest['season_price_cents'])}.",
        }
    lease = tools.request_berth_lease(
        boat_id=boat["id"], berth_id=cheapest["id"], first_day="2026-05-01", last_day="2026-10-31"
    )["berth_lease"]
    return {
        "outcome": "done",
        "answers": {"cheapest_berth_if_none_requested": None},
        "reason": None,
        "message": f"Berth {lease['berth_code']} at the {cheapest['jetty_name']} is requested for the Ternen from 1 May to "
                   f"31 October 2026 for {kroner(lease['price_cents'])}; the harbour master still has to make the lease active.",
    }
