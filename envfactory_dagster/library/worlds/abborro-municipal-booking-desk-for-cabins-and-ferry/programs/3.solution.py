import datetime


def solve(tools):
    days, cost = [], 0
    for crossing in tools.list_crossings(status="booked", first_day="2026-07-07")["crossings"]:
        day, time = crossing["leaves_at"].split("T")
        if (crossing["direction"] != "back" or time != "13:00:00" or crossing["departure_status"] != "scheduled"
                or datetime.date.fromisoformat(day).weekday() != 6):
            continue
        departures = tools.list_departures(first_day=day, last_day=day, direction="back")["departures"]
        evening = [departure for departure in departures if departure["leaves_at"] == day + "T17:30:00"][0]
        tools.move_crossing(crossing_id=crossing["crossing_id"], departure_id=evening["departure_id"])
        days.append(day)
        for turn in tools.search_sauna_turns(day=day)["sauna_turns"]:
            if turn["sauna_name"] == "Rantasauna" and turn["starts_at"] == day + "T14:00:00":
                tools.book_sauna_turn(sauna_id=turn["sauna_id"], starts_at=turn["starts_at"],
                                      stay_id=crossing["stay_id"])
                cost += turn["price_cents"]
    return {
        "outcome": "done",
        "answers": {"later_sundays": days, "sauna_cost": cost},
        "reason": None,
        "message": f"You leave at 17:30 now on {' and '.join(days)}, and the extra sauna comes to"
                   f" {cost / 100:.2f} euros.",
    }
