def _sum(world, flag):
    row = world.initial.one(
        "SELECT COALESCE(SUM(o.total_cents), 0) AS n FROM medicine_orders o JOIN products p ON p.id = o.product_id"
        " WHERE o.client_id = 1 AND o.status = 'collected' AND substr(o.ordered_at, 1, 10) >= '2025-07-01' AND p.is_prescription = ?",
        [flag],
    )
    return row["n"]


def _medicines_are_more(world):
    return _sum(world, 1) > _sum(world, 0)


def _order(world):
    if _medicines_are_more(world):
        return world.initial.one(
            "SELECT o.* FROM medicine_orders o JOIN products p ON p.id = o.product_id"
            " WHERE o.client_id = 1 AND o.status = 'placed' AND p.name LIKE 'Meloxicam%'"
        )
    return world.initial.one(
        "SELECT o.* FROM medicine_orders o JOIN products p ON p.id = o.product_id"
        " WHERE o.client_id = 1 AND o.status = 'collected' AND p.name LIKE 'Sheep drench%' AND substr(o.ordered_at, 1, 10) = '2025-08-27'"
    )


def _is_credit(world, row):
    order = _order(world)
    return (
        not _medicines_are_more(world)
        and row["client_id"] == 1
        and row["kind"] == "return_credit"
        and row["medicine_order_id"] == order["id"]
        and row["amount_cents"] == order["total_cents"]
        and row["invoice_id"] is None
        and row["appointment_id"] is None
    )


def goal_says_medicines(world) -> bool:
    """Says what the prescription medicines collected since 1 July come to."""
    return world.report.says("medicines", _sum(world, 1))


def goal_says_other_goods(world) -> bool:
    """Says what the other goods collected since 1 July come to."""
    return world.report.says("other_goods", _sum(world, 0))


def goal_says_what_was_trimmed(world) -> bool:
    """Says which of the two was trimmed."""
    return world.report.says("trimmed", "The meloxicam" if _medicines_are_more(world) else "The drench")


def goal_order_is_dealt_with(world) -> bool:
    """The meloxicam is cancelled or the drench returned for credit, whichever is due."""
    order = _order(world)
    row = world.final.one("SELECT status FROM medicine_orders WHERE id = ?", [order["id"]])
    if row is None:
        return False
    if _medicines_are_more(world):
        return row["status"] == "cancelled"
    credits = [c["after"] for c in world.changes if c["table"] == "payments" and c["before"] is None]
    return row["status"] == "returned" and len(credits) == 1 and _is_credit(world, credits[0])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Only that order changes, with its credit if it was returned."""
    wanted = "cancelled" if _medicines_are_more(world) else "returned"
    for c in world.changes:
        if c["after"] is None:
            return False
        if c["table"] == "payments" and c["before"] is None:
            if not _is_credit(world, c["after"]):
                return False
        elif c["table"] == "medicine_orders" and c["before"] is not None and c["before"]["id"] == _order(world)["id"]:
            columns = {k for k in c["after"] if c["before"][k] != c["after"][k]}
            if columns - {"status", "returned_at"} or c["after"]["status"] != wanted:
                return False
        else:
            return False
    return True
