def get_work_sheet(env, *, removal_id: int) -> dict:
    """Shows the work sheet of one of the user's removals."""
    removal = env.one(
        "SELECT code FROM removals WHERE id = :removal AND customer_id = :user",
        {"removal": removal_id, "user": env.user_id},
    )
    if removal is None:
        raise env.Error(f"You have no removal {removal_id}.")
    sheet = env.one(
        """SELECT w.id AS work_sheet_id, w.removal_id, c.name AS crew_leader, w.men, w.started_at, w.ended_at,
                  w.break_minutes, w.waiting_from, w.waiting_to, w.free_waiting_minutes, w.is_signed, w.customer_note
           FROM work_sheets w JOIN crew_members c ON c.id = w.crew_leader_id
           WHERE w.removal_id = ?""",
        [removal_id],
    )
    if sheet is None:
        raise env.Error(f"There is no work sheet for removal {removal['code']} yet.")
    return sheet
