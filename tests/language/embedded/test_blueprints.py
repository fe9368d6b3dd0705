"""The shipped blueprints: there are many, and what is made of each builds, runs, and is reached by sound tasks."""

import pytest

from envfactory_dagster.language.embedded.blueprint import Blueprint
from envfactory_dagster.language.embedded.blueprints import all_blueprints
from envfactory_dagster.language.embedded.modules import all_modules
from tests.language.embedded.artifacts import Environment, author_environment
from tests.language.embedded.executor import check_environment

NUMBERED = list(enumerate(all_blueprints()))


async def environment_of(blueprint: Blueprint, number: int, size: str) -> Environment:
    flavour = blueprint.flavours[number % len(blueprint.flavours)]
    return await author_environment(
        f"Oakridge {blueprint.name} for {flavour}", blueprint.category, blueprint.about, size
    )


def test_the_catalogue_is_large() -> None:
    assert len({blueprint.name for blueprint in all_blueprints()}) == len(all_blueprints()) >= 60
    assert len({blueprint.category for blueprint in all_blueprints()}) >= 20
    assert len(all_modules()) >= 15


def test_every_module_is_at_home_in_some_blueprint_and_every_blueprint_names_modules_there_are() -> None:
    assert {name for blueprint in all_blueprints() for name in blueprint.uses} == set(all_modules())
    assert {name for blueprint in all_blueprints() for name in blueprint.may_use} <= set(all_modules())


@pytest.mark.parametrize(("number", "blueprint"), NUMBERED, ids=[blueprint.name for _, blueprint in NUMBERED])
async def test_blueprint_is_sound(number: int, blueprint: Blueprint) -> None:
    """One environment of each, with another of its flavours from one blueprint to the next; every third is small. All
    that `python -m tests.language.embedded.check blueprint` tries, six of each, takes a core five minutes."""
    size = "small" if number % 3 == 2 else "full"
    environment = await environment_of(blueprint, number, size)
    assert check_environment(environment) == []
    if size == "full":
        by_person = {tool.name for tool in environment.tools if tool.principal == "user"}
        assert by_person and len(by_person) < len(environment.tools) / 4


async def test_two_of_a_kind_are_different_worlds() -> None:
    """Nothing is drawn by chance: an environment is settled by its key and name, and another one has other rows."""
    gym = next(blueprint for blueprint in all_blueprints() if blueprint.name == "climbing gym")
    one, again, other = [await environment_of(gym, number, "small") for number in (0, 0, 1)]
    assert one == again
    assert one.theme.key != other.theme.key
    rows = [{repr(table) for table in made.states["initial"].tables} for made in (one, other)]
    assert rows[0] != rows[1]
    shared = {task.text for task in one.tasks} & {task.text for task in other.tasks}
    assert len(shared) < len(one.tasks) / 2
