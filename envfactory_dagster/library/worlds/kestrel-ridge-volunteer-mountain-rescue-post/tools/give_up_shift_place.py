from datetime import datetime, timedelta

GIVE_UP_SHIFT_PLACE_NOTICE_HOURS = 72


def _give_up_shift_place_place(env, shift_place_id):
    return env.one(
        """
        SELECT p.id, p.duty_shift_id, s.kind, s.starts_at, s.ends_at, p.status, p.taken_at,
               p.handed_over_at, p.given_up_at
        FROM shift_places p
        JOIN duty_shifts s ON s.id = p.duty_shift_id
        WHERE p.id = :shift_place_id AND p.member_id = :member_id
        """,
        {"shift_place_id": shift_place_id, "member_id": env.user_id},
    )


def give_up_shift_place(env, *, shift_place_id: int) -> dict:
    """Gives up the user's own taken or offered shift place, until 72 hours before the shift starts."""
    place = _give_up_shift_place_place(env, shift_place_id)
    if place is None:
        raise env.Error(f"you have no shift place {shift_place_id}")
    if place["status"] not in ("taken", "offered"):
        raise env.Error(
            f"you no longer hold your shift place {shift_place_id}, it is {place['status'].replace('_', ' ')}"
        )
    latest = datetime.fromisoformat(place["starts_at"]) - timedelta(hours=GIVE_UP_SHIFT_PLACE_NOTICE_HOURS)
    if datetime.fromisoformat(env.now) > latest:
        raise env.Error(
            f"a shift place can be given up only until 72 hours before the shift starts, and this one starts at "
            f"{place['starts_at']}; it can still be offered for swap"
        )
    env.execute(
        """
        UPDATE swap_offers SET status = 'withdrawn', closed_at = :now
        WHERE shift_place_id = :shift_place_id AND status = 'open'
        """,
        {"now": env.now, "shift_place_id": shift_place_id},
    )
    env.execute(
        """
        UPDATE shift_places SET status = 'given_up', given_up_at = :now
        WHERE id = :shift_place_id AND member_id = :member_id
        """,
        {"now": env.now, "shift_place_id": shift_place_id, "member_id": env.user_id},
    )
    return {"shift_place": dict(_give_up_shift_place_place(env, shift_place_id))}
