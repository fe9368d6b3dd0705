def solve(tools):
    router = next(row for row in tools.search_stations(code="W")["stations"] if row["machine"] == "CNC router")
    days = tools.list_calendar_days(first_day="2026-05-06", last_day="2026-05-25")["days"]
    last_day = [row["day"] for row in days if row["is_open"]][-2]
    held = [
        row for row in tools.list_inductions()["inductions"]
        if row["induction_type_id"] == router["induction_type_id"]
    ]
    valid = any(row["passed_on"] <= "2026-05-26" <= row["valid_until"] for row in held)
    credit = tools.get_credit_balance()["total_cents"]
    to_pay = max(0, router["day_price_cents"] - credit)
    return {
        "outcome": "done",
        "answers": {
            "last_day_to_book": last_day,
            "last_hour_to_book": "18:00",
            "induction_valid": valid,
            "left_to_pay": to_pay,
        },
        "reason": None,
        "message": f"You can book the router for 26 May until {last_day}, 18:00. Your CNC induction is "
        + ("still valid that day" if valid else f"no longer valid that day (until {held[0]['valid_until']})")
        + f", and your credit of today would leave you {to_pay / 100:.2f} euros to pay.",
    }
