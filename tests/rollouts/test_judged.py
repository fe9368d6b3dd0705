"""Episodes whose reward a judge decides."""

import json
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.authoring.loop import UNUSABLE_IN_A_ROW
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.trajectory import Criterion
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import BUILT_IN_MODEL, LanguageSettings, LimitSettings
from envfactory_dagster.language.wire import NO_OTHER_ANSWER
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.model import Model
from envfactory_dagster.rollouts.results import About, task_results
from envfactory_dagster.rollouts.scoring import Finished, Rollout, score
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.checks import MESSAGE_CHECK
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.truth.execution import run_calls
from envfactory_dagster.truth.judging import Judge, takes_part
from envfactory_dagster.truth.reward_basis import RewardBasis
from envfactory_dagster.truth.rewards import RewardSettings
from tests.language.played_endpoint import PlayedEndpoint, sends
from tests.language.played_endpoint import says as completion
from tests.rollouts.scripted import ByTask, Line, Scripted, says
from tests.rollouts.stage import Stage
from tests.truth.episodes import recorded
from tests.truth.episodes import says as spoken

JUDGED = [{"strategy": "judge_only"}, {"strategy": "code_augmented"}, {"weights": {"checks": 1.0, "rubric": 1.0}}]


@pytest.mark.parametrize("reward", JUDGED, ids=str)
async def test_a_reward_that_needs_a_judge_is_refused_where_there_is_none(
    stage: Stage, runtime: Runtime, store: TrajectoryStore, reward: dict[str, Any]
):
    settings = RolloutSettings(reward=RewardSettings.model_validate(reward))
    named = reward.get("strategy", "rubric")
    with pytest.raises(UsageError, match=f"needs a judge for .*`{named}`.*truth.judging.Judge"):
        Engine(runtime, Scripted([]), settings, store)
    with pytest.raises(UsageError, match=f"needs a judge for .*`{named}`"):
        await score(runtime, stage.assignment, settings, [])


def judging(*answers: dict[str, Any] | str) -> PlayedEndpoint:
    """An endpoint whose model judges so: one answer after the other, the last one for ever."""
    scenes = [completion(one if isinstance(one, str) else json.dumps(one)) for one in answers]
    return PlayedEndpoint(always=scenes[-1], stage=deque(scenes[:-1]))


def classed(outcome: str, **evidence: Any) -> dict[str, Any]:
    evidence = {"step": 0, "shows": "It looked.", **evidence}
    return {"reasoning": "So it is.", "outcome": outcome, "evidence": [evidence]}


@asynccontextmanager
async def asking(endpoint: PlayedEndpoint, folder: Path) -> AsyncIterator[Judge]:
    models = LanguageSettings(
        base_url="http://judge/v1", models=dict.fromkeys(Role, "judge"), limits=LimitSettings(backoff_s=0.001)
    )
    async with Gateway(models, folder / "judge", app=endpoint.app()) as gateway:
        yield Judge(gateway, "trajectories", "alpine-huts")


async def judged(stage: Stage, agent: Model, endpoint: PlayedEndpoint, folder: Path, **settings: Any) -> list[Rollout]:
    reward = RewardSettings.model_validate(settings.pop("reward"))
    bundle, task = stage.assignment.bundle, stage.assignment.task
    facts = analyze_tools(bundle.tools_source, bundle.schema_sql)
    assert stage.gold is not None
    basis = RewardBasis(bundle, task, stage.gold, facts, reward)
    assignment = replace(stage.assignment, basis=basis)
    async with asking(endpoint, folder) as judge:
        engine = Engine(stage.runtime, agent, RolloutSettings(reward=reward, **settings), stage.store, judge=judge)
        return [rollout async for rollout in engine.roll([assignment])]


def total(rollout: Rollout) -> float | None:
    return None if rollout.trajectory.reward is None else rollout.trajectory.reward.total


@pytest.mark.parametrize("strategy", ["judge_only", "code_augmented"])
@pytest.mark.parametrize(
    ("outcome", "earned"), [("completed", 1.0), ("partially_completed", 0.1), ("agent_error", 0.0)]
)
async def test_the_judge_decides_what_is_earned(
    stage: Stage, gold: list[Line], tmp_path: Path, strategy: str, outcome: str, earned: float
):
    endpoint = judging(classed(outcome))
    [rollout] = await judged(stage, Scripted(gold), endpoint, tmp_path, reward={"strategy": strategy})
    assert total(rollout) == earned
    assert rollout.trajectory.verdict is not None and rollout.trajectory.verdict.message == "judged"
    asked = endpoint.bodies[0]["messages"][-1]["content"]
    assert ("goal_" in asked) == (strategy == "code_augmented"), "by the steps alone, or with the checks"
    assert ('"success_criteria":["goal_' in asked.replace(" ", "").replace("\n", "")) == (strategy == "code_augmented")


@pytest.mark.parametrize(("met", "earned"), [((True, True), 1.0), ((True, False), 0.0)])
async def test_a_rubric_is_met_whole_or_not_at_all(
    stage: Stage, gold: list[Line], tmp_path: Path, met: tuple[bool, ...], earned: float
):
    names = ("booked_off", "told")
    stage.assignment = replace(stage.assignment, rubric=[Criterion(id=name, text=f"Has {name}.") for name in names])
    judged_so = [*zip(names, met, strict=True), (MESSAGE_CHECK, True)]
    criteria = [{"criterion": name, "met": one, "reason": "So."} for name, one in judged_so]
    endpoint = judging({"criteria": criteria})
    [rollout] = await judged(stage, Scripted(gold), endpoint, tmp_path, reward={"weights": {"rubric": 1.0}})
    assert total(rollout) == earned


# -- the words of the message ------------------------------------------------------------------------------------------


def of_message(agrees: bool | None, *quotes: str) -> dict[str, Any]:
    return {"agrees": agrees, "contradictions": [{"quote": one, "against": "the outcome"} for one in quotes]}


@pytest.mark.parametrize("weights", [{"outcome": 1.0}, {"checks": 1.0}, {"validator": 1.0}], ids=str)
async def test_words_that_contradict_the_report_earn_nothing(
    stage: Stage, gold: list[Line], tmp_path: Path, weights: dict[str, float]
):
    assert stage.gold is not None
    lie = stage.gold.report.message[:20]
    for place, (answer, earned) in enumerate([(of_message(True), 1.0), (of_message(False, lie), 0.0)]):
        stage.store = TrajectoryStore(Home.resolve(tmp_path / f"store{place}"))
        endpoint = judging(answer)
        agent = Scripted(list(gold))
        [rollout] = await judged(stage, agent, endpoint, tmp_path / str(place), reward={"weights": weights})
        verdict = rollout.trajectory.verdict
        assert verdict is not None and verdict.message == "judged"
        assert (total(rollout), verdict.score, endpoint.calls) == (earned, earned, 1)
        assert (rollout.trajectory.outcome == "completed") is bool(earned)
        assert bool(verdict.reasons) is not bool(earned)


async def test_a_judge_that_cannot_tell_leaves_the_verdict_to_the_values(
    stage: Stage, gold: list[Line], tmp_path: Path
):
    [rollout] = await judged(stage, Scripted(gold), judging(of_message(None)), tmp_path, reward={})
    assert rollout.trajectory.verdict is not None and rollout.trajectory.verdict.message == "values_only"
    assert total(rollout) == 1.0


@pytest.mark.parametrize(
    "answer",
    [of_message(False, "words that the message has not"), of_message(False, "\\"), of_message(False), "Fine, I think."],
    ids=str,
)
async def test_words_that_are_judged_from_nothing_give_no_verdict(
    stage: Stage, gold: list[Line], tmp_path: Path, answer: dict[str, Any] | str
):
    [rollout] = await judged(stage, Scripted(gold), judging(answer), tmp_path, reward={})
    assert (total(rollout), rollout.remarks) == (None, ["no_verdict"])


async def test_words_are_left_unread_where_that_is_wished_or_nobody_reads(
    stage: Stage, gold: list[Line], tmp_path: Path
):
    endpoint = judging(of_message(True))
    [unread] = await judged(stage, Scripted(list(gold)), endpoint, tmp_path, reward={"message_words": False})
    stage.store = TrajectoryStore(Home.resolve(tmp_path / "store"))
    alone = await stage.one(Scripted(list(gold)))
    for rollout in (unread, alone):
        assert rollout.trajectory.verdict is not None and rollout.trajectory.verdict.message == "values_only"
        assert total(rollout) == 1.0
    assert endpoint.calls == 0


async def test_an_endpoint_that_has_recorded_answers_only_reads_no_words(
    stage: Stage, gold: list[Line], tmp_path: Path
):
    no_other = sends({"error": {"message": "There is no other answer.", "code": NO_OTHER_ANSWER}}, 422)
    [rollout] = await judged(stage, Scripted(gold), PlayedEndpoint(always=no_other), tmp_path, reward={})
    assert rollout.trajectory.verdict is not None and rollout.trajectory.verdict.message == "values_only"
    assert total(rollout) == 1.0


@pytest.mark.parametrize(
    ("reward", "judge", "takes"),
    [
        ({}, "some-model", True),
        ({"message_words": False}, "some-model", False),
        ({"message_words": False, "strategy": "code_augmented"}, "some-model", True),
        ({}, None, False),
        ({}, BUILT_IN_MODEL, False),
        ({"strategy": "judge_only"}, BUILT_IN_MODEL, True),
    ],
    ids=str,
)
def test_a_judge_takes_part_where_one_is_set_that_can_read_words(
    reward: dict[str, Any], judge: str | None, takes: bool
) -> None:
    models = LanguageSettings(base_url="http://model/v1", models={} if judge is None else {Role.JUDGE: judge})
    assert takes_part(RewardSettings.model_validate(reward), models) is takes


async def test_of_an_end_that_earns_nothing_no_words_are_read(stage: Stage, tmp_path: Path):
    endpoint = judging(of_message(True))
    [rollout] = await judged(stage, Scripted([says("")]), endpoint, tmp_path, reward={})
    assert (total(rollout), endpoint.calls) == (0.0, 0)


async def test_words_are_judged_together_with_the_rubric(stage: Stage, gold: list[Line], tmp_path: Path):
    stage.assignment = replace(stage.assignment, rubric=[Criterion(id="told", text="Has told it.")])
    judged_so = [("told", True), (MESSAGE_CHECK, False)]
    endpoint = judging({"criteria": [{"criterion": one, "met": met, "reason": "So."} for one, met in judged_so]})
    reward = {"weights": {"rubric": 1.0, "checks": 1.0}}
    [rollout] = await judged(stage, Scripted(gold), endpoint, tmp_path, reward=reward)
    assert rollout.trajectory.reward is not None and set(rollout.trajectory.reward.components.values()) == {0.0}
    verdict = rollout.trajectory.verdict
    assert endpoint.calls == 1 and verdict is not None and (verdict.score, verdict.message) == (0.0, "judged")


# -- judges that are of no use -----------------------------------------------------------------------------------------

UNFOUNDED: list[dict[str, Any] | str] = [
    "It went well, I think.",
    classed("completed", step=99),
    classed("completed", quote="words that nobody has said"),
    classed("completed", step=None),
    classed("completed", quote="   "),
    classed("completed", step=None, quote="'\\\""),
    classed("environment_error"),
]


@pytest.mark.parametrize("answer", UNFOUNDED, ids=str)
async def test_without_a_verdict_there_is_no_reward(
    stage: Stage, gold: list[Line], tmp_path: Path, answer: dict[str, Any] | str
):
    endpoint = judging(answer)
    [rollout] = await judged(stage, Scripted(gold), endpoint, tmp_path, reward={"strategy": "code_augmented"})
    assert (total(rollout), rollout.remarks) == (None, ["no_verdict"])
    assert rollout.detail.startswith("no verdict: ")
    most = UNUSABLE_IN_A_ROW if isinstance(answer, str) else 2
    assert endpoint.calls == most, "it is asked once more, and a few times where there is no answer at all"
    assert rollout.trajectory.outcome == "completed", "what the verifier says is kept"
    assert stage.store.read(stage.assignment.bundle) == [rollout]
    about = {(rollout.trajectory.environment, rollout.trajectory.task): About("action", 1, "task_set")}
    [result] = task_results([rollout], about)
    assert (result.reward, result.unscored) == (None, 1)


async def test_a_judge_that_mends_its_answer_is_heard(stage: Stage, gold: list[Line], tmp_path: Path):
    said = gold[-1]
    assert isinstance(said, dict)
    words = {"step": len(gold) - 1, "quote": said["content"][:30]}
    endpoint = judging(classed("completed", quote="made up"), classed("completed", **words))
    [rollout] = await judged(stage, Scripted(gold), endpoint, tmp_path, reward={"strategy": "judge_only"})
    assert total(rollout) == 1.0


async def test_the_same_episode_is_judged_once_and_what_code_settles_never(
    stage: Stage, gold: list[Line], tmp_path: Path
):
    endpoint = judging(classed("completed"))
    agent, reward = ByTask({stage.assignment.task.text: gold}), {"strategy": "code_augmented"}
    rollouts = [one for _ in range(2) for one in await judged(stage, agent, endpoint, tmp_path, reward=reward)]
    rollouts += await judged(stage, agent, endpoint, tmp_path, reward=reward, candidates=3)
    assert [total(one) for one in rollouts] == [1.0, 1.0, 1.0]
    assert endpoint.calls == 1
    stage.store = TrajectoryStore(Home.resolve(tmp_path / "other"))
    [silent] = await judged(stage, Scripted([says("")]), endpoint, tmp_path, reward=reward)
    assert (total(silent), endpoint.calls) == (0.0, 1)


async def test_a_verifier_that_remembers_earlier_cases_judges_nobody(stage: Stage, gold: list[Line]) -> None:
    remembers = (
        "import json\n\ndef goal_first(world):\n    json.n = getattr(json, 'n', 0) + 1\n    return json.n == 1\n"
    )
    counting = replace(stage.assignment.checks, source=remembers)
    stage.assignment = replace(stage.assignment, checks=counting)
    rollouts = await stage.all(ByTask({stage.assignment.task.text: gold}), candidates=3)
    assert [one.trajectory.outcome for one in rollouts] == ["environment_error"] * 3
    assert [one.trajectory.reward for one in rollouts] == [None] * 3
    assert all("the verifier remembers earlier cases" in one.detail for one in rollouts)


# -- text of who was never asked for a report --------------------------------------------------------------------------


async def told_only(stage: Stage) -> Finished:
    """An episode from elsewhere, that did what the reference solution did and ended in plain text."""
    bundle, task, gold = stage.assignment.bundle, stage.assignment.task, stage.gold
    assert gold is not None
    run = await run_calls(stage.runtime, bundle, task, gold.calls, None)
    told = recorded(bundle, task, run)
    steps = [*told.steps[:-1], spoken(gold.report.message).model_copy(update={"number": len(told.steps) - 1})]
    return Finished(told.model_copy(update={"steps": steps}), "answered", "", [], run.changes, run.final)


async def test_what_nobody_has_read_has_no_reward_and_is_counted(stage: Stage):
    [rollout] = await score(stage.runtime, stage.assignment, RolloutSettings(), [await told_only(stage)])
    trajectory = rollout.trajectory
    assert (trajectory.outcome, trajectory.reward, rollout.remarks) == (None, None, ["no_verdict"])
    assert trajectory.verdict is not None and trajectory.verdict.message == "unread"
    about = {(trajectory.environment, trajectory.task): About("action", 1, "task_set")}
    [result] = task_results([rollout], about)
    assert (result.played, result.unscored, result.environment_errors) == (0, 1, 0)


@pytest.mark.parametrize(("said", "earned"), [(None, 1.0), (1, 0.0)])
async def test_what_two_readings_agree_on_is_judged_as_a_report(
    stage: Stage, tmp_path: Path, said: int | None, earned: float
):
    assert stage.gold is not None
    right = stage.gold.report.answers["money_back"]
    reading = {"outcome": "done", "answers": {"money_back": said or right}, "reason": None}
    async with asking(judging(reading, reading, of_message(True)), tmp_path) as judge:
        [rollout] = await score(stage.runtime, stage.assignment, RolloutSettings(), [await told_only(stage)], judge)
    assert total(rollout) == earned
    assert rollout.trajectory.report is not None and rollout.trajectory.report.message == stage.gold.report.message
