def solve(tools):
    waiting = []
    for status in ("open", "measured"):
        waiting += tools.list_lots(status=status)["lots"]
    lot_kg = round(sum(l["net_kg"] - l["poured_kg"] for l in waiting), 2)
    tanks = tools.listTanks()["tanks"]
    tank_kg = round(sum(t["own_share_kg"] for t in tanks), 2)
    tank = None
    day = None
    if tank_kg > lot_kg:
        tank = max(tanks, key=lambda t: t["own_share_kg"])["tank_no"]
        message = f"{tank_kg} kg stand in the tanks and {lot_kg} kg wait in lots; most of it is in {tank}."
    else:
        day = max(waiting, key=lambda l: l["net_kg"] - l["poured_kg"])["extracted_on"]
        message = f"{tank_kg} kg stand in the tanks and {lot_kg} kg wait in lots; the biggest lot was extracted on {day}."
    return {
        "outcome": "done",
        "answers": {"kilos_in_tanks": tank_kg, "kilos_in_lots": lot_kg, "biggest_tank": tank, "biggest_lot_day": day},
        "reason": None,
        "message": message,
    }
