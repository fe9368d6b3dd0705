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


def _lengthen_stay_check_open(env, stay):
    """Refuses a stay that is over, cancelled or lapsed."""
    if stay["status"] not in ("held", "deposit_paid", "paid", "arrived") or stay["leaves_on"] < env.now[:10]:
        raise env.Error(f"Stay {stay['code']} is {stay['status']} or over, so nothing about it can change.")


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


def _add_dog_row(env, dog_id):
    """A dog of the household as the tools show it."""
    row = env.one("SELECT id AS dog_id, stay_id, name, is_assistance, price_cents, status, dropped_at FROM dogs"
                  " WHERE id = ? AND household_id = ?", [dog_id, env.user_id])
    if row is None:
        raise env.Error(f"You have no dog {dog_id}.")
    return row


def _add_dog_crossings(env, stay_id):
    """The crossings of a stay that are still to leave."""
    return env.query(
        "SELECT c.id, c.departure_id, c.dogs FROM crossings c JOIN departures d ON d.id = c.departure_id"
        " WHERE c.stay_id = ? AND c.status = 'booked' AND d.status = 'scheduled' AND d.leaves_at > ?"
        " ORDER BY d.leaves_at, c.id", [stay_id, env.now])


def drop_dog(env, *, dog_id: int) -> dict:
    """Takes a reported dog off a stay and its crossings still to leave."""
    dog = _add_dog_row(env, dog_id)
    stay = _get_stay_row(env, dog["stay_id"])
    if dog["status"] != "reported":
        raise env.Error(f"{dog['name']} has been taken off that stay already.")
    _lengthen_stay_check_open(env, stay)
    if stay["arrives_on"] <= env.now[:10]:
        raise env.Error("A dog can be taken off only before the day of arrival.")
    env.execute("UPDATE dogs SET status = 'dropped', dropped_at = ? WHERE id = ? AND household_id = ?",
                [env.now, dog_id, env.user_id])
    if dog["is_assistance"] == 0:
        for crossing in _add_dog_crossings(env, dog["stay_id"]):
            if crossing["dogs"] > 0:
                env.execute("UPDATE crossings SET dogs = dogs - 1 WHERE id = ? AND stay_id = ?",
                            [crossing["id"], dog["stay_id"]])
    back = _cancel_crossing_stay_back(env, dog["stay_id"], dog["price_cents"])
    return {"dog": _add_dog_row(env, dog_id), "refund_cents": back}
