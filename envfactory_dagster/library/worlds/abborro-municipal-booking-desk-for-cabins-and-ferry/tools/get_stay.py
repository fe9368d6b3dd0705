import datetime

GET_STAY_DUE_DAYS = 30
GET_STAY_LATE_DUE_DAYS = 3

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


def get_stay(env, *, stay_id: int) -> dict:
    """Shows one stay with what is billed with it, its payments and its balance."""
    stay = _get_stay_row(env, stay_id)
    total, paid, balance = _get_stay_bill(env, stay_id)
    booked = datetime.date.fromisoformat(stay["booked_at"][:10])
    due = datetime.date.fromisoformat(stay["arrives_on"]) - datetime.timedelta(days=GET_STAY_DUE_DAYS)
    if due < booked:
        due = booked + datetime.timedelta(days=GET_STAY_LATE_DUE_DAYS)
    return {
        "stay": stay,
        "crossings": env.query(
            "SELECT c.id AS crossing_id, c.code, c.departure_id, d.leaves_at, d.direction, d.status AS departure_status,"
            " c.island_id, c.stay_id, c.vehicle_id, c.adults, c.children, c.infants, c.dogs, c.price_cents, c.status,"
            " c.booked_at, c.cancelled_at FROM crossings c JOIN departures d ON d.id = c.departure_id"
            " WHERE c.stay_id = ? AND c.household_id = ? ORDER BY d.leaves_at, c.id", [stay_id, env.user_id]),
        "dogs": env.query(
            "SELECT id AS dog_id, stay_id, name, is_assistance, price_cents, status, dropped_at FROM dogs"
            " WHERE stay_id = ? AND household_id = ? ORDER BY id", [stay_id, env.user_id]),
        "sauna_turns": env.query(
            "SELECT t.id AS sauna_turn_id, t.sauna_id, s.name AS sauna_name, s.island_id, t.stay_id, t.starts_at,"
            " t.price_cents, t.status, t.booked_at, t.moved_at, t.cancelled_at FROM sauna_turns t"
            " JOIN saunas s ON s.id = t.sauna_id WHERE t.stay_id = ? AND t.household_id = ?"
            " ORDER BY t.starts_at, t.id", [stay_id, env.user_id]),
        "payments": env.query(
            "SELECT id AS payment_id, kind, method, amount_cents, paid_at FROM payments"
            " WHERE stay_id = ? AND household_id = ? ORDER BY paid_at, id", [stay_id, env.user_id]),
        "total_cents": total, "paid_cents": paid, "balance_cents": balance, "balance_due_on": due.isoformat()}
