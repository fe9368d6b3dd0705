def solve(tools):
    listed = tools.list_breach_reports(first_served_day="2026-05-26", last_served_day="2026-05-26")["breach_reports"]
    report = next(r for r in listed if r["held_on"] == "2026-05-24")
    try:
        tools.send_written_defence(
            breach_report_id=report["id"],
            statement="I was blocked in by the sweepers' lorry and could not get the van out before 14.40.",
            asks_hearing=1,
        )
    except tools.Error:
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "defence_within_30_days_unpaid",
            "message": "No defence can be sent: it may be sent only if the reduced sum has not been paid, and you paid it on 29 May, although the 30 days are not over.",
        }
    return {"outcome": "done", "answers": {}, "reason": None, "message": "The defence has been sent."}
