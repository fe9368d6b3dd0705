from datetime import datetime, timedelta


def _farm(world):
    return world.initial.query(
        "SELECT a.id, a.starts_at, a.deposit_cents FROM appointments a JOIN services s ON s.id = a.service_id"
        " WHERE a.client_id = 1 AND a.status = 'booked' AND s.place = 'property' ORDER BY a.id"
    )


def _off(world):
    return {a["id"] for a in _farm(world) if a["starts_at"][:10] >= "2025-10-18"}


def _due(world):
    due = {}
    rows = world.initial.query(
        "SELECT id, starts_at, cancelled_at, deposit_cents FROM appointments"
        " WHERE client_id = 1 AND status = 'cancelled' AND deposit_status = 'held' ORDER BY id"
    )
    for a in rows:
        if datetime.fromisoformat(a["starts_at"]) - datetime.fromisoformat(a["cancelled_at"]) >= timedelta(hours=48):
            due[a["id"]] = a["deposit_cents"]
    for i in _off(world):
        row = world.initial.one("SELECT deposit_cents, deposit_status FROM appointments WHERE id = ?", [i])
        if row["deposit_status"] == "held":
            due[i] = row["deposit_cents"]
    return due


def _is_refund(world, row):
    due = _due(world)
    return (
        row["client_id"] == 1
        and row["kind"] == "deposit_refund"
        and row["appointment_id"] in due
        and row["amount_cents"] == due[row["appointment_id"]]
        and row["invoice_id"] is None
        and row["medicine_order_id"] is None
    )


def goal_says_how_many_cancelled(world) -> bool:
    """Says how many visits are cancelled."""
    return world.report.says("visits_cancelled", len(_off(world)))


def goal_says_deposits_back(world) -> bool:
    """Says how much comes back in deposits."""
    return world.report.says("deposits_back", sum(_due(world).values()))


def goal_says_farm_visits_left(world) -> bool:
    """Says how many farm visits are still booked."""
    return world.report.says("farm_visits_left", len(_farm(world)) - len(_off(world)))


def goal_farm_visits_are_cancelled(world) -> bool:
    """Every farm visit from 18 October on is cancelled."""
    rows = [world.final.one("SELECT status, cancelled_at FROM appointments WHERE id = ?", [i]) for i in _off(world)]
    return len(rows) > 0 and all(r is not None and r["status"] == "cancelled" and r["cancelled_at"] is not None for r in rows)


def goal_deposits_are_refunded(world) -> bool:
    """Every deposit that is due is paid back, once and in full."""
    for i, cents in _due(world).items():
        visit = world.final.one("SELECT deposit_status FROM appointments WHERE id = ?", [i])
        paid = world.final.query("SELECT amount_cents FROM payments WHERE appointment_id = ? AND kind = 'deposit_refund'", [i])
        if visit is None or visit["deposit_status"] != "refunded" or [p["amount_cents"] for p in paid] != [cents]:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Only those cancellations and those refunds happen."""
    off = _off(world)
    due = _due(world)
    for c in world.changes:
        if c["after"] is None:
            return False
        if c["table"] == "payments" and c["before"] is None:
            if not _is_refund(world, c["after"]):
                return False
        elif c["table"] == "appointments" and c["before"] is not None:
            i = c["before"]["id"]
            allowed = set()
            if i in off:
                allowed |= {"status", "cancelled_at"}
            if i in due:
                allowed.add("deposit_status")
            if {k for k in c["after"] if c["before"][k] != c["after"][k]} - allowed:
                return False
            if c["after"]["status"] != "cancelled" or c["after"]["deposit_status"] not in (c["before"]["deposit_status"], "refunded"):
                return False
        else:
            return False
    return True
