def _billed(world, name):
    row = world.initial.one(
        "SELECT COALESCE(SUM(l.amount_cents), 0) AS n FROM invoice_lines l JOIN invoices i ON i.id = l.invoice_id"
        " JOIN patients p ON p.id = l.patient_id"
        " WHERE i.client_id = 1 AND i.issued_on >= '2025-01-01' AND p.client_id = 1 AND p.name = ?",
        [name],
    )
    return row["n"]


def _totals(world):
    return {name: _billed(world, name) for name in ("Maisie", "Jess", "Poppy")}


def _pet(world, name):
    return world.initial.one("SELECT id FROM patients WHERE client_id = 1 AND name = ?", [name])["id"]


def _dearest(world):
    totals = _totals(world)
    return max(totals, key=lambda n: totals[n])


def _cheapest(world):
    totals = _totals(world)
    return min(totals, key=lambda n: totals[n])


def _tub(world):
    return world.initial.one("SELECT id, price_cents FROM products WHERE name LIKE 'Joint supplement%'")


def _tubs(world):
    return max(40000 - _billed(world, _cheapest(world)), 0) // _tub(world)["price_cents"]


def _is_release(world, row):
    client = world.initial.one("SELECT name, email FROM clients WHERE id = 1")
    return (
        row["client_id"] == 1
        and row["patient_id"] == _pet(world, _dearest(world))
        and row["scope"] == "both"
        and row["consent_id"] is None
        and row["recipient_name"] == client["name"]
        and row["recipient_email"] == client["email"]
    )


def _is_order(world, row):
    return (
        row["client_id"] == 1
        and row["product_id"] == _tub(world)["id"]
        and row["patient_id"] == _pet(world, _cheapest(world))
        and row["authority_id"] is None
        and row["quantity"] == _tubs(world)
        and row["total_cents"] == _tubs(world) * _tub(world)["price_cents"]
        and row["pay_by"] == "account"
        and row["collect_from"] == "door_box"
        and row["status"] == "placed"
    )


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_says_maisie(world) -> bool:
    """Says what was billed for Maisie this year."""
    return world.report.says("maisie_billed", _billed(world, "Maisie"))


def goal_says_jess(world) -> bool:
    """Says what was billed for Jess this year."""
    return world.report.says("jess_billed", _billed(world, "Jess"))


def goal_says_poppy(world) -> bool:
    """Says what was billed for Poppy this year."""
    return world.report.says("poppy_billed", _billed(world, "Poppy"))


def goal_says_tubs(world) -> bool:
    """Says how many tubs are ordered."""
    return world.report.says("tubs_ordered", _tubs(world))


def goal_says_what_is_left(world) -> bool:
    """Says what is left of the $400."""
    left = 40000 - _billed(world, _cheapest(world)) - _tubs(world) * _tub(world)["price_cents"]
    return world.report.says("left_of_400", left)


def goal_records_are_sent(world) -> bool:
    """The dearest pet's full records are sent to the client."""
    rows = _new(world, "records_releases")
    return len(rows) == 1 and _is_release(world, rows[0])


def goal_tubs_are_ordered(world) -> bool:
    """The right number of tubs is ordered for the cheapest pet."""
    rows = _new(world, "medicine_orders")
    return len(rows) == 1 and _is_order(world, rows[0])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Adds at most that one release and that one order and changes nothing else."""
    for c in world.changes:
        if c["before"] is not None:
            return False
        if c["table"] == "records_releases":
            if not _is_release(world, c["after"]):
                return False
        elif c["table"] == "medicine_orders":
            if not _is_order(world, c["after"]):
                return False
        else:
            return False
    return len(_new(world, "records_releases")) <= 1 and len(_new(world, "medicine_orders")) <= 1
