def solve(tools):
    notice = next(
        n for n in tools.list_my_absence_notices(first_day="2026-09-25", last_day="2026-09-25")["absence_notices"]
        if n["last_day"] == "2026-10-04" and n["status"] != "withdrawn"
    )
    detail = tools.get_absence_notice(absence_notice_id=notice["id"])
    booked = [s for s in detail["guest_stays"] if s["status"] == "booked"]
    if not booked:
        tools.withdraw_absence_notice(absence_notice_id=notice["id"])
        return {
            "outcome": "done",
            "answers": {},
            "reason": None,
            "message": "Your absence from 25 September to 4 October 2026 is withdrawn.",
        }
    times = " and ".join(f"from {s['first_day']} to {s['last_day']}" for s in booked)
    return {
        "outcome": "refused",
        "answers": {},
        "reason": "absence_withdrawal_let",
        "message": f"The absence from 25 September to 4 October 2026 cannot be withdrawn: that is possible only if 0 guest stays are "
                   f"booked in the berth for that time, and guests are booked into {detail['berth_code']} {times}. The notice stays as it is.",
    }
