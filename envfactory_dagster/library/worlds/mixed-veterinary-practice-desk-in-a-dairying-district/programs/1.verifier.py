def _owing(world):
    row = world.initial.one(
        "SELECT COALESCE(SUM("
        " (SELECT COALESCE(SUM(l.amount_cents), 0) FROM invoice_lines l WHERE l.invoice_id = i.id)"
        " - (SELECT COALESCE(SUM(p.amount_cents), 0) FROM payments p WHERE p.invoice_id = i.id AND p.kind <> 'deposit_refund')"
        " - (SELECT COALESCE(SUM(k.amount_cents), 0) FROM plan_claims k WHERE k.invoice_id = i.id AND k.status = 'paid')), 0) AS n"
        " FROM invoices i WHERE i.client_id = 1 AND i.practice = 'own' AND i.status = 'open'"
    )
    return row["n"]


def _deposits(world):
    row = world.initial.one(
        "SELECT COALESCE(SUM(deposit_cents), 0) AS n FROM appointments"
        " WHERE client_id = 1 AND status = 'booked' AND deposit_status = 'held'"
    )
    return row["n"]


def _owes_more(world):
    return _owing(world) > _deposits(world)


def _visit(world):
    if _owes_more(world):
        row = world.initial.one(
            "SELECT a.id FROM appointments a JOIN patients p ON p.id = a.patient_id JOIN services s ON s.id = a.service_id"
            " WHERE a.client_id = 1 AND a.status = 'booked' AND p.name = 'Meg' AND s.name LIKE '%vaccination%' AND substr(a.starts_at, 1, 10) = '2025-11-04'"
        )
    else:
        row = world.initial.one(
            "SELECT a.id FROM appointments a JOIN patients p ON p.id = a.patient_id JOIN services s ON s.id = a.service_id"
            " WHERE a.client_id = 1 AND a.status = 'booked' AND p.name = 'Fly' AND s.name LIKE '%surgery%' AND substr(a.starts_at, 1, 10) = '2025-10-28'"
        )
    return row["id"]


def _credits(world):
    if not _owes_more(world):
        return []
    rows = world.initial.query(
        "SELECT id FROM payments WHERE client_id = 1 AND kind = 'return_credit' AND invoice_id IS NULL ORDER BY id"
    )
    return [r["id"] for r in rows]


def _oldest(world):
    row = world.initial.one(
        "SELECT id FROM invoices WHERE client_id = 1 AND practice = 'own' AND status = 'open' ORDER BY issued_on, id LIMIT 1"
    )
    return row["id"]


def _columns(change):
    return {k for k in change["after"] if change["before"][k] != change["after"][k]}


def goal_says_owing(world) -> bool:
    """Says what is owing on the practice's own open invoices."""
    return world.report.says("owing", _owing(world))


def goal_says_deposits(world) -> bool:
    """Says what is held in deposits on visits still booked."""
    return world.report.says("deposits_held", _deposits(world))


def goal_says_which_visit(world) -> bool:
    """Says which of the two visits is cancelled."""
    return world.report.says("visit_cancelled", "Meg's vaccination" if _owes_more(world) else "Fly's surgery")


def goal_visit_is_cancelled(world) -> bool:
    """The right visit is cancelled."""
    row = world.final.one("SELECT status, cancelled_at FROM appointments WHERE id = ?", [_visit(world)])
    return row is not None and row["status"] == "cancelled" and row["cancelled_at"] is not None


def goal_credit_is_on_oldest_invoice(world) -> bool:
    """The unused return credit is put against the oldest open invoice."""
    ids = _credits(world)
    rows = [world.final.one("SELECT invoice_id FROM payments WHERE id = ?", [i]) for i in ids]
    return len(rows) > 0 and all(r is not None and r["invoice_id"] == _oldest(world) for r in rows)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Only that visit's cancellation and that credit's invoice change."""
    for c in world.changes:
        if c["before"] is None or c["after"] is None:
            return False
        if c["table"] == "appointments" and c["before"]["id"] == _visit(world):
            if _columns(c) - {"status", "cancelled_at"} or c["after"]["status"] != "cancelled":
                return False
        elif c["table"] == "payments" and c["before"]["id"] in _credits(world):
            if _columns(c) - {"invoice_id"} or c["after"]["invoice_id"] != _oldest(world):
                return False
        else:
            return False
    return True
