def solve(tools):
    today = tools.get_my_profile()["today"]
    [stay] = tools.list_bookings(status="confirmed", first_day=today, last_day=today)["bookings"]
    booking_code = stay["booking_code"]
    tools.check_in_at_hut(booking_code=booking_code)
    gear = tools.list_gear(hut_id=stay["hut_id"], check_in=stay["check_in"], nights=3, kind="avalanche_kit")["gear"]
    kit = next(model for model in gear if "airbag" not in model["name"])
    rental = tools.reserve_gear(booking_code=booking_code, gear_model_id=kit["gear_model_id"], quantity=2)
    methods = tools.list_payment_methods()["payment_methods"]
    visa = next(method for method in methods if method["label"].startswith("Visa"))
    payment = tools.pay_charges(
        charge_ids=[rental["rent_charge_id"], rental["deposit_charge_id"]],
        payment_method_id=visa["payment_method_id"],
    )
    tools.confirm_payment(payment_code=payment["payment_code"])
    tools.sign_gear_handover(rental_code=rental["rental_code"])
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"You are checked in, and both kits are yours until you leave ({rental['rental_code']}).",
    }
