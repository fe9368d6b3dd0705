import datetime

SHORTEN_STAY_FEE_CENTS = 2000
SHORTEN_STAY_FULL_DAYS = 30
SHORTEN_STAY_HALF_DAYS = 14

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


def _shorten_stay_terms(env, cents, arrives_on):
    """What the cancellation terms give back of a cabin price."""
    ahead = (datetime.date.fromisoformat(arrives_on) - datetime.date.fromisoformat(env.now[:10])).days
    if ahead > SHORTEN_STAY_FULL_DAYS:
        return max(0, cents - SHORTEN_STAY_FEE_CENTS)
    if ahead >= SHORTEN_STAY_HALF_DAYS:
        return cents // 2
    return 0


def _shorten_stay_refund(env, stay_id, cents):
    """Writes down a refund for a stay, if there is anything to give back."""
    if cents > 0:
        env.insert(
            "INSERT INTO payments (household_id, stay_id, crossing_id, sauna_turn_id, mooring_booking_id, kind, method,"
            " amount_cents, paid_at) VALUES (?, ?, NULL, NULL, NULL, 'refund', 'card', ?, ?)",
            [env.user_id, stay_id, cents, env.now])
    return cents


def cancel_stay(env, *, stay_id: int) -> dict:
    """Cancels a stay before its day of arrival."""
    stay = _get_stay_row(env, stay_id)
    if stay["status"] not in ("held", "deposit_paid", "paid"):
        raise env.Error(f"Stay {stay['code']} is {stay['status']} and cannot be cancelled.")
    if stay["arrives_on"] <= env.now[:10]:
        raise env.Error("A stay can be cancelled only before its day of arrival.")
    paid = _get_stay_bill(env, stay_id)[1]
    back = min(_shorten_stay_terms(env, stay["price_cents"], stay["arrives_on"]), max(0, paid))
    env.execute("UPDATE stays SET status = 'cancelled', cancelled_at = ?, cancelled_by = 'household'"
                " WHERE id = ? AND household_id = ?", [env.now, stay_id, env.user_id])
    env.execute("UPDATE dogs SET status = 'dropped', dropped_at = ? WHERE stay_id = ? AND status = 'reported'",
                [env.now, stay_id])
    _shorten_stay_refund(env, stay_id, back)
    return {"stay": _get_stay_row(env, stay_id), "refund_cents": back}
