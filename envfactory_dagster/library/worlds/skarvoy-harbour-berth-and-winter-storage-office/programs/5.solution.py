def solve(tools):
    boats = {boat["name"]: boat["id"] for boat in tools.list_my_boats()["boats"]}
    leases = tools.list_my_berth_leases()["berth_leases"]
    places = tools.list_my_shed_places(boat_id=boats["Lomvi"], status="reserved")["shed_places"]

    def lease_price(name):
        return sum(
            lease["price_cents"]
            for lease in leases
            if lease["boat_id"] == boats[name] and lease["status"] != "ended" and lease["first_day"][:4] == "2026"
        )

    winter = [place for place in places if place["first_day"][:4] == "2026"]
    lomvi = lease_price("Lomvi") + sum(place["price_cents"] for place in winter)
    havdronning = lease_price("Havdronning")
    if lomvi > havdronning:
        for place in winter:
            tools.release_shed_place(shed_place_id=place["id"])
        done = "The Lomvi's shed place for next winter is released."
    else:
        done = "The Lomvi keeps her shed place for next winter."
    return {
        "outcome": "done",
        "answers": {"lomvi_total": lomvi, "havdronning_lease": havdronning},
        "reason": None,
        "message": (
            f"The Lomvi comes to {lomvi / 100:.2f} kroner with her berth and shed place, the Havdronning's lease"
            f" to {havdronning / 100:.2f} kroner. {done}"
        ),
    }
