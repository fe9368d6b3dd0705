def search_kit_items(env, *, kit_type_id: int = None, status: str = None) -> dict:
    """List the kit items that meet all the given conditions, by label, with their last inspection."""
    if kit_type_id is not None:
        if env.one("SELECT id FROM kit_types WHERE id = ?", [kit_type_id]) is None:
            raise env.Error(f"there is no kit type {kit_type_id}")
    items = env.query(
        """
        SELECT i.id, i.kit_type_id, t.name AS kit_type_name, i.label, i.bought_on, i.status,
               i.retired_at,
               (SELECT n.happened_on FROM inspections n
                WHERE n.kit_item_id = i.id AND n.kind = 'inspection'
                ORDER BY n.happened_on DESC, n.reported_at DESC, n.id DESC
                LIMIT 1) AS last_inspected_on,
               (SELECT n.result FROM inspections n
                WHERE n.kit_item_id = i.id AND n.kind = 'inspection'
                ORDER BY n.happened_on DESC, n.reported_at DESC, n.id DESC
                LIMIT 1) AS last_inspection_result
        FROM kit_items i
        JOIN kit_types t ON t.id = i.kit_type_id
        WHERE (:kit_type_id IS NULL OR i.kit_type_id = :kit_type_id)
          AND (:status IS NULL OR i.status = :status)
        ORDER BY i.label, i.id
        """,
        {"kit_type_id": kit_type_id, "status": status},
    )
    return {"kit_items": items}
