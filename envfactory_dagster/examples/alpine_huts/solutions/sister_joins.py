def solve(tools):
    me = tools.get_my_profile()
    valerie = tools.add_companion(full_name="Valerie Brandstätter", birth_date="1996-03-14", relation="sibling")
    plans = tools.list_membership_plans(age=valerie["age"])["plans"]
    plan = next(plan for plan in plans if plan["rescue_cover"])
    tools.buy_membership(person_id=valerie["person_id"], plan_id=plan["plan_id"], starts_on=me["today"])
    huts = tools.search_huts(region="Weißkogel", amenities=["drying_room"], open_on="2027-02-20")["huts"]
    party = [me["person_id"], valerie["person_id"]]
    rooms = tools.find_free_bunks(
        check_in="2027-02-20",
        nights=1,
        person_ids=party,
        hut_ids=[hut["hut_id"] for hut in huts],
        max_party_price_cents=6000,
    )["rooms"]
    hold = tools.hold_bunks(room_id=rooms[0]["room_id"], check_in="2027-02-20", nights=1, person_ids=party)
    tools.accept_hut_terms(booking_code=hold["booking_code"])
    tools.confirm_booking(booking_code=hold["booking_code"])
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"You two are booked at the {rooms[0]['hut']}, {rooms[0]['room']}: {hold['booking_code']}.",
    }
