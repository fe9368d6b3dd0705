def _list_donations_rows(env, donation_id=None, status=None):
    return env.query(
        """SELECT d.id AS donation_id, d.item_type_id, t.name AS item_type_name, d.description, d.sealed, d.value_cents,
                  d.valued_by, d.offered_on, d.status, d.decided_on, d.decision_reason
           FROM donations d JOIN item_types t ON t.id = d.item_type_id
           WHERE d.client_id = :user AND (:donation IS NULL OR d.id = :donation) AND (:status IS NULL OR d.status = :status)
           ORDER BY d.offered_on DESC, d.id""",
        {"user": env.user_id, "donation": donation_id, "status": status},
    )


def list_donations(env, *, status: str = None) -> dict:
    """Lists the user's donations in kind."""
    return {"donations": _list_donations_rows(env, status=status)}
