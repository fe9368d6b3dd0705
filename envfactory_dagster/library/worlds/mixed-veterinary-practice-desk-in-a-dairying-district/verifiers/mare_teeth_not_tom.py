def _service(world):
    return world.initial.one("SELECT id FROM services WHERE name = 'Equine dental with sedation'")["id"]


def _vet(world):
    ruth = world.initial.one(
        "SELECT x.vet_id, x.price_cents FROM vet_services x JOIN vets v ON v.id = x.vet_id WHERE x.service_id = ? AND v.name LIKE '%Ruth%'",
        [_service(world)],
    )
    priya = world.initial.one(
        "SELECT x.vet_id, x.price_cents FROM vet_services x JOIN vets v ON v.id = x.vet_id WHERE x.service_id = ? AND v.name LIKE '%Priya%'",
        [_service(world)],
    )
    return priya if ruth["price_cents"] > priya["price_cents"] else ruth


def _is_visit(world, row):
    tui = world.initial.one("SELECT id FROM patients WHERE client_id = 1 AND name = 'Tui'")["id"]
    travel = world.initial.one("SELECT travel_cents FROM clients WHERE id = 1")["travel_cents"]
    vet = _vet(world)
    return (
        row["client_id"] == 1
        and row["patient_id"] == tui
        and row["vet_id"] == vet["vet_id"]
        and row["service_id"] == _service(world)
        and row["estimate_id"] is None
        and row["follows_appointment_id"] is None
        and row["head_count"] == 1
        and row["starts_at"][:7] == "2025-06"
        and row["starts_at"][8:10] not in ("10", "12")
        and row["starts_at"][11:16] < "12:00"
        and row["price_cents"] == vet["price_cents"]
        and row["travel_cents"] == travel
        and row["price_cents"] + row["travel_cents"] <= 32000
        and row["shares_travel"] == 0
        and row["deposit_cents"] == 0
        and row["deposit_status"] == "none"
        and row["status"] == "booked"
        and row["cancelled_at"] is None
    )


def goal_has_the_visit(world) -> bool:
    """Has one dental with sedation for Tui with the right vet, on a June morning that is left, within $320."""
    rows = [c["after"] for c in world.changes if c["table"] == "appointments" and c["before"] is None]
    return len(rows) == 1 and _is_visit(world, rows[0])


def guard_changes_nothing_else(world) -> bool:
    """Touches nothing but that one new visit."""
    return len(world.changes) <= 1 and all(
        c["table"] == "appointments" and c["before"] is None and c["after"] is not None and _is_visit(world, c["after"])
        for c in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, for no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None
