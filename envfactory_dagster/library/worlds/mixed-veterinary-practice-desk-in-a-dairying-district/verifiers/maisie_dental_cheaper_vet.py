def _maisie(world):
    return world.initial.one("SELECT id FROM patients WHERE client_id = 1 AND name = 'Maisie'")["id"]


def _plan(world):
    return world.initial.one(
        "SELECT m.ends_on, m.dental_allowance_cents - (SELECT COALESCE(SUM(k.amount_cents), 0) FROM plan_claims k"
        " WHERE k.membership_id = m.id AND k.kind = 'dental' AND k.status IN ('submitted', 'paid')) AS left_cents"
        " FROM wellness_plan_memberships m WHERE m.patient_id = ? AND m.ends_on = '2025-06-30' AND m.status = 'active'",
        [_maisie(world)],
    )


def _estimate(world):
    return world.initial.one(
        "SELECT e.id, e.vet_id, e.service_id, e.amount_cents FROM estimates e JOIN services s ON s.id = e.service_id"
        " JOIN vets v ON v.id = e.vet_id"
        " WHERE e.client_id = 1 AND e.patient_id = ? AND e.status = 'sent' AND s.name LIKE 'Small animal dental%'"
        " AND (v.name LIKE '%Aitken' OR v.name LIKE '%McLeod') ORDER BY e.amount_cents, e.id LIMIT 1",
        [_maisie(world)],
    )


def _is_visit(world, row):
    estimate = _estimate(world)
    day = row["starts_at"][:10]
    return (
        row["client_id"] == 1
        and row["patient_id"] == _maisie(world)
        and row["vet_id"] == estimate["vet_id"]
        and row["service_id"] == estimate["service_id"]
        and row["estimate_id"] == estimate["id"]
        and row["follows_appointment_id"] is None
        and row["head_count"] == 1
        and day <= _plan(world)["ends_on"]
        and day != "2025-06-17"
        and row["price_cents"] == estimate["amount_cents"]
        and row["travel_cents"] == 0
        and row["shares_travel"] == 0
        and row["deposit_cents"] == 0
        and row["deposit_status"] == "none"
        and row["status"] == "booked"
        and row["cancelled_at"] is None
    )


def _new_visits(world):
    return [c["after"] for c in world.changes if c["table"] == "appointments" and c["before"] is None]


def goal_cheaper_estimate_is_accepted(world) -> bool:
    """The estimate that leaves less to pay is accepted."""
    row = world.final.one("SELECT status, accepted_at FROM estimates WHERE id = ?", [_estimate(world)["id"]])
    return row is not None and row["status"] == "accepted" and row["accepted_at"] is not None


def goal_dental_is_booked(world) -> bool:
    """Has one dental of Maisie booked with that vet before the plan year turns over, and not on the 17th."""
    rows = _new_visits(world)
    return len(rows) == 1 and _is_visit(world, rows[0])


def goal_says_what_is_left_to_pay(world) -> bool:
    """Says what the dental costs after the plan's allowance."""
    amount = _estimate(world)["amount_cents"]
    return world.report.says("pay_myself", amount - min(_plan(world)["left_cents"], amount))


def guard_changes_nothing_else(world) -> bool:
    """Touches nothing but that estimate and the one new visit."""
    if len(_new_visits(world)) > 1:
        return False
    for c in world.changes:
        if c["after"] is None:
            return False
        if c["table"] == "appointments" and c["before"] is None:
            if not _is_visit(world, c["after"]):
                return False
        elif c["table"] == "estimates" and c["before"] is not None and c["before"]["id"] == _estimate(world)["id"]:
            columns = {k for k in c["after"] if c["before"][k] != c["after"][k]}
            if columns - {"status", "accepted_at"} or c["after"]["status"] != "accepted":
                return False
        else:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, for no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
