import datetime
DESK_SAUNA_FREE_HOURS = 72
DESK_SAUNA_MOST_DAYS = 60
MOVE_SAUNA_TURN_MINUTES = 90
def _desk_days_until(env, day):
    """Whole days from today to a day."""
    return (datetime.date.fromisoformat(day) - datetime.date.fromisoformat(env.now[:10])).days


def _desk_sauna_hours(env, turn):
    """Hours from now to the beginning of a turn."""
    start = datetime.datetime.fromisoformat(f"{turn['held_on']}T{turn['starts_time']}:00")
    return (start - datetime.datetime.fromisoformat(env.now)) / datetime.timedelta(hours=1)


def _desk_sauna_turn(env, sauna_turn_id):
    return env.one(
        "SELECT t.id, t.code, t.sauna_slot_id, s.sauna, t.held_on, s.starts_time, s.ends_time, t.customer_id, t.price_cents, t.status, t.booked_at, t.moved_at, t.cancelled_at, t.cancellation_fee_cents FROM sauna_turns t JOIN sauna_slots s ON s.id = t.sauna_slot_id WHERE t.id = ?",
        [sauna_turn_id],
    )


def _desk_sauna_slot(env, sauna_slot_id, held_on):
    """A slot on a day, refused when it cannot be booked now."""
    slot = env.one(
        "SELECT s.id, s.sauna, s.opening_hours_id, o.weekday, s.starts_time, s.price_id, p.price_cents FROM sauna_slots s JOIN opening_hours o ON o.id = s.opening_hours_id JOIN prices p ON p.id = s.price_id WHERE s.id = ?",
        [sauna_slot_id],
    )
    if slot is None:
        raise env.Error(f"there is no sauna slot {sauna_slot_id}")
    if datetime.date.fromisoformat(held_on).isoweekday() != slot["opening_hours_id"]:
        raise env.Error(f"this slot of the {slot['sauna']} sauna is on {slot['weekday']}s, and {held_on} is not one")
    if f"{held_on}T{slot['starts_time']}:00" <= env.now:
        raise env.Error("this turn has begun")
    if _desk_days_until(env, held_on) > DESK_SAUNA_MOST_DAYS:
        raise env.Error("a private sauna turn can be booked at most 60 days ahead")
    taken = env.one(
        "SELECT id FROM sauna_turns WHERE sauna_slot_id = :s AND held_on = :d AND status <> 'cancelled'",
        {"s": sauna_slot_id, "d": held_on},
    )
    if taken is not None:
        raise env.Error(f"the {slot['sauna']} sauna is taken on {held_on} at {slot['starts_time']}")
    return slot


def _desk_own_sauna_turn(env, sauna_turn_id):
    """A booked turn of the user."""
    row = env.one("SELECT id, status FROM sauna_turns WHERE id = :t AND customer_id = :u", {"t": sauna_turn_id, "u": env.user_id})
    if row is None:
        raise env.Error(f"you have no sauna turn {sauna_turn_id}")
    if row["status"] != "booked":
        raise env.Error(f"this sauna turn is {row['status']}")
    return _desk_sauna_turn(env, sauna_turn_id)


def _move_sauna_turn_minutes(env, sauna_slot_id):
    """How many minutes a slot lasts."""
    slot = env.one("SELECT starts_time, ends_time FROM sauna_slots WHERE id = ?", [sauna_slot_id])
    if slot is None:
        raise env.Error(f"there is no sauna slot {sauna_slot_id}")
    start = datetime.datetime.strptime(slot["starts_time"], "%H:%M")
    return (datetime.datetime.strptime(slot["ends_time"], "%H:%M") - start) // datetime.timedelta(minutes=1)


def move_sauna_turn(env, *, sauna_turn_id: int, sauna_slot_id: int, held_on: str) -> dict:
    """Moves a booked turn of the user once, free of charge."""
    turn = _desk_own_sauna_turn(env, sauna_turn_id)
    if turn["moved_at"] is not None:
        raise env.Error(f"{turn['code']} has been moved once already")
    if _desk_sauna_hours(env, turn) <= DESK_SAUNA_FREE_HOURS:
        raise env.Error(f"{turn['code']} can be moved only more than 72 hours before it starts")
    if turn["sauna_slot_id"] == sauna_slot_id and turn["held_on"] == held_on:
        raise env.Error(f"{turn['code']} is on that day and hour already")
    slot = _desk_sauna_slot(env, sauna_slot_id, held_on)
    if _move_sauna_turn_minutes(env, sauna_slot_id) != MOVE_SAUNA_TURN_MINUTES:
        raise env.Error("a private sauna turn lasts 90 minutes, and this slot does not")
    if slot["price_cents"] != turn["price_cents"]:
        raise env.Error(f"a turn in the {slot['sauna']} sauna has another price, and a turn is moved only at the same price")
    env.execute(
        "UPDATE sauna_turns SET sauna_slot_id = :s, held_on = :d, moved_at = :now WHERE id = :t",
        {"s": sauna_slot_id, "d": held_on, "now": env.now, "t": sauna_turn_id},
    )
    return {"sauna_turn": _desk_sauna_turn(env, sauna_turn_id)}
