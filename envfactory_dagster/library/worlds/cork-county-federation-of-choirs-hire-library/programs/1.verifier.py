def _needed(world):
    owed = world.initial.one(
        "SELECT coalesce(sum(amount_cents), 0) AS n FROM charges WHERE choir_id = 1 AND status = 'unpaid'"
    )["n"]
    copies = world.initial.one(
        "SELECT coalesce(sum(copies), 0) AS n FROM bookings WHERE choir_id = 1 AND status = 'open'"
    )["n"]
    paid_to = world.initial.one("SELECT paid_to FROM choirs WHERE id = 1")["paid_to"]
    return owed + copies * (80 if paid_to >= "2026-02-10" else 160)


def _to_pay(world):
    rows = world.initial.query("SELECT id, kind FROM charges WHERE choir_id = 1 AND status = 'unpaid'")
    return [row["id"] for row in rows if _needed(world) <= 12000 or row["kind"] in ("late", "lost")]


def goal_pays_what_is_to_be_paid(world) -> bool:
    """Pays today the charges that are to be paid, all of them."""
    for charge_id in _to_pay(world):
        row = world.final.one("SELECT status, paid_on FROM charges WHERE id = ?", (charge_id,))
        if row is None or row["status"] != "paid" or row["paid_on"] != "2026-02-10":
            return False
    return True


def goal_says_what_is_needed(world) -> bool:
    """Says what the debts and the hire of the booked sets come to."""
    return world.report.says("needed", _needed(world))


def goal_says_how_much_is_missing(world) -> bool:
    """Says by how much the bank falls short, or nothing where it does not."""
    needed = _needed(world)
    return world.report.says("short_by", needed - 12000 if needed > 12000 else None)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_charges_to_be_paid(world) -> bool:
    """Changes nothing but status and day of payment of the charges that are to be paid."""
    to_pay = _to_pay(world)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "charges" or before is None or after is None or before["id"] not in to_pay:
            return False
        if any(before[name] != after[name] for name in before if name not in ("status", "paid_on")):
            return False
    return True
