def get_my_profile(env) -> dict:
    """Shows the user, their studio course, and how many studio bookings they hold ahead."""
    me = env.files.get("data/volunteers.json", env.user_id)
    if me is None:
        raise env.Error("you are not among the volunteers")
    mine = env.files.records("data/bookings.csv", {"volunteer_id": env.user_id, "status": "booked"})
    ahead = [
        one for one in mine
        if one["item"] != "recorder" and one["first_day"] + "T" + one["from_time"] + ":00" > env.now
    ]
    return {
        "id": me["id"],
        "name": me["name"],
        "studio_course": me["studio_course"],
        "studio_bookings_ahead": len(ahead),
    }
