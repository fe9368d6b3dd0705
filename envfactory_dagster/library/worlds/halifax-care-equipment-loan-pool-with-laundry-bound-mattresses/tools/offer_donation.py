def _list_item_types_one(env, item_type_id):
    row = env.one("SELECT * FROM item_types WHERE id = ?", [item_type_id])
    if row is None:
        raise env.Error(f"there is no item type {item_type_id}")
    return row


def _list_donations_rows(env, donation_id=None, status=None):
    return env.query(
        """SELECT d.id AS donation_id, d.item_type_id, t.name AS item_type_name, d.description, d.sealed, d.value_cents,
                  d.valued_by, d.offered_on, d.status, d.decided_on, d.decision_reason
           FROM donations d JOIN item_types t ON t.id = d.item_type_id
           WHERE d.client_id = :user AND (:donation IS NULL OR d.id = :donation) AND (:status IS NULL OR d.status = :status)
           ORDER BY d.offered_on DESC, d.id""",
        {"user": env.user_id, "donation": donation_id, "status": status},
    )


def offer_donation(env, *, item_type_id: int, description: str, sealed: int, value_cents: int, valued_by: str) -> dict:
    """Offers the pool an item as the user's donation."""
    item_type = _list_item_types_one(env, item_type_id)
    if item_type["name"] == "pressure mattress" and sealed != 1:
        raise env.Error("a pressure mattress is only taken sealed")
    if value_cents > 100000 and valued_by != "appraisal":
        raise env.Error("a value over $1,000 needs an appraisal")
    donation_id = env.insert(
        """INSERT INTO donations (client_id, item_type_id, description, sealed, value_cents, valued_by, offered_on, status)
           VALUES (?, ?, ?, ?, ?, ?, ?, 'offered')""",
        [env.user_id, item_type_id, description, sealed, value_cents, valued_by, env.now[:10]],
    )
    return _list_donations_rows(env, donation_id=donation_id)[0]
