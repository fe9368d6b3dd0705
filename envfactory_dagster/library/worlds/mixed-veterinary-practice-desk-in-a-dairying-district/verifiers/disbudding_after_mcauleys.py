def _call(world):
    return world.initial.one(
        "SELECT a.id, a.vet_id, a.service_id, a.ends_at FROM appointments a JOIN vets v ON v.id = a.vet_id"
        " JOIN services s ON s.id = a.service_id JOIN clients c ON c.id = a.client_id"
        " WHERE v.name LIKE '%Sione%' AND s.name = 'Calf disbudding' AND c.property_name LIKE 'McAuley%'"
        " AND a.status = 'booked' AND substr(a.starts_at, 1, 10) = '2025-10-22'"
    )


def _calves(world):
    return world.initial.one(
        "SELECT id FROM patients WHERE client_id = 1 AND kind = 'mob' AND species = 'cattle' AND head_count = 40 AND name LIKE '%calves%'"
    )["id"]


def _thursday(world):
    return world.initial.one(
        "SELECT a.id, a.deposit_cents FROM appointments a JOIN services s ON s.id = a.service_id"
        " WHERE a.client_id = 1 AND a.status = 'booked' AND s.name = 'Calf disbudding' AND substr(a.starts_at, 1, 10) = '2025-10-23'"
    )


def _is_visit(world, row):
    call = _call(world)
    price = world.initial.one(
        "SELECT price_cents FROM vet_services WHERE vet_id = ? AND service_id = ?", [call["vet_id"], call["service_id"]]
    )["price_cents"]
    service = world.initial.one("SELECT deposit_cents FROM services WHERE id = ?", [call["service_id"]])
    return (
        row["client_id"] == 1
        and row["patient_id"] == _calves(world)
        and row["vet_id"] == call["vet_id"]
        and row["service_id"] == call["service_id"]
        and row["estimate_id"] is None
        and row["follows_appointment_id"] == call["id"]
        and row["head_count"] == 40
        and row["starts_at"] >= call["ends_at"]
        and row["ends_at"] <= "2025-10-22T13:00:00"
        and row["price_cents"] == 40 * price
        and row["travel_cents"] == 9250
        and row["shares_travel"] == 0
        and row["deposit_cents"] == service["deposit_cents"]
        and row["deposit_status"] == "held"
        and row["status"] == "booked"
        and row["cancelled_at"] is None
    )


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_has_the_visit_after_mcauleys(world) -> bool:
    """Has one visit of Sione for the 40 calves straight after McAuleys', done by one and at half the travel."""
    rows = _new(world, "appointments")
    return len(rows) == 1 and _is_visit(world, rows[0])


def goal_thursday_is_cancelled(world) -> bool:
    """The disbudding of Thursday 23 October is cancelled."""
    row = world.final.one("SELECT status, cancelled_at FROM appointments WHERE id = ?", [_thursday(world)["id"]])
    return row is not None and row["status"] == "cancelled" and row["cancelled_at"] is not None


def goal_thursdays_deposit_is_refunded(world) -> bool:
    """The $100 deposit of Thursday is paid back, once and in full."""
    thursday = _thursday(world)
    row = world.final.one("SELECT deposit_status FROM appointments WHERE id = ?", [thursday["id"]])
    paid = world.final.query(
        "SELECT client_id, amount_cents FROM payments WHERE appointment_id = ? AND kind = 'deposit_refund'", [thursday["id"]]
    )
    return (
        row is not None
        and row["deposit_status"] == "refunded"
        and [(p["client_id"], p["amount_cents"]) for p in paid] == [(1, thursday["deposit_cents"])]
    )


def guard_names_no_obstacle(world) -> bool:
    """Names nothing that stood in the way, as nothing did."""
    return world.report.outcome is None or world.report.says("what_stood_in_the_way", None)


def guard_changes_nothing_else(world) -> bool:
    """Touches nothing but the new visit with its deposit and Thursday with its refund."""
    thursday = _thursday(world)
    visits = _new(world, "appointments")
    if len(visits) > 1 or not all(_is_visit(world, row) for row in visits):
        return False
    visit_ids = [row["id"] for row in visits]
    deposits = 0
    refunds = 0
    for c in world.changes:
        if c["after"] is None:
            return False
        if c["table"] == "appointments":
            if c["before"] is None:
                continue
            columns = {k for k in c["after"] if c["before"][k] != c["after"][k]}
            if c["before"]["id"] != thursday["id"] or columns - {"status", "cancelled_at", "deposit_status"}:
                return False
            if c["after"]["status"] != "cancelled" or c["after"]["deposit_status"] not in ("held", "refunded"):
                return False
        elif c["table"] == "payments" and c["before"] is None:
            row = c["after"]
            if row["client_id"] != 1 or row["invoice_id"] is not None or row["medicine_order_id"] is not None or row["amount_cents"] != 10000:
                return False
            if row["kind"] == "deposit" and row["appointment_id"] in visit_ids:
                deposits += 1
            elif row["kind"] == "deposit_refund" and row["appointment_id"] == thursday["id"]:
                refunds += 1
            else:
                return False
        else:
            return False
    return deposits <= 1 and refunds <= 1


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, for no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
