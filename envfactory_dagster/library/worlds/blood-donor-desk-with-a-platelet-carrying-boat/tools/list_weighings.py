def _desk_donor(env, donor_id):
    """The row of a donor, or a refusal."""
    row = env.one("SELECT * FROM donors WHERE id = ?", [donor_id])
    if row is None:
        raise env.Error("there is no donor with card number " + str(donor_id))
    return row


def list_weighings(env, *, donor_id: int) -> dict:
    """List the weighings of a donor, the latest first."""
    _desk_donor(env, donor_id)
    rows = env.query(
        "SELECT w.id, w.kg, s.site_code, w.weighed_at, d.full_name FROM weighings w JOIN sites s ON s.id = w.site_id "
        "JOIN desk_staff d ON d.id = w.recorded_by WHERE w.donor_id = ? ORDER BY w.weighed_at DESC, w.id DESC",
        [donor_id],
    )
    return {
        "weighings": [
            {
                "weighing_id": row["id"],
                "kg": row["kg"],
                "site_code": row["site_code"],
                "weighed_at": row["weighed_at"],
                "recorded_by_name": row["full_name"],
            }
            for row in rows
        ]
    }
