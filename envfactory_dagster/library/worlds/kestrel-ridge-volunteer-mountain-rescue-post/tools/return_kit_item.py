def _return_kit_item_item(env, kit_item_id):
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


def _return_kit_item_loan(env, kit_loan_id):
    return env.one(
        """
        SELECT l.id, l.kit_item_id, k.label, t.name AS kit_type_name, l.status, l.borrowed_at, l.due_day, l.returned_at
        FROM kit_loans l
        JOIN kit_items k ON k.id = l.kit_item_id
        JOIN kit_types t ON t.id = k.kit_type_id
        WHERE l.id = :kit_loan_id AND l.member_id = :member_id
        """,
        {"kit_loan_id": kit_loan_id, "member_id": env.user_id},
    )


def _return_kit_item_falls(env, kit_item_id):
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


def return_kit_item(env, *, kit_loan_id: int) -> dict:
    """Returns an item that the user has on loan."""
    loan = _return_kit_item_loan(env, kit_loan_id)
    if loan is None:
        raise env.Error(f"you have no kit loan {kit_loan_id}")
    if loan["status"] != "out":
        raise env.Error(f"your kit loan {kit_loan_id} of {loan['label']} has already been returned")
    item = _return_kit_item_item(env, loan["kit_item_id"])
    counted = _return_kit_item_falls(env, loan["kit_item_id"])
    last = env.one(
        """
        SELECT kind, result FROM inspections
        WHERE kit_item_id = :kit_item_id
        ORDER BY reported_at DESC, id DESC
        LIMIT 1
        """,
        {"kit_item_id": loan["kit_item_id"]},
    )
    worn_out = counted["most_falls"] is not None and counted["falls"] > 0 and counted["falls"] >= counted["most_falls"]
    if worn_out or item["last_inspection_result"] == "failed":
        status = "retired"
    elif last is not None and last["result"] != "passed":
        status = "doubtful"
    else:
        status = "ready"
    env.execute(
        """
        UPDATE kit_loans SET status = 'returned', returned_at = :now
        WHERE id = :kit_loan_id AND member_id = :member_id
        """,
        {"now": env.now, "kit_loan_id": kit_loan_id, "member_id": env.user_id},
    )
    env.execute(
        "UPDATE kit_items SET status = :status, retired_at = :retired_at WHERE id = :kit_item_id",
        {
            "status": status,
            "retired_at": env.now if status == "retired" else None,
            "kit_item_id": loan["kit_item_id"],
        },
    )
    return {
        "kit_loan": dict(_return_kit_item_loan(env, kit_loan_id)),
        "kit_item": dict(_return_kit_item_item(env, loan["kit_item_id"])),
    }
