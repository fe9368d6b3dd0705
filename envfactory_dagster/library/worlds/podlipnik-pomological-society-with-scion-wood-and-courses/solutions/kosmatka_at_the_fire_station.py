def solve(tools):
    lot = tools.search_lots(text="Humska kosmatka", kind="tree", min_free_pieces=2)["lots"][0]
    days = tools.list_collection_days()["tree_collection_days"]
    day = next(d for d in days if d["settlement"] == "Mahovnica" and d["held_on"] == "2026-11-15")
    try:
        tools.reserve_trees(
            lot_id=lot["lot_id"],
            tree_collection_day_id=day["tree_collection_day_id"],
            trees=2,
            parcel_number="418/2",
            parcel_municipality="Podlipnik",
            is_signed=1,
        )
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "r_lot_parcel_and_k1",
            "message": (
                "This cannot be done: Humska kosmatka is a lot marked R, and its trees may be reserved only for "
                "collection at K1 in Podlipnik, not in Mahovnica, so nothing was reserved."
            ),
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "Two Humska kosmatka are reserved for collection in Mahovnica on 15 November.",
    }
