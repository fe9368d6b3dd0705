"""The task is done when the world is as the published solution leaves it."""

import json

CHANGED = {}


def goal_comes_to_the_published_end(world) -> bool:
    """Every row is as the published solution leaves it, and no other was changed."""
    return _changed(world) == CHANGED


def guard_reports_as_done_what_changes_something(world) -> bool:
    """The report, where there is one, says that it is done."""
    return not CHANGED or world.report.outcome in (None, "done")


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
