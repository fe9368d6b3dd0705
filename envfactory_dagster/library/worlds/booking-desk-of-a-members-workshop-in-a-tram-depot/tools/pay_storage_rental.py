from datetime import date, timedelta


def _get_membership_row(env):
    row = env.one(
        """SELECT m.id, m.number, m.membership_type_id, t.name AS type_name, t.monthly_fee_cents,
                  t.monthly_credit_cents, m.started_on
           FROM membership_members mm JOIN memberships m ON m.id = mm.membership_id
           JOIN membership_types t ON t.id = m.membership_type_id WHERE mm.member_id = ?""",
        [env.user_id])
    if row is None:
        raise env.Error("you have no membership")
    return row


def _list_storage_rentals_show(env, storage_rental_id):
    return env.one(
        """SELECT r.id AS storage_rental_id, r.storage_place_id, p.code AS storage_place_code, p.kind,
                  r.status, r.price_cents, r.started_on, r.paid_until, r.ended_on
           FROM storage_rentals r JOIN storage_places p ON p.id = r.storage_place_id
           WHERE r.id = ? AND r.member_id = ?""", [storage_rental_id, env.user_id])


def _get_credit_balance_portions(env, membership_id):
    return env.query(
        """SELECT expires_on, SUM(amount_cents) AS left_cents FROM credit_entries
           WHERE membership_id = ? AND expires_on >= ? GROUP BY expires_on
           HAVING SUM(amount_cents) > 0 ORDER BY expires_on""", [membership_id, env.now[:10]])


def _book_hours_pay(env, membership_id, amount_cents, booking_id, storage_rental_id):
    """Pays from credit, what expires first going first; gives back what credit paid."""
    left = amount_cents
    for portion in _get_credit_balance_portions(env, membership_id):
        part = min(left, portion["left_cents"])
        if part > 0:
            env.insert(
                """INSERT INTO credit_entries (membership_id, kind, amount_cents, expires_on, booking_id,
                       storage_rental_id, entered_at) VALUES (?, 'use', ?, ?, ?, ?, ?)""",
                [membership_id, -part, portion["expires_on"], booking_id, storage_rental_id, env.now])
            left -= part
    return amount_cents - left


def _rent_storage_place_until(first_day, kind):
    """The last day that one payment covers: a month, or a week for a pallet place."""
    first = date.fromisoformat(first_day)
    if kind == "pallet":
        return (first + timedelta(days=6)).isoformat()
    year, month = (first.year + 1, 1) if first.month == 12 else (first.year, first.month + 1)
    day = first.day
    while True:
        try:
            return (date(year, month, day) - timedelta(days=1)).isoformat()
        except ValueError:
            day -= 1


def _pay_storage_rental_row(env, storage_rental_id):
    row = env.one(
        """SELECT r.*, p.kind FROM storage_rentals r JOIN storage_places p ON p.id = r.storage_place_id
           WHERE r.id = ? AND r.member_id = ?""", [storage_rental_id, env.user_id])
    if row is None:
        raise env.Error("you have no storage rental with the id " + str(storage_rental_id))
    if row["status"] != "running":
        raise env.Error("that rental has ended")
    return row


def pay_storage_rental(env, *, storage_rental_id: int, use_credit: bool = True) -> dict:
    """Pays one more month or week of a running rental."""
    rental = _pay_storage_rental_row(env, storage_rental_id)
    following = (date.fromisoformat(rental["paid_until"]) + timedelta(days=1)).isoformat()
    until = _rent_storage_place_until(following, rental["kind"])
    if rental["kind"] == "pallet":
        days = (date.fromisoformat(until) - date.fromisoformat(rental["started_on"])).days + 1
        if days > 28:
            raise env.Error("a pallet place is rented for 28 days at most")
    env.execute("UPDATE storage_rentals SET paid_until = ? WHERE id = ?", [until, storage_rental_id])
    paid = 0
    if use_credit:
        paid = _book_hours_pay(env, _get_membership_row(env)["id"], rental["price_cents"], None,
                               storage_rental_id)
    return {"storage_rental": _list_storage_rentals_show(env, storage_rental_id), "credit_paid_cents": paid}
