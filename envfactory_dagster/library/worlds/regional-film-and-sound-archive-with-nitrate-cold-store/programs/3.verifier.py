def _july(world):
    """The reader's open orders with a session or a wish in July."""
    return world.initial.query(
        "SELECT id, status FROM cold_store_orders WHERE reader_id = 1 AND"
        " ((status = 'on a run' AND session_day BETWEEN '2026-07-01' AND '2026-07-31')"
        " OR (status = 'awaiting consent' AND wish_day BETWEEN '2026-07-01' AND '2026-07-31')) ORDER BY id")


def _cancelled(world, status):
    """Whether all of them that stood so are cancelled at the end."""
    ids = [r["id"] for r in _july(world) if r["status"] == status]
    return len(ids) > 0 and all(
        world.final.one("SELECT status FROM cold_store_orders WHERE id = ?", [i])["status"] == "cancelled" for i in ids)


def goal_cancels_what_is_on_a_van(world) -> bool:
    """Cancels every order on a run with a session in July."""
    return _cancelled(world, "on a run")


def goal_cancels_what_waits_for_consent(world) -> bool:
    """Cancels every order that awaits consent with a wish in July."""
    return _cancelled(world, "awaiting consent")


def goal_leaves_no_fee_owed_for_them(world) -> bool:
    """Leaves no van or table fee owed for the cancelled orders."""
    ids = [r["id"] for r in _july(world)]
    left = 0
    was = 0
    for i in ids:
        for name, db in (("was", world.initial), ("left", world.final)):
            n = db.one(
                "SELECT COUNT(*) AS n FROM account_lines a LEFT JOIN order_cans c ON c.id = a.order_can_id"
                " WHERE a.status = 'owed' AND COALESCE(a.cold_store_order_id, c.cold_store_order_id) = ?", [i])["n"]
            if name == "was":
                was += n
            else:
                left += n
    return was > 0 and left == 0


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but those orders and their fees."""
    ids = [r["id"] for r in _july(world)]
    cans = [r["id"] for r in world.initial.query("SELECT id, cold_store_order_id FROM order_cans ORDER BY id") if r["cold_store_order_id"] in ids]
    allowed = {"cold_store_orders": {"status", "cancelled_at"}, "account_lines": {"status", "note"}}
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None or after is None or change["table"] not in allowed:
            return False
        if change["table"] == "cold_store_orders":
            if before["id"] not in ids:
                return False
        elif before["cold_store_order_id"] not in ids and before["order_can_id"] not in cans:
            return False
        if any(before[k] != after[k] and k not in allowed[change["table"]] for k in before):
            return False
    return True
