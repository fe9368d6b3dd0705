NOW = "2025-11-03T10:00:00"


def _shows(world, hall):
    """The public evening screenings of a hall in those two weeks, with the seats left."""
    rows = world.initial.query(
        "SELECT s.id, s.starts_at, t.name AS film, c.carrier, h.seats - s.seats_held AS room FROM screenings s JOIN halls h ON h.id = s.hall_id"
        " JOIN copies c ON c.id = s.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE h.name = ? AND s.kind = 'public' AND s.status = 'scheduled' AND substr(s.starts_at, 1, 10) BETWEEN '2025-11-17' AND '2025-11-30'"
        " AND substr(s.starts_at, 12, 5) >= '18:00'", [hall])
    for row in rows:
        sold = world.initial.one("SELECT COUNT(*) AS n FROM tickets WHERE screening_id = ? AND status <> 'returned'", [row["id"]])["n"]
        offered = world.initial.one(
            "SELECT COALESCE(SUM(seats_offered), 0) AS n FROM waiting_list_entries WHERE screening_id = ? AND status = 'offered' AND offer_lapses_at >= ?",
            [row["id"], NOW])["n"]
        row["left"] = max(0, row["room"] - sold - offered)
    return rows


def _total(world, hall):
    return sum(s["left"] for s in _shows(world, hall))


def _emptiest(world):
    hall = "Zaal 1" if _total(world, "Zaal 1") > _total(world, "Zaal 2") else "Zaal 2"
    return max(_shows(world, hall), key=lambda s: s["left"])


def goal_says_zaal_1_seats(world) -> bool:
    """Says how many seats are left in Zaal 1."""
    return world.report.says("zaal_1_seats", _total(world, "Zaal 1"))


def goal_says_zaal_2_seats(world) -> bool:
    """Says how many seats are left in Zaal 2."""
    return world.report.says("zaal_2_seats", _total(world, "Zaal 2"))


def goal_says_emptiest_film(world) -> bool:
    """Says the film of the emptiest evening."""
    return world.report.says("emptiest_film", _emptiest(world)["film"])


def goal_says_emptiest_day(world) -> bool:
    """Says the day of the emptiest evening."""
    return world.report.says("emptiest_day", _emptiest(world)["starts_at"][:10])


def goal_says_standard_price(world) -> bool:
    """Says what a standard ticket for it costs."""
    return world.report.says("standard_price", 1250 if _emptiest(world)["carrier"] == "35mm" else 1100)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return len(world.changes) == 0
