def _list_vets_one(env, vet_id):
    vet = env.one("SELECT id, name, practice FROM vets WHERE id = ?", [vet_id])
    if vet is None:
        raise env.Error(f"There is no vet {vet_id}.")
    return vet


def list_vet_diary(env, *, vet_id: int, day: str) -> dict:
    """List a vet's appointments of one day that are not cancelled."""
    _list_vets_one(env, vet_id)
    rows = env.query("""
        SELECT a.id AS appointment_id, s.name AS service_name, CASE WHEN s.place = 'property' THEN c.property_name END AS property_name,
               a.starts_at, a.ends_at, a.shares_travel, (a.client_id = :user) AS is_mine, s.place
        FROM appointments a JOIN services s ON s.id = a.service_id JOIN clients c ON c.id = a.client_id
        WHERE a.vet_id = :vet AND a.status <> 'cancelled' AND substr(a.starts_at, 1, 10) = :day
        ORDER BY a.starts_at, a.id""", {"user": env.user_id, "vet": vet_id, "day": day})
    return {"diary": [{**row, "is_mine": bool(row["is_mine"])} for row in rows]}
