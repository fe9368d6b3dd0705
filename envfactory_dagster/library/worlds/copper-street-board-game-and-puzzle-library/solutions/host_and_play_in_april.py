def solve(tools):
    found = tools.search_club_evenings(first_day="2026-04-16", last_day="2026-04-30", status="planned")["club_evenings"]
    evenings = [tools.get_club_evening(club_evening_id=e["id"]) for e in found]
    hostless = [e for e in evenings if e["host_name"] is None]
    options = []
    for evening in evenings:
        fitting = [t for t in evening["play_tables"] if t["is_free"] and t["seats"] >= 5]
        if fitting:
            options.append((evening, min(fitting, key=lambda t: (t["seats"], t["name"]))))
    to_host = min(hostless, key=lambda e: e["starts_at"])
    options = [o for o in options if o[0]["id"] != to_host["id"]]
    evening, table = min(options, key=lambda o: (o[1]["seats"], o[0]["starts_at"]))
    turn = tools.sign_up_to_host(club_evening_id=to_host["id"])["hosting_turn"]
    booking = tools.book_table(club_evening_id=evening["id"], play_table_id=table["id"], people=5)["table_booking"]
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": (
            f"You are signed up as host of the club evening on {turn['starts_at'][:10]} at {turn['starts_at'][11:16]}. "
            f"For {booking['starts_at'][:10]} at {booking['starts_at'][11:16]} the table {booking['play_table_name']} "
            f"with {booking['seats']} seats is booked for the {booking['people']} of you."
        ),
    }
