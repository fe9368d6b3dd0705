def _buy_tickets_payment(env, cents, method):
    """Takes money and gives the payment's id and structured communication."""
    day = env.now[2:4] + env.now[5:7] + env.now[8:10]
    number = 1
    while True:
        body = "0" + day + str(number).zfill(3)
        body += str(int(body) % 97 or 97).zfill(2)
        code = "+++" + body[:3] + "/" + body[3:7] + "/" + body[7:] + "+++"
        if env.one("SELECT id FROM payments WHERE structured_communication = ?", [code]) is None:
            break
        number += 1
    payment_id = env.insert(
        "INSERT INTO payments (account_id, amount_cents, method, structured_communication, paid_at, refunded_cents) VALUES (?, ?, ?, ?, ?, 0)",
        [env.user_id, cents, method, code, env.now],
    )
    return {"payment_id": payment_id, "structured_communication": code}


def _confirm_hall_booking_row(env, hall_booking_id):
    booking = env.one(
        "SELECT id, hall_id, starts_at, hall_cents, licence_cents, deposit_cents, deposit_payment_id, option_until, status FROM hall_bookings WHERE id = ? AND account_id = ?",
        [hall_booking_id, env.user_id],
    )
    if booking is None:
        raise env.Error("You have no hall booking " + str(hall_booking_id) + ".")
    return booking


def _confirm_hall_booking_running(env, booking):
    if booking["status"] != "option":
        raise env.Error("Hall booking " + str(booking["id"]) + " is no option any more; it is " + booking["status"] + ".")
    if booking["option_until"] < env.now:
        raise env.Error("That option lapsed on " + booking["option_until"].replace("T", " ")[:16] + ".")


def pay_hall_deposit(env, *, hall_booking_id: int, payment_method: str) -> dict:
    """The person pays the deposit for a running option."""
    booking = _confirm_hall_booking_row(env, hall_booking_id)
    _confirm_hall_booking_running(env, booking)
    if booking["deposit_payment_id"] is not None:
        raise env.Error("The deposit for that option has been paid already.")
    paid = _buy_tickets_payment(env, booking["deposit_cents"], payment_method)
    env.execute("UPDATE hall_bookings SET deposit_payment_id = ? WHERE id = ?", [paid["payment_id"], hall_booking_id])
    return {"hall_booking_id": hall_booking_id, "deposit_cents": booking["deposit_cents"], **paid}
