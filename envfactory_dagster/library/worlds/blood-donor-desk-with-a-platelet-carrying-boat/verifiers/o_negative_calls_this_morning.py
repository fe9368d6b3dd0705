def _entry(world, given, surnames):
    """The entry of a donor on the O negative list."""
    return world.initial.one(
        "SELECT e.* FROM rare_list_entries e JOIN donors d ON d.id = e.donor_id WHERE e.list_code = 'o_neg'"
        " AND d.given_names = ? AND d.surnames = ?",
        [given, surnames],
    )


def _ximena(world):
    """Ximena's entry."""
    return _entry(world, "Ximena", "Carvajal Leiva")


def _hernan(world):
    """Hernán's entry."""
    return _entry(world, "Hernán", "Tapia Bustos")


def _calls(world, entry):
    """New calls to somebody on the list."""
    return [
        c["after"]
        for c in world.changes
        if c["table"] == "rare_calls" and c["before"] is None and c["after"]["rare_list_entry_id"] == entry["id"]
    ]


def _is_logged(world, entry, outcome):
    """Whether one call that was not urgent is logged with an outcome."""
    rows = _calls(world, entry)
    return (
        len(rows) == 1 and rows[0]["outcome"] == outcome and rows[0]["urgent"] == 0 and rows[0]["recorded_by"] == 1
    )


def _ceiling(world):
    """Up to how much of her fare Ximena gets back."""
    return 40000 if _ximena(world)["beyond_fare_line"] == 1 else 15000


def _slot(world):
    """The earliest slot for whole blood at Casa Central on 5 August that is free and not kept."""
    return world.initial.one(
        "SELECT s.id FROM slots s JOIN sites t ON t.id = s.site_id WHERE t.site_code = 'casa_central'"
        " AND substr(s.starts_at, 1, 10) = '2026-08-05' AND s.state = 'free' AND s.takes_whole_blood = 1"
        " AND s.places > (SELECT COUNT(*) FROM appointments a WHERE a.slot_id = s.id AND a.cancelled_at IS NULL)"
        " ORDER BY s.starts_at LIMIT 1"
    )["id"]


def goal_ximenas_call_is_logged(world) -> bool:
    """The call to Ximena Carvajal Leiva is logged: she is coming, and her fare is promised."""
    if not _is_logged(world, _ximena(world), "coming"):
        return False
    rows = world.final.query(
        "SELECT * FROM fare_refunds WHERE rare_call_id = ?", [_calls(world, _ximena(world))[0]["id"]]
    )
    return len(rows) == 1 and rows[0]["ceiling_clp"] == _ceiling(world) and rows[0]["status"] == "promised"


def goal_hernans_call_is_logged(world) -> bool:
    """The call to Hernán Tapia Bustos is logged: he refused."""
    return _is_logged(world, _hernan(world), "refused")


def goal_ximena_is_booked(world) -> bool:
    """Ximena is booked for whole blood at Casa Central on 5 August in the earliest free slot that is not kept."""
    rows = world.final.query(
        "SELECT * FROM appointments WHERE donor_id = ? AND state = 'booked'", [_ximena(world)["donor_id"]]
    )
    return (
        len(rows) == 1
        and rows[0]["slot_id"] == _slot(world)
        and rows[0]["kind"] == "whole_blood"
        and rows[0]["replacement_request_id"] is None
        and rows[0]["recorded_by"] == 1
    )


def goal_her_new_phone_is_on_her_card(world) -> bool:
    """Ximena's new phone is on her card."""
    row = world.final.one("SELECT phone FROM donors WHERE id = ?", [_ximena(world)["donor_id"]])
    return (row["phone"] or "").replace(" ", "") == "+56981265540"


def goal_says_the_fare(world) -> bool:
    """Says up to how much of her fare Ximena gets back."""
    return world.report.says("fare_up_to", _ceiling(world))


def goal_says_when_hernan_may_be_called_again(world) -> bool:
    """Says from what day Hernán may be called again: after two refusals in a row he rests for 6 months."""
    last = world.initial.one(
        "SELECT outcome FROM rare_calls WHERE rare_list_entry_id = ? ORDER BY called_at DESC LIMIT 1",
        [_hernan(world)["id"]],
    )
    return world.report.says("hernan_from", "2027-02-04" if last["outcome"] == "refused" else "2026-08-25")


def guard_changes_nothing_else(world) -> bool:
    """Touched only one call for each, her fare, her phone and one appointment of hers."""
    entries = (_ximena(world)["id"], _hernan(world)["id"])
    donor = _ximena(world)["donor_id"]
    new = []
    for c in world.changes:
        before, after = c["before"], c["after"]
        if c["table"] == "donors":
            fine = before is not None and after is not None and before["id"] == donor
            fine = fine and all(before[k] == after[k] for k in before if k != "phone")
        elif before is not None:
            fine = False
        elif c["table"] == "rare_calls":
            fine = after["rare_list_entry_id"] in entries
            new.append(("call", after["rare_list_entry_id"]))
        elif c["table"] == "fare_refunds":
            fine = after["rare_call_id"] in [a["id"] for a in _calls(world, _ximena(world))]
            new.append("fare")
        elif c["table"] == "appointments":
            fine = after["donor_id"] == donor
            new.append("appointment")
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
