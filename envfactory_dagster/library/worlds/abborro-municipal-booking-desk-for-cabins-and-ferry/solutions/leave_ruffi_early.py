def solve(tools):
    stay = next(row for row in tools.list_stays(first_day="2026-09-01")["stays"]
                if row["cabin_name"] == "Ruffi" and row["leaves_on"] == "2026-09-08")
    bill = tools.get_stay(stay_id=stay["stay_id"])
    home = next(row for row in bill["crossings"] if row["direction"] == "back" and row["status"] == "booked")
    dog = next(row for row in bill["dogs"] if row["status"] == "reported")
    departures = tools.list_departures(first_day="2026-09-07", last_day="2026-09-07", direction="back")["departures"]
    monday = next(row for row in departures if row["leaves_at"] == "2026-09-07T13:00:00")
    refund = tools.shorten_stay(stay_id=stay["stay_id"], leaves_on="2026-09-07")["refund_cents"]
    tools.move_crossing(crossing_id=home["crossing_id"], departure_id=monday["departure_id"])
    tools.drop_dog(dog_id=dog["dog_id"])
    return {
        "outcome": "done",
        "answers": {"night_refund": refund},
        "reason": None,
        "message": f"Your stay in Ruffi ends on Monday 7 September now, you go home at 13:00 that day and {dog['name']} is"
                   f" off the stay. For the night you give up you get {refund / 100:.2f} euros back.",
    }
