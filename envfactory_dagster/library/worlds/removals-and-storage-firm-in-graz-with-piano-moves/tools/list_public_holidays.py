def list_public_holidays(env, *, first_day: str, last_day: str) -> dict:
    """Lists the public holidays between two days, both included."""
    return {
        "public_holidays": env.query(
            """SELECT id AS public_holiday_id, day, name FROM public_holidays
               WHERE day >= :first_day AND day <= :last_day ORDER BY day""",
            {"first_day": first_day, "last_day": last_day},
        )
    }
