from datetime import date

GIVE_COLLECTION_PERMISSION_MINIMUM_AGE_YEARS = 16
GIVE_COLLECTION_PERMISSION_MAX_OTHERS = 3


def _give_collection_permission_day(env, text, what):
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise env.Error(f"the {what} must be a day like 2026-03-02")


def give_collection_permission(
    env,
    *,
    child_id: int,
    collector_name: str,
    collector_birth_date: str,
    first_day: str,
    last_day: str,
) -> dict:
    """Give a person permission to collect one of the user's own children for some days."""
    child = env.one(
        "SELECT id, name FROM children WHERE id = ? AND guardian_id = ?", [child_id, env.user_id]
    )
    if child is None:
        raise env.Error(f"you have no child {child_id} at the nursery")
    collector_name = collector_name.strip()
    if not collector_name:
        raise env.Error("the name of the person who may collect the child is missing")
    born = _give_collection_permission_day(env, collector_birth_date, "birth date")
    first_day = _give_collection_permission_day(env, first_day, "first day")
    last_day = _give_collection_permission_day(env, last_day, "last day")
    if last_day < first_day:
        raise env.Error("the last day cannot lie before the first day")
    if first_day < env.now[:10]:
        raise env.Error("the first day cannot lie in the past")
    old_enough_from = f"{int(born[:4]) + GIVE_COLLECTION_PERMISSION_MINIMUM_AGE_YEARS:04d}{born[4:]}"
    if first_day < old_enough_from:
        raise env.Error(
            f"{collector_name} is not yet 16 years old on {first_day} and may not collect a child"
        )
    others = env.one(
        """
        SELECT COUNT(*) AS n FROM collection_permissions
        WHERE child_id = ? AND status = 'given' AND first_day <= ? AND last_day >= ?
        """,
        [child_id, last_day, first_day],
    )["n"]
    if others > GIVE_COLLECTION_PERMISSION_MAX_OTHERS:
        raise env.Error(
            f"{child['name']} already has {others} permissions in that time; "
            "at most 3 others may overlap"
        )
    permission_id = env.insert(
        """
        INSERT INTO collection_permissions (child_id, collector_name, collector_birth_date, first_day,
                                            last_day, status, given_at, withdrawn_at)
        VALUES (?, ?, ?, ?, ?, 'given', ?, NULL)
        """,
        [child_id, collector_name, born, first_day, last_day, env.now],
    )
    return {
        "collection_permission": {
            "id": permission_id,
            "child_id": child["id"],
            "child_name": child["name"],
            "collector_name": collector_name,
            "collector_birth_date": born,
            "first_day": first_day,
            "last_day": last_day,
            "status": "given",
            "given_at": env.now,
            "withdrawn_at": None,
        }
    }
