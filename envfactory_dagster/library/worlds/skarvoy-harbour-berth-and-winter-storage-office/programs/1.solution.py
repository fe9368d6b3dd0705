def solve(tools):
    credits = tools.list_my_owner_credits(first_day="2025-01-01", last_day="2026-04-20")["owner_credits"]
    credited = sum(credit["amount_cents"] for credit in credits)
    stays = tools.list_my_guest_stays(status="completed")["guest_stays"]
    spent = sum(stay["total_cents"] for stay in stays if stay["first_day"] >= "2025-01-01")
    leases = tools.list_my_berth_leases(status="active")["berth_leases"]
    lease = next(x for x in leases if x["boat_name"] == "Lomvi")
    if credited > spent:
        tools.report_absence(berth_lease_id=lease["id"], first_day="2026-07-03", last_day="2026-07-10")
        done = "The Lomvi is reported away from 3 to 10 July 2026 as well."
    else:
        notices = tools.list_my_absence_notices(berth_lease_id=lease["id"])["absence_notices"]
        for notice in notices:
            if notice["first_day"] == "2026-05-22" and notice["status"] != "withdrawn":
                tools.withdraw_absence_notice(absence_notice_id=notice["id"])
        done = "The Lomvi's absence in May is withdrawn."
    return {
        "outcome": "done",
        "answers": {"credited": credited, "spent": spent},
        "reason": None,
        "message": (
            f"Since 1 January 2025 you were credited {credited / 100:.2f} kroner, and your own guest stays"
            f" cost {spent / 100:.2f} kroner. {done}"
        ),
    }
