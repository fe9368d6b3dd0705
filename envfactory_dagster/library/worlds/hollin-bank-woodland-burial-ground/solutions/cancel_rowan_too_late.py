from datetime import date


def solve(tools):
    today = date(2026, 10, 14)
    ordered = tools.list_my_memorial_trees(status="ordered")["memorial_trees"]
    tree = next(
        t for t in ordered
        if t["bearing_degrees"] == 118
        and t["planting_date"] == "2026-11-02"
        and "rowan" in t["tree_species_name"].lower()
    )
    days = (date.fromisoformat(tree["planting_date"]) - today).days
    refused = days < 21
    if not refused:
        try:
            tools.cancel_memorial_tree(memorial_tree_id=tree["id"])
        except tools.Error:
            refused = True
    if refused:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "tree_order_deadline",
            "message": (
                f"The rowan for your plot at bearing 118 degrees can't be cancelled: an order can be changed or cancelled "
                f"only until 21 days before its planting date, and {tree['planting_date']} is only {days} days away."
            ),
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "The order of the rowan for your plot at bearing 118 degrees is cancelled.",
    }
