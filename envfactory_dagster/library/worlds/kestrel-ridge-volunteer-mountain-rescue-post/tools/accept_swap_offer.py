from datetime import datetime, timedelta

ACCEPT_SWAP_OFFER_REST_HOURS = 10


def accept_swap_offer(env, *, swap_offer_id: int) -> dict:
    """Accept another member's open swap offer, so that the user gets a place on the shift."""
    offer = env.one(
        """
        SELECT o.id, o.shift_place_id, o.status, o.offered_at, p.duty_shift_id, p.member_id,
               m.name AS offered_by_name, d.kind, d.starts_at, d.ends_at
        FROM swap_offers o
        JOIN shift_places p ON p.id = o.shift_place_id
        JOIN members m ON m.id = p.member_id
        JOIN duty_shifts d ON d.id = p.duty_shift_id
        WHERE o.id = ?
        """,
        [swap_offer_id],
    )
    if offer is None:
        raise env.Error(f"there is no swap offer {swap_offer_id}")
    if offer["member_id"] == env.user_id:
        raise env.Error("this is your own swap offer")
    if offer["status"] != "open":
        raise env.Error(f"this swap offer is no longer open; it is {offer['status']}")
    if offer["starts_at"] <= env.now:
        raise env.Error("this shift has already started")
    present = env.one(
        """
        SELECT id FROM shift_places
        WHERE duty_shift_id = ? AND member_id = ? AND status IN ('taken', 'offered', 'served')
        """,
        [offer["duty_shift_id"], env.user_id],
    )
    if present is not None:
        raise env.Error("you already have a place on this shift")
    missing = env.one(
        """
        SELECT s.name
        FROM duty_shift_skills k
        JOIN skills s ON s.id = k.skill_id
        WHERE k.duty_shift_id = :shift_id
          AND NOT EXISTS (
              SELECT 1 FROM qualifications q
              WHERE q.member_id = :user_id AND q.skill_id = k.skill_id AND q.last_day >= :day
          )
        ORDER BY s.name
        LIMIT 1
        """,
        {
            "shift_id": offer["duty_shift_id"],
            "user_id": env.user_id,
            "day": offer["starts_at"][:10],
        },
    )
    if missing is not None:
        raise env.Error(
            f"this shift requires {missing['name']}, and you have no qualification in it that is "
            "valid on the day of the shift"
        )
    rest = timedelta(hours=ACCEPT_SWAP_OFFER_REST_HOURS)
    earliest_end = (datetime.fromisoformat(offer["starts_at"]) - rest).isoformat(timespec="seconds")
    latest_start = (datetime.fromisoformat(offer["ends_at"]) + rest).isoformat(timespec="seconds")
    other = env.one(
        """
        SELECT d.starts_at, d.ends_at
        FROM shift_places p
        JOIN duty_shifts d ON d.id = p.duty_shift_id
        WHERE p.member_id = ? AND p.status IN ('taken', 'offered', 'served')
          AND d.ends_at > ? AND d.starts_at < ?
        ORDER BY d.starts_at, p.id
        LIMIT 1
        """,
        [env.user_id, earliest_end, latest_start],
    )
    if other is not None:
        raise env.Error(
            "there must be at least 10 hours between this shift and your shift from "
            f"{other['starts_at']} to {other['ends_at']}"
        )
    env.execute(
        "UPDATE shift_places SET status = 'handed_over', handed_over_at = ? WHERE id = ?",
        [env.now, offer["shift_place_id"]],
    )
    env.execute(
        """
        UPDATE swap_offers SET status = 'accepted', accepted_by_member_id = ?, closed_at = ?
        WHERE id = ?
        """,
        [env.user_id, env.now, swap_offer_id],
    )
    place_id = env.insert(
        """
        INSERT INTO shift_places (duty_shift_id, member_id, status, taken_at, handed_over_at, given_up_at)
        VALUES (?, ?, 'taken', ?, NULL, NULL)
        """,
        [offer["duty_shift_id"], env.user_id, env.now],
    )
    return {
        "swap_offer": {
            "id": offer["id"],
            "shift_place_id": offer["shift_place_id"],
            "duty_shift_id": offer["duty_shift_id"],
            "kind": offer["kind"],
            "starts_at": offer["starts_at"],
            "ends_at": offer["ends_at"],
            "offered_by_name": offer["offered_by_name"],
            "is_mine": False,
            "status": "accepted",
            "offered_at": offer["offered_at"],
            "closed_at": env.now,
        },
        "shift_place": {
            "id": place_id,
            "duty_shift_id": offer["duty_shift_id"],
            "kind": offer["kind"],
            "starts_at": offer["starts_at"],
            "ends_at": offer["ends_at"],
            "status": "taken",
            "taken_at": env.now,
            "handed_over_at": None,
            "given_up_at": None,
        },
    }
