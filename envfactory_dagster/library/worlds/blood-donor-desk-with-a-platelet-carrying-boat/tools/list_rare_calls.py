def _desk_donor(env, donor_id):
    """The row of a donor, or a refusal."""
    row = env.one("SELECT * FROM donors WHERE id = ?", [donor_id])
    if row is None:
        raise env.Error("there is no donor with card number " + str(donor_id))
    return row


def list_rare_calls(env, *, list_code: str = None, donor_id: int = None, limit: int = 50) -> dict:
    """List logged calls to rare-type donors, the latest first."""
    if donor_id is not None:
        _desk_donor(env, donor_id)
    rows = env.query(
        "SELECT c.id, e.list_code, e.donor_id, d.given_names || ' ' || d.surnames AS name, c.called_at, c.outcome, "
        "c.urgent, c.doctor, s.full_name, f.ceiling_clp, f.status, f.paid_clp FROM rare_calls c "
        "JOIN rare_list_entries e ON e.id = c.rare_list_entry_id JOIN donors d ON d.id = e.donor_id "
        "JOIN desk_staff s ON s.id = c.recorded_by LEFT JOIN fare_refunds f ON f.rare_call_id = c.id "
        "WHERE (:list IS NULL OR e.list_code = :list) AND (:donor IS NULL OR e.donor_id = :donor) "
        "ORDER BY c.called_at DESC, c.id DESC LIMIT :limit",
        {"list": list_code, "donor": donor_id, "limit": limit},
    )
    return {
        "calls": [
            {
                "rare_call_id": row["id"],
                "list_code": row["list_code"],
                "donor_id": row["donor_id"],
                "name": row["name"],
                "called_at": row["called_at"],
                "outcome": row["outcome"],
                "urgent": bool(row["urgent"]),
                "doctor": row["doctor"],
                "recorded_by_name": row["full_name"],
                "fare_ceiling_clp": row["ceiling_clp"],
                "fare_status": row["status"],
                "fare_paid_clp": row["paid_clp"],
            }
            for row in rows
        ]
    }
