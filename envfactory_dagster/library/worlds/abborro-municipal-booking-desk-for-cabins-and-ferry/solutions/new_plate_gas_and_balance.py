def solve(tools):
    stays = tools.list_stays(first_day="2026-07-07")["stays"]
    lokki = next(row for row in stays if row["cabin_name"] == "Lokki" and row["status"] not in ("cancelled", "lapsed"))
    ankkuri = next(row for row in stays
                   if row["cabin_name"] == "Ankkuri" and row["arrives_on"].startswith("2026-08"))
    out = next(row for row in tools.list_crossings(status="booked", stay_id=lokki["stay_id"])["crossings"]
               if row["direction"] == "out" and row["leaves_at"].startswith("2026-07-16"))
    tools.correct_plate(vehicle_id=out["vehicle_id"], plate="KLM-482")
    tools.report_dangerous_item(crossing_id=out["crossing_id"], kind="gas_bottle", bottles=2, kg_each=11)
    balance = tools.get_stay(stay_id=ankkuri["stay_id"])["balance_cents"]
    tools.pay_stay_by_card(stay_id=ankkuri["stay_id"], amount_cents=balance)
    tools.confirm_stay_payment(stay_id=ankkuri["stay_id"])
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "The plate is KLM-482 now, the two 11 kg bottles are reported for the crossing on 16 July, and Ankkuri"
                   f" is paid off with {balance / 100:.2f} euros.",
    }
