def _list_vets_one(env, vet_id):
    vet = env.one("SELECT id, name, practice FROM vets WHERE id = ?", [vet_id])
    if vet is None:
        raise env.Error(f"There is no vet {vet_id}.")
    return vet


def _list_roster_shifts_span(env, first_day, last_day):
    if first_day is not None and last_day is not None and first_day > last_day:
        raise env.Error("The first day lies after the last day.")


def list_roster_shifts(env, *, first_day: str, last_day: str, vet_id: int = None, kind: str = None) -> dict:
    """List roster shifts that start within a span of days."""
    _list_roster_shifts_span(env, first_day, last_day)
    if vet_id is not None:
        _list_vets_one(env, vet_id)
    return {"roster_shifts": env.query("""
        SELECT r.id, r.vet_id, v.name AS vet_name, v.practice, r.kind, r.starts_at, r.ends_at
        FROM roster_shifts r JOIN vets v ON v.id = r.vet_id
        WHERE substr(r.starts_at, 1, 10) >= :first AND substr(r.starts_at, 1, 10) <= :last
          AND (:vet IS NULL OR r.vet_id = :vet) AND (:kind IS NULL OR r.kind = :kind)
        ORDER BY r.starts_at, r.vet_id, r.id""", {"first": first_day, "last": last_day, "vet": vet_id, "kind": kind})}
