def solve(tools):
    zones = tools.list_quarantine_zones(disease="american_foulbrood")["quarantine_zones"]
    zone = next(z for z in zones if z["issued_on"] == "2025-08-08")
    inside = zone["own_apiaries"]
    place = ", ".join(a["place"] for a in inside) if inside else None
    tanks = zone["tanks"]
    kilos = round(sum(t["own_share_kg"] for t in tools.listTanks()["tanks"] if t["tank_no"] in tanks), 2)
    where = f"Within the circle lies {place}." if inside else "None of your apiaries lies within the circle."
    return {
        "outcome": "done",
        "answers": {
            "apiary_inside": bool(inside),
            "which_apiary": place,
            "jars_only_tanks": tanks,
            "kilos_in_them": kilos,
        },
        "reason": None,
        "message": f"{where} Only jars may be drawn from {', '.join(tanks)}, where {kilos} kg of your shares stand.",
    }
