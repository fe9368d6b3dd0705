def _lines(world):
    return world.initial.query(
        "SELECT l.id, l.wearer_person_id, p.replacement_value_cents FROM hire_lines l JOIN hires h ON h.id = l.hire_id"
        " JOIN customers c ON c.id = h.customer_id JOIN people w ON w.id = l.wearer_person_id JOIN pieces p ON p.id = l.piece_id"
        " WHERE c.name = 'Headingley Lamplight Players' AND w.full_name = 'Desmond Pryce' AND h.status IN ('held', 'confirmed')"
        " AND l.status = 'active' AND h.show_title <> 'Hay Fever' ORDER BY l.id"
    )


def _fittings(world):
    ids = [r["id"] for r in _lines(world)]
    rows = world.initial.query("SELECT id, hire_line_id FROM fittings WHERE status = 'booked' ORDER BY id")
    return [r["id"] for r in rows if r["hire_line_id"] in ids]


def goal_sheila_wears_them_all(world) -> bool:
    """Sheila Marsden is the wearer of every piece that Desmond was to wear on hires still to be collected, Hay Fever apart."""
    sheila = world.initial.one("SELECT id FROM people WHERE full_name = 'Sheila Marsden'")["id"]
    return all(
        world.final.one("SELECT wearer_person_id AS w FROM hire_lines WHERE id = ?", [r["id"]])["w"] == sheila
        for r in _lines(world)
    )


def goal_his_fittings_are_cancelled(world) -> bool:
    """His booked fittings for these pieces are out of the diary."""
    return all(
        world.final.one("SELECT status FROM fittings WHERE id = ?", [i])["status"] == "cancelled" for i in _fittings(world)
    )


def goal_says_how_many_pieces(world) -> bool:
    """Says how many pieces Sheila has taken over."""
    return world.report.says("pieces_taken_over", len(_lines(world)))


def goal_says_how_many_fittings(world) -> bool:
    """Says how many fittings were cancelled."""
    return world.report.says("fittings_cancelled", len(_fittings(world)))


def goal_says_their_value(world) -> bool:
    """Says what the pieces would cost to replace together."""
    return world.report.says("replacement_value", sum(r["replacement_value_cents"] for r in _lines(world)))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    """Changed nothing but the wearers of these lines, to Sheila, and these fittings, to cancelled."""
    sheila = world.initial.one("SELECT id FROM people WHERE full_name = 'Sheila Marsden'")["id"]
    lines = {r["id"] for r in _lines(world)}
    fittings = set(_fittings(world))
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None or after is None:
            return False
        columns = {k for k in before if before[k] != after[k]}
        if change["table"] == "hire_lines":
            if before["id"] not in lines or columns != {"wearer_person_id"} or after["wearer_person_id"] != sheila:
                return False
        elif change["table"] == "fittings":
            if before["id"] not in fittings or columns != {"status", "cancelled_at"} or after["status"] != "cancelled":
                return False
        else:
            return False
    return True
