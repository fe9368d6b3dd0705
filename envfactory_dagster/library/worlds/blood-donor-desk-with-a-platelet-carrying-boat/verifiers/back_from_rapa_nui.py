CANCEL_COLUMNS = ("state", "cancelled_at", "cancel_reason")


def _donor(world):
    """Card number of Sergio Montenegro Olivares."""
    return world.initial.one(
        "SELECT id FROM donors WHERE given_names = 'Sergio' AND surnames = 'Montenegro Olivares'"
    )["id"]


def _old(world):
    """His whole blood appointment on 13 August."""
    return world.initial.one(
        "SELECT a.id FROM appointments a JOIN slots s ON s.id = a.slot_id WHERE a.donor_id = ? AND a.state = 'booked'"
        " AND a.kind = 'whole_blood' AND substr(s.starts_at, 1, 10) = '2026-08-13'",
        [_donor(world)],
    )["id"]


def _slots(world):
    """Free whole blood slots at Viña on the first day with room, from 30 days after his return on."""
    rows = world.initial.query(
        "SELECT s.id, substr(s.starts_at, 1, 10) AS day FROM slots s JOIN sites t ON t.id = s.site_id"
        " WHERE t.site_code = 'vina' AND substr(s.starts_at, 1, 10) >= '2026-08-25' AND s.state = 'free'"
        " AND s.takes_whole_blood = 1 AND s.places > (SELECT COUNT(*) FROM appointments a WHERE a.slot_id = s.id"
        " AND a.cancelled_at IS NULL) ORDER BY s.starts_at"
    )
    return [r for r in rows if r["day"] == rows[0]["day"]]


def _new_deferrals(world, cause):
    """New deferrals of his with a cause."""
    return [
        c["after"]
        for c in world.changes
        if c["table"] == "deferrals"
        and c["before"] is None
        and c["after"]["donor_id"] == _donor(world)
        and c["after"]["cause"] == cause
    ]


def goal_the_old_appointment_is_cancelled(world) -> bool:
    """His appointment on 13 August is cancelled because he cannot come."""
    row = world.final.one("SELECT state, cancel_reason FROM appointments WHERE id = ?", [_old(world)])
    return row["state"] == "cancelled" and row["cancel_reason"] == "donor"


def goal_the_trip_is_on_his_card(world) -> bool:
    """One deferral for Hanga Roa as an arbovirus area, from his return on 26 July, is on his card."""
    rows = _new_deferrals(world, "travel")
    return (
        len(rows) == 1
        and "hanga roa" in rows[0]["place"].lower()
        and rows[0]["risk"] == "arbovirus"
        and rows[0]["returned_on"] == "2026-07-26"
        and rows[0]["until_on"] == "2026-08-25"
        and rows[0]["status"] == "active"
        and rows[0]["recorded_by"] == 1
    )


def goal_the_antibiotic_is_on_his_card(world) -> bool:
    """One deferral for an antibiotic with the last dose on 30 July is on his card."""
    rows = _new_deferrals(world, "medication")
    return (
        len(rows) == 1
        and rows[0]["medicine"] == "antibiotic"
        and rows[0]["last_dose_on"] == "2026-07-30"
        and rows[0]["status"] == "active"
        and rows[0]["recorded_by"] == 1
    )


def goal_he_is_booked_at_vina(world) -> bool:
    """He is booked for whole blood at Viña on the first day on which he may give and there is room."""
    rows = world.final.query(
        "SELECT * FROM appointments WHERE donor_id = ? AND state = 'booked' AND recorded_by = 1", [_donor(world)]
    )
    return (
        len(rows) == 1
        and rows[0]["id"] != _old(world)
        and rows[0]["kind"] == "whole_blood"
        and rows[0]["replacement_request_id"] is None
        and rows[0]["slot_id"] in [s["id"] for s in _slots(world)]
    )


def goal_says_the_day(world) -> bool:
    """Says the day."""
    return world.report.says("day", _slots(world)[0]["day"])


def guard_changes_nothing_else(world) -> bool:
    """Touched only the old appointment, two deferrals and one new appointment of his."""
    donor = _donor(world)
    new = []
    for c in world.changes:
        before, after = c["before"], c["after"]
        if c["table"] == "appointments" and before is not None:
            fine = after is not None and before["id"] == _old(world)
            fine = fine and all(before[k] == after[k] for k in before if k not in CANCEL_COLUMNS)
        elif c["table"] == "appointments":
            fine = after["donor_id"] == donor
            new.append("appointment")
        elif c["table"] == "deferrals":
            fine = before is None and after["donor_id"] == donor and after["cause"] in ("travel", "medication")
            new.append(after["cause"] if after is not None else "")
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
