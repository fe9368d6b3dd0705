def _racks(world):
    """B1 to B6 with vials in them, in their order: how many, whose, and the room in the own A racks."""
    rows = world.initial.query(
        "SELECT p.code AS code, s.project_id AS project_id, j.code AS project, l.name AS leader,"
        " sum(s.vials - (SELECT coalesce(sum(d.vials), 0) FROM departures d WHERE d.sample_id = s.id)) AS vials"
        " FROM samples s JOIN store_places p ON p.id = s.store_place_id JOIN projects j ON j.id = s.project_id"
        " JOIN people l ON l.id = j.leader_id"
        " WHERE s.status = 'in_store' AND p.kind = 'rack' AND p.cut_at_tests = 1"
        " GROUP BY p.code, s.project_id, j.code, l.name ORDER BY p.code",
    )
    return [row for row in rows if row["vials"] > 0]


def _room_in_a_racks(world, project_id):
    row = world.initial.one(
        "SELECT coalesce(sum(p.capacity_vials - coalesce((SELECT sum(s.vials - (SELECT coalesce(sum(d.vials), 0)"
        " FROM departures d WHERE d.sample_id = s.id)) FROM samples s WHERE s.store_place_id = p.id), 0)), 0) AS n"
        " FROM bookings b JOIN store_places p ON p.id = b.store_place_id"
        " WHERE b.project_id = ? AND b.status = 'out' AND p.kind = 'rack' AND p.cut_at_tests = 0",
        [project_id],
    )
    return row["n"]


def goal_says_racks_with_vials(world) -> bool:
    """Has told which of B1 to B6 have vials in them."""
    return bool(world.report.says("racks_with_vials", [row["code"] for row in _racks(world)]))


def goal_says_vials(world) -> bool:
    """Has told how many vials are in each of them."""
    return bool(world.report.says("vials", [row["vials"] for row in _racks(world)]))


def goal_says_projects(world) -> bool:
    """Has told whose projects they are."""
    return bool(world.report.says("projects", [row["project"] for row in _racks(world)]))


def goal_says_leaders(world) -> bool:
    """Has told who leads these projects."""
    return bool(world.report.says("leaders", [row["leader"] for row in _racks(world)]))


def goal_says_room_in_own_a_racks(world) -> bool:
    """Has told how much room is left in the own A racks of each project."""
    return bool(
        world.report.says("room_in_own_a_racks", [_room_in_a_racks(world, row["project_id"]) for row in _racks(world)])
    )


def goal_says_places_free_in_kiruna_boxes(world) -> bool:
    """Has told how many places are free in the Kiruna boxes altogether."""
    row = world.initial.one(
        "SELECT sum(p.capacity_vials - coalesce((SELECT sum(s.vials - (SELECT coalesce(sum(d.vials), 0)"
        " FROM departures d WHERE d.sample_id = s.id)) FROM samples s WHERE s.store_place_id = p.id), 0)) AS n"
        " FROM store_places p WHERE p.kind = 'box'",
    )
    return bool(world.report.says("places_free_in_kiruna_boxes", row["n"]))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all."""
    return world.changes == []
