GOODS = (
    ("fruit_vegetables", "fruit and vegetables"), ("own_produce", "own produce"), ("cured_meat", "cured meat"), ("other_food", "other food"),
    ("roast_and_frying", "roast and frying"), ("plants_flowers", "plants and flowers"),
)


def _home(world):
    return world.initial.one(
        "SELECT c.id AS id, p.front_m AS front_m, k.holder_cents_per_m AS rate FROM concessions c JOIN pitches p ON p.id = c.pitch_id"
        " JOIN price_categories k ON k.id = c.price_category_id WHERE c.trader_id = 1 AND c.weekday = 'sunday' AND p.code = 'P12' AND c.ended_on IS NULL"
    )


def _turn(world, day):
    return world.initial.one(
        "SELECT p.code AS code, p.row_name AS row_name, p.number AS number, p.front_m AS front_m FROM replacement_turns r"
        " JOIN market_days m ON m.id = r.market_day_id JOIN pitches p ON p.id = r.pitch_id WHERE m.held_on = ? AND r.concession_id = ?",
        [day, _home(world)["id"]],
    )


def _goods_beside(world, day):
    turn = _turn(world, day)
    rows = world.initial.query(
        "SELECT t.goods AS goods FROM concessions c JOIN traders t ON t.id = c.trader_id JOIN pitches p ON p.id = c.pitch_id"
        " WHERE c.weekday = 'sunday' AND c.ended_on IS NULL AND p.row_name = ? AND abs(p.number - ?) = 1 ORDER BY p.number",
        [turn["row_name"], turn["number"]],
    )
    names = dict(GOODS)
    return [names.get(row["goods"], row["goods"]) for row in rows]


def _metres(world, day):
    return min(_home(world)["front_m"], _turn(world, day)["front_m"])


def _cost(world, day):
    cents = _home(world)["rate"] * _metres(world, day)
    if _turn(world, day)["code"] == "T7":
        cents = cents / 2
    return max(600, int(cents + 0.5))


def goal_says_the_pitch_of_april(world) -> bool:
    """Says where the user stands on 12 April."""
    return world.report.says("pitch_april", _turn(world, "2026-04-12")["code"])


def goal_says_the_goods_beside_in_april(world) -> bool:
    """Says what is sold on the pitches beside on 12 April."""
    return world.report.says("goods_beside_april", _goods_beside(world, "2026-04-12"))


def goal_says_the_metres_of_april(world) -> bool:
    """Says how many metres are charged on 12 April."""
    return world.report.says("metres_april", _metres(world, "2026-04-12"))


def goal_says_the_cost_of_april(world) -> bool:
    """Says what the pitch costs on 12 April."""
    return world.report.says("cost_april", _cost(world, "2026-04-12"))


def goal_says_the_pitch_of_may(world) -> bool:
    """Says where the user stands on 10 May."""
    return world.report.says("pitch_may", _turn(world, "2026-05-10")["code"])


def goal_says_the_goods_beside_in_may(world) -> bool:
    """Says what is sold on the pitches beside on 10 May."""
    return world.report.says("goods_beside_may", _goods_beside(world, "2026-05-10"))


def goal_says_the_metres_of_may(world) -> bool:
    """Says how many metres are charged on 10 May."""
    return world.report.says("metres_may", _metres(world, "2026-05-10"))


def goal_says_the_cost_of_may(world) -> bool:
    """Says what the pitch costs on 10 May."""
    return world.report.says("cost_may", _cost(world, "2026-05-10"))


def goal_says_the_cost_of_an_ordinary_sunday(world) -> bool:
    """Says what P12 costs on an ordinary Sunday."""
    home = _home(world)
    return world.report.says("cost_ordinary_sunday", int(home["rate"] * home["front_m"] + 0.5))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, on the ground of no rule."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return world.changes == []
