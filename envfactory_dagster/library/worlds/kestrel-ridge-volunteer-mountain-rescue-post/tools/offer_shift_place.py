OFFER_SHIFT_PLACE_MOST_OPEN = 2


def _offer_shift_place_shape(env, row):
    return {
        "id": row["id"],
        "shift_place_id": row["shift_place_id"],
        "duty_shift_id": row["duty_shift_id"],
        "kind": row["kind"],
        "starts_at": row["starts_at"],
        "ends_at": row["ends_at"],
        "offered_by_name": row["offered_by_name"],
        "is_mine": row["member_id"] == env.user_id,
        "status": row["status"],
        "offered_at": row["offered_at"],
        "closed_at": row["closed_at"],
    }


def _offer_shift_place_offer(env, swap_offer_id):
    row = env.one(
        """
        SELECT o.id, o.shift_place_id, p.duty_shift_id, s.kind, s.starts_at, s.ends_at,
               m.name AS offered_by_name, p.member_id, o.status, o.offered_at, o.closed_at
        FROM swap_offers o
        JOIN shift_places p ON p.id = o.shift_place_id
        JOIN duty_shifts s ON s.id = p.duty_shift_id
        JOIN members m ON m.id = p.member_id
        WHERE o.id = :swap_offer_id AND p.member_id = :member_id
        """,
        {"swap_offer_id": swap_offer_id, "member_id": env.user_id},
    )
    return None if row is None else _offer_shift_place_shape(env, row)


def offer_shift_place(env, *, shift_place_id: int) -> dict:
    """Offers the user's own taken shift place for swap."""
    place = env.one(
        """
        SELECT p.id, p.status, s.starts_at FROM shift_places p
        JOIN duty_shifts s ON s.id = p.duty_shift_id
        WHERE p.id = :shift_place_id AND p.member_id = :member_id
        """,
        {"shift_place_id": shift_place_id, "member_id": env.user_id},
    )
    if place is None:
        raise env.Error(f"you have no shift place {shift_place_id}")
    if place["status"] == "offered":
        raise env.Error(f"your shift place {shift_place_id} is already on offer")
    if place["status"] != "taken":
        raise env.Error(
            f"you no longer hold your shift place {shift_place_id}, it is {place['status'].replace('_', ' ')}"
        )
    if place["starts_at"] <= env.now:
        raise env.Error(f"the shift of your place {shift_place_id} has already started")
    already = env.one(
        "SELECT id FROM swap_offers WHERE shift_place_id = :shift_place_id AND status = 'open'",
        {"shift_place_id": shift_place_id},
    )
    if already is not None:
        raise env.Error(f"your shift place {shift_place_id} is already on offer")
    open_offers = env.one(
        """
        SELECT COUNT(*) AS number FROM swap_offers o
        JOIN shift_places p ON p.id = o.shift_place_id
        WHERE p.member_id = :member_id AND o.status = 'open'
        """,
        {"member_id": env.user_id},
    )["number"]
    if open_offers >= OFFER_SHIFT_PLACE_MOST_OPEN:
        raise env.Error(f"you already have {open_offers} open swap offers, at most 2 are allowed at a time")
    offer_id = env.insert(
        """
        INSERT INTO swap_offers (shift_place_id, status, offered_at, accepted_by_member_id, closed_at)
        VALUES (:shift_place_id, 'open', :now, NULL, NULL)
        """,
        {"shift_place_id": shift_place_id, "now": env.now},
    )
    env.execute(
        "UPDATE shift_places SET status = 'offered' WHERE id = :shift_place_id AND member_id = :member_id",
        {"shift_place_id": shift_place_id, "member_id": env.user_id},
    )
    return {"swap_offer": _offer_shift_place_offer(env, offer_id)}
