"""The reference policy on the alpine huts: right at every task, wrong in the way that was asked for, and the same
again; and the person who says a conversation by heart."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.synthesis import Conversation, Turn
from envfactory_dagster.contracts.trajectory import Protocol
from envfactory_dagster.rollouts.assignments import Assignment, assignments
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.reference import ReferencePolicy
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import RolloutSettings, Setting
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.truth.replay import replay
from envfactory_dagster.truth.rewards import RewardSettings
from tests.rollouts.scripted import Scripted, calls, finishes, says
from tests.truth.references import reference

PERSON = ReferencePolicy.of_name("reference")
WITH_THE_PERSON = {"arrival_on_skis", "last_morning", "sister_joins", "tour_with_ida"}
"""Tasks of which the person does a part."""


@pytest_asyncio.fixture(scope="module")
async def work(runtime: Runtime, huts: Bundle) -> dict[str, Assignment]:
    """Every task of the huts."""
    golds = {task.id: await reference(runtime, huts, task) for task in huts.tasks}
    return {one.task.id: one for one in assignments(huts, golds, huts.verifiers, RewardSettings())}


@pytest_asyncio.fixture
async def play(runtime: Runtime, store: TrajectoryStore) -> Any:
    async def play(agent: Any, *work: Assignment, **settings: Any) -> list[Rollout]:
        agent = ReferencePolicy.of_name(agent) if isinstance(agent, str) else agent
        engine = Engine(runtime, agent, RolloutSettings(**settings), store, PERSON)
        return [rollout async for rollout in engine.roll(work)]

    return play


@pytest.mark.parametrize("protocol", ["native", "meta_tools"])
@pytest.mark.parametrize("setting", ["single", "conversation"])
async def test_it_passes_every_task_that_can_be_played_so(
    play: Any, work: dict[str, Assignment], setting: Setting, protocol: Protocol
):
    """In a single message nobody is there to do the person's part."""
    played = await play("reference", *work.values(), setting=setting, protocol=protocol)
    failed = {one.trajectory.task for one in played if one.trajectory.outcome != "completed"}
    assert len(played) == len(work)
    assert failed == (WITH_THE_PERSON if setting == "single" else set())
    assert {one.trajectory.model for one in played} == {"reference"}
    assert {remark for one in played for remark in one.remarks} == (
        {"user_scripted"} if setting == "conversation" else set()
    )


@pytest.mark.parametrize(
    ("mistake", "causes"),
    [
        ("wrong_entity", {"answered"}),
        ("stops_early", {"answered"}),
        ("hallucinated_tool", {"answered"}),
        ("malformed_arguments", {"answered"}),
        ("over_asking", {"answered"}),
    ],
)
async def test_a_mistake_fails_every_task_in_its_own_way(
    play: Any, work: dict[str, Assignment], mistake: str, causes: set[str]
):
    name = f"reference:competence=0,mistakes={mistake}"
    settings: list[dict[str, Any]] = [
        {"setting": "conversation", "protocol": "native"},
        {"setting": "single", "protocol": "meta_tools"},
    ]
    for how in settings:
        played = await play(name, *work.values(), **how)
        assert not [one for one in played if one.trajectory.outcome == "completed"]
        assert {one.cause for one in played} == causes
        assert {one.trajectory.report is None for one in played} == {mistake == "over_asking"}


async def test_what_a_mistake_leaves_undone(play: Any, work: dict[str, Assignment]):
    task = work["call_it_off"]
    right: list[tuple[str, Any]] = [(call.tool, call.arguments) for call in task.solution.calls]
    *before, (written, arguments), profile, refunds = right
    assert written == "remove_companion", "what comes after it writes nothing"

    async def made(mistake: str) -> list[tuple[str, Any]]:
        [one] = await play(f"reference:competence=0,mistakes={mistake}", task)
        return [(call.name, call.arguments) for step in one.trajectory.steps for call in step.calls]

    assert (await made("stops_early"))[:-1] == before
    assert (await made("over_asking")) == before
    after = [name for name, _ in (profile, refunds)] + ["finish"]
    for mistake, wrong in {
        "hallucinated_tool": (f"{written}_now", {}),
        "malformed_arguments": (written, '{"cut": '),
    }.items():
        *first, instead, last, last_but, report = await made(mistake)
        assert (first, instead) == (before, wrong)
        assert [last[0], last_but[0], report[0]] == after, "it goes on as if it had worked"
    *others, (again, changed), other_profile, other_refunds, _ = await made("wrong_entity")
    assert (others, again, other_profile, other_refunds) == (before, written, profile, refunds)
    assert changed.keys() == arguments.keys()
    assert changed != arguments


async def test_the_competence_is_the_share_of_episodes_without_a_mistake(play: Any, work: dict[str, Assignment]):
    """Whoever is more competent makes a part of the same mistakes."""
    task = work["best_hut_in_reach"]

    async def passed(competence: float) -> set[int]:
        played = await play(f"reference:competence={competence}", task, candidates=40)
        return {one.trajectory.seed for one in played if one.trajectory.outcome == "completed"}

    none, few, most, all_of_them = [await passed(competence) for competence in (0, 0.3, 0.7, 1)]
    assert none < few < most < all_of_them
    assert (len(none), len(all_of_them)) == (0, 40)
    assert 4 <= len(few) <= 20 <= len(most) <= 36


async def test_equal_seeds_are_played_alike(runtime: Runtime, tmp_path: Any, work: dict[str, Assignment]):
    async def steps(folder: str) -> list[Any]:
        engine = Engine(
            runtime,
            ReferencePolicy.of_name("reference:competence=0.3"),
            RolloutSettings(candidates=4, setting="conversation"),
            TrajectoryStore(Home.resolve(tmp_path / folder)),
            PERSON,
        )
        found = [one.trajectory async for one in engine.roll(list(work.values())[:4])]
        found.sort(key=lambda one: (one.task, one.seed))
        return [(one.task, one.seed, [(step.text, step.calls, step.reply) for step in one.steps]) for one in found]

    first = await steps("first")
    assert await steps("second") == first
    assert max(Counter(str(steps) for _, _, steps in first).values()) < 4, "seeds differ"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("reference:competence=2", "not between 0 and 1"),
        ("reference:competence=much", "no number"),
        ("reference:mistakes=sneezing", "'sneezing' is no mistake; there are: wrong_entity, stops_early"),
        ("reference:skill=1", "'skill' cannot be set"),
    ],
)
def test_a_name_that_means_nothing_is_told_of(name: str, told: str):
    with pytest.raises(UsageError, match=told):
        ReferencePolicy.of_name(name)


# -- the person --------------------------------------------------------------------------------------------------------


def talked_about(task: Assignment, *turns: Turn, answers: list[str] | None = None) -> Assignment:
    talk = Conversation(scenario="At home.", persona="Somebody brief.", turns=list(turns), answers=answers or [])
    return replace(task, conversation=talk)


def said(rollout: Rollout) -> list[str]:
    return [rollout.trajectory.opening, *(step.reply for step in rollout.trajectory.steps if step.reply)]


async def test_turns_are_said_in_order_and_their_calls_made_when_they_are_due(
    runtime: Runtime, huts: Bundle, play: Any, work: dict[str, Assignment]
):
    task = work["sister_joins"]
    whole = len(task.solution.calls)
    talk = talked_about(
        task,
        Turn(goal="a", request="I want to bring my sister.", calls=0),
        Turn(kind="detail", goal="b", request="It is about the tour.", calls=2),
        Turn(kind="insist", goal="c", request="Are you sure?", calls=0),
        Turn(goal="d", request="And the rest, please.", calls=whole - 2),
    )
    [rollout] = await play("reference", talk, setting="conversation")
    assert rollout.trajectory.outcome == "completed"
    assert [one for one in said(rollout) if one != "I have done that."] == [
        "I want to bring my sister.",
        "It is about the tour.",
        "Are you sure?",
        "And the rest, please.",
    ]
    made = [(call.name, call.principal) for step in rollout.trajectory.steps for call in step.calls]
    assert made[:-1] == [(call.tool, call.principal) for call in task.solution.calls]
    assert (await replay(runtime, huts, rollout.trajectory)).reproduced


async def test_a_question_is_answered_with_what_was_kept_back(play: Any, work: dict[str, Assignment]):
    task = work["best_hut_in_reach"]
    talk = talked_about(
        task,
        Turn(goal="a", request="Which hut?", calls=len(task.solution.calls)),
        answers=["The Steinkar Hut.", "No meat."],
    )
    agent = Scripted([says("Near which?"), says("What do you eat?"), says("Then this one."), finishes("{}")])
    [rollout] = await play(agent, talk, setting="conversation")
    assert said(rollout) == ["Which hut?", "The Steinkar Hut. No meat."]


async def test_what_does_not_work_for_the_person_is_tried_again(play: Any, work: dict[str, Assignment]):
    """An assistant that asks for it too early is told, and asks once more."""
    task = work["last_morning"]
    looks, pays, rest = task.solution.calls[:3], task.solution.calls[3], task.solution.calls[6:]
    lines = [
        says("Please pay and check out."),
        *(calls((one.tool, one.arguments)) for one in (*looks, pays)),
        says("Please pay and check out now."),
        *(calls((one.tool, one.arguments)) for one in rest),
        says("All is done."),
        finishes(task.solution.report),
    ]
    [rollout] = await play(Scripted(lines), task, setting="conversation")
    assert said(rollout)[1:] == ["I tried that, and it did not work.", "I have done that."]
    assert rollout.trajectory.outcome == "completed"
