def _appointment(world, given, surnames, day, state):
    """The appointment of a donor on a day."""
    return world.initial.one(
        "SELECT a.id, a.kind, a.state FROM appointments a JOIN donors d ON d.id = a.donor_id"
        " JOIN slots s ON s.id = a.slot_id WHERE d.given_names = ? AND d.surnames = ?"
        " AND substr(s.starts_at, 1, 10) = ? AND a.state = ?",
        [given, surnames, day, state],
    )


def _felipe(world):
    """Felipe's platelets on 30 July."""
    return _appointment(world, "Felipe", "Araya Contreras", "2026-07-30", "donated")


def _marta(world):
    """Marta's appointment on 3 August."""
    return _appointment(world, "Marta Elena", "Saavedra Núñez", "2026-08-03", "turned_away")


def _requests(world):
    """New replacement requests."""
    return [c["after"] for c in world.changes if c["table"] == "replacement_requests" and c["before"] is None]


def _credited(world, appointment, counted):
    """Whether an appointment is credited to the new request, and as how many donors."""
    rows = world.final.query(
        "SELECT replacement_request_id, donors_counted, recorded_by FROM replacement_credits WHERE appointment_id = ?",
        [appointment["id"]],
    )
    return (
        len(rows) == 1
        and rows[0]["replacement_request_id"] in [r["id"] for r in _requests(world)]
        and rows[0]["donors_counted"] == counted
        and rows[0]["recorded_by"] == 1
    )


def goal_the_request_is_open(world) -> bool:
    """One request of the Fricke for heart surgery of J.M.R., born in 1957, is open for 4 donors."""
    rows = _requests(world)
    if len(rows) != 1:
        return False
    hospital = world.initial.one("SELECT id FROM hospitals WHERE hospital_code = 'fricke'")
    return (
        rows[0]["hospital_id"] == hospital["id"]
        and rows[0]["patient_initials"].replace(".", "").replace(" ", "").upper() == "JMR"
        and rows[0]["patient_birth_year"] == 1957
        and rows[0]["procedure"] == "heart_surgery"
        and rows[0]["asked"] == 4
        and rows[0]["recorded_by"] == 1
    )


def goal_felipe_is_credited(world) -> bool:
    """Felipe's platelets are credited to it, as 2 donors."""
    return _credited(world, _felipe(world), 2)


def goal_marta_is_credited(world) -> bool:
    """Marta, who was turned away, is credited to it, as 1 donor."""
    return _credited(world, _marta(world), 1)


def goal_marta_has_her_paper(world) -> bool:
    """Marta has one attendance paper for 3 August as a PDF for Supermercado Santa Inés."""
    rows = world.final.query("SELECT * FROM certificates WHERE appointment_id = ?", [_marta(world)["id"]])
    return (
        len(rows) == 1
        and rows[0]["type"] == "attendance"
        and rows[0]["date"] == "2026-08-03"
        and rows[0]["format"] == "pdf"
        and world.same_text(rows[0]["employer"] or "", "Supermercado Santa Inés")
        and rows[0]["recorded_by"] == 1
    )


def goal_says_how_many_are_still_asked_for(world) -> bool:
    """Says how many of the 4 donors are still asked for."""
    counted = 0
    for a in (_felipe(world), _marta(world)):
        counted += 2 if a["kind"] == "platelets" and a["state"] == "donated" else 1
    return world.report.says("still_asked", 4 - counted)


def goal_says_what_paper_marta_gets(world) -> bool:
    """Says what kind of paper Marta gets."""
    turned_away = _marta(world)["state"] == "turned_away"
    return world.report.says("paper", "attendance" if turned_away else "half day")


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but one new request, one credit for each of the two and one paper for Marta."""
    both = (_felipe(world)["id"], _marta(world)["id"])
    new = []
    for c in world.changes:
        if c["before"] is not None:
            return False
        if c["table"] == "replacement_requests":
            new.append("request")
        elif c["table"] == "replacement_credits" and c["after"]["appointment_id"] in both:
            new.append(("credit", c["after"]["appointment_id"]))
        elif c["table"] == "certificates" and c["after"]["appointment_id"] == both[1]:
            new.append("paper")
        else:
            return False
    return len(new) == len(set(new))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_names_no_rule(world) -> bool:
    """Names no rule as a reason."""
    return world.report.reason is None
