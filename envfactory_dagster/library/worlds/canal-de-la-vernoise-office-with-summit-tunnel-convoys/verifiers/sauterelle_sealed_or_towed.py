def _prices(world):
    """The tunnel prices of the class of Sauterelle."""
    return world.initial.one(
        "SELECT k.* FROM licence_classes k, boats b WHERE b.boater_id = 1 AND b.name = 'Sauterelle'"
        " AND k.length_from_m <= b.length_m AND k.length_below_m > b.length_m")


def _deposit(world):
    """The rescue deposit."""
    return world.initial.one("SELECT amount_cents AS n FROM tunnel_charges WHERE charge = 'rescue deposit'")["n"]


def _times(world, letter):
    """When the convoys of this kind leave south on 3 October."""
    rows = world.initial.query(
        "SELECT c.leaves_at FROM convoys c JOIN timetable t ON t.id = c.slot_id JOIN convoy_kinds k ON k.id = t.letter_id"
        " WHERE k.letter = ? AND t.direction = 'south' AND c.day = '2026-10-03' AND c.status = 'planned' ORDER BY c.leaves_at", [letter])
    return [r["leaves_at"][11:16] for r in rows]


def goal_says_what_is_laid_out(world) -> bool:
    """Says what is laid out for going electric, seal and deposit included."""
    seal = world.initial.one("SELECT amount_cents AS n FROM tunnel_charges WHERE charge = 'seal of a hybrid for EL'")["n"]
    return world.report.says("electric_outlay", _prices(world)["el_price_cents"] + seal + _deposit(world))


def goal_says_what_comes_back(world) -> bool:
    """Says how much of it comes back."""
    return world.report.says("given_back", _deposit(world))


def goal_says_the_price_of_the_tow(world) -> bool:
    """Says what being towed costs."""
    return world.report.says("tow_price", _prices(world)["tow_price_cents"])


def goal_says_when_the_electric_convoy_leaves(world) -> bool:
    """Says when the electric convoy south leaves."""
    return world.report.says("electric_departures", _times(world, "EL"))


def goal_says_when_the_towed_convoys_leave(world) -> bool:
    """Says when the towed convoys south leave."""
    return world.report.says("towed_departures", _times(world, "T"))


def goal_says_how_many_places_are_left(world) -> bool:
    """Says how many places the electric convoy still has."""
    row = world.initial.one(
        "SELECT k.most_boats - (SELECT COUNT(*) FROM passages p WHERE p.convoy_id = c.id AND p.status IN ('booked', 'listed', 'controlled')) AS n"
        " FROM convoys c JOIN timetable t ON t.id = c.slot_id JOIN convoy_kinds k ON k.id = t.letter_id"
        " WHERE k.letter = 'EL' AND t.direction = 'south' AND c.day = '2026-10-03'")
    return world.report.says("places_left", row["n"])


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []

def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_gives_no_reason(world) -> bool:
    """Names no rule as a reason."""
    return world.report.reason is None
