def solve(tools):
    quota = tools.get_night_quota()
    high = quota["high_nights_limit"] - quota["high_nights_counted"]
    season = quota["season_nights_limit"] - quota["season_nights_counted"]
    stay = next(row for row in tools.list_stays(first_day="2026-08-01")["stays"]
                if row["cabin_name"] == "Ankkuri" and row["arrives_on"].startswith("2026-08"))
    bill = tools.get_stay(stay_id=stay["stay_id"])
    return {
        "outcome": "done",
        "answers": {"nights_left_summer": high, "nights_left_season": season, "ankkuri_left": bill["balance_cents"],
                    "ankkuri_due_on": bill["balance_due_on"]},
        "reason": None,
        "message": f"You can still book {high} nights between 15 June and 9 August and {season} in the whole season."
                   f" For Ankkuri {bill['balance_cents'] / 100:.2f} euros are left to pay by {bill['balance_due_on']}.",
    }
