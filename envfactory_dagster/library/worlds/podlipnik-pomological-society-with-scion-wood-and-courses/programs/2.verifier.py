def _mine(world):
    return world.initial.query(
        "SELECT DISTINCT v.id, v.name FROM tree_reservations r JOIN lots l ON l.id = r.lot_id"
        " JOIN varieties v ON v.id = l.variety_code_id"
        " WHERE r.member_id = 1 AND r.status IN ('held', 'awaiting deposit') ORDER BY v.id"
    )


def _without(world):
    ids = {row["id"] for row in _mine(world)}
    found = []
    for row in _mine(world):
        pollinators = world.initial.query(
            "SELECT pollinator_id FROM pollinations WHERE variety_id = ? ORDER BY pollinator_id", [row["id"]]
        )
        if not any(p["pollinator_id"] in ids - {row["id"]} for p in pollinators):
            found.append(row)
    return found


def _best(world):
    counts = {}
    for row in _without(world):
        for p in world.initial.query(
            "SELECT v.id, v.name, v.place FROM pollinations p JOIN varieties v ON v.id = p.pollinator_id"
            " WHERE p.variety_id = ? AND v.fruit = 'apple' ORDER BY v.id",
            [row["id"]],
        ):
            key = (p["id"], p["name"], p["place"])
            counts[key] = counts.get(key, 0) + 1
    return max(counts, key=lambda key: counts[key])


def goal_names_those_without_pollinator(world) -> bool:
    """Names the varieties that have no pollinator among the others."""
    return world.report.says("without_pollinator", [row["name"] for row in _without(world)])


def goal_names_the_variety_to_graft(world) -> bool:
    """Names the apple variety that helps the most of them."""
    return world.report.says("variety_to_graft", _best(world)[1])


def goal_says_where_it_stands(world) -> bool:
    """Says where it stands in the orchard."""
    return world.report.says("place", _best(world)[2])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return len(world.changes) == 0
