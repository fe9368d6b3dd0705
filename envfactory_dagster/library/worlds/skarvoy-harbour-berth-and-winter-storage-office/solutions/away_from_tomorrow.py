def solve(tools):
    boat = next(b for b in tools.list_my_boats()["boats"] if b["name"] == "Skarven")
    lease = next(
        l for l in tools.list_my_berth_leases(boat_id=boat["id"], status="active")["berth_leases"]
        if l["first_day"] <= "2026-09-18" and l["last_day"] >= "2026-09-25"
    )
    try:
        notice = tools.report_absence(
            berth_lease_id=lease["id"], first_day="2026-09-18", last_day="2026-09-25"
        )["absence_notice"]
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "absence_notice_lead",
            "message": f"The absence from berth {lease['berth_code']} cannot be reported: that is possible only at least 3 days before "
                       "its first day, and Friday 18 September is tomorrow. Nothing was reported.",
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"The absence from berth {notice['berth_code']} from {notice['first_day']} to {notice['last_day']} is reported.",
    }
