def solve(tools):
    me = tools.get_my_details()["trader"]
    concession = tools.search_concessions(trader_name="Valgimigli", pitch_code="S3", weekday="sunday", status="active")["concessions"][0]
    shown = tools.get_concession(concession_id=concession["id"])
    try:
        tools.notify_business_transfer(
            concession_id=concession["id"], to_trader_id=me["id"], kind="lease", notary="Ricci of Faenza",
            deed_on="2026-05-12", starts_on="2026-07-01", ends_on="2028-06-30",
        )
        text = "The lease has been notified"
    except tools.Error as error:
        text = f"The lease has not been notified ({error})"
    unpaid = shown["has_open_charge"] or shown["has_overdue_charge"]
    return {
        "outcome": "done",
        "answers": {"unexcused_absences": shown["unexcused_absences"], "anything_unpaid": unpaid},
        "reason": None,
        "message": f"{text}; S3 on Sundays has {shown['unexcused_absences']} unexcused absences this year and {'something' if unpaid else 'nothing'} unpaid.",
    }
