WHICH = 0


def solve(tools):
    [stay] = tools.list_bookings(status="confirmed", first_day="2026-07-16", last_day="2026-07-16")["bookings"]
    meals = sorted(tools.list_meals(hut_id=stay["hut_id"])["meals"], key=lambda meal: meal["price_cents"])
    tools.order_meal(
        booking_code=stay["booking_code"], meal_id=meals[WHICH]["meal_id"], served_on="2026-07-17", portions=1
    )
    return {"outcome": "done", "answers": {}, "reason": None, "message": "The dish is ordered."}
