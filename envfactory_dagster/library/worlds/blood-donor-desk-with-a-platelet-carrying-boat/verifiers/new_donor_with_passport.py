def _new(world):
    """Cards with the passport 148820377."""
    return world.final.query("SELECT * FROM donors WHERE passport = '148820377'")


def _free(world):
    """Slots for whole blood at Casa Central on 7 August after 14:00 that have a place free and are not kept."""
    rows = world.initial.query(
        "SELECT s.id FROM slots s JOIN sites t ON t.id = s.site_id WHERE t.site_code = 'casa_central'"
        " AND s.starts_at > '2026-08-07T14:00:00' AND s.starts_at < '2026-08-08T00:00:00' AND s.state = 'free'"
        " AND s.takes_whole_blood = 1 AND s.places > (SELECT COUNT(*) FROM appointments a WHERE a.slot_id = s.id"
        " AND a.cancelled_at IS NULL)"
    )
    return [r["id"] for r in rows]


def goal_her_card_is_open(world) -> bool:
    """One card with her passport, name, birth, sex, phone and preference is open."""
    rows = _new(world)
    if len(rows) != 1:
        return False
    d = rows[0]
    return (
        d["run"] is None
        and world.same_text(d["given_names"], "Yorgelis Andreína")
        and world.same_text(d["surnames"], "Marcano Brito")
        and d["born_on"] == "2001-03-14"
        and d["sex"] == "F"
        and (d["phone"] or "").replace(" ", "") == "+56944172096"
        and d["call_preference"] == "text"
        and d["recorded_by"] == 1
    )


def goal_her_weight_is_on_it(world) -> bool:
    """One weighing of 56.5 kg at Casa Central is on her card."""
    rows = world.final.query(
        "SELECT w.kg, t.site_code FROM weighings w JOIN donors d ON d.id = w.donor_id JOIN sites t ON t.id = w.site_id"
        " WHERE d.passport = '148820377' AND w.recorded_by = 1"
    )
    return len(rows) == 1 and rows[0]["kg"] == 56.5 and rows[0]["site_code"] == "casa_central"


def goal_she_is_booked(world) -> bool:
    """She is booked for whole blood at Casa Central on 7 August after 14:00, in a place that is not kept."""
    rows = world.final.query(
        "SELECT a.* FROM appointments a JOIN donors d ON d.id = a.donor_id WHERE d.passport = '148820377'"
    )
    return (
        len(rows) == 1
        and rows[0]["slot_id"] in _free(world)
        and rows[0]["kind"] == "whole_blood"
        and rows[0]["state"] == "booked"
        and rows[0]["replacement_request_id"] is None
        and rows[0]["recorded_by"] == 1
    )


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but one new card with one weighing and one appointment."""
    ids = [d["id"] for d in _new(world)]
    tables = []
    for c in world.changes:
        if c["before"] is not None or c["table"] not in ("donors", "weighings", "appointments"):
            return False
        if c["after"]["id" if c["table"] == "donors" else "donor_id"] not in ids:
            return False
        if c["table"] == "donors" and (
            c["after"]["email"] is not None
            or c["after"]["address"] is not None
            or c["after"]["doctor_ok"] is not None
            or c["after"]["parent_present"] != 0
        ):
            return False
        tables.append(c["table"])
    return len(tables) == len(set(tables))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_names_no_rule(world) -> bool:
    """Names no rule as a reason."""
    return world.report.reason is None
