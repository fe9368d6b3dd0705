def solve(tools):
    mine = tools.list_my_commissions(surname="Halvorsen")["commissions"]
    old = next(c for c in mine if c["region"] == "Bergen" and c["status"] in ("requested", "active", "paused"))
    worked = tools.get_commission(commission_id=old["id"])["worked_hours"]
    if worked > 0 or old["started_at"] is not None:
        message = (f"Somebody has started on the Halvorsen search in Bergen after all ({worked:g} hours worked), "
                   "so I left everything as it is.")
    else:
        tools.cancel_commission(commission_id=old["id"])
        tools.request_commission(surname="Aas", region="Trondheim", budget_hours=15)
        message = ("No hours had been worked on your request for the Halvorsen family from Bergen, so it is cancelled; "
                   "a new search for the surname Aas in Trondheim is requested with a budget of 15 hours.")
    return {"outcome": "done", "answers": {}, "reason": None, "message": message}
