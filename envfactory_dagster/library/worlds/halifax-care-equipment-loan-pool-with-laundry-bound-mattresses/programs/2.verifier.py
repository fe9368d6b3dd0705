import datetime


def _key(row):
    """What a waiting request is sorted by."""
    band = 5 if row["priority"] is None else row["priority"]
    waited = datetime.date(2026, 10, 5) - datetime.date.fromisoformat(row["requested_at"][:10])
    if band == 4 and waited.days > 60:
        band = 3
    back = row["moved_back_at"] is not None
    return (band, back, row["moved_back_at"] if back else row["requested_at"], row["id"])


def _lines(world):
    """The user's waiting requests, those with the most people ahead first."""
    rows = world.initial.query(
        "SELECT r.id, r.client_id, r.item_type_id, t.name, r.requested_at, r.priority, r.moved_back_at"
        " FROM requests r JOIN item_types t ON t.id = r.item_type_id WHERE r.status = 'waiting' ORDER BY r.id"
    )
    mine = {
        row["client_id"]
        for row in world.initial.query(
            "SELECT m.client_id FROM household_members m JOIN households h ON h.id = m.household_id"
            " WHERE h.contact_client_id = 1 OR h.id IN (SELECT household_id FROM household_members WHERE client_id = 1)"
        )
    }
    lines = []
    for row in rows:
        if row["client_id"] in mine:
            same = [other for other in rows if other["item_type_id"] == row["item_type_id"]]
            lines.append((sum(1 for other in same if _key(other) < _key(row)), row["name"], row["requested_at"][:10]))
    return sorted(lines, key=lambda line: -line[0])


def goal_names_the_longest_line(world) -> bool:
    """Names what the most people are ahead for."""
    return world.report.says("longest_line", _lines(world)[0][1])


def goal_says_how_many_are_ahead(world) -> bool:
    """Says how many people are ahead in the longest line."""
    return world.report.says("people_ahead", _lines(world)[0][0])


def goal_names_the_one_with_nobody_ahead(world) -> bool:
    """Names what nobody is ahead for."""
    return world.report.says("first_in_line", [line[1] for line in _lines(world) if line[0] == 0][0])


def goal_says_when_it_was_asked_for(world) -> bool:
    """Says on which day the one with nobody ahead was asked for."""
    return world.report.says("asked_on", [line[2] for line in _lines(world) if line[0] == 0][0])


def goal_counts_the_open_offers(world) -> bool:
    """Counts the items on offer in the longest line, if more than 2 people are ahead."""
    ahead, name, _ = _lines(world)[0]
    row = world.initial.one(
        "SELECT COUNT(*) AS n FROM offers o JOIN items i ON i.id = o.item_id JOIN item_types t ON t.id = i.item_type_id"
        " WHERE t.name = ? AND o.status = 'open' AND o.lapses_at >= '2026-10-05T09:00:00'",
        [name],
    )
    return world.report.says("on_offer", row["n"] if ahead > 2 else None)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return len(world.changes) == 0
