def _charges(world, mine):
    """The unpaid late and lost charges for the sets that the contact, or Siobhan Kiely, collected."""
    return world.initial.query(
        "SELECT c.id, c.amount_cents FROM charges c JOIN loans l ON l.id = c.loan_id"
        " JOIN collectors k ON k.id = l.collector_id JOIN choirs h ON h.id = c.choir_id"
        " WHERE c.choir_id = 1 AND c.status = 'unpaid' AND c.kind IN ('late', 'lost')"
        " AND k.name = CASE WHEN ? THEN h.contact_name ELSE 'Siobh\u00e1n Kiely' END",
        (1 if mine else 0,),
    )


def _sum(world, mine):
    return sum(row["amount_cents"] for row in _charges(world, mine))


def _to_pay(world):
    if _sum(world, True) <= 2000:
        return [row["id"] for row in _charges(world, True)]
    if _sum(world, False) <= 2000:
        return [row["id"] for row in _charges(world, False)]
    return []


def goal_clears_the_share(world) -> bool:
    """Pays today all charges of the share that is to be cleared."""
    for charge_id in _to_pay(world):
        row = world.final.one("SELECT status, paid_on FROM charges WHERE id = ?", (charge_id,))
        if row is None or row["status"] != "paid" or row["paid_on"] != "2026-11-14":
            return False
    return True


def goal_says_own_share(world) -> bool:
    """Says what was to be paid for the sets that the person collected."""
    return world.report.says("mine", _sum(world, True))


def goal_says_siobhans_share(world) -> bool:
    """Says what was to be paid for the sets that Siobhan Kiely collected."""
    return world.report.says("siobhans", _sum(world, False))


def goal_says_whose_is_cleared(world) -> bool:
    """Says whose share was cleared."""
    me = world.initial.one("SELECT contact_name FROM choirs WHERE id = 1")["contact_name"]
    if _sum(world, True) <= 2000:
        return world.report.says("cleared", me)
    return world.report.says("cleared", "Siobh\u00e1n Kiely" if _sum(world, False) <= 2000 else None)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_that_share(world) -> bool:
    """Changes nothing but status and day of payment of the charges of that share."""
    to_pay = _to_pay(world)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "charges" or before is None or after is None or before["id"] not in to_pay:
            return False
        if any(before[name] != after[name] for name in before if name not in ("status", "paid_on")):
            return False
    return True
