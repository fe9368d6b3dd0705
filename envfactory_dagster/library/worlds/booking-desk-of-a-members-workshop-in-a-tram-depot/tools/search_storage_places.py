def search_storage_places(env, *, kind: str = None, only_free: bool = False,
                          max_metres_from_door: int = None) -> dict:
    """Lists storage places, nearest to the door first."""
    rows = env.query(
        """SELECT p.id AS storage_place_id, p.code, p.kind, p.metres_from_door, p.price_cents,
                  NOT EXISTS (SELECT 1 FROM storage_rentals r
                              WHERE r.storage_place_id = p.id AND r.status = 'running') AS is_free
           FROM storage_places p
           WHERE (:kind IS NULL OR p.kind = :kind) AND (:most IS NULL OR p.metres_from_door <= :most)
             AND (:free = 0 OR NOT EXISTS (SELECT 1 FROM storage_rentals r
                                           WHERE r.storage_place_id = p.id AND r.status = 'running'))
           ORDER BY p.metres_from_door, p.id""",
        {"kind": kind, "most": max_metres_from_door, "free": 1 if only_free else 0})
    for row in rows:
        row["is_free"] = bool(row["is_free"])
    return {"storage_places": rows}
