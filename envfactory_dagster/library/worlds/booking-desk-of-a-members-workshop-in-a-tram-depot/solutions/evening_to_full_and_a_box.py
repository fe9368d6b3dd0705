def solve(tools):
    full = next(row for row in tools.list_membership_types()["membership_types"] if row["name"] == "Full")
    change = tools.request_membership_change(membership_type_id=full["membership_type_id"])
    paid = change["membership_change"]["fee_difference_cents"]
    boxes = tools.search_storage_places(kind="box", only_free=True)["storage_places"]
    box = min(boxes, key=lambda row: (row["metres_from_door"], row["code"]))
    tools.rent_storage_place(storage_place_id=box["storage_place_id"], use_credit=True)
    balance = tools.get_credit_balance()["total_cents"]
    return {
        "outcome": "done",
        "answers": {"box": box["code"], "balance": balance},
        "reason": None,
        "message": f"You are on Full from today, with {paid / 100:.2f} euros paid and "
        f"{change['credit_added_cents'] / 100:.2f} added in credit; your box is {box['code']}, "
        f"{box['metres_from_door']} metres from the door, and your credit is now {balance / 100:.2f} euros.",
    }
