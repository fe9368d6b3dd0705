def solve(tools):
    [stay] = tools.list_bookings(status="confirmed", first_day="2026-07-16", last_day="2026-07-16")["bookings"]
    meals = tools.list_meals(hut_id=stay["hut_id"], course="dinner")["meals"]
    stew = next(meal for meal in meals if "Lentil stew" in meal["name"])
    tools.order_meal(booking_code=stay["booking_code"], meal_id=stew["meal_id"], served_on="2026-07-16", portions=2)
    return {"outcome": "done", "answers": {}, "reason": None, "message": "The stew is ordered."}
