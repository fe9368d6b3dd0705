def solve(tools):
    me = tools.get_my_profile()
    hours = tools.search_programmes(first_day="2026-04-08", last_day="2026-04-10")["programmes"]
    mine = next(one for one in hours if one["series_title"] == "Plaadiriiul" and one["starts_at"] == "2026-04-08T20:00:00" and one["status"] != "called_off")
    leidas = next(one for one in hours if one["series_title"] == "Luuletund" and one["starts_at"] == "2026-04-10T18:00:00" and one["status"] != "called_off")
    trained = tools.list_volunteers(studio_course=1)["volunteers"]
    mart = next(one for one in tools.list_volunteers(name="Mart Oja")["volunteers"] if one["name"] == "Mart Oja")
    tools.name_host(programme_id=mine["id"], volunteer_id=mart["id"])
    busy = {me["id"]}
    for one in hours:
        if one["starts_at"] == leidas["starts_at"] and one["status"] != "called_off":
            busy.update((one["host_id"], one["companion_id"]))
    free = sorted((one for one in trained if one["id"] not in busy), key=lambda one: one["name"])
    named = tools.name_companion(programme_id=leidas["id"], volunteer_id=free[2]["id"])["programme"]
    bookings = tools.list_bookings(first_day="2026-04-09", last_day="2026-04-09", only_mine=True, status="booked")["bookings"]
    studio = next(one for one in bookings if one["item"] != "recorder")
    tools.call_off_booking(booking_id=studio["id"])
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Mart Oja hosts your Plaadiriiul of 8 April, {named['companion_name']} sits beside Leida Saks on 10 April, "
                   "and your studio booking of 9 April is called off.",
    }
