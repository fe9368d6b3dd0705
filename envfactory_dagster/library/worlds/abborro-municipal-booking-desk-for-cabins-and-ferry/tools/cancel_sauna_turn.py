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


def _cancel_crossing_stay_back(env, stay_id, cents):
    """Gives back what a stay was overpaid by after something of a price fell away, and settles its status."""
    status = _get_stay_row(env, stay_id)["status"]
    total, paid, _ = _get_stay_bill(env, stay_id)
    over = paid if status in ("cancelled", "lapsed") else paid - total
    back = _shorten_stay_refund(env, stay_id, max(0, min(cents, over)))
    _lengthen_stay_restate(env, stay_id)
    return back


def _book_sauna_turn_row(env, sauna_turn_id):
    """A sauna turn of the household as the tools show it."""
    row = env.one(
        "SELECT t.id AS sauna_turn_id, t.sauna_id, s.name AS sauna_name, s.island_id, t.stay_id, t.starts_at,"
        " t.price_cents, t.status, t.booked_at, t.moved_at, t.cancelled_at FROM sauna_turns t"
        " JOIN saunas s ON s.id = t.sauna_id WHERE t.id = ? AND t.household_id = ?", [sauna_turn_id, env.user_id])
    if row is None:
        raise env.Error(f"You have no sauna turn {sauna_turn_id}.")
    return row


def cancel_sauna_turn(env, *, sauna_turn_id: int) -> dict:
    """Cancels a booked sauna turn before it begins."""
    turn = _book_sauna_turn_row(env, sauna_turn_id)
    if turn["status"] != "booked":
        raise env.Error("That sauna turn is cancelled already.")
    if turn["starts_at"] <= env.now:
        raise env.Error("That sauna turn has begun.")
    env.execute("UPDATE sauna_turns SET status = 'cancelled', cancelled_at = ? WHERE id = ? AND household_id = ?",
                [env.now, sauna_turn_id, env.user_id])
    if turn["stay_id"] is not None:
        back = _cancel_crossing_stay_back(env, turn["stay_id"], turn["price_cents"])
    else:
        back = env.one("SELECT COALESCE(SUM(CASE WHEN kind = 'refund' THEN -amount_cents ELSE amount_cents END), 0)"
                       " AS n FROM payments WHERE sauna_turn_id = ?", [sauna_turn_id])["n"]
        if back > 0:
            env.insert(
                "INSERT INTO payments (household_id, stay_id, crossing_id, sauna_turn_id, mooring_booking_id, kind,"
                " method, amount_cents, paid_at) VALUES (?, NULL, NULL, ?, NULL, 'refund', 'card', ?, ?)",
                [env.user_id, sauna_turn_id, back, env.now])
    return {"sauna_turn": _book_sauna_turn_row(env, sauna_turn_id), "refund_cents": max(0, back)}
