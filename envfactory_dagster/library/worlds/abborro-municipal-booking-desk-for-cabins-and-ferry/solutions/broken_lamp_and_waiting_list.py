def solve(tools):
    tiira = next(row for row in tools.list_stays()["stays"]
                 if row["cabin_name"] == "Tiira" and row["leaves_on"] == "2026-08-16" and row["status"] == "left")
    tools.report_damage(stay_id=tiira["stay_id"], happened_on="2026-08-15", description="The reading lamp is broken.")
    cabin = next(row for row in tools.search_cabins(arrives_on="2026-09-18", leaves_on="2026-09-20")["cabins"]
                 if row["name"] == "Kajuta")
    message = "The broken reading lamp in Tiira is reported."
    if cabin["is_free"]:
        message += " Kajuta is still free from 18 to 20 September, so I put you on no list."
    else:
        tools.join_waiting_list(cabin_id=cabin["cabin_id"], arrives_on="2026-09-18", leaves_on="2026-09-20", adults=2,
                                dogs=1)
        message += " Kajuta is taken from 18 to 20 September, so you are on the waiting list with the dog."
    return {"outcome": "done", "answers": {}, "reason": None, "message": message}
