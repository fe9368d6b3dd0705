from datetime import date


def _list_my_guest_stays_show(env, stay):
    nights = (date.fromisoformat(stay["last_day"]) - date.fromisoformat(stay["first_day"])).days
    return {
        "id": stay["id"],
        "boat_id": stay["boat_id"],
        "boat_name": stay["boat_name"],
        "berth_id": stay["berth_id"],
        "berth_code": stay["berth_code"],
        "first_day": stay["first_day"],
        "last_day": stay["last_day"],
        "nights": nights,
        "night_price_cents": stay["night_price_cents"],
        "total_cents": nights * stay["night_price_cents"],
        "status": stay["status"],
        "booked_at": stay["booked_at"],
        "cancelled_at": stay["cancelled_at"],
    }


def list_my_guest_stays(env, *, boat_id: int = None, status: str = None) -> dict:
    """List the guest stays of the user's own boats in order of arrival."""
    if boat_id is not None:
        own = env.one(
            "SELECT id FROM boats WHERE id = ? AND boat_owner_id = ?", [boat_id, env.user_id]
        )
        if own is None:
            raise env.Error(f"you have no boat {boat_id}")
    stays = env.query(
        """
        SELECT g.id, g.boat_id, o.name AS boat_name, g.berth_id, b.code AS berth_code,
               g.first_day, g.last_day, g.night_price_cents, g.status, g.booked_at, g.cancelled_at
        FROM guest_stays g
        JOIN boats o ON o.id = g.boat_id
        JOIN berths b ON b.id = g.berth_id
        WHERE o.boat_owner_id = :user_id
          AND (:boat_id IS NULL OR g.boat_id = :boat_id)
          AND (:status IS NULL OR g.status = :status)
        ORDER BY g.first_day, g.id
        """,
        {"user_id": env.user_id, "boat_id": boat_id, "status": status},
    )
    return {"guest_stays": [_list_my_guest_stays_show(env, stay) for stay in stays]}
