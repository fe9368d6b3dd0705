def leave_waiting_list(env, *, waiting_list_entry_id: int) -> dict:
    """Withdraws a waiting list entry."""
    entry = env.one("SELECT status FROM waiting_list_entries WHERE id = ? AND pupil_id = ?", [waiting_list_entry_id, env.user_id])
    if entry is None:
        raise env.Error(f"you have no waiting list entry {waiting_list_entry_id}")
    if entry["status"] == "offered":
        raise env.Error("a lesson has been offered for this entry; decline the offer first")
    if entry["status"] != "waiting":
        raise env.Error(f"this entry is {entry['status']} already")
    env.execute("UPDATE waiting_list_entries SET status = 'withdrawn' WHERE id = ?", [waiting_list_entry_id])
    return {"waiting_list_entry": env.one(
        "SELECT id, kind, from_on, until_on, asked_at, status FROM waiting_list_entries WHERE id = ?", [waiting_list_entry_id])}
