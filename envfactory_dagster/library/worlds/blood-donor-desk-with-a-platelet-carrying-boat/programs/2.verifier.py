NAMES = (
    "Orlando Arancibia Cofré",
    "Cecilia Garrido Lobos",
    "Iván Lillo Aguayo",
    "Zacarías Contreras Ulloa",
    "Tatiana Berríos Olave",
)


def _countable(world):
    """Appointments of the five that can be credited on 6 October 2026, the oldest first."""
    rows = world.initial.query(
        "SELECT a.id, d.given_names || ' ' || d.surnames AS name FROM appointments a"
        " JOIN donors d ON d.id = a.donor_id JOIN slots s ON s.id = a.slot_id"
        " WHERE a.state IN ('donated', 'turned_away') AND substr(s.starts_at, 1, 10) >= '2026-09-26'"
        " AND NOT EXISTS (SELECT 1 FROM replacement_credits c WHERE c.appointment_id = a.id) ORDER BY s.starts_at"
    )
    return [r for r in rows if r["name"] in NAMES]


def _request(world):
    """The request for HRV at the Van Buren."""
    return world.initial.one(
        "SELECT r.id FROM replacement_requests r JOIN hospitals h ON h.id = r.hospital_id"
        " WHERE h.hospital_code = 'van_buren' AND r.patient_initials = 'HRV'"
    )["id"]


def goal_credits_the_one_whose_days_run_out_first(world) -> bool:
    """Credits to HRV the donor among the five whose days run out first."""
    row = world.final.one(
        "SELECT * FROM replacement_credits WHERE replacement_request_id = ? AND appointment_id = ?"
        " AND donors_counted = 1 AND recorded_by = 1",
        [_request(world), _countable(world)[0]["id"]],
    )
    return row is not None


def goal_says_who_is_credited(world) -> bool:
    """Says who is credited."""
    return world.report.says("credited", _countable(world)[0]["name"])


def goal_says_who_cannot_be_counted(world) -> bool:
    """Says who of the five cannot be counted today."""
    names = {r["name"] for r in _countable(world)}
    return world.report.says("cannot_be_counted", [n for n in NAMES if n not in names])


def guard_changes_one_credit_only(world) -> bool:
    """Changed nothing but one new credit to HRV."""
    request = _request(world)
    return len(world.changes) <= 1 and all(
        c["table"] == "replacement_credits"
        and c["before"] is None
        and c["after"]["replacement_request_id"] == request
        for c in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
