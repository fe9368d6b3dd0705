import datetime


def a_week_after(day):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=7)).isoformat()


def solve(tools):
    bookings = tools.list_bookings(status="confirmed", first_day="2026-07-16", last_day="2026-07-16")["bookings"]
    stay = next(booking for booking in bookings if booking["hut"] == "Steinkar Hut")
    booking = tools.get_booking(booking_code=stay["booking_code"])
    forecast = tools.get_weather(hut_id=stay["hut_id"], first_day=stay["check_in"], days=2)["reports"]
    if max(report["wind_kmh"] for report in forecast) <= 60:
        return {
            "outcome": "done",
            "answers": {},
            "reason": None,
            "message": "The forecast is fine, so I left your stay as it is.",
        }
    dinners = [meal for meal in booking["meals"] if meal["status"] == "ordered"]
    for dinner in dinners:
        tools.cancel_meal_order(meal_order_id=dinner["meal_order_id"])
    moved = tools.move_booking(booking_code=stay["booking_code"], new_check_in=a_week_after(stay["check_in"]))
    for dinner in dinners:
        tools.order_meal(
            booking_code=stay["booking_code"],
            meal_id=dinner["meal_id"],
            served_on=a_week_after(dinner["served_on"]),
            portions=dinner["portions"],
        )
    tools.send_message(
        hut_id=stay["hut_id"],
        subject="We come a week later",
        body=f"Because of the storm we have moved {stay['booking_code']}: we arrive on the 23rd of July, not the 16th.",
    )
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"A storm is forecast, so you now stay from {moved['check_in']} to {moved['check_out']}.",
    }
