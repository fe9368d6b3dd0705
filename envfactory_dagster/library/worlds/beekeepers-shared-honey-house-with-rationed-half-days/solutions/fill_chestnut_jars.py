def solve(tools):
    me = tools.get_own_membership()["member_no"]
    tank = next(t for t in tools.listTanks()["tanks"] if t["honey_type"] == "chestnut" and t["own_share_kg"] > 0)
    stock = {s["code"]: s["on_hand"] for s in tools.listStock()["stock_items"]}
    size, count = ("450", 40) if stock["jar_450"] >= 40 else ("900", 20)
    draw = tools.drawOff(tankNo=tank["tank_no"], memberNo=me, kg=18, into="jar_" + size)
    tools.issueStock(
        memberNo=me,
        lines=[
            {"code": "jar_" + size, "quantity": count},
            {"code": "lid_82", "quantity": count},
            {"code": "band_" + size, "quantity": count},
        ],
        draw_no=draw["draw_no"],
    )
    left = draw["own_share_kg"]
    return {
        "outcome": "done",
        "answers": {"left": left},
        "reason": None,
        "message": (
            f"18 kg of chestnut are drawn into {count} jars of {size} g, and the jars, lids and bands are handed out; "
            f"{left} kg of your chestnut are left."
        ),
    }
