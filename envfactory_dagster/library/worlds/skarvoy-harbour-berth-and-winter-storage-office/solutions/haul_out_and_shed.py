def solve(tools):
    boat = next(b for b in tools.list_my_boats()["boats"] if b["name"] == "Skarven")
    windows = tools.search_tide_windows(
        first_day="2026-10-01",
        last_day="2026-10-07",
        min_water_depth_cm=boat["draught_cm"] + 20,
        max_booked_lifts=3,
    )["tide_windows"]
    window = min(windows, key=lambda w: w["starts_at"])
    day = window["starts_at"][:10]
    bays = tools.search_shed_bays(
        min_length_cm=boat["length_cm"],
        min_width_cm=boat["beam_cm"],
        free_first_day=day,
        free_last_day="2027-04-15",
    )["shed_bays"]
    bay = min(bays, key=lambda b: (b["winter_price_cents"], b["code"]))
    lift = tools.book_crane_lift(
        boat_id=boat["id"], tide_window_id=window["id"], direction="out_of_water"
    )["crane_lift"]
    place = tools.reserve_shed_place(
        boat_id=boat["id"], shed_bay_id=bay["id"], first_day=day, last_day="2027-04-15"
    )["shed_place"]
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"The Skarven's lift out of the water is booked for {day}, {lift['starts_at'][11:16]} to {lift['ends_at'][11:16]}, "
                   f"and bay {place['bay_code']} is reserved for her from {place['first_day']} to {place['last_day']} for "
                   f"{place['price_cents'] / 100:,.2f} kroner.",
    }
