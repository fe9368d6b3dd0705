import datetime


def _list_loans_rows(env, loan_id=None, household_id=None, client_id=None, item_type_id=None, status=None):
    rows = env.query(
        """SELECT l.id AS loan_id, l.client_id, c.name AS client_name, l.item_id, i.tag, i.item_type_id,
                  t.name AS item_type_name, l.request_id, l.status, l.reserved_until, l.out_on, l.due_on,
                  l.renewals_used, t.max_renewals, l.soiled_at, l.collection_asked_on, l.returned_on,
                  l.deposit_cents, l.deposit_refunded_on
           FROM loans l JOIN clients c ON c.id = l.client_id JOIN items i ON i.id = l.item_id
           JOIN item_types t ON t.id = i.item_type_id JOIN household_members m ON m.client_id = l.client_id
           JOIN households h ON h.id = m.household_id
           WHERE (h.contact_client_id = :user OR EXISTS (
                   SELECT 1 FROM household_members u WHERE u.household_id = h.id AND u.client_id = :user))
             AND (:loan IS NULL OR l.id = :loan) AND (:household IS NULL OR h.id = :household)
             AND (:client IS NULL OR l.client_id = :client) AND (:type IS NULL OR i.item_type_id = :type)
             AND (:status IS NULL OR l.status = :status)
           ORDER BY l.id""",
        {"user": env.user_id, "loan": loan_id, "household": household_id, "client": client_id,
         "type": item_type_id, "status": status},
    )
    for row in rows:
        row["weeks_late"] = 0
        if row["due_on"] is not None:
            stop = min(day for day in (env.now[:10], row["collection_asked_on"], row["returned_on"]) if day is not None)
            days = (datetime.date.fromisoformat(stop) - datetime.date.fromisoformat(row["due_on"])).days
            row["weeks_late"] = (days + 6) // 7 if days > 0 else 0
    return rows


def _list_loans_one(env, loan_id):
    rows = _list_loans_rows(env, loan_id=loan_id)
    if not rows:
        raise env.Error(f"you have no loan {loan_id}")
    return rows[0]


def _list_laundry_stays_release(env, dropped_on):
    closed = {row["day"]: row["reason"] for row in env.query("SELECT day, reason FROM laundry_closed_days ORDER BY day", [])}
    day = datetime.date.fromisoformat(dropped_on)
    skipped = []
    full_days = 0
    while full_days < 5:
        day += datetime.timedelta(days=1)
        if day.weekday() >= 5:
            continue
        if day.isoformat() in closed:
            skipped.append({"day": day.isoformat(), "reason": closed[day.isoformat()]})
        else:
            full_days += 1
    return (day + datetime.timedelta(days=1)).isoformat(), skipped


def _search_van_slots_fit(env, van_slot_id, item_id, kind):
    """Refuses a slot that cannot take the item."""
    slot = env.one(
        """SELECT s.id, s.day, s.part_of_day, s.status, v.name, v.hoist_cleared_until,
                  4 - COALESCE((SELECT SUM(t.van_points) FROM deliveries d JOIN loans l ON l.id = d.loan_id
                                JOIN items i ON i.id = l.item_id JOIN item_types t ON t.id = i.item_type_id
                                WHERE d.van_slot_id = s.id AND d.status <> 'cancelled'), 0) AS points_left
           FROM van_slots s JOIN volunteers v ON v.id = s.volunteer_id WHERE s.id = ?""",
        [van_slot_id],
    )
    if slot is None:
        raise env.Error(f"there is no van slot {van_slot_id}")
    if slot["status"] != "open":
        raise env.Error(f"van slot {van_slot_id} has been cancelled")
    today = env.now[:10]
    if slot["day"] < today or (slot["day"] == today and slot["part_of_day"] == "morning" and env.now[11:] >= "12:00:00"):
        raise env.Error(f"van slot {van_slot_id} is past")
    item = env.one(
        """SELECT i.id, i.tag, i.status, t.name, t.van_points FROM items i
           JOIN item_types t ON t.id = i.item_type_id WHERE i.id = ?""",
        [item_id],
    )
    if kind == "delivery" and item["status"] == "at_laundry":
        stay = env.one("SELECT dropped_on FROM laundry_stays WHERE item_id = ? AND status = 'at_laundry'", [item_id])
        if stay is not None:
            free_from = _list_laundry_stays_release(env, stay["dropped_on"])[0]
            if slot["day"] < free_from:
                raise env.Error(
                    f"mattress {item['tag']} was dropped at the laundry on {stay['dropped_on']} and may not go out "
                    f"before {free_from}, the day after its 5th full laundry working day"
                )
    if item["name"] == "hoist" and (slot["hoist_cleared_until"] is None or slot["hoist_cleared_until"] < slot["day"]):
        raise env.Error(f"{slot['name']} is not cleared to lift a hoist on {slot['day']}")
    if slot["points_left"] < item["van_points"]:
        raise env.Error(
            f"van slot {van_slot_id} has {slot['points_left']} of 4 points left and a {item['name']} takes {item['van_points']}"
        )
    return slot


def _search_van_slots_overlap(env, client_id, loan_id, slot, kind):
    """Refuses a slot in which a mattress and the soiled one it replaces would overlap for more than 24 hours."""
    delivered = slot if kind == "delivery" else None
    collected = slot if kind == "collection" else None
    loan = env.one(
        """SELECT l.id, l.soiled_at, l.status FROM loans l JOIN items i ON i.id = l.item_id
           JOIN item_types t ON t.id = i.item_type_id WHERE l.id = ? AND t.name = 'pressure mattress'""",
        [loan_id],
    )
    if loan is None:
        return
    other = env.one(
        """SELECT l.id, l.soiled_at, s.day, s.part_of_day FROM loans l JOIN items i ON i.id = l.item_id
           JOIN item_types t ON t.id = i.item_type_id
           LEFT JOIN deliveries d ON d.loan_id = l.id AND d.status = 'booked' AND d.kind = :kind
           LEFT JOIN van_slots s ON s.id = d.van_slot_id
           WHERE l.client_id = :client AND l.id <> :loan AND t.name = 'pressure mattress' AND l.status = :status
           ORDER BY l.id LIMIT 1""",
        {"client": client_id, "loan": loan_id, "kind": "collection" if kind == "delivery" else "delivery",
         "status": "on_loan" if kind == "delivery" else "reserved"},
    )
    if other is None:
        return
    if kind == "delivery":
        if other["day"] is None:
            raise env.Error("book the collection of the soiled mattress first: the two may overlap for at most 24 hours")
        collected = other
    else:
        if other["day"] is None:
            return
        delivered = other
    halves = []
    for place in (delivered, collected):
        day = datetime.date.fromisoformat(place["day"]).toordinal()
        halves.append(2 * day + (0 if place["part_of_day"] == "morning" else 1))
    if halves[1] - halves[0] > 2:
        raise env.Error(
            f"the soiled mattress would be collected on {collected['day']}, more than 24 hours after the new one "
            f"comes on {delivered['day']}"
        )


def _list_deliveries_rows(env, delivery_id=None, client_id=None, loan_id=None, kind=None, status=None,
                          first_day=None, last_day=None):
    return env.query(
        """SELECT d.id AS delivery_id, d.loan_id, l.client_id, c.name AS client_name, l.item_id, i.tag,
                  t.name AS item_type_name, d.kind, d.status, d.van_slot_id, s.day, s.part_of_day,
                  v.name AS volunteer_name, d.booked_at, d.cancelled_at, d.cancel_reason
           FROM deliveries d JOIN loans l ON l.id = d.loan_id JOIN clients c ON c.id = l.client_id
           JOIN items i ON i.id = l.item_id JOIN item_types t ON t.id = i.item_type_id
           JOIN van_slots s ON s.id = d.van_slot_id JOIN volunteers v ON v.id = s.volunteer_id
           JOIN household_members m ON m.client_id = l.client_id JOIN households h ON h.id = m.household_id
           WHERE (h.contact_client_id = :user OR EXISTS (
                   SELECT 1 FROM household_members u WHERE u.household_id = h.id AND u.client_id = :user))
             AND (:delivery IS NULL OR d.id = :delivery) AND (:client IS NULL OR l.client_id = :client)
             AND (:loan IS NULL OR d.loan_id = :loan) AND (:kind IS NULL OR d.kind = :kind)
             AND (:status IS NULL OR d.status = :status)
             AND (:first IS NULL OR s.day >= :first) AND (:last IS NULL OR s.day <= :last)
           ORDER BY s.day, CASE s.part_of_day WHEN 'morning' THEN 0 ELSE 1 END, d.id""",
        {"user": env.user_id, "delivery": delivery_id, "client": client_id, "loan": loan_id, "kind": kind,
         "status": status, "first": first_day, "last": last_day},
    )


def book_collection(env, *, loan_id: int, van_slot_id: int) -> dict:
    """Books the collection of an item on loan in a van slot."""
    loan = _list_loans_one(env, loan_id)
    if loan["status"] != "on_loan":
        raise env.Error(f"loan {loan_id} is {loan['status']}, only an item on loan can be collected")
    if env.one("SELECT id FROM deliveries WHERE loan_id = ? AND kind = 'collection' AND status = 'booked'", [loan_id]):
        raise env.Error(f"the collection of loan {loan_id} is already booked")
    slot = _search_van_slots_fit(env, van_slot_id, loan["item_id"], "collection")
    _search_van_slots_overlap(env, loan["client_id"], loan_id, slot, "collection")
    if loan["collection_asked_on"] is None:
        env.execute("UPDATE loans SET collection_asked_on = ? WHERE id = ?", [env.now[:10], loan_id])
    delivery_id = env.insert(
        "INSERT INTO deliveries (loan_id, van_slot_id, kind, status, booked_at) VALUES (?, ?, 'collection', 'booked', ?)",
        [loan_id, van_slot_id, env.now],
    )
    return _list_deliveries_rows(env, delivery_id=delivery_id)[0]
