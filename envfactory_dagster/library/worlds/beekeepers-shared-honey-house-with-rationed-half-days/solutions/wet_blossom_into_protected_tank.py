def solve(tools):
    lots = tools.list_lots(honey_type="blossom")["lots"]
    lot = next(l for l in lots if l["extracted_on"] == "2025-06-06")
    try:
        tools.pourLot(tankNo="T2", lotCode=lot["lot_code"], kg=lot["net_kg"])
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "moisture_before_pour",
            "message": (
                f"The lot cannot be poured into T2: the mean of its two readings is {lot['mean_percent']} %, "
                "and the tanks T1, T2 and T3 take at most 18.6 %."
            ),
        }
    return {"outcome": "done", "answers": {}, "reason": None, "message": "The lot is poured into T2."}
