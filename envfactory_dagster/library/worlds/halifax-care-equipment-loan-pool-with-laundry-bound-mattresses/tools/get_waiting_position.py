import datetime


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


def _get_waiting_position_place(env, row):
    """The band of a request today, and what it is sorted by."""
    band = row["priority"]
    waited = datetime.date.fromisoformat(env.now[:10]) - datetime.date.fromisoformat(row["requested_at"][:10])
    if band == 4 and waited.days > 60:
        band = 3
    back = row["moved_back_at"] is not None
    return band, (5 if band is None else band, back, row["moved_back_at"] if back else row["requested_at"], row["id"])


def get_waiting_position(env, *, request_id: int) -> dict:
    """Shows how many waiting requests come before one of the user's."""
    request = _list_requests_one(env, request_id)
    if request["status"] != "waiting":
        raise env.Error(f"request {request_id} is no longer waiting, it is {request['status']}")
    rows = env.query(
        """SELECT id, priority, requested_at, moved_back_at FROM requests
           WHERE item_type_id = ? AND status = 'waiting' ORDER BY id""",
        [request["item_type_id"]],
    )
    places = {row["id"]: _get_waiting_position_place(env, row) for row in rows}
    band, key = places[request_id]
    return {
        "request_id": request_id,
        "item_type_id": request["item_type_id"],
        "item_type_name": request["item_type_name"],
        "priority": request["priority"],
        "counted_priority": band,
        "requests_ahead": sum(1 for place in places.values() if place[1] < key),
        "requests_waiting": len(rows),
    }
