def get_item(env, *, item_id: int) -> dict:
    """Shows an item with its parts, recalls and service history."""
    item = env.one(
        """SELECT i.id AS item_id, i.tag, i.item_type_id, t.name AS item_type_name, i.maker, i.model, i.serial,
                  i.weight_limit_kg, i.width_cm, i.status
           FROM items i JOIN item_types t ON t.id = i.item_type_id WHERE i.id = ?""",
        [item_id],
    )
    if item is None:
        raise env.Error(f"there is no item {item_id}")
    item["parts"] = env.query(
        """SELECT id AS item_part_id, name, lost_price_cents, status, lost_on FROM item_parts
           WHERE item_id = ? ORDER BY id""",
        [item_id],
    )
    item["recalls"] = env.query(
        """SELECT r.id AS recall_id, r.reason, r.status, r.opened_on, r.closed_on, x.outcome
           FROM recall_items x JOIN recalls r ON r.id = x.recall_id WHERE x.item_id = ?
           ORDER BY r.opened_on DESC, r.id""",
        [item_id],
    )
    item["service_history"] = env.query(
        """SELECT e.kind, e.done_on, e.result, e.next_due_on, v.name AS volunteer_name
           FROM service_history_entries e JOIN volunteers v ON v.id = e.volunteer_id
           WHERE e.item_id = ? ORDER BY e.done_on DESC, e.id""",
        [item_id],
    )
    return item
