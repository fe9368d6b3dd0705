def _new(world):
    return [c["after"] for c in world.changes if c["table"] == "programming_requests" and c["before"] is None]


def _carrier(world):
    """35mm while the club has used or reserved fewer than three of the season, otherwise DCP."""
    shown = world.initial.one(
        "SELECT COUNT(*) AS n FROM screenings s JOIN copies c ON c.id = s.copy_id JOIN clubs b ON b.id = s.club_id WHERE b.name = 'De Lichtbak'"
        " AND s.status <> 'cancelled' AND c.carrier = '35mm' AND substr(s.starts_at, 1, 10) BETWEEN '2025-09-01' AND '2026-08-31'")["n"]
    asked = world.initial.one(
        "SELECT COUNT(*) AS n FROM programming_requests r JOIN clubs b ON b.id = r.club_id WHERE b.name = 'De Lichtbak' AND r.carrier = '35mm'"
        " AND r.status IN ('to_be_traced', 'submitted', 'quoted') AND substr(r.first_wish_at, 1, 10) BETWEEN '2025-09-01' AND '2026-08-31'")["n"]
    return "35mm" if shown + asked < 3 else "DCP"


def goal_request_of_the_club_for_the_film(world) -> bool:
    """One request of De Lichtbak for Rails in de mist is submitted."""
    rows = _new(world)
    club = world.initial.one("SELECT id FROM clubs WHERE name = 'De Lichtbak'")
    title = world.initial.one("SELECT id FROM titles WHERE name = 'Rails in de mist'")
    return len(rows) == 1 and rows[0]["club_id"] == club["id"] and rows[0]["title_id"] == title["id"] and rows[0]["status"] == "submitted"


def goal_right_carrier(world) -> bool:
    """It is on 35 mm as long as one of three is left."""
    rows = _new(world)
    return len(rows) == 1 and rows[0]["carrier"] == _carrier(world)


def goal_dates_in_order(world) -> bool:
    """It names the three evenings in the order of preference."""
    rows = _new(world)
    return len(rows) == 1 and (rows[0]["first_wish_at"], rows[0]["second_wish_at"], rows[0]["third_wish_at"]) == (
        "2026-01-15T20:00:00", "2026-01-21T20:00:00", "2026-01-29T20:00:00")


def goal_expected_public(world) -> bool:
    """It expects 70 people."""
    rows = _new(world)
    return len(rows) == 1 and rows[0]["expected_public"] == 70


def guard_changes_nothing_else(world) -> bool:
    """Added at most one request and changed nothing else."""
    return len(world.changes) <= 1 and all(c["table"] == "programming_requests" and c["before"] is None for c in world.changes)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
