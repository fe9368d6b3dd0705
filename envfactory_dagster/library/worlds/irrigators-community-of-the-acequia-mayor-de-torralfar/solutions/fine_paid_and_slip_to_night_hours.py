def solve(tools):
    fine = next(row for row in tools.list_my_fines(status="open")["fines"] if row["fined_on"] == "2026-08-06" and row["amount_cents"] == 3000)
    tools.pay_fine(fine_id=fine["fine_id"], paid_by="card")
    draw = tools.list_draws(first_day="2026-08-20", last_day="2026-08-20")["draws"][0]
    slip = next(row for row in tools.list_my_slips(draw_id=draw["draw_id"], status="in_box")["slips"] if row["choice"] == "either")
    tools.change_slip(slip_id=slip["slip_id"], choice="T-04")
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"The fine of {fine['amount_cents'] / 100:.2f} € is paid by card, and your slip for the draw of 20 August now says T-04 only, with the water on Tuesday {draw['t04_on']}.",
    }
