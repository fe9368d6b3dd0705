def solve(tools):
    me = tools.get_my_profile()["customer"]["id"]
    cards = tools.list_season_cards(customer_id=me, valid_on="2026-08-03")["season_cards"]
    card = next(c for c in cards if c["card_type"] == "12_months" and not c["pauses"])
    paused = tools.pause_season_card(
        season_card_id=card["id"],
        reason="injury",
        certificate_on="2026-08-04",
        starts_on="2026-08-03",
        ends_on="2026-08-30",
    )["season_card"]
    return {
        "outcome": "done",
        "answers": {"new_last_day": paused["valid_to"]},
        "reason": None,
        "message": (
            f"Your 12-month card is paused from 3 to 30 August 2026, and its new last day is {paused['valid_to']},"
            " the summer closure counted in."
        ),
    }
