CONFIRM_STAY_PAYMENT_PERCENT = 30

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


def confirm_stay_payment(env, *, stay_id: int) -> dict:
    """Sets a stay to deposit_paid or paid, as the person has paid for it by card."""
    stay = _get_stay_row(env, stay_id)
    if stay["status"] not in ("held", "deposit_paid"):
        raise env.Error(f"Stay {stay['code']} is {stay['status']}, so there is no payment to confirm.")
    total, paid, balance = _get_stay_bill(env, stay_id)
    if env.one("SELECT id FROM payments WHERE stay_id = ? AND method = 'card' AND kind IN ('deposit', 'balance')"
               " ORDER BY id LIMIT 1", [stay_id]) is None:
        raise env.Error(f"No card payment has been made for stay {stay['code']}.")
    if balance == 0:
        status = "paid"
    elif stay["status"] == "held" and paid * 100 >= total * CONFIRM_STAY_PAYMENT_PERCENT:
        status = "deposit_paid"
    else:
        raise env.Error(f"What has been paid for stay {stay['code']} does not bring it a step further:"
                        f" {balance} cents are left to pay.")
    env.execute("UPDATE stays SET status = ? WHERE id = ? AND household_id = ?", [status, stay_id, env.user_id])
    return {"stay": _get_stay_row(env, stay_id), "paid_cents": paid, "balance_cents": balance}
