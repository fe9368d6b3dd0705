import datetime


def _moves(world):
    """All invoiced moves with their extras, the largest share first."""
    rows = world.initial.query(
        "SELECT r.id, r.price_cents, a.street, i.id AS invoice_id, sum(l.amount_cents) AS extras"
        " FROM removals r JOIN removal_addresses a ON a.removal_id = r.id AND a.stop = 'from'"
        " JOIN invoices i ON i.removal_id = r.id AND i.status <> 'cancelled'"
        " JOIN invoice_lines l ON l.invoice_id = i.id AND l.kind IN ('floors', 'holiday', 'waiting', 'overtime')"
        " WHERE r.customer_id = 1 AND r.status = 'invoiced' GROUP BY r.id, i.id"
    )
    return sorted(rows, key=lambda row: row["extras"] / row["price_cents"], reverse=True)


def _dearest(world):
    return world.initial.one(
        "SELECT id, amount_cents FROM invoice_lines WHERE invoice_id = ?"
        " AND kind IN ('floors', 'holiday', 'waiting', 'overtime') ORDER BY amount_cents DESC LIMIT 1",
        [_moves(world)[0]["invoice_id"]],
    )


def goal_says_which_move(world) -> bool:
    """Says which move has the largest share of extras."""
    return world.report.says("moved_from", _moves(world)[0]["street"])


def goal_says_the_extras(world) -> bool:
    """Says what the extras on that invoice come to."""
    return world.report.says("extras", _moves(world)[0]["extras"])


def goal_says_how_long(world) -> bool:
    """Says how long the men worked that day without the break."""
    sheet = world.initial.one(
        "SELECT started_at, ended_at, break_minutes FROM work_sheets WHERE removal_id = ?", [_moves(world)[0]["id"]]
    )
    length = datetime.datetime.fromisoformat(sheet["ended_at"]) - datetime.datetime.fromisoformat(sheet["started_at"])
    return world.report.says("worked", int(length.total_seconds()) // 60 - sheet["break_minutes"])


def goal_says_what_was_objected_to(world) -> bool:
    """Says the amount of the dearest extra."""
    return world.report.says("objected_amount", _dearest(world)["amount_cents"])


def goal_objects_to_the_dearest(world) -> bool:
    """Objected to the dearest extra on that invoice, with a reason."""
    rows = world.final.query("SELECT reason, status FROM invoice_objections WHERE invoice_line_id = ?", [_dearest(world)["id"]])
    return len(rows) == 1 and rows[0]["status"] == "open" and len(rows[0]["reason"].strip()) > 0


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_one_objection_only(world) -> bool:
    """Changed nothing but one new objection, to the dearest extra."""
    return len(world.changes) <= 1 and all(
        c["table"] == "invoice_objections" and c["before"] is None and c["after"]["invoice_line_id"] == _dearest(world)["id"]
        for c in world.changes
    )
