import json
import re


def _named(world):
    answer = world.initial.one("SELECT answer FROM answers WHERE question LIKE '%800 metres%'")["answer"]
    codes = re.findall(r"J-[0-9]+", answer.split("Not ")[0])
    return [world.initial.one("SELECT id, name FROM varieties WHERE code = ?", [code]) for code in codes]


def _lots(world):
    ids = json.dumps([row["id"] for row in _named(world)])
    return world.initial.query(
        "SELECT variety_code_id, name, rootstock, member_price_cents FROM lots WHERE kind = 'tree'"
        " AND free_pieces >= 1 AND variety_code_id IN (SELECT value FROM json_each(?))"
        " ORDER BY member_price_cents, id",
        [ids],
    )


def goal_names_the_varieties(world) -> bool:
    """Names the apple varieties that the society names for 800 metres."""
    return world.report.says("varieties_named", [row["name"] for row in _named(world)])


def goal_says_which_can_be_had(world) -> bool:
    """Says of which of them there are young trees, lot by lot."""
    return world.report.says("free_varieties", [row["name"] for row in _lots(world)])


def goal_says_the_rootstocks(world) -> bool:
    """Says the rootstock of each of these lots."""
    return world.report.says("free_rootstocks", [row["rootstock"] for row in _lots(world)])


def goal_says_the_prices(world) -> bool:
    """Says the price of a tree of each of these lots."""
    return world.report.says("free_prices", [row["member_price_cents"] for row in _lots(world)])


def goal_says_whether_one_pollinates_another(world) -> bool:
    """Says whether one of those to be had pollinates another of them."""
    ids = json.dumps(sorted({row["variety_code_id"] for row in _lots(world)}))
    n = world.initial.one(
        "SELECT count(*) AS n FROM pollinations WHERE variety_id <> pollinator_id"
        " AND variety_id IN (SELECT value FROM json_each(?)) AND pollinator_id IN (SELECT value FROM json_each(?))",
        [ids, ids],
    )["n"]
    return world.report.says("one_pollinates_another", n > 0)


def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, and for no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None
