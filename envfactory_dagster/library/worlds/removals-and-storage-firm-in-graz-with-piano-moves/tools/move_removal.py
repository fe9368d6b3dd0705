import datetime

MOVE_REMOVAL_MOST_CHANGES = 2
MOVE_REMOVAL_DAYS_BEFORE = 5


def move_removal(env, *, removal_id: int, removal_day: str) -> dict:
    """Moves a confirmed removal of the user's to another day."""
    removal = env.one(
        "SELECT code, status, removal_day, date_changes FROM removals WHERE id = :removal AND customer_id = :user",
        {"removal": removal_id, "user": env.user_id},
    )
    if removal is None:
        raise env.Error(f"You have no removal {removal_id}.")
    if removal["status"] != "confirmed":
        raise env.Error(f"Removal {removal['code']} is {removal['status'].replace('_', ' ')}; only a confirmed one can be moved.")
    try:
        day = datetime.date.fromisoformat(removal_day)
    except ValueError:
        raise env.Error(f"{removal_day} is not a day of the calendar.")
    today = datetime.date.fromisoformat(env.now[:10])
    if day <= today:
        raise env.Error("A removal can only be moved to a day after today.")
    if day.isoformat() == removal["removal_day"]:
        raise env.Error(f"Removal {removal['code']} stands on {removal['removal_day']} already.")
    if removal["date_changes"] >= MOVE_REMOVAL_MOST_CHANGES:
        raise env.Error(f"Removal {removal['code']} has been moved {removal['date_changes']} times already; more is not possible.")
    if (datetime.date.fromisoformat(removal["removal_day"]) - today).days < MOVE_REMOVAL_DAYS_BEFORE:
        raise env.Error(
            f"Removal {removal['code']} is due on {removal['removal_day']}; it can be moved no later than 5 days before."
        )
    clash = env.one(
        """SELECT r.id FROM removals r
           WHERE r.removal_day = :day AND r.id <> :removal AND r.status <> 'cancelled'
             AND EXISTS (SELECT 1 FROM pianos p WHERE p.removal_id = r.id)
             AND EXISTS (SELECT 1 FROM pianos p WHERE p.removal_id = :removal)""",
        {"day": day.isoformat(), "removal": removal_id},
    )
    if clash is not None:
        raise env.Error(f"The piano lift is taken by another removal on {day.isoformat()}.")
    env.execute(
        """UPDATE removals SET removal_day = :day, date_changes = date_changes + 1
           WHERE id = :removal AND customer_id = :user""",
        {"day": day.isoformat(), "removal": removal_id, "user": env.user_id},
    )
    return {
        "removal_id": removal_id,
        "removal_day": day.isoformat(),
        "date_changes": removal["date_changes"] + 1,
        "status": "confirmed",
    }
