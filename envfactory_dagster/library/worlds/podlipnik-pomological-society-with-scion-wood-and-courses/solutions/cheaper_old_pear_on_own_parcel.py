def solve(tools):
    lots = []
    for name in ("Pastorjevka", "Tepka"):
        lots += tools.search_lots(text=name, kind="tree", min_free_pieces=1)["lots"]
    cheapest = min(lots, key=lambda lot: (lot["member_price_cents"], lot["lot_id"]))
    if cheapest["member_price_cents"] > 2000:
        return {
            "outcome": "done",
            "answers": {},
            "reason": None,
            "message": "Neither tree costs 20 euros or less, so none was reserved.",
        }
    days = tools.list_collection_days()["tree_collection_days"]
    day = next(d for d in days if d["held_on"] == "2026-11-07")
    made = tools.reserve_trees(
        lot_id=cheapest["lot_id"],
        tree_collection_day_id=day["tree_collection_day_id"],
        trees=1,
        parcel_number="418/2",
        parcel_municipality="Podlipnik",
        is_signed=1,
    )["tree_reservation"]
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": (
            f"One {made['name']} at {made['price_per_tree_cents'] / 100:.2f} EUR is reserved for parcel 418/2, to be "
            f"fetched at Na Humu on 7 November; the deposit is due by {made['deposit_due_on']}."
        ),
    }
