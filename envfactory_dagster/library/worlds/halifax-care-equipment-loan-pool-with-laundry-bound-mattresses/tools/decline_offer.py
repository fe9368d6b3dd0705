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


def _list_offers_open(env, offer_id):
    rows = _list_offers_rows(env, offer_id=offer_id)
    if not rows:
        raise env.Error(f"you have no offer {offer_id}")
    if rows[0]["status"] != "open":
        raise env.Error(f"offer {offer_id} is no longer open, it is {rows[0]['status']}")
    if rows[0]["lapses_at"] < env.now:
        raise env.Error(f"offer {offer_id} lapsed at {rows[0]['lapses_at']}")
    return rows[0]


def decline_offer(env, *, offer_id: int) -> dict:
    """Declines an open offer; the request keeps its place."""
    _list_offers_open(env, offer_id)
    env.execute("UPDATE offers SET status = 'declined', answered_at = ? WHERE id = ?", [env.now, offer_id])
    return _list_offers_rows(env, offer_id=offer_id)[0]
