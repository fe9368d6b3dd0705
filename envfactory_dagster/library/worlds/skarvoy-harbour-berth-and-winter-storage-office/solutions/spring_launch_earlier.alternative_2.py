def solve(tools):
    boat = next(b for b in tools.list_my_boats()["boats"] if b["name"] == "Ternen")
    lift = next(
        l for l in tools.list_my_crane_lifts(boat_id=boat["id"], status="booked")["crane_lifts"]
        if l["starts_at"].startswith("2026-05-09") and l["direction"] == "into_water"
    )
    place = next(
        p for p in tools.list_my_shed_places(boat_id=boat["id"])["shed_places"] if p["status"] != "released"
    )
    windows = tools.search_tide_windows(
        first_day="2026-04-24",
        last_day="2026-05-01",
        min_water_depth_cm=boat["draught_cm"] + 20,
        max_booked_lifts=3,
    )["tide_windows"]
    windows.sort(key=lambda w: w["starts_at"])
    window = windows[-1]
    moved = tools.move_crane_lift(crane_lift_id=lift["id"], tide_window_id=window["id"])["crane_lift"]
    released = tools.release_shed_place(shed_place_id=place["id"])["shed_place"]
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"The Ternen's lift into the water is moved to {moved['starts_at'][:10]}, {moved['starts_at'][11:16]} to "
                   f"{moved['ends_at'][11:16]}, and her shed place in bay {released['bay_code']} is released.",
    }
