def solve(tools):
    boat = next(b for b in tools.list_my_boats()["boats"] if b["name"] == "Havdronning")
    berth = next(
        b for b in tools.search_berths(code="S14")["berths"] if b["jetty_name"] == "South Jetty"
    )
    problems = []
    if berth["length_cm"] < boat["length_cm"] + 50:
        problems.append(
            f"its length of {berth['length_cm']} cm is not at least 0.5 metres more than her length of {boat['length_cm']} cm"
        )
    if berth["width_cm"] < boat["beam_cm"] + 40:
        problems.append(
            f"its width of {berth['width_cm']} cm is not at least 0.4 metres more than her beam of {boat['beam_cm']} cm"
        )
    if berth["depth_cm"] < boat["draught_cm"] + 30:
        problems.append(
            f"its depth of {berth['depth_cm']} cm is not at least 0.3 metres more than her draught of {boat['draught_cm']} cm"
        )
    if not problems:
        lease = tools.request_berth_lease(
            boat_id=boat["id"], berth_id=berth["id"], first_day="2026-05-01", last_day="2026-10-31"
        )["berth_lease"]
        return {
            "outcome": "done",
            "answers": {},
            "reason": None,
            "message": f"Berth {lease['berth_code']} is requested for the Havdronning from {lease['first_day']} to {lease['last_day']}.",
        }
    return {
        "outcome": "refused",
        "answers": {},
        "reason": "boat_fits_berth",
        "message": f"Berth S14 cannot be requested for the Havdronning: {' and '.join(problems)}, and a lease can be requested "
                   "only for a berth where it is. Nothing was requested.",
    }
