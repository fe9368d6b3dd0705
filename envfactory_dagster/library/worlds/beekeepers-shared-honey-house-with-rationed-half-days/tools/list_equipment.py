def list_equipment(env, *, kind: str | None = None, available_only: bool = False) -> dict:
    """Lists the equipment with whether it is available."""
    rows = env.query(
        """SELECT s.tag, s.kind, s.name, s.deposit_cents, s.status, s.available
           FROM (SELECT e.tag, e.kind, e.name, e.deposit_cents, e.status,
                        CASE WHEN e.status = 'in_service'
                              AND NOT EXISTS (SELECT 1 FROM loans l
                                              WHERE l.equipment_item_id = e.id AND l.status <> 'returned')
                             THEN 1 ELSE 0 END AS available
                 FROM equipment_items e
                 WHERE :kind IS NULL OR e.kind = :kind) s
           WHERE :only = 0 OR s.available = 1
           ORDER BY s.tag""",
        {"kind": kind, "only": 1 if available_only else 0},
    )
    return {"equipment_items": [dict(r) for r in rows]}
