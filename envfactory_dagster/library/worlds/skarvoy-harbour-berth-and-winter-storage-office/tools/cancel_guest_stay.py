from datetime import date


def _cancel_guest_stay_show(env, stay):
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


def cancel_guest_stay(env, *, guest_stay_id: int) -> dict:
    """Cancel a booked guest stay of one of the user's own boats for good."""
    stay = env.one(
        """
        SELECT g.id, g.boat_id, o.name AS boat_name, g.berth_id, b.code AS berth_code,
               g.first_day, g.last_day, g.night_price_cents, g.status, g.booked_at, g.cancelled_at
        FROM guest_stays g
        JOIN boats o ON o.id = g.boat_id
        JOIN berths b ON b.id = g.berth_id
        WHERE g.id = ? AND o.boat_owner_id = ?
        """,
        [guest_stay_id, env.user_id],
    )
    if stay is None:
        raise env.Error(f"you have no guest stay {guest_stay_id}")
    if stay["status"] != "booked":
        raise env.Error(f"only a booked stay can be cancelled; this one is {stay['status']}")
    if env.now[:10] >= stay["first_day"]:
        raise env.Error("a stay can be cancelled only before the day of arrival")
    env.execute(
        "UPDATE guest_stays SET status = 'cancelled', cancelled_at = ? WHERE id = ?",
        [env.now, guest_stay_id],
    )
    changed = dict(stay)
    changed["status"] = "cancelled"
    changed["cancelled_at"] = env.now
    return {"guest_stay": _cancel_guest_stay_show(env, changed)}
