"""A world in which whole programs are tried before they are handed in.

Belongs here: running programs that this package wrote, and saying what they came to. Does not: writing them
(`asking`, `acting`), or judging anybody's code; there is no sandbox here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import apsw

from envfactory_dagster.language.embedded import compose
from envfactory_dagster.language.embedded.kit import Row
from envfactory_dagster.language.embedded.rehearsal import Env, Function, Refusal, Rehearsal
from envfactory_dagster.language.embedded.world import World

T = TypeVar("T")

Contents = Mapping[str, Mapping[int, Row]]
"""Table → id → row."""


@dataclass(frozen=True, slots=True)
class Played:
    """What a program said, called and left behind."""

    answer: Any
    calls: tuple[str, ...]
    before: Contents
    after: Contents


class Practice(Rehearsal):
    """One world with all its tools; every call and every program is undone after it was looked at."""

    def __init__(self, world: World) -> None:
        plan = world.plan
        super().__init__(
            compose.tables(plan),
            compose.rows(world),
            world.clock.isoformat(),
            compose.tool_definitions(plan),
            compose.tool_functions(world),
        )

    def call(self, tool: str, **arguments: Any) -> dict[str, Any] | None:
        """What a tool answers; None when it refuses."""
        return self._undone(lambda env: self._answer(env, tool, arguments))

    def play(self, source: str) -> Played | None:
        """What a whole program comes to; None when a tool refuses something on the way."""
        namespace: dict[str, Any] = {}
        exec(compile(source, "program.py", "exec"), namespace)

        def play(env: Env) -> Played | None:
            tools = _Tools(env, self._functions)
            before = self._everything()
            try:
                answer = namespace["solve"](tools)
            except Refusal:
                return None
            return Played(answer, tuple(tools.called), before, self._everything())

        return self._undone(play)

    def _answer(self, env: Env, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any] | None:
        try:
            return self._functions[tool](env, **arguments)
        except Refusal:
            return None

    def _undone(self, look: Callable[[Env], T]) -> T:
        self._database.execute("SAVEPOINT practice")
        try:
            return look(Env(self._database, self._clock))
        finally:
            self._database.execute("ROLLBACK TO practice; RELEASE practice")

    def _everything(self) -> Contents:
        return {filled.table: _by_id(self._database, filled.table) for filled in self._rows}


class _Tools:
    """What a program is given."""

    Error = Refusal

    def __init__(self, env: Env, functions: Mapping[str, Function]) -> None:
        self._env, self._functions = env, functions
        self.called: list[str] = []

    def __getattr__(self, name: str) -> Callable[..., dict[str, Any]]:
        def call(**arguments: Any) -> dict[str, Any]:
            self.called.append(name)
            return self._functions[name](self._env, **arguments)

        return call


def _by_id(database: apsw.Connection, table: str) -> dict[int, Row]:
    cursor = database.execute(f'SELECT * FROM "{table}"')
    rows = [dict(zip([c[0] for c in cursor.get_description()], row, strict=True)) for row in cursor]
    return {row["id"]: row for row in rows}
