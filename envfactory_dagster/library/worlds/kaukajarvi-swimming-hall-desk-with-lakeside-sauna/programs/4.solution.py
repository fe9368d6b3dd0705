import datetime


def solve(tools):
    today, first, last = datetime.date(2026, 3, 2), "2026-03-17", "2026-04-27"
    cards = tools.list_season_cards(status="active", valid_on=first)["season_cards"]
    me = tools.get_my_profile()["customer"]["id"]
    card = next(c for c in cards if c["customer_id"] == me and c["card_type"] == "seniors_morning")
    paused = tools.pause_season_card(
        season_card_id=card["id"], reason="illness", certificate_on="2026-02-27", starts_on=first, ends_on=last
    )["season_card"]
    back, given_up = 0, False
    for place in tools.list_course_enrolments(customer_id=me)["course_enrolments"]:
        if place["badge_id"] != 6:
            continue
        day = datetime.date.fromisoformat(place["first_lesson_at"][:10]).isoweekday()
        if place["status"] == "queued" and day == 5:
            tools.cancel_course_enrolment(course_enrolment_id=place["id"])
        elif place["status"] == "enrolled" and day == 1:
            days = (datetime.date.fromisoformat(place["first_lesson_at"][:10]) - today).days
            if days >= 14:
                refund = place["price_cents"] - 1000
            elif days >= 3:
                refund = place["price_cents"] // 2
            else:
                refund = 0
            if refund * 2 > place["price_cents"]:
                paid = tools.cancel_course_enrolment(course_enrolment_id=place["id"])["payments"]
                back += sum(p["amount_cents"] for p in paid if p["kind"] == "refund")
                given_up = True
    staying = []
    for turn in tools.list_sauna_turns(status="booked", first_day=first, last_day=last)["sauna_turns"]:
        if turn["fee_if_cancelled_now_cents"] == 0:
            paid = tools.cancel_sauna_turn(sauna_turn_id=turn["id"])["payments"]
            back += sum(p["amount_cents"] for p in paid if p["kind"] == "refund")
        else:
            staying.append(turn["held_on"])
    course = "is given up" if given_up else "is kept, as half of the fee or more would be lost"
    return {
        "outcome": "done",
        "answers": {
            "last_day_of_card": paused["valid_to"],
            "course_kept": not given_up,
            "amount_back": back,
            "sauna_days_left": sorted(staying),
        },
        "reason": None,
        "message": (
            f"The morning card is paused and now holds until {paused['valid_to']}; your Maisteri place {course}, and the queue place is given up."
            f" {back / 100:.2f} euros come back in all, and left for Tero is the sauna on: {', '.join(sorted(staying)) or 'no day'}."
        ),
    }
