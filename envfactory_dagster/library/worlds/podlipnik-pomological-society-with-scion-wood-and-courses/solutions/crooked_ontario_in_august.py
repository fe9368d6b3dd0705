def solve(tools):
    lots = tools.search_lots(text="Ontario", kind="tree", max_price_cents=1200)["lots"]
    lot = lots[0]
    mine = tools.list_my_tree_reservations(status="held")["tree_reservations"]
    other = next(r for r in mine if r["is_r"] == 0)
    try:
        tools.reserve_trees(
            lot_id=lot["lot_id"], tree_collection_day_id=other["tree_collection_day_id"], trees=2
        )
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "reservation_window_and_limit",
            "message": (
                "This cannot be done: a member may reserve young trees only from 1 March to 30 June 2026, "
                "so no Ontario was reserved and no deposit is to be transferred."
            ),
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "Two Ontario are reserved, to be collected together with your other trees.",
    }
