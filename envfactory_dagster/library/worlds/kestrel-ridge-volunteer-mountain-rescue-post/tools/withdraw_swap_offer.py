def _withdraw_swap_offer_shape(env, row):
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


def _withdraw_swap_offer_offer(env, swap_offer_id):
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
    return None if row is None else _withdraw_swap_offer_shape(env, row)


def withdraw_swap_offer(env, *, swap_offer_id: int) -> dict:
    """Withdraws the user's own open swap offer; the place is taken again."""
    offer = _withdraw_swap_offer_offer(env, swap_offer_id)
    if offer is None:
        raise env.Error(f"you have no swap offer {swap_offer_id}")
    if offer["status"] != "open":
        raise env.Error(f"your swap offer {swap_offer_id} is {offer['status']}, not open")
    env.execute(
        "UPDATE swap_offers SET status = 'withdrawn', closed_at = :now WHERE id = :swap_offer_id",
        {"now": env.now, "swap_offer_id": swap_offer_id},
    )
    env.execute(
        """
        UPDATE shift_places SET status = 'taken'
        WHERE id = :shift_place_id AND member_id = :member_id AND status = 'offered'
        """,
        {"shift_place_id": offer["shift_place_id"], "member_id": env.user_id},
    )
    return {"swap_offer": _withdraw_swap_offer_offer(env, swap_offer_id)}
