from datetime import date


def _report_inspection_item(env, kit_item_id):
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


def _report_inspection_inspection(env, inspection_id):
    return env.one(
        """
        SELECT i.id, i.kit_item_id, i.kind, i.happened_on, i.result, i.sector_id, m.name AS member_name, i.reported_at
        FROM inspections i
        JOIN members m ON m.id = i.member_id
        WHERE i.id = :inspection_id
        """,
        {"inspection_id": inspection_id},
    )


def _report_inspection_day(env, text):
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise env.Error(f"{text} is not a day such as 2026-03-02")


def report_inspection(env, *, kit_item_id: int, happened_on: str, result: str) -> dict:
    """Reports an inspection that the user made of a kit item."""
    item = _report_inspection_item(env, kit_item_id)
    if item is None:
        raise env.Error(f"there is no kit item {kit_item_id}")
    happened_on = _report_inspection_day(env, happened_on)
    if happened_on > env.now[:10]:
        raise env.Error(f"{happened_on} still lies ahead")
    if item["status"] == "retired":
        raise env.Error(f"{item['label']} has been retired")
    other = env.one(
        """
        SELECT id FROM kit_loans
        WHERE kit_item_id = :kit_item_id AND status = 'out' AND member_id <> :member_id
        """,
        {"kit_item_id": kit_item_id, "member_id": env.user_id},
    )
    if other is not None:
        raise env.Error(f"{item['label']} is on loan to another member")
    inspection_id = env.insert(
        """
        INSERT INTO inspections (kit_item_id, member_id, kind, happened_on, result, sector_id, reported_at)
        VALUES (:kit_item_id, :member_id, 'inspection', :happened_on, :result, NULL, :now)
        """,
        {
            "kit_item_id": kit_item_id,
            "member_id": env.user_id,
            "happened_on": happened_on,
            "result": result,
            "now": env.now,
        },
    )
    if item["status"] != "on_loan":
        status = "ready" if result == "passed" else "doubtful" if result == "doubtful" else "retired"
        env.execute(
            "UPDATE kit_items SET status = :status, retired_at = :retired_at WHERE id = :kit_item_id",
            {
                "status": status,
                "retired_at": env.now if status == "retired" else None,
                "kit_item_id": kit_item_id,
            },
        )
    return {
        "inspection": dict(_report_inspection_inspection(env, inspection_id)),
        "kit_item": dict(_report_inspection_item(env, kit_item_id)),
    }
