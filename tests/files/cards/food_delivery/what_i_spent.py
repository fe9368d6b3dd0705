def solve(tools):
    summed = tools.sum_orders(user_id=1)
    return {
        "outcome": "done",
        "answers": {"cents": summed["total_cents"], "orders": summed["orders"]},
        "reason": None,
        "message": f"Your {summed['orders']} orders cost {summed['total_cents']} cents.",
    }
