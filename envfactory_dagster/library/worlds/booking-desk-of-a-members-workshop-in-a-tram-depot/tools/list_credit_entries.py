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


def list_credit_entries(env, *, kind: str = None, booking_id: int = None, storage_rental_id: int = None) -> dict:
    """Lists the credit entries of the user's membership, oldest first."""
    membership_id = _get_membership_row(env)["id"]
    if booking_id is not None and env.one("SELECT id FROM bookings WHERE id = ? AND member_id = ?",
                                          [booking_id, env.user_id]) is None:
        raise env.Error("you have no booking with the id " + str(booking_id))
    if storage_rental_id is not None and env.one(
            "SELECT id FROM storage_rentals WHERE id = ? AND member_id = ?",
            [storage_rental_id, env.user_id]) is None:
        raise env.Error("you have no storage rental with the id " + str(storage_rental_id))
    return {"credit_entries": env.query(
        """SELECT id AS credit_entry_id, kind, amount_cents, expires_on, booking_id, storage_rental_id, entered_at
           FROM credit_entries WHERE membership_id = :ms AND (:kind IS NULL OR kind = :kind)
             AND (:booking IS NULL OR booking_id = :booking)
             AND (:rental IS NULL OR storage_rental_id = :rental) ORDER BY entered_at, id""",
        {"ms": membership_id, "kind": kind, "booking": booking_id, "rental": storage_rental_id})}
