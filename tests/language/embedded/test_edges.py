"""The limits in the tools of whole worlds: each is met by a call of which something else comes if it is off by one."""

from collections.abc import Callable, Iterator
from typing import Any

import apsw
import pytest

from envfactory_dagster.contracts.requests import ToolFunction
from envfactory_dagster.contracts.tools import ToolEdge
from envfactory_dagster.language.embedded.blueprints import all_blueprints
from envfactory_dagster.language.embedded.limits import slips_of
from envfactory_dagster.language.embedded.plan import plan_for
from tests.language.embedded.artifacts import Environment, author_environment
from tests.language.embedded.executor import Env, Session, ToolError, load

WORLDS = {
    ("animal shelter", "old dogs"): {"bookings", "scheduling"},
    ("apartment building", "pensioners"): {"bookings", "messaging"},
    ("coding bootcamp", "security engineers"): {"bookings", "learning"},
}
"""Kind of place, and what is special there → what people do, among other things."""


async def world_of(kind: str, flavour: str) -> Environment:
    blueprint = next(blueprint for blueprint in all_blueprints() if blueprint.name == kind)
    return await author_environment(f"Oakridge {kind} for {flavour}", blueprint.category, blueprint.about, "full")


def off_by_one(function: ToolFunction) -> Iterator[tuple[str, ToolFunction]]:
    """The function without the very limit, at one `>=` or `<=` after the other, and the line that is meant."""
    for slip in slips_of(function.source):
        if len(slip.source) == len(function.source) - len("="):
            line = slip.near.splitlines()[-1].strip()
            yield line, function.model_copy(update={"source": slip.source})


def calls_of(function: ToolFunction) -> list[ToolEdge]:
    """Everything that is called when the function is judged."""
    good = ToolEdge(before=function.before, arguments=function.good_call, refused=False)
    return [good, ToolEdge(arguments=function.bad_call, refused=True), *function.edges]


def comes_of(session: Session, function: Callable[..., Any], call: ToolEdge, clock: str) -> Any:
    with session.undone():
        env = Env(session.connection, call.clock or clock)
        for row in call.given:
            changes = ", ".join(f"{column} = ?" for column in row.values)
            session.connection.execute(f"UPDATE {row.table} SET {changes} WHERE id = ?", (*row.values.values(), row.id))
        try:
            for earlier in call.before:
                session.functions[earlier.tool](env, **earlier.arguments)
            return function(env, **call.arguments)
        except (ToolError, apsw.Error) as error:
            return type(error)


@pytest.mark.parametrize(("kind", "flavour"), WORLDS)
async def test_every_limit_is_met_by_a_call(kind: str, flavour: str) -> None:
    world = await world_of(kind, flavour)
    assert {binding.module.name for binding in plan_for(world.theme).bindings} >= WORLDS[kind, flavour]
    state = world.states["initial"]
    session = Session(world, state)
    unmet = [
        f"{function.name}: {line}"
        for function in world.functions
        for line, slipped in off_by_one(function)
        if not any(
            comes_of(session, load(slipped), call, state.clock)
            != comes_of(session, session.functions[function.name], call, state.clock)
            for call in calls_of(function)
        )
    ]
    assert unmet == []
