import datetime


def on_a_weekend(moment):
    return datetime.datetime.fromisoformat(moment).weekday() >= 5


def solve(tools):
    me = tools.get_my_profile()
    ida = next(c for c in tools.list_companions()["companions"] if c["full_name"].startswith("Ida"))
    overdue = tools.list_charges(overdue_only=True)["charges"]
    cards = tools.list_payment_methods()["payment_methods"]
    card = next(method for method in cards if method["kind"] == "credit_card" and not method["expired"])
    payment = tools.pay_charges(
        charge_ids=[charge["charge_id"] for charge in overdue], payment_method_id=card["payment_method_id"]
    )
    tools.confirm_payment(payment_code=payment["payment_code"])
    dates = tools.search_tours(
        first_day=me["today"],
        last_day="2026-07-31",
        max_difficulty="easy",
        language="English",
        max_price_cents=4000,
        min_free_places=2,
    )["tour_dates"]
    tour = next(date for date in dates if on_a_weekend(date["starts_at"]) and date["min_age"] <= ida["age"])
    tools.sign_up_for_tour(tour_date_id=tour["tour_date_id"], person_ids=[me["person_id"], ida["person_id"]])
    tools.update_contact(emergency_contact="Jakob Wieser, +43 660 4417203")
    details = tools.get_tour_date(tour_date_id=tour["tour_date_id"])
    when = details["starts_at"][:10]
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"You and Ida are signed up for {details['title']} with {details['guide']} on {when}.",
    }
