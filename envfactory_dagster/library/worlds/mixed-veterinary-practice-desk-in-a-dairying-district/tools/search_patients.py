def search_patients(env, *, name: str = None, owner_name: str = None, species: str = None, kind: str = None) -> dict:
    """List the client's own patients, or those of the owners named."""
    rows = env.query("""
        SELECT p.id, p.name, p.kind, p.species, p.head_count, c.name AS owner_name, (p.client_id = :user) AS is_mine
        FROM patients p JOIN clients c ON c.id = p.client_id
        WHERE ((:owner IS NULL AND p.client_id = :user) OR (:owner IS NOT NULL AND instr(lower(c.name), lower(:owner)) > 0))
          AND (:name IS NULL OR instr(lower(p.name), lower(:name)) > 0)
          AND (:species IS NULL OR p.species = :species)
          AND (:kind IS NULL OR p.kind = :kind)
        ORDER BY c.name, p.name, p.id""",
        {"user": env.user_id, "owner": owner_name, "name": name, "species": species, "kind": kind})
    return {"patients": [{**row, "is_mine": bool(row["is_mine"])} for row in rows]}
