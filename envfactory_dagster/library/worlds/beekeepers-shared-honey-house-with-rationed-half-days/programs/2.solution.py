def solve(tools):
    lots = [tools.getLot(lotCode=l["lot_code"]) for l in tools.list_lots(status="measured")["lots"]]
    furthest = max(lots, key=lambda l: l["difference_percent"])
    share = None
    message = (
        f"The readings of the {furthest['honey_type']} lot of {furthest['net_kg']} kg lie furthest apart, "
        f"by {furthest['difference_percent']} points."
    )
    tank = next(t for t in tools.listTanks()["tanks"] if t["status"] == "filling" and t["honey_type"] == "spruce")
    for lot in lots:
        if lot["lot_code"] == furthest["lot_code"] or lot["honey_type"] != "spruce":
            continue
        if lot["difference_percent"] <= 0.4 and lot["mean_percent"] <= tank["max_moisture_percent"]:
            poured = tools.pourLot(tankNo=tank["tank_no"], lotCode=lot["lot_code"], kg=lot["net_kg"])
            share = poured["own_share_kg"]
            message += f" The other spruce lot is poured into {tank['tank_no']}, where your share is now {share} kg."
    return {
        "outcome": "done",
        "answers": {
            "honey": furthest["honey_type"],
            "lot_kilos": furthest["net_kg"],
            "points_apart": furthest["difference_percent"],
            "spruce_share": share,
        },
        "reason": None,
        "message": message,
    }
