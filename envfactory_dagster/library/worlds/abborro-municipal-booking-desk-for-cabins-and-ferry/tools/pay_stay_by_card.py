def _get_stay_row(env, stay_id):
    """A stay of the household as the tools show it."""
    row = env.one(
        "SELECT s.id AS stay_id, s.code, s.cabin_id, c.name AS cabin_name, c.island_id, s.arrives_on, s.leaves_on,"
        " s.adults, s.children, s.infants, s.own_boat, s.price_cents, s.status, s.booked_at, s.cancelled_at,"
        " s.cancelled_by, s.split_from_stay_id FROM stays s JOIN cabins c ON c.id = s.cabin_id"
        " WHERE s.id = ? AND s.household_id = ?", [stay_id, env.user_id])
    if row is None:
        raise env.Error(f"You have no stay {stay_id}.")
    return row


def _get_stay_bill(env, stay_id):
    """What a stay costs with all that is billed with it, what has been paid for it, and the balance."""
    row = env.one(
        "SELECT s.status, s.price_cents"
        " + (SELECT COALESCE(SUM(c.price_cents), 0) FROM crossings c WHERE c.stay_id = s.id AND c.status = 'booked')"
        " + (SELECT COALESCE(SUM(d.price_cents), 0) FROM dogs d WHERE d.stay_id = s.id AND d.status = 'reported')"
        " + (SELECT COALESCE(SUM(t.price_cents), 0) FROM sauna_turns t WHERE t.stay_id = s.id AND t.status = 'booked')"
        " AS total, (SELECT COALESCE(SUM(CASE WHEN p.kind = 'refund' THEN -p.amount_cents ELSE p.amount_cents END), 0)"
        " FROM payments p WHERE p.stay_id = s.id) AS paid FROM stays s WHERE s.id = ? AND s.household_id = ?",
        [stay_id, env.user_id])
    over = row["status"] in ("cancelled", "lapsed")
    return row["total"], row["paid"], 0 if over else max(0, row["total"] - row["paid"])


def pay_stay_by_card(env, *, stay_id: int, amount_cents: int) -> dict:
    """The person pays an amount for one of their stays by card."""
    stay = _get_stay_row(env, stay_id)
    if stay["status"] in ("cancelled", "lapsed", "left"):
        raise env.Error(f"Stay {stay['code']} is {stay['status']}, so nothing can be paid for it.")
    balance = _get_stay_bill(env, stay_id)[2]
    if amount_cents < 1:
        raise env.Error("The amount must be above zero.")
    if amount_cents > balance:
        raise env.Error(f"Only {balance} cents are left to pay for stay {stay['code']}.")
    first = env.one("SELECT id FROM payments WHERE stay_id = ? AND kind <> 'refund' ORDER BY id LIMIT 1",
                    [stay_id]) is None
    payment_id = env.insert(
        "INSERT INTO payments (household_id, stay_id, crossing_id, sauna_turn_id, mooring_booking_id, kind, method,"
        " amount_cents, paid_at) VALUES (?, ?, NULL, NULL, NULL, ?, 'card', ?, ?)",
        [env.user_id, stay_id, "deposit" if first and amount_cents < balance else "balance", amount_cents, env.now])
    return {"payment": env.one("SELECT id AS payment_id, kind, method, amount_cents, paid_at FROM payments"
                               " WHERE id = ?", [payment_id]),
            "balance_cents": balance - amount_cents}
