def _contract(world):
    return world.initial.one(
        "SELECT c.* FROM contracts c JOIN buildings b ON b.id = c.building_id WHERE b.address = ?"
        " AND c.customer_id IS NULL AND c.contract_status = 'active'",
        ["Rua da Beneficência 40"],
    )


def _came_too_late(world):
    return world.initial.one(
        "SELECT COUNT(*) AS n FROM call_outs k JOIN lifts l ON l.id = k.lift_id WHERE l.contract_id = ?"
        " AND k.priority IN ('p1', 'p2') AND k.fault_kind IN ('trapped_person', 'stopped')"
        " AND k.arrived_at > k.arrive_by AND k.call_out_status <> 'cancelled'"
        " AND k.reported_at BETWEEN '2025-06-09T10:00:00' AND '2026-06-09T10:00:00'",
        [_contract(world)["id"]],
    )["n"]


def _stops_after(world, day):
    return world.initial.query(
        "SELECT s.* FROM planned_stops s JOIN lifts l ON l.id = s.lift_id WHERE l.contract_id = ?"
        " AND s.stop_status IN ('awaiting_alternative', 'confirmed') AND substr(s.starts_at, 1, 10) > ?"
        " ORDER BY s.id",
        [_contract(world)["id"], day],
    )


def _end(world):
    if _came_too_late(world) >= 3:
        return "end_early", "2026-07-31"
    return "end_at_term", _contract(world)["term_end"]


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_gives_the_right_notice(world) -> bool:
    """Has given one notice, free of charge, early if they came too late three times, with minutes and successor."""
    made, (kind, day) = _new(world, "contract_notices"), _end(world)
    wanted = {
        "contract_id": _contract(world)["id"], "customer_id": 1, "notice_kind": kind, "effective_date": day,
        "minutes_ref": "31/2026-05-28", "successor_emie": "EMIE-1042", "contract_kind": None, "fee_cents": 0,
    }
    return (
        len(made) == 1 and all(made[0][column] == value for column, value in wanted.items())
        and world.same_text(made[0]["successor_name"], "Elevadores do Oriente")
    )


def goal_marks_the_contract(world) -> bool:
    """The contract shows that notice is given."""
    row = world.final.one("SELECT * FROM contracts WHERE id = ?", [_contract(world)["id"]])
    return row is not None and row["contract_status"] == "notice_given"


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but one notice on that contract, its status, and the stops that end with it."""
    contract, new = _contract(world)["id"], _new(world, "contract_notices")
    stops = {one["id"]: one for one in _stops_after(world, _end(world)[1])}
    columns = {
        "contracts": ("contract_status",), "alternative_arrangements": ("voided_at",),
        "planned_stops": ("stop_status", "cancelled_at", "cancel_ground", "cancel_reason", "refund_cents"),
    }
    for change in world.changes:
        before, after, table = change["before"], change["after"], change["table"]
        if after is None:
            return False
        if table == "contract_notices" and before is None:
            if after["contract_id"] != contract or after["customer_id"] != 1:
                return False
            continue
        if table not in columns or before is None:
            return False
        if any(before[k] != after[k] for k in before if k not in columns[table]):
            return False
        if table == "contracts" and (before["id"] != contract or after["contract_status"] != "notice_given"):
            return False
        if table == "planned_stops" and (
            before["id"] not in stops or after["stop_status"] != "cancelled"
            or after["refund_cents"] != before["deposit_cents"]
        ):
            return False
        if table == "alternative_arrangements" and before["stop_id"] not in stops:
            return False
    return len(new) <= 1
