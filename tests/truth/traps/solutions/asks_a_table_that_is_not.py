def solve(tools):
    [stay] = tools.list_bookings(status="confirmed", first_day="2026-07-07", last_day="2026-07-07")["bookings"]
    meals = tools.list_meals(hut_id=stay["hut_id"], course="dinner")["meals"]
    soup = next(meal for meal in meals if "Barley soup" in meal["name"])
    tools.order_meal(booking_code=stay["booking_code"], meal_id=soup["meal_id"], served_on="2026-07-07", portions=2)
    return {"outcome": "done", "answers": {}, "reason": None, "message": "The soup is ordered."}
