def _cost(world):
    """What was paid for well and road's hours and not given back, by the month of the water, April to 13 August."""
    cost = {"04": 0, "05": 0, "06": 0, "07": 0, "08": 0}
    rows = world.initial.query(
        "SELECT substr(starts_at, 1, 10) AS water_on, kept_cents AS cents FROM well_bookings WHERE member_id = 1"
        " UNION ALL SELECT CASE t.turn WHEN 'T-04' THEN d.t04_on ELSE d.t23_on END, h.price_cents - COALESCE(h.returned_cents, 0)"
        " FROM road_hours h JOIN draws d ON d.id = h.draw_id JOIN turns t ON t.id = h.turn_id WHERE h.taken_by_member_id = 1"
    )
    for row in rows:
        if "2026-04-01" <= row["water_on"] <= "2026-08-13":
            cost[row["water_on"][5:7]] += row["cents"]
    return cost


def _dearest(world):
    cost = _cost(world)
    return max(cost, key=lambda month: cost[month])


def goal_says_the_dearest_month(world) -> bool:
    """Says in which month the bought water cost most."""
    names = {"04": "April", "05": "May", "06": "June", "07": "July", "08": "August"}
    return world.report.says("dearest_month", names[_dearest(world)])


def goal_says_what_is_still_to_give(world) -> bool:
    """Says what the brother owes of his half after the 40.00 € that he gave."""
    return world.report.says("still_to_give", sum(_cost(world).values()) // 2 - 4000)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Changed nothing, since only an answer was wanted."""
    return len(world.changes) == 0
