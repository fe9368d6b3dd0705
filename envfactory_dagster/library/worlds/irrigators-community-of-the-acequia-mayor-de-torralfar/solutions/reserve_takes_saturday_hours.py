def solve(tools):
    number = tools.get_my_membership()["number"]
    hours = next(
        row
        for row in tools.list_road_hours(mine_only=True)["road_hours"]
        if row["water_on"] == "2026-08-22" and row["reserve_number"] == number
    )
    had_paid = hours["paid_at"] is not None and hours["taken_by_number"] == hours["drawn_number"]
    if had_paid:
        return {
            "outcome": "done",
            "answers": {"name_had_paid": True, "sits_out": [], "enter_again": None},
            "reason": None,
            "message": f"{hours['drawn_name']} had paid for {hours['turn']} of {hours['draw']}, so it is not yours to take and you sit out no draw.",
        }
    tools.pay_road_hours(road_hour_id=hours["road_hour_id"], paid_by="transfer")
    draw = next(row for row in tools.list_draws()["draws"] if row["draw_id"] == hours["draw_id"])
    later = [row["thursday"] for row in tools.list_draws(first_day=draw["thursday"])["draws"] if row["thursday"] > draw["thursday"]]
    for slip in tools.list_my_slips(status="in_box")["slips"]:
        tools.take_out_slip(slip_id=slip["slip_id"])
    return {
        "outcome": "done",
        "answers": {"name_had_paid": False, "sits_out": later[:2], "enter_again": later[2]},
        "reason": None,
        "message": f"The name drawn had not paid, so the hours of Saturday 22 August are yours and paid by transfer with {hours['price_cents'] / 100:.2f} €; your slip is out of the box. You sit out the draws of {later[0]} and {later[1]} and may enter again on {later[2]}.",
    }
