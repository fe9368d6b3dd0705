def solve(tools):
    removal = tools.list_removals(
        status="confirmed", first_day="2025-04-24", last_day="2025-04-24", street="Grabenstraße"
    )["removals"][0]
    details = tools.get_removal(removal_id=removal["removal_id"])
    here = {a["removal_address_id"] for a in details["addresses"] if a["street"].startswith("Grabenstraße")}
    cancelled = tools.cancel_removal(removal_id=removal["removal_id"])
    owed = 0
    for zone in details["zones"]:
        if zone["removal_address_id"] in here and zone["status"] != "withdrawn":
            gone = tools.withdraw_zone(no_stopping_zone_id=zone["no_stopping_zone_id"])
            owed += gone["application_fee_owed_cents"] + gone["sign_rent_owed_cents"]
    full = cancelled["days_before"] >= 7
    back = cancelled["refund_cents"]
    return {
        "outcome": "done",
        "answers": {"full_seven_days": full, "gets_back": back, "zones_on_top": owed > 0},
        "reason": None,
        "message": f"{'Yes, it is' if full else 'No, it is not'} a full seven days; the move is cancelled and you get back"
        f" €{back / 100:.2f} of your deposit. {'Yes, the zones come on top with' if owed else 'No, the zones cost'}"
        f" €{owed / 100:.2f}, for what stays owed although they are withdrawn.",
    }
