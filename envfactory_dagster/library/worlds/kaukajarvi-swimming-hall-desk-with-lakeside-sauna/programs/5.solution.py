import datetime
import math


def solve(tools):
    me = tools.get_my_profile()["customer"]
    cards = tools.list_season_cards(customer_id=me["id"], valid_on="2026-09-14")["season_cards"]
    card = next(c for c in cards if c["card_type"] == "12_months" and c["rantasauna_addon"] == 1)
    paid = sum(
        p["amount_cents"] if p["kind"] == "payment" else -p["amount_cents"]
        for p in tools.list_payments(category="season_card")["payments"]
        if p["season_card_id"] == card["id"] and p["price_code"] == "rantasauna_addon"
    )
    visits = sum(
        1
        for e in tools.list_entries(season_card_id=card["id"])["entries"]
        if e["place"] != "hall" and e["used_by_holder"] == 1
    )
    line = next(p for p in tools.list_prices(category="ticket")["prices"] if p["code"] == "ticket_rantasauna")
    ticket = line["price_cents"] if me["price_group"] == "adult" else line["discount_price_cents"]
    more = max(0, math.ceil(paid / ticket) - visits)
    last = card["valid_to"]
    today, end = datetime.date(2026, 9, 14), datetime.date.fromisoformat(last)
    months = (end.year - today.year) * 12 + end.month - today.month - (1 if end.day < today.day else 0)
    enough = more <= months
    word = "is enough" if enough else "is not enough"
    return {
        "outcome": "done",
        "answers": {"visits_still_needed": more, "last_day": last, "once_a_month_enough": enough},
        "reason": None,
        "message": (
            f"You still have to go to Rantasauna {more} times for the add-on to pay, and your card is good until {last};"
            f" once a month {word}."
        ),
    }
