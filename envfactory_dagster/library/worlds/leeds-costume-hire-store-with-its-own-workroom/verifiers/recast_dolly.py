def _line(world):
    return world.initial.one(
        "SELECT l.id FROM hire_lines l JOIN hires h ON h.id = l.hire_id JOIN customers c ON c.id = h.customer_id"
        " JOIN pieces p ON p.id = l.piece_id JOIN people w ON w.id = l.wearer_person_id"
        " WHERE c.name = 'Headingley Lamplight Players' AND h.collection_date = '2024-05-10' AND l.status = 'active'"
        " AND w.full_name = 'Jean Aspinall' AND p.description LIKE 'Crimson%boned bodice%'"
    )["id"]


def _person(world, name):
    return world.initial.one("SELECT id FROM people WHERE full_name = ?", [name])["id"]


def _old_fitting(world):
    return world.initial.one(
        "SELECT id FROM fittings WHERE hire_line_id = ? AND person_id = ? AND status = 'booked'",
        [_line(world), _person(world, "Jean Aspinall")],
    )["id"]


def goal_carol_wears_the_crimson_bodice(world) -> bool:
    """Carol Whitmore is the wearer of the line of the crimson bodice."""
    row = world.final.one("SELECT wearer_person_id, status FROM hire_lines WHERE id = ?", [_line(world)])
    return row["wearer_person_id"] == _person(world, "Carol Whitmore") and row["status"] == "active"


def goal_jeans_fitting_is_out_of_the_diary(world) -> bool:
    """Jean Aspinall's fitting for the bodice is cancelled."""
    row = world.final.one("SELECT status FROM fittings WHERE id = ?", [_old_fitting(world)])
    return row is not None and row["status"] == "cancelled"


def goal_carol_is_fitted_on_18_april(world) -> bool:
    """Carol has one booked fitting for the bodice, on Thursday 18 April."""
    rows = world.final.query(
        "SELECT person_id, substr(starts_at, 1, 10) AS day FROM fittings WHERE hire_line_id = ? AND status = 'booked'",
        [_line(world)],
    )
    return len(rows) == 1 and rows[0]["person_id"] == _person(world, "Carol Whitmore") and rows[0]["day"] == "2024-04-18"


def guard_leaves_the_reach_empty(world) -> bool:
    """Does not fill in how far the bodice goes, since it goes far enough."""
    return world.report.outcome is None or world.report.says("reach", None)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but the wearer of the line, Jean's fitting and one new fitting of Carol for the bodice."""
    carol = _person(world, "Carol Whitmore")
    added = 0
    for change in world.changes:
        before, after = change["before"], change["after"]
        if after is None:
            return False
        if before is None:
            if change["table"] != "fittings" or after["hire_line_id"] != _line(world) or after["person_id"] != carol:
                return False
            if after["status"] != "booked" or after["fee_cents"] != 0:
                return False
            added += 1
            continue
        columns = {k for k in before if before[k] != after[k]}
        if change["table"] == "hire_lines":
            if before["id"] != _line(world) or columns != {"wearer_person_id"} or after["wearer_person_id"] != carol:
                return False
        elif change["table"] == "fittings":
            if before["id"] != _old_fitting(world) or columns != {"status", "cancelled_at"} or after["status"] != "cancelled":
                return False
        else:
            return False
    return added <= 1
