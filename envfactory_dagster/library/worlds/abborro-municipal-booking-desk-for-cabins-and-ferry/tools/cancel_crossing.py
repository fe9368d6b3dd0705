import datetime

CANCEL_CROSSING_UNTIL = "T18:00:00"

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


def _lengthen_stay_restate(env, stay_id):
    """Makes a stay paid or deposit_paid, as its balance has become, if it is one of the two."""
    balance = _get_stay_bill(env, stay_id)[2]
    env.execute("UPDATE stays SET status = ? WHERE id = ? AND status IN ('deposit_paid', 'paid')",
                ["deposit_paid" if balance > 0 else "paid", stay_id])


def _shorten_stay_refund(env, stay_id, cents):
    """Writes down a refund for a stay, if there is anything to give back."""
    if cents > 0:
        env.insert(
            "INSERT INTO payments (household_id, stay_id, crossing_id, sauna_turn_id, mooring_booking_id, kind, method,"
            " amount_cents, paid_at) VALUES (?, ?, NULL, NULL, NULL, 'refund', 'card', ?, ?)",
            [env.user_id, stay_id, cents, env.now])
    return cents


def _list_departures_day_before(leaves_at):
    """The day before a departure."""
    day = datetime.date.fromisoformat(leaves_at[:10]) - datetime.timedelta(days=1)
    return day.isoformat()


def _book_crossing_row(env, crossing_id):
    """A crossing of the household as the tools show it."""
    row = env.one(
        "SELECT c.id AS crossing_id, c.code, c.departure_id, d.leaves_at, d.direction, d.status AS departure_status,"
        " c.island_id, c.stay_id, c.vehicle_id, c.adults, c.children, c.infants, c.dogs, c.price_cents, c.status,"
        " c.booked_at, c.cancelled_at FROM crossings c JOIN departures d ON d.id = c.departure_id"
        " WHERE c.id = ? AND c.household_id = ?", [crossing_id, env.user_id])
    if row is None:
        raise env.Error(f"You have no crossing {crossing_id}.")
    return row


def _cancel_crossing_stay_back(env, stay_id, cents):
    """Gives back what a stay was overpaid by after something of a price fell away, and settles its status."""
    status = _get_stay_row(env, stay_id)["status"]
    total, paid, _ = _get_stay_bill(env, stay_id)
    over = paid if status in ("cancelled", "lapsed") else paid - total
    back = _shorten_stay_refund(env, stay_id, max(0, min(cents, over)))
    _lengthen_stay_restate(env, stay_id)
    return back


def cancel_crossing(env, *, crossing_id: int) -> dict:
    """Cancels a booked crossing until 18:00 on the day before."""
    crossing = _book_crossing_row(env, crossing_id)
    if crossing["status"] != "booked":
        raise env.Error(f"Crossing {crossing['code']} is cancelled already.")
    if crossing["departure_status"] != "scheduled":
        raise env.Error("The skipper has entered that departure already.")
    if env.now > _list_departures_day_before(crossing["leaves_at"]) + CANCEL_CROSSING_UNTIL:
        raise env.Error("A crossing can be cancelled only until 18:00 on the day before.")
    env.execute("UPDATE crossings SET status = 'cancelled', cancelled_at = ? WHERE id = ? AND household_id = ?",
                [env.now, crossing_id, env.user_id])
    env.execute("UPDATE dangerous_items SET status = 'withdrawn' WHERE crossing_id = ? AND status = 'reported'",
                [crossing_id])
    if crossing["stay_id"] is not None:
        back = _cancel_crossing_stay_back(env, crossing["stay_id"], crossing["price_cents"])
    else:
        back = env.one("SELECT COALESCE(SUM(CASE WHEN kind = 'refund' THEN -amount_cents ELSE amount_cents END), 0)"
                       " AS n FROM payments WHERE crossing_id = ?", [crossing_id])["n"]
        if back > 0:
            env.insert(
                "INSERT INTO payments (household_id, stay_id, crossing_id, sauna_turn_id, mooring_booking_id, kind,"
                " method, amount_cents, paid_at) VALUES (?, NULL, ?, NULL, NULL, 'refund', 'card', ?, ?)",
                [env.user_id, crossing_id, back, env.now])
    return {"crossing": _book_crossing_row(env, crossing_id), "refund_cents": max(0, back)}
