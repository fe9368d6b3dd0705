def _freight(world):
    """The tow of freight: price per tonne and least price."""
    return world.initial.one("SELECT tow_price_per_tonne_cents AS per, tow_minimum_cents AS least FROM licence_classes WHERE class_code = 'F'")


def _loaded(world):
    """What 180 tonnes cost."""
    f = _freight(world)
    return max(f["least"], 180 * f["per"])


def _barge(world):
    """What the Dame Ursule pays there and back."""
    return 2 * world.initial.one("SELECT amount_cents AS n FROM tunnel_charges WHERE charge = 'Dame Ursule'")["n"]


def goal_says_what_the_loaded_passage_costs(world) -> bool:
    """Says what Zwaluw pays northbound with 180 tonnes."""
    return world.report.says("loaded_north", _loaded(world))


def goal_says_what_the_empty_passage_costs(world) -> bool:
    """Says what Zwaluw pays back empty."""
    return world.report.says("empty_back", _freight(world)["least"])


def goal_says_what_the_dame_ursule_pays(world) -> bool:
    """Says what the Dame Ursule pays there and back."""
    return world.report.says("dame_ursule_both_ways", _barge(world))


def goal_says_the_difference(world) -> bool:
    """Says how much more Zwaluw pays."""
    return world.report.says("difference", _loaded(world) + _freight(world)["least"] - _barge(world))


def goal_says_in_how_many_convoys(world) -> bool:
    """Says in how many T convoys the log has a remark about the Dame Ursule."""
    row = world.initial.one(
        "SELECT COUNT(*) AS n FROM convoy_log g JOIN timetable t ON t.id = g.slot_id JOIN convoy_kinds k ON k.id = t.letter_id"
        " WHERE k.letter = 'T' AND g.day BETWEEN '2026-05-21' AND '2026-05-24' AND g.remarks LIKE '%Dame Ursule%'")
    return world.report.says("t_convoys_with_remark", row["n"])


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []

def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world) -> bool:
    """Names no rule as a reason."""
    return world.report.reason is None
