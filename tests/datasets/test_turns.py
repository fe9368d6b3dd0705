"""Turns of conversations as tasks of their own: they begin in the middle, and path and state judge them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.dataset import RlRow
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.synthesis import MadeTask, Release
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.datasets.assigned import load_tasks, read_tasks
from envfactory_dagster.datasets.rows import RlSettings, Source, rl_rows, with_turn_changes
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.truth.rewards import RewardSettings
from tests.datasets.conftest import TALK
from tests.rollouts.scripted import Scripted, calls, says

MADE = dict[str, MadeTask]
PATH_AND_STATE = RewardSettings(weights={"path_and_state": 1.0}, message_words=False)
ALPHA, GAMMA = 0.5, 0.1


@pytest.fixture
def home(sealed: Bundle, made: MADE, tmp_path: Path) -> Home:
    """Where the huts are released."""
    home = Home.resolve(tmp_path / "home")
    BundleStore(home).keep(sealed)
    release = Release(version=sealed.version, tasks=list(made.values()))
    RecordStore(home).keep(
        StageRecord(
            stage="release",
            partition=sealed.key,
            status="ok",
            inputs=sealed.version,
            version=sealed.version,
            artifact=release.model_dump(mode="json"),
        )
    )
    return home


@pytest_asyncio.fixture
async def data(runtime: Runtime, source: Source, tmp_path: Path) -> Path:
    rows, _ = rl_rows(await with_turn_changes(runtime, source), RlSettings(protocols=("native", "compact")))
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(row.model_dump_json() + "\n" for row in rows))
    return path


def done(steps: Sequence[TracedStep]) -> list[Any]:
    return [calls((step.tool, step.arguments)) for step in steps]


class Turns:
    """The turns of the conversation, and what comes of one that is played so."""

    def __init__(self, runtime: Runtime, home: Home, data: Path) -> None:
        self._runtime, self._home = runtime, home
        self.rows = [row for row in read_tasks(data, turns=True) if row.trace.task == TALK]

    async def played(self, row: RlRow, agent: Scripted, **settings: Any) -> Rollout:
        assigned = load_tasks([row], self._home, PATH_AND_STATE)
        how = RolloutSettings(reward=PATH_AND_STATE, **settings)
        engine = Engine(self._runtime, agent, how, TrajectoryStore(self._home))
        [rollout] = [rollout async for rollout in engine.roll(assigned)]
        return rollout


@pytest.fixture
def turns(runtime: Runtime, home: Home, data: Path) -> Turns:
    return Turns(runtime, home, data)


def test_a_conversation_is_its_turns_or_itself(data: Path):
    whole, apart = read_tasks(data), read_tasks(data, turns=True)
    assert [row.turn for row in apart if row.trace.task == TALK] == [0, 1]
    assert [row.turn for row in whole if row.trace.task == TALK] == [None]
    assert [row.id for row in whole if row.trace.task != TALK] == [row.id for row in apart if row.trace.task != TALK]
    compact = read_tasks(data, protocol="compact", turns=True)
    assert [row.turn for row in compact if row.trace.task == TALK] == [None], "turns are told in full only"


async def test_each_turn_begins_where_the_one_before_ended(turns: Turns, made: MADE):
    gold, names = made[TALK].solution.calls, set[str]()
    for row, steps in zip(turns.rows, (gold[:2], gold[2:]), strict=True):
        agent = Scripted([*done(steps), says("That is done.")])
        rollout = await turns.played(row, agent)
        assert rollout.trajectory.reward is not None
        assert (rollout.trajectory.reward.total, rollout.trajectory.reward.reasons) == (1.0, [])
        assert (rollout.trajectory.outcome, rollout.trajectory.ending) == ("completed", "answered")
        assert rollout.trajectory.opening == row.messages[-1]["content"]
        assert agent.shown[0] == row.messages and agent.tools[0] == row.tools
        assert rollout.trajectory.report is None and rollout.trajectory.verdict is None
        names.add(rollout.trajectory.task)
    assert len(names) == 2, "their episodes are told apart"


async def test_what_is_left_out_of_a_turn_is_missed(turns: Turns, made: MADE):
    _, last = turns.rows
    idle = await turns.played(last, Scripted([says("I have cancelled it.")]))
    assert idle.trajectory.reward is not None and idle.trajectory.reward.total == 0.0
    assert idle.trajectory.outcome == "agent_error"
    looking = await turns.played(turns.rows[0], Scripted([*done(made[TALK].solution.calls[:1]), says("That is all.")]))
    assert looking.trajectory.reward is not None
    assert looking.trajectory.reward.total == pytest.approx(ALPHA * 0.5 + (1 - ALPHA))
    assert looking.trajectory.outcome == "partially_completed"


async def test_a_turn_that_comes_to_no_end_earns_nothing(turns: Turns, made: MADE):
    first = done(made[TALK].solution.calls[:1])
    rollout = await turns.played(turns.rows[0], Scripted(first * 3), most_steps=3)
    assert rollout.trajectory.ending == "limit"
    assert rollout.trajectory.reward is not None and rollout.trajectory.reward.total == 0.0
    assert not any(step.notice for step in rollout.trajectory.steps), "nobody is asked for a report"


async def test_a_turn_whose_beginning_comes_out_otherwise_is_the_environments_fault(
    runtime: Runtime, turns: Turns, home: Home
):
    [*_, last] = turns.rows
    [assigned] = load_tasks([last], home, PATH_AND_STATE)
    assert assigned.turn is not None
    first, *others = assigned.turn.calls
    changed = replace(assigned.turn, calls=[first.model_copy(update={"value": {"other": True}}), *others])
    how = RolloutSettings(reward=PATH_AND_STATE)
    engine = Engine(runtime, Scripted([says("Hello.")]), how, TrajectoryStore(home))
    [rollout] = [rollout async for rollout in engine.roll([replace(assigned, turn=changed)])]
    assert rollout.trajectory.outcome == "environment_error"
    assert "answers otherwise than it did" in rollout.detail


def test_turns_are_refused_where_a_verifier_is_paid_by(turns: Turns, home: Home):
    with pytest.raises(UsageError, match="Turns have no verifier"):
        load_tasks(turns.rows, home, RewardSettings())


def test_a_turn_of_an_older_dataset_is_made_again(turns: Turns, home: Home):
    rows = [row.model_copy(update={"target_changes": None}) for row in turns.rows]
    with pytest.raises(UsageError, match="make the dataset again"):
        load_tasks(rows, home, PATH_AND_STATE)
