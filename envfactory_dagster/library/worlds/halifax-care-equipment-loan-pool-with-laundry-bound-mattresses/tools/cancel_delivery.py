import datetime


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


def _list_deliveries_booked(env, delivery_id):
    rows = _list_deliveries_rows(env, delivery_id=delivery_id)
    if not rows:
        raise env.Error(f"you have no delivery or collection {delivery_id}")
    if rows[0]["status"] != "booked":
        raise env.Error(f"the {rows[0]['kind']} {delivery_id} is already {rows[0]['status']}")
    return rows[0]


def _accept_offer_until(env):
    """The day 3 working days from today."""
    day = datetime.date.fromisoformat(env.now[:10])
    left = 3
    while left > 0:
        day += datetime.timedelta(days=1)
        if day.weekday() < 5:
            left -= 1
    return day.isoformat()


def _cancel_delivery_late(day, cancelled_at):
    before = datetime.date.fromisoformat(day) - datetime.timedelta(days=1)
    while before.weekday() >= 5:
        before -= datetime.timedelta(days=1)
    return cancelled_at > before.isoformat() + "T12:00:00"


def cancel_delivery(env, *, delivery_id: int, cancel_reason: str) -> dict:
    """Cancels a booked delivery or collection, with what a late cancellation brings."""
    delivery = _list_deliveries_booked(env, delivery_id)
    if cancel_reason == "pool":
        raise env.Error("only the pool itself cancels for the reason pool")
    client_id = delivery["client_id"]
    if delivery["kind"] == "collection" and delivery["item_type_name"] == "pressure mattress":
        replacement = env.one(
            """SELECT d.id FROM deliveries d JOIN loans l ON l.id = d.loan_id JOIN items i ON i.id = l.item_id
               JOIN item_types t ON t.id = i.item_type_id
               WHERE l.client_id = ? AND t.name = 'pressure mattress' AND d.kind = 'delivery' AND d.status = 'booked'""",
            [client_id],
        )
        if replacement is not None:
            raise env.Error("a second mattress is booked for delivery, so the soiled one has to be collected")
    late = int(cancel_reason == "family_choice" and _cancel_delivery_late(delivery["day"], env.now))
    moved = 0
    if late:
        today = datetime.date.fromisoformat(env.now[:10])
        last_day = 28 if today.month == 2 and today.day == 29 else today.day
        since = datetime.date(today.year - 1, today.month, last_day).isoformat()
        earlier = env.query(
            """SELECT s.day, d.cancelled_at FROM deliveries d JOIN van_slots s ON s.id = d.van_slot_id
               JOIN loans l ON l.id = d.loan_id JOIN household_members m ON m.client_id = l.client_id
               WHERE m.household_id = (SELECT household_id FROM household_members WHERE client_id = :client)
                 AND d.status = 'cancelled' AND d.cancel_reason = 'family_choice'
                 AND substr(d.cancelled_at, 1, 10) >= :since
               ORDER BY d.id""",
            {"client": client_id, "since": since},
        )
        if any(_cancel_delivery_late(row["day"], row["cancelled_at"]) for row in earlier):
            moved = env.execute(
                "UPDATE requests SET moved_back_at = :now WHERE client_id = :client AND status = 'waiting'",
                {"now": env.now, "client": client_id},
            )
    env.execute(
        "UPDATE deliveries SET status = 'cancelled', cancelled_at = ?, cancel_reason = ? WHERE id = ?",
        [env.now, cancel_reason, delivery_id],
    )
    if delivery["kind"] == "delivery":
        env.execute("UPDATE loans SET reserved_until = ? WHERE id = ?", [_accept_offer_until(env), delivery["loan_id"]])
    else:
        env.execute("UPDATE loans SET collection_asked_on = NULL WHERE id = ?", [delivery["loan_id"]])
    return {
        "delivery": _list_deliveries_rows(env, delivery_id=delivery_id)[0],
        "late": late,
        "requests_moved_back": moved,
    }
