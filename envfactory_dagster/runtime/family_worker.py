"""The worker that draws instances from a task family: the family's `instances`, over one read-only state.

Belongs here: what such a function sees (`world`, `rng`), and how many of its instances are taken. Does not: what an
instance is worth (`tasks.families`). It answers one request.
"""

import json
from random import Random
from typing import Any

from envfactory_dagster.runtime.facade import SAFE_BUILTINS, describe
from envfactory_dagster.runtime.frames import Channel
from envfactory_dagster.runtime.table_contents import Row
from envfactory_dagster.runtime.verifier_worker import ReadOnlyDatabase, read_only

MOST_REPEATS = 200
"""So many instances in a row that were drawn before end the drawing."""


class FamilyWorld:
    """A state as `instances` sees it."""

    user_id = 1

    def __init__(self, image: bytes, state: str, clock: str) -> None:
        self._database = ReadOnlyDatabase(read_only(image))
        self.state = state
        self.clock = clock

    def query(self, sql: str, params: Any = ()) -> list[Row]:
        return self._database.query(sql, params)

    def one(self, sql: str, params: Any = ()) -> Row | None:
        return self._database.one(sql, params)


def serve(channel: Channel) -> None:
    frame = channel.receive()
    if frame is None:
        return
    (source, state, clock, seed, most), image = frame
    try:
        channel.send(["ok", _drawn(source, FamilyWorld(image, state, clock), Random(seed), most)])
    except BaseException as failure:  # noqa: BLE001 - a family may raise anything, SystemExit included
        channel.send(["error", describe(failure).replace("tools.py", "family")])


def _drawn(source: str, world: FamilyWorld, rng: Random, most: int) -> list[Any]:
    """Different instances in the order in which they come, and whether there may be more."""
    namespace: dict[str, Any] = {"__builtins__": SAFE_BUILTINS, "__name__": "family"}
    exec(compile(source, "tools.py", "exec", dont_inherit=True), namespace)
    instances = namespace.get("instances")
    if not callable(instances):
        raise LookupError("the family defines no function instances(world, rng)")
    found: list[str] = []
    seen: set[str] = set()
    repeats = 0
    for one in instances(world, rng):
        text = json.dumps(one, sort_keys=True, allow_nan=False)
        repeats = repeats + 1 if text in seen else 0
        if repeats >= MOST_REPEATS:
            return [found, "repeats"]
        if not repeats:
            seen.add(text)
            found.append(text)
        if len(found) == most:
            return [found, "more"]
    return [found, "end"]
