import datetime


def _desk_add_days(day, days):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


DESK_SAUNA_MOST_DAYS = 60


def search_free_sauna_turns(env, *, first_day: str, last_day: str, sauna: str | None = None) -> dict:
    """Lists private sauna turns nobody has booked between two days."""
    if last_day < first_day:
        raise env.Error(f"the last day {last_day} lies before the first day {first_day}")
    slots = env.query(
        "SELECT s.id, s.sauna, s.opening_hours_id, o.weekday, s.starts_time, s.ends_time, p.price_cents FROM sauna_slots s JOIN opening_hours o ON o.id = s.opening_hours_id JOIN prices p ON p.id = s.price_id WHERE :s IS NULL OR s.sauna = :s ORDER BY s.starts_time, s.id",
        {"s": sauna},
    )
    taken = env.query(
        "SELECT sauna_slot_id, held_on FROM sauna_turns WHERE status <> 'cancelled' AND held_on BETWEEN :a AND :b ORDER BY id",
        {"a": first_day, "b": last_day},
    )
    booked = {(row["sauna_slot_id"], row["held_on"]) for row in taken}
    day = max(first_day, env.now[:10])
    end = min(last_day, _desk_add_days(env.now[:10], DESK_SAUNA_MOST_DAYS))
    free = []
    while day <= end:
        weekday = datetime.date.fromisoformat(day).isoweekday()
        for slot in slots:
            if slot["opening_hours_id"] == weekday and (slot["id"], day) not in booked and f"{day}T{slot['starts_time']}:00" > env.now:
                free.append({"sauna_slot_id": slot["id"], "sauna": slot["sauna"], "held_on": day, "weekday": slot["weekday"], "starts_time": slot["starts_time"], "ends_time": slot["ends_time"], "price_cents": slot["price_cents"]})
        day = _desk_add_days(day, 1)
    return {"free_turns": free}
