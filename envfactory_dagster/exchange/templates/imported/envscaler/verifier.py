"""The published checks of the final state."""

import json


def _state(database, path="."):
    """The attributes of the instance, as the published checks are given them."""
    rows = {row["path"]: row["value"] for row in database.query("SELECT path, value FROM state")}
    return _joined(rows, path)


def _joined(rows, path):
    node = json.loads(rows[path])
    if isinstance(node, dict) and "$keys" in node:
        keys = node.pop("$keys")
        node.update({key: _joined(rows, path + "/" + key.replace("~", "~0").replace("/", "~1")) for key in keys})
    return _plain(node)


def _plain(node):
    """Without what only says how the object is built."""
    if isinstance(node, list):
        return [_plain(one) for one in node]
    if not isinstance(node, dict):
        return node
    for word, make in (("$tuple", tuple), ("$set", set), ("$frozenset", frozenset), ("$list", list)):
        if word in node:
            return make(_plain(node[word]))
    if "$map" in node:
        return {_plain(key): _plain(value) for key, value in node["$map"]}
    return {key: _plain(value) for key, value in node.items() if key not in ("$class", "$model", "$unset", "$id")}
