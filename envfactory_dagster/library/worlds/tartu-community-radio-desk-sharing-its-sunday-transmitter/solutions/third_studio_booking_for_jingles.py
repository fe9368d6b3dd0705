def solve(tools):
    me = tools.get_my_profile()
    bookings = tools.list_bookings(first_day="2026-04-08", only_mine=True, status="booked")["bookings"]
    ahead = [one for one in bookings if one["item"] != "recorder"]
    try:
        tools.book_studio(studio=2, day="2026-04-14", from_time="17:00", until_time="18:30")
    except tools.Error:
        days = " and ".join(one["first_day"] for one in ahead)
        return {
            "outcome": "refused",
            "answers": {},
            "reason": "studio_course_and_two_ahead",
            "message": f"I can't book studio 2 for 14 April: a volunteer may book a studio only while they hold fewer than 2 studio bookings ahead, "
                       f"and you already hold {me['studio_bookings_ahead']}, on {days}.",
        }
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "Studio 2 is booked for you on 14 April from 17:00 to 18:30.",
    }
