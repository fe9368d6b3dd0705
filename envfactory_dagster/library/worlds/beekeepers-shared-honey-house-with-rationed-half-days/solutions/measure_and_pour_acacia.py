def solve(tools):
    lots = tools.list_lots(honey_type="acacia")["lots"]
    lot = next(l for l in lots if l["extracted_on"] == "2025-06-10")
    reading = tools.addMoistureReading(lotCode=lot["lot_code"], percent=17.6, honeyTempC=24, refractometer="R2")
    tanks = tools.listTanks()["tanks"]
    fit = [
        t for t in tanks
        if t["is_protected"] and t["status"] == "filling" and t["honey_type"] == "acacia"
        and reading["mean_percent"] <= t["max_moisture_percent"]
    ]
    if reading["difference_percent"] <= 0.4 and fit:
        poured = tools.pourLot(tankNo=fit[0]["tank_no"], lotCode=lot["lot_code"], kg=lot["net_kg"])
        mean = None
        message = f"The reading is entered and all {poured['kg']} kg of acacia are poured into {poured['tank_no']}."
    else:
        mean = reading["mean_percent"]
        message = f"The reading is entered, but nothing is poured: the mean is {mean} %."
    return {"outcome": "done", "answers": {"mean": mean}, "reason": None, "message": message}
