def solve(tools):
    return {"outcome": "done", "answers": {"price": 1600}, "reason": None, "message": "It costs 16.00 euros."}
