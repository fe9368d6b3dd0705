def solve(tools):
    boat = next(b for b in tools.list_my_boats()["boats"] if b["name"] == "Alken")
    lift = next(
        l for l in tools.list_my_crane_lifts(boat_id=boat["id"], status="booked")["crane_lifts"]
        if l["starts_at"].startswith("2026-10")
    )
    lease = next(
        l for l in tools.list_my_berth_leases(boat_id=boat["id"], status="active")["berth_leases"]
    )
    place = next(
        p for p in tools.list_my_shed_places(boat_id=boat["id"])["shed_places"] if p["status"] != "released"
    )
    tools.cancel_crane_lift(crane_lift_id=lift["id"])
    tools.give_up_berth_lease(berth_lease_id=lease["id"])
    tools.release_shed_place(shed_place_id=place["id"])
    left = sum(
        i["left_cents"] for i in tools.list_my_invoices(berth_lease_id=lease["id"], state="unpaid")["invoices"]
    )
    owing = f"you still owe {left / 100:,.2f} kroner" if left else "you owe nothing more"
    return {
        "outcome": "done",
        "answers": {"still_owing_for_lease": left > 0},
        "reason": None,
        "message": f"The Alken's lift on {lift['starts_at'][:10]} is cancelled, her lease of berth {lease['berth_code']} given up and her "
                   f"shed place in bay {place['bay_code']} released. For her lease {owing}.",
    }
