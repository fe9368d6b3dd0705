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


def _list_item_types_one(env, item_type_id):
    row = env.one("SELECT * FROM item_types WHERE id = ?", [item_type_id])
    if row is None:
        raise env.Error(f"there is no item type {item_type_id}")
    return row


def _list_requests_rows(env, request_id=None, client_id=None, item_type_id=None, status=None):
    return env.query(
        """SELECT r.id AS request_id, r.client_id, c.name AS client_name, r.item_type_id, t.name AS item_type_name,
                  r.requested_at, r.priority, p.name AS prescriber_name, r.min_width_cm, r.moved_back_at, r.status, r.closed_at
           FROM requests r JOIN clients c ON c.id = r.client_id JOIN item_types t ON t.id = r.item_type_id
           LEFT JOIN prescribers p ON p.id = r.prescriber_id
           JOIN household_members m ON m.client_id = r.client_id JOIN households h ON h.id = m.household_id
           WHERE (h.contact_client_id = :user OR EXISTS (
                   SELECT 1 FROM household_members u WHERE u.household_id = h.id AND u.client_id = :user))
             AND (:request IS NULL OR r.id = :request) AND (:client IS NULL OR r.client_id = :client)
             AND (:type IS NULL OR r.item_type_id = :type) AND (:status IS NULL OR r.status = :status)
           ORDER BY r.id""",
        {"user": env.user_id, "request": request_id, "client": client_id, "type": item_type_id, "status": status},
    )


def list_requests(env, *, client_id: int = None, item_type_id: int = None, status: str = None) -> dict:
    """Lists the requests of the user's households."""
    if client_id is not None:
        _list_households_client(env, client_id)
    if item_type_id is not None:
        _list_item_types_one(env, item_type_id)
    return {"requests": _list_requests_rows(env, client_id=client_id, item_type_id=item_type_id, status=status)}
