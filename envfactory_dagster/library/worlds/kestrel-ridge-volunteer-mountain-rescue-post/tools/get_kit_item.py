def _get_kit_item_item(env, kit_item_id):
    return env.one(
        """
        SELECT k.id, k.kit_type_id, t.name AS kit_type_name, k.label, k.bought_on, k.status, k.retired_at,
               (SELECT i.happened_on FROM inspections i
                WHERE i.kit_item_id = k.id AND i.kind = 'inspection'
                ORDER BY i.happened_on DESC, i.reported_at DESC, i.id DESC LIMIT 1) AS last_inspected_on,
               (SELECT i.result FROM inspections i
                WHERE i.kit_item_id = k.id AND i.kind = 'inspection'
                ORDER BY i.happened_on DESC, i.reported_at DESC, i.id DESC LIMIT 1) AS last_inspection_result
        FROM kit_items k
        JOIN kit_types t ON t.id = k.kit_type_id
        WHERE k.id = :kit_item_id
        """,
        {"kit_item_id": kit_item_id},
    )


def get_kit_item(env, *, kit_item_id: int) -> dict:
    """Shows one kit item with its falls and inspections in the order they were reported."""
    item = _get_kit_item_item(env, kit_item_id)
    if item is None:
        raise env.Error(f"there is no kit item {kit_item_id}")
    rows = env.query(
        """
        SELECT i.id, i.kit_item_id, i.kind, i.happened_on, i.result, i.sector_id, m.name AS member_name, i.reported_at
        FROM inspections i
        JOIN members m ON m.id = i.member_id
        WHERE i.kit_item_id = :kit_item_id
        ORDER BY i.reported_at, i.id
        """,
        {"kit_item_id": kit_item_id},
    )
    shown = dict(item)
    shown["falls"] = len([row for row in rows if row["kind"] == "fall"])
    shown["inspections"] = [dict(row) for row in rows]
    return shown
