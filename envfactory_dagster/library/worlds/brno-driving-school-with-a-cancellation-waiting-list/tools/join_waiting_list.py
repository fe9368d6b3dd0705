def join_waiting_list(env, *, kind: str, from_on: str, until_on: str) -> dict:
    """Puts the pupil on the waiting list."""
    if from_on < env.now[:10]:
        raise env.Error("the first day must not lie before today")
    if until_on < from_on:
        raise env.Error("the last day must not lie before the first day")
    if env.one(
        "SELECT id FROM waiting_list_entries WHERE pupil_id = ? AND kind = ? AND from_on = ? AND until_on = ?"
        " AND status IN ('waiting', 'offered') ORDER BY id LIMIT 1", [env.user_id, kind, from_on, until_on]):
        raise env.Error("you are on the waiting list for this kind and these days already")
    entry_id = env.insert(
        "INSERT INTO waiting_list_entries (pupil_id, kind, from_on, until_on, asked_at, status) VALUES (?, ?, ?, ?, ?, 'waiting')",
        [env.user_id, kind, from_on, until_on, env.now])
    return {"waiting_list_entry": env.one(
        "SELECT id, kind, from_on, until_on, asked_at, status FROM waiting_list_entries WHERE id = ?", [entry_id])}
