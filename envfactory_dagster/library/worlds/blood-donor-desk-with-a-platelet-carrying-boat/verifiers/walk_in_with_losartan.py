LIFT_COLUMNS = ("status", "lifted_at", "lift_doctor", "lift_reason")


def _donor(world):
    """Card number of Manuel Henríquez Lobos."""
    return world.initial.one(
        "SELECT id FROM donors WHERE given_names = 'Manuel' AND surnames = 'Henríquez Lobos'"
    )["id"]


def _held(world):
    """The deferral without a date for a medicine that nobody could name."""
    return world.initial.one(
        "SELECT id FROM deferrals WHERE donor_id = ? AND cause = 'medication' AND medicine = 'other'"
        " AND status = 'active' AND until_on IS NULL",
        [_donor(world)],
    )["id"]


def _slot(world):
    """The slot at Portales today at 10:00."""
    return world.initial.one(
        "SELECT s.id FROM slots s JOIN sites t ON t.id = s.site_id WHERE t.site_code = 'um_portales'"
        " AND s.starts_at = '2026-10-06T10:00:00'"
    )["id"]


def _appointments(world):
    """Appointments of Manuel in today's 10:00."""
    return world.final.query(
        "SELECT * FROM appointments WHERE donor_id = ? AND slot_id = ? AND kind = 'whole_blood' AND recorded_by = 1",
        [_donor(world), _slot(world)],
    )


def goal_the_deferral_is_ended(world) -> bool:
    """The deferral is ended with the agreement of Doctora Lorena Pizarro, because it is losartan."""
    row = world.final.one("SELECT * FROM deferrals WHERE id = ?", [_held(world)])
    return (
        row["status"] == "lifted"
        and "lorena pizarro" in (row["lift_doctor"] or "").lower()
        and "losartan" in (row["lift_reason"] or "").lower().replace("á", "a")
    )


def goal_the_weight_is_entered(world) -> bool:
    """One new weighing of 71.5 kg at Portales is on his card."""
    query = (
        "SELECT COUNT(*) AS n FROM weighings w JOIN sites t ON t.id = w.site_id WHERE w.donor_id = ?"
        " AND w.kg = 71.5 AND t.site_code = 'um_portales' AND w.recorded_by = 1"
    )
    before = world.initial.one(query, [_donor(world)])["n"]
    return world.final.one(query, [_donor(world)])["n"] == before + 1


def goal_he_is_booked_at_ten(world) -> bool:
    """He has one appointment for whole blood today at 10:00 at Portales."""
    rows = _appointments(world)
    return len(rows) == 1 and rows[0]["state"] in ("booked", "checked_in")


def goal_he_is_checked_in_fasting(world) -> bool:
    """He is checked in with the cédula and without breakfast, and has the voucher."""
    rows = _appointments(world)
    if len(rows) != 1 or rows[0]["state"] != "checked_in":
        return False
    voucher = world.final.one("SELECT amount_clp FROM breakfast_vouchers WHERE appointment_id = ?", [rows[0]["id"]])
    return (
        rows[0]["document_seen"] == "cedula"
        and rows[0]["has_eaten"] == 0
        and voucher is not None
        and voucher["amount_clp"] == 3200
    )


def goal_says_that_he_gets_the_voucher(world) -> bool:
    """Says that he gets the voucher."""
    return world.report.says("voucher", True)


def goal_says_how_long_he_waits(world) -> bool:
    """Says that he waits 30 minutes."""
    return world.report.says("wait", 30)


def guard_changes_nothing_else(world) -> bool:
    """Touched only that deferral, one weighing, one appointment and its voucher."""
    donor = _donor(world)
    new = []
    for c in world.changes:
        before, after = c["before"], c["after"]
        if c["table"] == "deferrals":
            fine = before is not None and after is not None and before["id"] == _held(world)
            fine = fine and all(before[k] == after[k] for k in before if k not in LIFT_COLUMNS)
        elif c["table"] == "weighings":
            fine = before is None and after["donor_id"] == donor and after["kg"] == 71.5
            new.append("weighing")
        elif c["table"] == "appointments":
            fine = before is None and after["donor_id"] == donor and after["slot_id"] == _slot(world)
            fine = fine and after["replacement_request_id"] is None
            new.append("appointment")
        elif c["table"] == "breakfast_vouchers":
            fine = before is None and after["appointment_id"] in [a["id"] for a in _appointments(world)]
            new.append("voucher")
        else:
            fine = False
        if not fine:
            return False
    return len(new) == len(set(new))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_names_no_rule(world) -> bool:
    """Names no rule as a reason."""
    return world.report.reason is None
