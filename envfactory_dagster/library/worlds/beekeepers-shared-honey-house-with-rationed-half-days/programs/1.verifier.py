SHARES = (
    "SELECT t.tank_no, ROUND((SELECT COALESCE(SUM(p.share_kg), 0) FROM pours p JOIN lots l ON l.id = p.lot_id"
    " WHERE p.tank_id = t.id AND l.member_id = 1)"
    " - (SELECT COALESCE(SUM(d.kg), 0) FROM draw_offs d WHERE d.tank_id = t.id AND d.member_id = 1), 2) AS kg"
    " FROM tanks t ORDER BY kg DESC, t.tank_no"
)
LOTS = (
    "SELECT l.extracted_on, ROUND(l.net_kg - (SELECT COALESCE(SUM(p.kg), 0) FROM pours p WHERE p.lot_id = l.id), 2) AS kg"
    " FROM lots l WHERE l.member_id = 1 AND l.status IN ('open', 'measured') ORDER BY kg DESC, l.id"
)


def _figures(world):
    shares = world.initial.query(SHARES, [])
    lots = world.initial.query(LOTS, [])
    return shares, lots, round(sum(r["kg"] for r in shares), 2), round(sum(r["kg"] for r in lots), 2)


def goal_says_kilos_in_tanks(world) -> bool:
    """Says how many kilos of the user's own shares stand in the tanks."""
    return world.report.says("kilos_in_tanks", _figures(world)[2])


def goal_says_kilos_in_lots(world) -> bool:
    """Says how many kilos wait in lots that are neither poured nor refused."""
    return world.report.says("kilos_in_lots", _figures(world)[3])


def goal_says_biggest_tank_only_if_tanks_hold_more(world) -> bool:
    """Names the tank with the biggest share if the tanks hold more, and none otherwise."""
    shares, lots, in_tanks, in_lots = _figures(world)
    return world.report.says("biggest_tank", shares[0]["tank_no"] if in_tanks > in_lots else None)


def goal_says_day_of_biggest_lot_only_if_lots_hold_more(world) -> bool:
    """Says when the biggest waiting lot was extracted if the lots hold more, and nothing otherwise."""
    shares, lots, in_tanks, in_lots = _figures(world)
    return world.report.says("biggest_lot_day", lots[0]["extracted_on"] if in_lots > in_tanks else None)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing at all."""
    return not world.changes
