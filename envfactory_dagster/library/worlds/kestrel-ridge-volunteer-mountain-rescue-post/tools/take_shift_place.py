from datetime import datetime, timedelta

TAKE_SHIFT_PLACE_REST_HOURS = 10


def _take_shift_place_place(env, shift_place_id):
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


def take_shift_place(env, *, duty_shift_id: int) -> dict:
    """Takes a free place for the user on a duty shift."""
    shift = env.one(
        "SELECT id, kind, starts_at, ends_at, most_places FROM duty_shifts WHERE id = :duty_shift_id",
        {"duty_shift_id": duty_shift_id},
    )
    if shift is None:
        raise env.Error(f"there is no duty shift {duty_shift_id}")
    if shift["starts_at"] <= env.now:
        raise env.Error(f"duty shift {duty_shift_id} has already started")
    own = env.one(
        """
        SELECT id FROM shift_places
        WHERE duty_shift_id = :duty_shift_id AND member_id = :member_id AND status IN ('taken', 'offered', 'served')
        """,
        {"duty_shift_id": duty_shift_id, "member_id": env.user_id},
    )
    if own is not None:
        raise env.Error(f"you already have a place on duty shift {duty_shift_id}")
    held = env.one(
        """
        SELECT COUNT(*) AS number FROM shift_places
        WHERE duty_shift_id = :duty_shift_id AND status IN ('taken', 'offered', 'served')
        """,
        {"duty_shift_id": duty_shift_id},
    )["number"]
    if held >= shift["most_places"]:
        raise env.Error(f"duty shift {duty_shift_id} is full, all {shift['most_places']} places are held")
    missing = env.one(
        """
        SELECT k.name FROM duty_shift_skills d
        JOIN skills k ON k.id = d.skill_id
        WHERE d.duty_shift_id = :duty_shift_id
          AND NOT EXISTS (
              SELECT 1 FROM qualifications q
              WHERE q.member_id = :member_id AND q.skill_id = d.skill_id AND q.last_day >= :day)
        ORDER BY k.name, k.id
        LIMIT 1
        """,
        {"duty_shift_id": duty_shift_id, "member_id": env.user_id, "day": shift["starts_at"][:10]},
    )
    if missing is not None:
        raise env.Error(
            f"the shift requires {missing['name']}, and you have no qualification in it that is valid "
            f"on {shift['starts_at'][:10]}"
        )
    rest = timedelta(hours=TAKE_SHIFT_PLACE_REST_HOURS)
    earliest_end = (datetime.fromisoformat(shift["starts_at"]) - rest).isoformat()
    latest_start = (datetime.fromisoformat(shift["ends_at"]) + rest).isoformat()
    near = env.one(
        """
        SELECT s.starts_at, s.ends_at FROM shift_places p
        JOIN duty_shifts s ON s.id = p.duty_shift_id
        WHERE p.member_id = :member_id AND p.status IN ('taken', 'offered', 'served')
          AND s.ends_at > :earliest_end AND s.starts_at < :latest_start
        ORDER BY s.starts_at, s.id
        LIMIT 1
        """,
        {"member_id": env.user_id, "earliest_end": earliest_end, "latest_start": latest_start},
    )
    if near is not None:
        raise env.Error(
            f"you hold a place on the shift from {near['starts_at']} to {near['ends_at']}; "
            "at least 10 hours must lie between two shifts"
        )
    place_id = env.insert(
        """
        INSERT INTO shift_places (duty_shift_id, member_id, status, taken_at, handed_over_at, given_up_at)
        VALUES (:duty_shift_id, :member_id, 'taken', :now, NULL, NULL)
        """,
        {"duty_shift_id": duty_shift_id, "member_id": env.user_id, "now": env.now},
    )
    return {"shift_place": dict(_take_shift_place_place(env, place_id))}
