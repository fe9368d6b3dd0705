"""Failed episodes and their classes: each way to fail, played for real in the tiny shop."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from envfactory_dagster.arena.diagnosis.classes import Classified, classified
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.synthesis import MadeTask, Release
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.tasks.families.sampling import fresh_tasks
from envfactory_dagster.tasks.released import released
from envfactory_dagster.truth.execution import run_calls
from envfactory_dagster.truth.protocols import traced
from envfactory_dagster.truth.rewards import RewardSettings
from tests.arena.conftest import SHOP
from tests.rollouts.scripted import Line, Scripted, calls, finishes, says


@pytest_asyncio.fixture(scope="session")
async def order(runtime: Runtime) -> tuple[Bundle, MadeTask]:
    """A task: find an item, order so many of it, and say its price."""
    fresh = await fresh_tasks(runtime, SHOP, 1, seed=5)
    return replace(fresh.bundle, families={}), fresh.tasks[0]


class Player:
    def __init__(self, runtime: Runtime, bundle: Bundle, made: MadeTask, folder: Path) -> None:
        self.runtime, self.bundle, self.made, self.folder = runtime, bundle, made, folder

    async def fails(self, *lines: Line, seed: int = 0, **settings: int) -> Classified:
        """The class of an episode of somebody who says these lines. It has to be failed."""
        release = Release(version=self.bundle.version, tasks=[self.made])
        [assigned] = released(self.bundle, release, RewardSettings())
        store = TrajectoryStore(Home.resolve(self.folder))
        engine = Engine(self.runtime, Scripted(lines), RolloutSettings(**settings), store)
        [rollout] = [one async for one in engine.roll([assigned], seed)]
        assert rollout.trajectory.outcome in ("agent_error", "partially_completed")
        run = await run_calls(
            self.runtime, self.bundle, self.made.task, traced(rollout.trajectory), rollout.trajectory.report
        )
        return classified(self.bundle, self.made, rollout, run.row_changes)

    @property
    def looks(self) -> Line:
        return calls(("list_items", {}))

    def orders(self, **changed: Json) -> Line:
        return calls(("place_order", {**self.made.solution.calls[-1].arguments, **changed}))

    def reports(self, **changed: Json) -> Line:
        return finishes(self.made.solution.report.model_copy(update=changed))

    @property
    def declines(self) -> Line:
        return finishes(Report(outcome="impossible", answers={"price": None}, message="That cannot be done."))


@pytest.fixture
def player(runtime: Runtime, order: tuple[Bundle, MadeTask], tmp_path: Path) -> Player:
    return Player(runtime, *order, tmp_path)


async def test_a_tool_that_there_is_not(player: Player):
    found = await player.fails(player.looks, calls(("buy", {"item": 3})), player.reports())
    assert (found.failure, found.step, found.tools) == ("hallucinated_tool", 1, ("buy",))


async def test_a_tool_that_there_is_not_is_not_to_blame_where_the_right_one_was_found(player: Player):
    wrong = finishes({**player.made.solution.report.model_dump(mode="json"), "answers": {"price": 1}})
    found = await player.fails(player.looks, calls(("buy", {"item": 3})), player.orders(), wrong)
    assert found.failure == "answer_wrong"


@pytest.mark.parametrize("arguments", ['{"item_id": ', {"item_id": "seven"}, {"quantity": 2}])
async def test_arguments_that_cannot_be_used(player: Player, arguments: dict[str, Json] | str):
    found = await player.fails(player.looks, calls(("place_order", arguments)), player.reports())
    assert (found.failure, found.step, found.tools) == ("bad_arguments", 1, ("place_order",))


async def test_the_wrong_row(player: Player):
    gold = player.made.solution.calls[-1].arguments["item_id"]
    found = await player.fails(player.looks, player.orders(item_id=1 if gold != 1 else 2), player.reports())
    assert (found.failure, found.step) == ("wrong_entity", 1)


async def test_a_row_that_is_not_there(player: Player):
    found = await player.fails(player.looks, player.orders(item_id=999), player.reports())
    assert (found.failure, found.tools) == ("wrong_entity", ("place_order",))


async def test_the_wrong_value(player: Player):
    found = await player.fails(player.looks, player.orders(quantity=91), player.reports())
    assert found.failure == "wrong_value"


async def test_a_value_that_is_refused(player: Player):
    found = await player.fails(player.looks, player.orders(quantity=99_000), player.reports())
    assert found.failure == "wrong_value"


async def test_something_that_nobody_asked_for(player: Player):
    more = calls(("place_order", {"item_id": 4, "quantity": 1}))
    found = await player.fails(player.looks, player.orders(), more, player.reports())
    assert (found.failure, found.step) == ("extra_write", 2)


async def test_an_end_before_everything_is_done(player: Player):
    assert (await player.fails(player.looks, player.reports())).failure == "stopped_early"


async def test_what_the_reference_solution_tries_for_nothing_is_no_mistake(player: Player):
    """An order of too many, which is refused, before one that is not."""
    gold = player.made.solution
    refused = gold.calls[-1].model_copy(
        update={"arguments": {**gold.calls[-1].arguments, "quantity": 99_000}, "outcome": "agent", "value": None}
    )
    calls_made = [*gold.calls[:-1], refused, gold.calls[-1]]
    player.made = player.made.model_copy(update={"solution": gold.model_copy(update={"calls": calls_made})})
    tries = [player.looks, player.orders(quantity=99_000)]
    assert (await player.fails(*tries, player.reports())).failure == "stopped_early"
    found = await player.fails(*tries, calls(("buy", {})), player.reports(), seed=1)
    assert found.failure == "hallucinated_tool"


async def test_an_end_before_everything_is_looked_up(player: Player):
    assert (await player.fails(player.declines)).failure == "stopped_early"


async def test_what_could_have_been_done_is_declined(player: Player):
    assert (await player.fails(player.looks, player.declines)).failure == "refused_wrongly"


async def test_the_wrong_answer(player: Player):
    wrong = player.reports(answers={"price": 1.0}, message="It is ordered.")
    found = await player.fails(player.looks, player.orders(), wrong)
    assert found.failure == "answer_wrong" and "price is 1, not" in found.detail


async def test_no_answer(player: Player):
    found = await player.fails(player.looks, player.orders(), player.reports(answers={"price": None}))
    assert found.failure == "answer_missing"


async def test_other_words_than_the_report(player: Player):
    found = await player.fails(
        player.looks, player.orders(), player.reports(message="It is ordered, and one costs 7777.")
    )
    assert found.failure == "message_wrong"


async def test_no_report(player: Player):
    assert (await player.fails(player.looks, player.orders(), says("It is all done."))).failure == "no_report"


async def test_questions_instead_of_deeds(player: Player):
    found = await player.fails(player.looks, says("Shall I order it?"))
    assert (found.failure, found.step) == ("over_asking", 1)


async def test_the_same_call_again_and_again(player: Player):
    assert (await player.fails(player.looks)).failure in ("loops", "step_limit")


async def test_no_end_within_the_steps(player: Player):
    looks: Sequence[Line] = [calls(("get_item", {"item_id": number})) for number in range(1, 9)]
    assert (await player.fails(*looks, most_steps=4)).failure == "step_limit"
