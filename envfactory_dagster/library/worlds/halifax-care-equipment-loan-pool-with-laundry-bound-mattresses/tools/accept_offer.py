import datetime


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


def _get_household_account_items(env, household_id):
    items = env.one(
        """SELECT COUNT(*) AS n FROM loans l JOIN household_members m ON m.client_id = l.client_id
           JOIN items i ON i.id = l.item_id JOIN item_types t ON t.id = i.item_type_id
           WHERE m.household_id = ? AND l.status IN ('reserved', 'on_loan') AND t.counts_to_limit = 1""",
        [household_id],
    )["n"]
    members = env.one("SELECT COUNT(*) AS n FROM household_members WHERE household_id = ?", [household_id])["n"]
    return items, 7 if members >= 2 else 5


def _get_household_account_owed(env, household_id):
    row = env.one(
        """SELECT COALESCE(SUM(f.amount_cents), 0) AS owed FROM fees f JOIN loans l ON l.id = f.loan_id
           JOIN household_members m ON m.client_id = l.client_id
           WHERE m.household_id = ? AND f.status = 'open'""",
        [household_id],
    )
    return row["owed"]


def _get_household_account_deposits(env, household_id):
    row = env.one(
        """SELECT COALESCE(SUM(l.deposit_cents), 0) AS held FROM loans l
           JOIN household_members m ON m.client_id = l.client_id
           WHERE m.household_id = ? AND l.status IN ('reserved', 'on_loan') AND l.deposit_refunded_on IS NULL""",
        [household_id],
    )
    return row["held"]


def _accept_offer_check(env, client, item_id, priority):
    """Refuses a new loan that the limits forbid and answers with its deposit."""
    item = env.one(
        """SELECT i.id, i.tag, i.weight_limit_kg, i.item_type_id, t.name, t.deposit_cents, t.counts_to_limit
           FROM items i JOIN item_types t ON t.id = i.item_type_id WHERE i.id = ?""",
        [item_id],
    )
    household_id = client["household_id"]
    items, limit = _get_household_account_items(env, household_id)
    if item["counts_to_limit"] == 1 and items >= limit:
        raise env.Error(f"the household has {items} items on loan or reserved, and {limit} is the most it may have")
    same = env.query(
        """SELECT l.id, l.status, l.soiled_at FROM loans l JOIN items i ON i.id = l.item_id
           WHERE l.client_id = ? AND i.item_type_id = ? AND l.status IN ('reserved', 'on_loan') ORDER BY l.id""",
        [client["id"], item["item_type_id"]],
    )
    if same:
        stairs = item["name"] == "commode" and client["stairs_noted"] == 1 and len(same) == 1
        soiled = item["name"] == "pressure mattress" and len(same) == 1
        soiled = soiled and same[0]["status"] == "on_loan" and same[0]["soiled_at"] is not None
        if not stairs and not soiled:
            raise env.Error(f"{client['name']} already has a {item['name']}, and a client may have only 1 of each type")
    owed = _get_household_account_owed(env, household_id)
    if owed > 7500 and priority != 1:
        raise env.Error(f"the household owes ${owed / 100:.2f}, and owing more than $75 stops new loans")
    if item["name"] == "hoist" and client["weight_kg"] is None:
        raise env.Error(f"the weight of {client['name']} is not known, so no hoist can be lent")
    if client["weight_kg"] is not None and client["weight_kg"] > item["weight_limit_kg"]:
        raise env.Error(f"{client['name']} is heavier than the {item['weight_limit_kg']:g} kg that {item['tag']} carries")
    hospice = env.one(
        """SELECT id FROM hospice_periods WHERE client_id = :client AND started_on <= :today
           AND (ended_on IS NULL OR ended_on > :today)""",
        {"client": client["id"], "today": env.now[:10]},
    )
    if hospice is not None:
        return 0
    return min(item["deposit_cents"], max(0, 20000 - _get_household_account_deposits(env, household_id)))


def _accept_offer_until(env):
    """The day 3 working days from today."""
    day = datetime.date.fromisoformat(env.now[:10])
    left = 3
    while left > 0:
        day += datetime.timedelta(days=1)
        if day.weekday() < 5:
            left -= 1
    return day.isoformat()


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


def accept_offer(env, *, offer_id: int) -> dict:
    """Accepts an open offer: the item is reserved and the loan recorded."""
    offer = _list_offers_open(env, offer_id)
    client = _list_households_client(env, offer["client_id"])
    request = _list_requests_one(env, offer["request_id"])
    if request["status"] != "waiting":
        raise env.Error(f"request {request['request_id']} is no longer waiting")
    item = env.one("SELECT status FROM items WHERE id = ?", [offer["item_id"]])
    if item["status"] != "in_store":
        raise env.Error(f"item {offer['tag']} is no longer in store")
    deposit = _accept_offer_check(env, client, offer["item_id"], request["priority"])
    until = _accept_offer_until(env)
    env.execute("UPDATE offers SET status = 'accepted', answered_at = ? WHERE id = ?", [env.now, offer_id])
    env.execute("UPDATE requests SET status = 'accepted', closed_at = ? WHERE id = ?", [env.now, request["request_id"]])
    env.execute("UPDATE items SET status = 'reserved' WHERE id = ?", [offer["item_id"]])
    pencilled = env.one("SELECT id FROM loans WHERE request_id = ?", [request["request_id"]])
    if pencilled is not None:
        loan_id = pencilled["id"]
        env.execute(
            "UPDATE loans SET item_id = ?, status = 'reserved', reserved_until = ?, deposit_cents = ? WHERE id = ?",
            [offer["item_id"], until, deposit, loan_id],
        )
    else:
        loan_id = env.insert(
            """INSERT INTO loans (client_id, item_id, request_id, status, reserved_until, renewals_used, deposit_cents)
               VALUES (?, ?, ?, 'reserved', ?, 0, ?)""",
            [client["id"], offer["item_id"], request["request_id"], until, deposit],
        )
    return _list_loans_one(env, loan_id)
