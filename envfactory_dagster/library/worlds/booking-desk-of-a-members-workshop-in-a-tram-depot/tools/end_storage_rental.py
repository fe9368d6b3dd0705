def _list_storage_rentals_show(env, storage_rental_id):
    return env.one(
        """SELECT r.id AS storage_rental_id, r.storage_place_id, p.code AS storage_place_code, p.kind,
                  r.status, r.price_cents, r.started_on, r.paid_until, r.ended_on
           FROM storage_rentals r JOIN storage_places p ON p.id = r.storage_place_id
           WHERE r.id = ? AND r.member_id = ?""", [storage_rental_id, env.user_id])


def _pay_storage_rental_row(env, storage_rental_id):
    row = env.one(
        """SELECT r.*, p.kind FROM storage_rentals r JOIN storage_places p ON p.id = r.storage_place_id
           WHERE r.id = ? AND r.member_id = ?""", [storage_rental_id, env.user_id])
    if row is None:
        raise env.Error("you have no storage rental with the id " + str(storage_rental_id))
    if row["status"] != "running":
        raise env.Error("that rental has ended")
    return row


def end_storage_rental(env, *, storage_rental_id: int) -> dict:
    """Ends a running rental today."""
    rental = _pay_storage_rental_row(env, storage_rental_id)
    if rental["paid_until"] < env.now[:10]:
        raise env.Error("that rental is paid up to " + rental["paid_until"] + " only; pay it first")
    env.execute("UPDATE storage_rentals SET status = 'ended', ended_on = ? WHERE id = ?",
                [env.now[:10], storage_rental_id])
    return {"storage_rental": _list_storage_rentals_show(env, storage_rental_id)}
