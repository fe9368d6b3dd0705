from datetime import date


def _report_fall_item(env, kit_item_id):
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


def _report_fall_inspection(env, inspection_id):
    return env.one(
        """
        SELECT i.id, i.kit_item_id, i.kind, i.happened_on, i.result, i.sector_id, m.name AS member_name, i.reported_at
        FROM inspections i
        JOIN members m ON m.id = i.member_id
        WHERE i.id = :inspection_id
        """,
        {"inspection_id": inspection_id},
    )


def _report_fall_day(env, text):
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise env.Error(f"{text} is not a day such as 2026-03-02")


def _report_fall_falls(env, kit_item_id):
    return env.one(
        """
        SELECT (SELECT COUNT(*) FROM inspections i WHERE i.kit_item_id = k.id AND i.kind = 'fall') AS falls,
               t.most_falls
        FROM kit_items k
        JOIN kit_types t ON t.id = k.kit_type_id
        WHERE k.id = :kit_item_id
        """,
        {"kit_item_id": kit_item_id},
    )


def report_fall(env, *, kit_item_id: int, happened_on: str, sector_id: int = None) -> dict:
    """Reports a fall that a kit item took."""
    item = _report_fall_item(env, kit_item_id)
    if item is None:
        raise env.Error(f"there is no kit item {kit_item_id}")
    happened_on = _report_fall_day(env, happened_on)
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
    if sector_id is not None:
        sector = env.one("SELECT id FROM sectors WHERE id = :sector_id", {"sector_id": sector_id})
        if sector is None:
            raise env.Error(f"there is no sector {sector_id}")
    fall_id = env.insert(
        """
        INSERT INTO inspections (kit_item_id, member_id, kind, happened_on, result, sector_id, reported_at)
        VALUES (:kit_item_id, :member_id, 'fall', :happened_on, 'doubtful', :sector_id, :now)
        """,
        {
            "kit_item_id": kit_item_id,
            "member_id": env.user_id,
            "happened_on": happened_on,
            "sector_id": sector_id,
            "now": env.now,
        },
    )
    if item["status"] != "on_loan":
        counted = _report_fall_falls(env, kit_item_id)
        worn_out = counted["most_falls"] is not None and counted["falls"] >= counted["most_falls"]
        env.execute(
            "UPDATE kit_items SET status = :status, retired_at = :retired_at WHERE id = :kit_item_id",
            {
                "status": "retired" if worn_out else "doubtful",
                "retired_at": env.now if worn_out else None,
                "kit_item_id": kit_item_id,
            },
        )
    return {
        "inspection": dict(_report_fall_inspection(env, fall_id)),
        "kit_item": dict(_report_fall_item(env, kit_item_id)),
    }
