def _list_households_client(env, client_id):
    row = env.one(
        """SELECT c.id, c.name, c.weight_kg, m.household_id, h.stairs_noted FROM clients c
           JOIN household_members m ON m.client_id = c.id JOIN households h ON h.id = m.household_id
           WHERE c.id = :client AND (h.contact_client_id = :user OR EXISTS (
             SELECT 1 FROM household_members u WHERE u.household_id = h.id AND u.client_id = :user))""",
        {"client": client_id, "user": env.user_id},
    )
    if row is None:
        raise env.Error(f"there is no client {client_id} in your households")
    return row


def _list_offers_rows(env, offer_id=None, client_id=None, status=None):
    return env.query(
        """SELECT o.id AS offer_id, o.request_id, r.client_id, c.name AS client_name, o.item_id, i.tag,
                  t.name AS item_type_name, o.made_at, o.lapses_at, o.status, o.answered_at
           FROM offers o JOIN requests r ON r.id = o.request_id JOIN clients c ON c.id = r.client_id
           JOIN items i ON i.id = o.item_id JOIN item_types t ON t.id = i.item_type_id
           JOIN household_members m ON m.client_id = r.client_id JOIN households h ON h.id = m.household_id
           WHERE (h.contact_client_id = :user OR EXISTS (
                   SELECT 1 FROM household_members u WHERE u.household_id = h.id AND u.client_id = :user))
             AND (:offer IS NULL OR o.id = :offer) AND (:client IS NULL OR r.client_id = :client)
             AND (:status IS NULL OR o.status = :status)
           ORDER BY o.made_at DESC, o.id""",
        {"user": env.user_id, "offer": offer_id, "client": client_id, "status": status},
    )


def list_offers(env, *, client_id: int = None, status: str = None) -> dict:
    """Lists the offers to the clients of the user's households."""
    if client_id is not None:
        _list_households_client(env, client_id)
    return {"offers": _list_offers_rows(env, client_id=client_id, status=status)}
