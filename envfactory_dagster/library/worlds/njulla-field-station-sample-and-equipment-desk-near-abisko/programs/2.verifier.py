def _spare(world):
    rows = world.initial.query(
        "SELECT s.project_id AS project_id, s.store_place_id AS place_id,"
        " s.vials - coalesce((SELECT sum(d.vials) FROM departures d WHERE d.sample_id = s.id), 0) AS n"
        " FROM samples s WHERE s.status = 'in_store'"
    )
    boxes = {row["id"] for row in world.initial.query("SELECT id FROM store_places WHERE kind = 'box'")}
    spare = {}
    for row in rows:
        if row["place_id"] in boxes:
            spare[row["project_id"]] = spare.get(row["project_id"], 0) - row["n"]
    for rack in world.initial.query(
        "SELECT b.project_id AS project_id, p.id AS place_id, p.capacity_vials AS room FROM bookings b"
        " JOIN store_places p ON p.id = b.store_place_id WHERE b.status = 'out'"
    ):
        if rack["project_id"] in spare:
            inside = sum(row["n"] for row in rows if row["place_id"] == rack["place_id"])
            spare[rack["project_id"]] += rack["room"] - inside
    return spare


def _tightest(world):
    spare = _spare(world)
    project_id = min(spare, key=lambda one: spare[one])
    leader = world.initial.one(
        "SELECT p.name AS name, p.phone AS phone FROM projects j JOIN people p ON p.id = j.leader_id WHERE j.id = ?",
        (project_id,),
    )
    return {"name": leader["name"], "phone": leader["phone"], "places": spare[project_id]}


def _b6(world):
    return world.initial.one(
        "SELECT b.id AS id, b.project_id AS project_id FROM bookings b JOIN store_places s ON s.id = b.store_place_id"
        " JOIN projects j ON j.id = b.project_id JOIN people p ON p.id = j.leader_id"
        " WHERE s.code = 'B6' AND b.status = 'out' AND p.name = 'Sofia Berglund'"
    )


def _goes(world):
    return _spare(world)[_b6(world)["project_id"]] - 80 >= 0


def goal_gives_back_b6(world) -> bool:
    """B6 is given back for Sofia, since her vials fit without it."""
    row = world.final.one("SELECT status, back_at FROM bookings WHERE id = ?", (_b6(world)["id"],))
    return _goes(world) and row["status"] == "back" and row["back_at"] is not None


def goal_says_whom_to_ring(world) -> bool:
    """Says which leader has the least room to spare."""
    return world.report.says("ring_first", _tightest(world)["name"])


def goal_says_telephone(world) -> bool:
    """Says the telephone number of that leader."""
    return world.report.says("telephone", _tightest(world)["phone"])


def goal_says_places_to_spare(world) -> bool:
    """Says how many places are to spare there."""
    return world.report.says("places_to_spare", _tightest(world)["places"])


def goal_says_b6_given_back(world) -> bool:
    """Says whether B6 was given back."""
    return world.report.says("b6_given_back", _goes(world))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_only_the_booking_of_b6(world) -> bool:
    """Changed nothing but the state of Sofia's booking of B6."""
    for change in world.changes:
        if change["table"] != "bookings" or change["before"] is None or change["after"] is None:
            return False
        if change["before"]["id"] != _b6(world)["id"]:
            return False
        for column in change["before"]:
            if column not in ("status", "back_at") and change["before"][column] != change["after"][column]:
                return False
    return len(world.changes) <= 1
