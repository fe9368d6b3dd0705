from datetime import date, timedelta


def _invoice(world):
    return world.initial.one(
        "SELECT i.*, b.municipality_id FROM invoices i JOIN contracts c ON c.id = i.contract_id"
        " JOIN buildings b ON b.id = c.building_id WHERE b.address = ? AND c.customer_id = 1"
        " AND i.issued_on BETWEEN '2026-02-01' AND '2026-02-28' AND (SELECT COUNT(*) FROM invoice_lines x"
        " JOIN call_outs k ON k.id = x.call_out_id JOIN lifts l ON l.id = k.lift_id WHERE x.invoice_id = i.id"
        " AND x.line_kind = 'call_out' AND k.fault_kind = 'door_fault' AND l.lift_kind = 'goods') = 2",
        ["Rua de São Bento 120"],
    )


def _lines(world):
    return world.initial.query(
        "SELECT x.*, x.call_out_id IS NOT NULL AND x.call_out_id = (SELECT k.id FROM call_outs k JOIN invoice_lines y"
        " ON y.call_out_id = k.id WHERE y.invoice_id = x.invoice_id AND k.fault_kind = 'door_fault'"
        " ORDER BY k.reported_at DESC, k.id DESC LIMIT 1) AS second_one"
        " FROM invoice_lines x WHERE x.invoice_id = ? ORDER BY x.line_number",
        [_invoice(world)["id"]],
    )


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def _rest(world):
    invoice, lines = _invoice(world), _lines(world)
    total = sum(-x["net_cents"] if x["line_kind"] == "credit" else x["net_cents"] for x in lines)
    disputed = sum(x["net_cents"] for x in lines if x["second_one"])
    settled = world.initial.one(
        "SELECT COALESCE(SUM(total_cents), 0) AS cents FROM payments WHERE invoice_id = ?"
        " AND payment_status = 'settled'", [invoice["id"]],
    )["cents"]
    rate = 100 + invoice["vat_rate"]
    return (total * rate + 50) // 100 - (disputed * rate + 50) // 100 - settled


def goal_disputes_the_second_call_out_as_a_repeat(world) -> bool:
    """Has one open dispute of the second call-out and its surcharge, as a repeat of the same fault."""
    made = _new(world, "invoice_disputes")
    wanted = {"invoice_id": _invoice(world)["id"], "customer_id": 1, "dispute_reason": "repeat_fault",
              "dispute_status": "open"}
    return (
        len(made) == 1 and all(made[0][column] == value for column, value in wanted.items())
        and sorted((x["dispute_id"], x["invoice_line_id"]) for x in _new(world, "dispute_lines"))
        == sorted((made[0]["id"], x["id"]) for x in _lines(world) if x["second_one"])
    )


def goal_pays_everything_else_by_bank_transfer(world) -> bool:
    """Has one new bank transfer of all that the dispute leaves on that invoice."""
    made = _new(world, "payments")
    wanted = {"invoice_id": _invoice(world)["id"], "customer_id": 1, "payment_method": "bank_transfer",
              "payment_status": "pending", "total_cents": _rest(world)}
    return len(made) == 1 and all(made[0][column] == value for column, value in wanted.items())


def goal_says_by_when_they_must_answer(world) -> bool:
    """Says by which day the dispute must be answered, 15 working days from today."""
    free = {row["holiday_date"] for row in world.initial.query(
        "SELECT holiday_date FROM holidays WHERE municipality_id IS NULL OR municipality_id = ?",
        [_invoice(world)["municipality_id"]],
    )}
    day, left = date(2026, 3, 1), 15
    while left:
        day += timedelta(days=1)
        left -= day.weekday() < 5 and day.isoformat() not in free
    return world.report.says("answer_by", day.isoformat())


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but one dispute of these lines, one payment of that invoice, and its status."""
    invoice, new = _invoice(world)["id"], {"invoice_disputes": 0, "payments": 0}
    lines = {x["id"] for x in _lines(world) if x["second_one"]}
    for change in world.changes:
        before, after, table = change["before"], change["after"], change["table"]
        if after is None:
            return False
        if table in new and before is None and after["invoice_id"] == invoice and after["customer_id"] == 1:
            new[table] += 1
        elif table == "dispute_lines" and before is None and after["invoice_line_id"] in lines:
            continue
        elif table == "invoices" and before and before["id"] == invoice:
            if any(before[k] != after[k] for k in before if k != "invoice_status"):
                return False
        else:
            return False
    return all(count <= 1 for count in new.values())
