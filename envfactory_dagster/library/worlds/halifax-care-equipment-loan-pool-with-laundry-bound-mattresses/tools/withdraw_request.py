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


def _list_requests_one(env, request_id):
    rows = _list_requests_rows(env, request_id=request_id)
    if not rows:
        raise env.Error(f"you have no request {request_id}")
    return rows[0]


def withdraw_request(env, *, request_id: int) -> dict:
    """Withdraws a waiting request, with its open offer and its pencilled mattress."""
    request = _list_requests_one(env, request_id)
    if request["status"] != "waiting":
        raise env.Error(f"request {request_id} is no longer waiting, it is {request['status']}")
    env.execute(
        """UPDATE offers SET status = 'lapsed'
           WHERE request_id = :request AND status = 'open' AND lapses_at < :now""",
        {"request": request_id, "now": env.now},
    )
    env.execute(
        "UPDATE offers SET status = 'declined', answered_at = :now WHERE request_id = :request AND status = 'open'",
        {"request": request_id, "now": env.now},
    )
    env.execute("UPDATE loans SET status = 'cancelled' WHERE request_id = ? AND status = 'pencilled'", [request_id])
    env.execute("UPDATE requests SET status = 'withdrawn', closed_at = ? WHERE id = ?", [env.now, request_id])
    return _list_requests_one(env, request_id)
