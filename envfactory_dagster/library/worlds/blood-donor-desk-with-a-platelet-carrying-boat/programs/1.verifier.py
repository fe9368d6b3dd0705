def _choice(world):
    """Name of the emptier site and its earliest slot with room."""
    best = None
    for name, site, day in (("Casa Central", "casa_central", "2026-08-05"), ("Caleta Portales", "um_portales", "2026-08-06")):
        rows = world.initial.query(
            "SELECT s.id, s.starts_at, s.places - (SELECT COUNT(*) FROM appointments a WHERE a.slot_id = s.id"
            " AND a.cancelled_at IS NULL) AS places_left FROM slots s JOIN sites t ON t.id = s.site_id"
            " WHERE t.site_code = ? AND substr(s.starts_at, 1, 10) = ? AND s.state = 'free'"
            " AND s.takes_whole_blood = 1 ORDER BY s.starts_at",
            [site, day],
        )
        rows = [r for r in rows if r["places_left"] > 0]
        places = sum(r["places_left"] for r in rows)
        if best is None or places > best[0]:
            best = (places, name, rows[0])
    return best[1], best[2]


def _donor(world):
    """Card number of Nicolás Espinoza Tello."""
    return world.initial.one(
        "SELECT id FROM donors WHERE given_names = 'Nicolás' AND surnames = 'Espinoza Tello'"
    )["id"]


def goal_is_booked_in_the_right_slot(world) -> bool:
    """He is booked for whole blood in the earliest slot with room at the emptier site."""
    row = world.final.one(
        "SELECT * FROM appointments WHERE donor_id = ? AND slot_id = ? AND kind = 'whole_blood' AND state = 'booked'"
        " AND replacement_request_id IS NULL AND recorded_by = 1",
        [_donor(world), _choice(world)[1]["id"]],
    )
    return row is not None


def goal_says_where(world) -> bool:
    """Says where he is booked."""
    return world.report.says("site", _choice(world)[0])


def goal_says_when(world) -> bool:
    """Says for what time he is booked."""
    return world.report.says("time", _choice(world)[1]["starts_at"][11:16])


def guard_changes_one_appointment_only(world) -> bool:
    """Changed nothing but one new appointment of his."""
    donor = _donor(world)
    return len(world.changes) <= 1 and all(
        c["table"] == "appointments" and c["before"] is None and c["after"]["donor_id"] == donor
        for c in world.changes
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
