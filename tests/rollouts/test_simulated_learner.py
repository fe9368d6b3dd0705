"""The simulated learner: its mistakes become fewer by what it was given, its name says so, and it is no model."""

from typing import Any

import pytest

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings, is_reference
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.reference import HALVED_BY, SimulatedLearner, player
from tests.rollouts.test_reference import play, work  # noqa: F401  (fixtures)

NAME = "simulated_learner:competence=0.2,mistakes=stops_early"


def test_as_many_tasks_of_a_kind_halve_its_mistakes_in_that_kind():
    learner = SimulatedLearner.of_name(NAME).after(["action"] * HALVED_BY)
    assert learner.competence_for("action") == pytest.approx(0.6)
    assert learner.competence_for("information") == pytest.approx(0.2)


def test_the_name_is_all_there_is_of_it():
    learner = SimulatedLearner.of_name(NAME).after(["action", "refusal", "action"]).after(["refusal"])
    assert learner.name == f"{NAME},given=action.2+refusal.2"
    assert SimulatedLearner.of_name(learner.name) == learner
    assert SimulatedLearner.of_name("simulated_learner").after([]).name.startswith("simulated_learner:competence=0.5")


async def test_whoever_was_given_tasks_passes_more_of_that_kind_and_in_the_same_episodes(
    play: Any,  # noqa: F811
    work: dict[str, Assignment],  # noqa: F811
):
    async def passed(learner: SimulatedLearner) -> set[tuple[str, int]]:
        played = await play(learner, *some, candidates=8)
        assert {one.trajectory.model for one in played} == {learner.name}
        return {(o.trajectory.task, o.trajectory.seed) for o in played if o.trajectory.outcome == "completed"}

    some = [one for one in work.values() if one.setting == "single"][:6]
    kinds = {one.task.kind for one in some}
    before = SimulatedLearner.of_name(NAME)
    first, second = await passed(before), await passed(before.after([*kinds] * HALVED_BY * 2))
    assert first < second and len(second) > len(first) + 8


@pytest.mark.parametrize("given", ["action", "action.x", "walking.3", "action.-1", "action.1.2"])
def test_what_it_was_given_is_counts_of_kinds(given: str):
    with pytest.raises(UsageError, match="is no count of tasks"):
        SimulatedLearner.of_name(f"simulated_learner:given={given}")


def test_it_plays_and_does_nothing_else():
    assert is_reference(NAME)
    assert LanguageSettings(models={Role.SOLVER: NAME}).model(Role.SOLVER) == NAME
    for role in (Role.USER, Role.AUTHOR, Role.JUDGE):
        with pytest.raises(ValueError, match="simulated_learner"):
            LanguageSettings(models={role: NAME})
    assert isinstance(player(None, None, NAME, None, False), SimulatedLearner)  # type: ignore[arg-type]
