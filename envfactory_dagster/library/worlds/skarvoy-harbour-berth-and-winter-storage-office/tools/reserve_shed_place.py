from datetime import date, timedelta

RESERVE_SHED_PLACE_MOST_DAYS_OVERDUE = 30
RESERVE_SHED_PLACE_MOST_OTHERS = 1


def _reserve_shed_place_day(env, text):
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise env.Error(f"{text} is not a day like 2026-03-02")


def reserve_shed_place(
    env, *, boat_id: int, shed_bay_id: int, first_day: str, last_day: str
) -> dict:
    """Reserve a bay of the shed for one of the user's boats at its winter price."""
    boat = env.one(
        "SELECT id, name, length_cm, beam_cm FROM boats WHERE id = ? AND boat_owner_id = ?",
        [boat_id, env.user_id],
    )
    if boat is None:
        raise env.Error(f"you have no boat {boat_id}")
    bay = env.one(
        "SELECT id, code, length_cm, width_cm, winter_price_cents FROM shed_bays WHERE id = ?",
        [shed_bay_id],
    )
    if bay is None:
        raise env.Error(f"there is no shed bay {shed_bay_id}")
    first_day = _reserve_shed_place_day(env, first_day)
    last_day = _reserve_shed_place_day(env, last_day)
    today = env.now[:10]
    if first_day < today:
        raise env.Error("the first day cannot lie in the past")
    if last_day < first_day:
        raise env.Error("the last day cannot lie before the first day")
    overdue_before = (
        date.fromisoformat(today) - timedelta(days=RESERVE_SHED_PLACE_MOST_DAYS_OVERDUE)
    ).isoformat()
    overdue = env.one(
        """
        SELECT i.invoice_number
        FROM invoices i
        WHERE i.boat_owner_id = ? AND i.due_on < ?
          AND i.amount_cents > (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p
                                WHERE p.invoice_id = i.id)
        ORDER BY i.due_on, i.id
        LIMIT 1
        """,
        [env.user_id, overdue_before],
    )
    if overdue is not None:
        raise env.Error(
            f"your invoice {overdue['invoice_number']} is more than 30 days overdue and must be "
            "paid first"
        )
    others = env.one(
        """
        SELECT COUNT(*) AS n
        FROM shed_places p
        JOIN boats o ON o.id = p.boat_id
        WHERE o.boat_owner_id = ? AND p.status IN ('reserved', 'occupied')
        """,
        [env.user_id],
    )["n"]
    if others > RESERVE_SHED_PLACE_MOST_OTHERS:
        raise env.Error(
            f"you already have {others} shed places that are reserved or occupied; at most 1 other "
            "is allowed"
        )
    if bay["length_cm"] < boat["length_cm"]:
        raise env.Error(f"bay {bay['code']} is too short for {boat['name']}")
    if bay["width_cm"] < boat["beam_cm"]:
        raise env.Error(f"bay {bay['code']} is too narrow for {boat['name']}")
    taken = env.one(
        """
        SELECT first_day, last_day FROM shed_places
        WHERE shed_bay_id = ? AND status IN ('reserved', 'occupied')
          AND first_day <= ? AND last_day >= ?
        ORDER BY first_day, id
        LIMIT 1
        """,
        [shed_bay_id, last_day, first_day],
    )
    if taken is not None:
        raise env.Error(
            f"bay {bay['code']} is taken from {taken['first_day']} to {taken['last_day']}"
        )
    place_id = env.insert(
        """
        INSERT INTO shed_places (boat_id, shed_bay_id, first_day, last_day, price_cents, status,
                                 reserved_at, released_at)
        VALUES (?, ?, ?, ?, ?, 'reserved', ?, NULL)
        """,
        [boat_id, shed_bay_id, first_day, last_day, bay["winter_price_cents"], env.now],
    )
    return {
        "shed_place": {
            "id": place_id,
            "boat_id": boat["id"],
            "boat_name": boat["name"],
            "shed_bay_id": bay["id"],
            "bay_code": bay["code"],
            "first_day": first_day,
            "last_day": last_day,
            "price_cents": bay["winter_price_cents"],
            "status": "reserved",
            "reserved_at": env.now,
            "released_at": None,
        }
    }
