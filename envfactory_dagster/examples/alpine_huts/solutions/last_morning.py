def solve(tools):
    [stay] = tools.list_bookings(status="checked_in")["bookings"]
    booking_code = stay["booking_code"]
    charges = tools.list_charges(booking_code=booking_code, status="open")["charges"]
    methods = tools.list_payment_methods()["payment_methods"]
    debit = next(method for method in methods if method["kind"] == "direct_debit")
    payment = tools.pay_charges(
        charge_ids=[charge["charge_id"] for charge in charges], payment_method_id=debit["payment_method_id"]
    )
    tools.confirm_payment(payment_code=payment["payment_code"])
    tools.check_out_of_hut(booking_code=booking_code)
    tools.write_review(
        booking_code=booking_code, rating=5, body="The kitchen and the sunrise were worth every step of the way up."
    )
    hats = tools.search_lost_items(words="merino hat", found_since="2026-06-01")["items"]
    hat = next(item for item in hats if item["hut"] == "Silbersee Hut" and item["status"] == "stored")
    tools.claim_lost_item(
        lost_item_id=hat["lost_item_id"], details="Jakob's hat; he mended the seam himself", delivery="post"
    )
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": "Everything is paid, you are checked out, the review is online, and Jakob's hat comes by post.",
    }
