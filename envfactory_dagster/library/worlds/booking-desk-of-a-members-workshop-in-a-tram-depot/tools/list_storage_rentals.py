def _list_storage_rentals_show(env, storage_rental_id):
    return env.one(
        """SELECT r.id AS storage_rental_id, r.storage_place_id, p.code AS storage_place_code, p.kind,
                  r.status, r.price_cents, r.started_on, r.paid_until, r.ended_on
           FROM storage_rentals r JOIN storage_places p ON p.id = r.storage_place_id
           WHERE r.id = ? AND r.member_id = ?""", [storage_rental_id, env.user_id])


def list_storage_rentals(env, *, status: str = None) -> dict:
    """Lists the user's storage rentals, oldest first."""
    rows = env.query(
        """SELECT id FROM storage_rentals WHERE member_id = :me AND (:status IS NULL OR status = :status)
           ORDER BY started_on, id""", {"me": env.user_id, "status": status})
    return {"storage_rentals": [_list_storage_rentals_show(env, row["id"]) for row in rows]}
