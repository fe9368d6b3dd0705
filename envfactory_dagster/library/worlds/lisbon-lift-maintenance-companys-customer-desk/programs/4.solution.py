def solve(tools):
    building = next(
        b for b in tools.list_buildings(page_size=100)["buildings"] if b["address"] == "Rua da Beneficência 40"
    )
    lift = next(
        one for one in tools.list_lifts(building_id=building["building_id"], page_size=100)["lifts"]
        if one["entrance"] == "Bloco B"
    )
    quotation = next(
        q for q in tools.list_quotations(lift_id=lift["lift_id"], quotation_status="approved", page_size=100)["quotations"]
        if "governor rope" in q["title"].lower()
    )
    slots = tools.find_stop_slots(
        lift_id=lift["lift_id"], work_kind="repair", quotation_id=quotation["quotation_id"],
        date_start="2026-06-09", date_end="2026-06-30",
    )["slots"]
    slot = min(slots, key=lambda one: one["starts_at"])
    stop = tools.book_planned_stop(
        slot_id=slot["slot_id"], quotation_id=quotation["quotation_id"], site_contact_phone="+351927518360"
    )
    day = stop["starts_at"][:10]
    people = []
    if stop["alternative_required"]:
        affected = tools.list_dependents(stop_id=stop["stop_id"], page_size=100)["dependents"]
        people = [one for one in affected if one["dependent_name"] == "Beatriz Lobo"]
    names = {"other_lift": "another lift", "stair_climber": "stair climber",
             "carried_assistance": "carried assistance", "temporary_lodging": "temporary lodging",
             "absent": "being away"}
    cheapest, arranged = None, None
    for person in people:
        offers = [
            offer for offer in tools.list_alternatives(
                stop_id=stop["stop_id"], dependent_id=person["dependent_id"]
            )["alternatives"] if offer["available"]
        ]
        best = min(offers, key=lambda one: one["total_cents"])
        cheapest = best["total_cents"]
        if best["total_cents"] <= 4000:
            tools.arrange_alternative(
                stop_id=stop["stop_id"], dependent_id=person["dependent_id"],
                alternative_kind=best["alternative_kind"], trips=[{"trip_at": day + "T12:00:00+01:00"}],
            )
            arranged = names[best["alternative_kind"]]
    tail = "Beatriz Lobo is not affected."
    if arranged:
        tail = f"For Beatriz Lobo there is {arranged}, with an outing at noon."
    elif cheapest is not None:
        tail = f"Nothing is arranged for Beatriz Lobo yet: the cheapest alternative costs {cheapest / 100:.2f} EUR."
    return {
        "outcome": "done",
        "answers": {"day": day, "starts_at": stop["starts_at"][11:16], "arranged": arranged,
                    "price_if_not": None if arranged else cheapest},
        "reason": None,
        "message": f"The governor rope of Bloco B is booked for {day} at {stop['starts_at'][11:16]}. {tail}",
    }
