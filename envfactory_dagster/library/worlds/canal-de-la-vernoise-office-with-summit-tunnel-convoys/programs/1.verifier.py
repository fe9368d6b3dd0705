def _total(world, name):
    """What a boat's passages from June to September cost, less what came back."""
    return world.initial.one(
        "SELECT COALESCE(SUM(p.price_cents + p.seal_cents - p.credit_cents - p.refund_cents), 0) AS n FROM passages p"
        " JOIN boats b ON b.id = p.boat_id JOIN convoys c ON c.id = p.convoy_id"
        " WHERE b.boater_id = 1 AND b.name = ? AND c.day BETWEEN '2026-06-01' AND '2026-09-30'", [name])["n"]


def goal_says_who_owes(world) -> bool:
    """Says which of the two owes the other: who paid for the cheaper boat."""
    a, b = _total(world, "Belle-de-Mai"), _total(world, "Sauterelle")
    return world.report.says("who_owes", "my brother owes me" if a > b else "I owe my brother")


def goal_says_what_is_owed(world) -> bool:
    """Says half of the difference."""
    return world.report.says("amount_owed", abs(_total(world, "Belle-de-Mai") - _total(world, "Sauterelle")) // 2)


def goal_says_how_often_sauterelle_was_towed(world) -> bool:
    """Says how often Sauterelle went through in tow, if her passages cost more."""
    if _total(world, "Sauterelle") <= _total(world, "Belle-de-Mai"):
        return world.report.says("sauterelle_towed", None)
    row = world.initial.one(
        "SELECT COUNT(*) AS n FROM passages p JOIN boats b ON b.id = p.boat_id JOIN convoys c ON c.id = p.convoy_id"
        " JOIN timetable t ON t.id = c.slot_id JOIN convoy_kinds k ON k.id = t.letter_id"
        " WHERE b.boater_id = 1 AND b.name = 'Sauterelle' AND k.letter = 'T' AND p.status = 'passed'"
        " AND c.day BETWEEN '2026-06-01' AND '2026-09-30'")
    return world.report.says("sauterelle_towed", row["n"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return len(world.changes) == 0
