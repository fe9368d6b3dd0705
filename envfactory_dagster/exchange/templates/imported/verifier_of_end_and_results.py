"""The task is done when the world is as the published solution leaves it, and everything was seen that it sees."""

import json

CHANGED = {}
RESULTS = []


def goal_sees_and_leaves_what_the_published_solution_does(world) -> bool:
    """Every row is as the published solution leaves it and no other was changed, and every result of its calls came
    back to the agent, in any order.
    """
    seen = [call["value"] for call in world.trajectory if call["outcome"] == "ok"]
    for result in RESULTS:
        if result not in seen:
            return False
        seen.remove(result)
    return _changed(world) == CHANGED


def guard_reports_it_as_done(world) -> bool:
    """The report, where there is one, says that it is done."""
    return world.report.outcome in (None, "done")


def _changed(world):
    rows = [(change["key"][0], change["after"]) for change in world.changes if "/_" not in change["key"][0]]
    found = {path: None if row is None else _public(json.loads(row["value"])) for path, row in rows}
    return {path: value for path, value in found.items() if value != _public(_initial(world, path))}


def _initial(world, path):
    row = world.initial.one("SELECT value FROM state WHERE path = ?", [path])
    return None if row is None else json.loads(row["value"])


def _public(node):
    """Without attributes whose names begin with an underscore, which are nobody's but the code's own, and without marks
    that tell what those refer to."""
    if isinstance(node, dict):
        return {key: _public(value) for key, value in node.items() if not key.startswith(("_", "$id", "$keys"))}
    return [_public(value) for value in node] if isinstance(node, list) else node
