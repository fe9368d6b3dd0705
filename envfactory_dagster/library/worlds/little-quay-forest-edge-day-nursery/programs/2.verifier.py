BEST = (
    "SELECT o.id, substr(o.leaves_at, 1, 10) AS day,"
    " (SELECT count(*) FROM outing_places p WHERE p.woodland_outing_id = o.id"
    " AND p.status IN ('taken', 'attended')) AS going"
    " FROM woodland_outings o WHERE o.status = 'open'"
    " AND substr(o.leaves_at, 1, 10) BETWEEN '2026-10-19' AND '2026-10-29'"
    " ORDER BY 1.0 * going / o.staff_count LIMIT 1"
)
THEO = "SELECT id FROM children WHERE guardian_id = 1 AND name = 'Theo'"


def goal_theo_has_the_place(world) -> bool:
    """Theo has a taken place on the open outing with the fewest children for each member of staff."""
    best = world.initial.one(BEST)
    theo = world.initial.one(THEO)
    row = world.final.one(
        "SELECT count(*) AS n FROM outing_places WHERE woodland_outing_id = ? AND child_id = ?"
        " AND status = 'taken' AND given_up_at IS NULL",
        (best["id"], theo["id"]),
    )
    return row["n"] == 1


def goal_says_which_day(world) -> bool:
    """Says on what day that outing is."""
    return world.report.says("outing_day", world.initial.one(BEST)["day"])


def goal_says_how_many_go(world) -> bool:
    """Says how many children will be going then, Theo included."""
    return world.report.says("children_going", world.initial.one(BEST)["going"] + 1)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_theos_place_only(world) -> bool:
    """Changed nothing but one new place for Theo on that outing."""
    best = world.initial.one(BEST)
    theo = world.initial.one(THEO)
    return len(world.changes) <= 1 and all(
        c["table"] == "outing_places"
        and c["before"] is None
        and c["after"] is not None
        and c["after"]["child_id"] == theo["id"]
        and c["after"]["woodland_outing_id"] == best["id"]
        and c["after"]["status"] == "taken"
        for c in world.changes
    )
