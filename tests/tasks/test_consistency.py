"""The consistency filter: which tasks stay when an agent has played them, and what is said of the others."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest
import pytest_asyncio

from envfactory_dagster import examples
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import InfrastructureFault
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.language.messages import ChatAnswer, Message
from envfactory_dagster.rollouts.model import Model, Tools
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.tasks.consistency import Consistency, ConsistencySettings, consistent, without_inconsistent
from tests.rollouts.scripted import ByTask, Line, calls, finishes, followed
from tests.support.reports import report
from tests.tasks.huts_kit import golds_of, made_tasks

FIVE = ConsistencySettings()
TASK, QUESTION = "call_it_off", "best_hut_in_reach"
LOOK = calls(("list_bookings", {}))


@pytest.fixture(scope="session")
def huts() -> Bundle:
    return examples.load("alpine_huts")


@pytest_asyncio.fixture(scope="session")
async def made(runtime: Runtime, huts: Bundle) -> list[MadeTask]:
    """An action, a question, and a request to be refused."""
    return list(made_tasks(huts, await golds_of(runtime, huts)).values())


@dataclass
class Fickle:
    """Plays one script or another, as the seed of an episode says; counts how many it began."""

    scripts: list[dict[str, list[Line]]]
    name: str = "fickle"
    begun: list[str] = field(default_factory=list)

    async def answer(self, messages: list[Message], tools: Tools, seed: int) -> ChatAnswer:
        if not any(message["role"] == "assistant" for message in messages):
            self.begun.append(str(messages[1]["content"]))
        lines = self.scripts[seed % len(self.scripts)]
        return await ByTask(lines).answer(messages, tools, seed)


def rightly(made: list[MadeTask]) -> dict[str, list[Line]]:
    return {one.task.text: followed(one.solution.calls, one.solution.report) for one in made}


def instead(made: list[MadeTask], *lines: Line) -> dict[str, list[Line]]:
    return {one.task.text: list(lines) for one in made}


def costing(dinner: Json, message: str = "That is what I found.", best_hut: str = "Falkenrast Hut") -> Report:
    """An answer to the question; what else is asked is not answered."""
    return report(message=message, best_hut=best_hut, vegetarian_dinner=dinner, last_reviewer=None)


def reporting(made: list[MadeTask], reported: Report) -> dict[str, list[Line]]:
    """The question is answered with this report, and everything else is given up."""
    lines = {}
    for one in made:
        empty: dict[str, Json] = {field.name: None for field in one.solution.form.fields}
        given_up = report("impossible", "I could not do it.", **empty)
        lines[one.task.text] = [finishes(reported if one.task.id == QUESTION else given_up)]
    return lines


class Played:
    """The huts, played by whoever a test brings."""

    def __init__(self, runtime: Runtime, huts: Bundle, made: list[MadeTask], folder: Path) -> None:
        self.runtime, self.huts, self.made = runtime, huts, made
        self.store = TrajectoryStore(Home.resolve(folder))

    async def by(self, agent: Model, settings: ConsistencySettings = FIVE) -> dict[str, Consistency]:
        found = await consistent(self.runtime, agent, self.store, self.huts, self.made, settings)
        assert [one.task for one in found] == [one.task.id for one in self.made]
        return {one.task: one for one in found}


@pytest.fixture
def played(runtime: Runtime, huts: Bundle, made: list[MadeTask], tmp_path: Path) -> Played:
    return Played(runtime, huts, made, tmp_path)


async def test_a_task_that_is_solved_every_time_is_kept_with_its_pass_rate(played: Played) -> None:
    found = await played.by(ByTask(rightly(played.made)))
    assert {(one.runs, one.passed, one.kept, one.reason) for one in found.values()} == {(5, 5, True, "")}
    kept, dropped = without_inconsistent(played.made, list(found.values()), "program_tasks")
    assert [one.difficulty.pass_rate for one in kept] == [1.0] * len(played.made) and dropped == []
    assert kept[0].difficulty.calls == played.made[0].difficulty.calls


@pytest.mark.parametrize(("right_in", "kept"), [(3, True), (2, True), (1, False), (0, False)])
async def test_two_runs_of_five_must_come_to_the_end_of_the_solution(played: Played, right_in: int, kept: bool) -> None:
    wrong = [reporting(played.made, costing(number)) for number in (101, 202, 303, 404, 505)]
    agent = Fickle([rightly(played.made)] * right_in + wrong[: 5 - right_in])
    one = (await played.by(agent))[QUESTION]
    assert (one.passed, one.kept, one.pass_rate) == (right_in, kept, right_in / 5)
    if not kept:
        assert one.reason.startswith(f"{right_in} of 5 runs came to the end of the reference solution")
        assert "do not agree with each other" in one.reason


async def test_runs_that_agree_on_another_end_make_the_solution_suspect(played: Played) -> None:
    """The same question is answered with the same values, in whatever form and words, again and again."""
    worded = [
        costing(700, message="It costs 7 euros."),
        costing("7.00", message="Seven euros, as far as I see."),
        costing("7 euros", best_hut="the falkenrast hut"),
    ]
    agent = Fickle([reporting(played.made, reported) for reported in worded])
    found = await played.by(agent)
    question = found[QUESTION]
    assert (question.passed, question.agreeing) == (0, 5)
    assert "5 agree on another end: the solution may be wrong, or the text unclear" in question.reason
    _, dropped = without_inconsistent(played.made, list(found.values()), "program_tasks")
    assert dropped[0].stage == "program_tasks" and dropped[0].reason == found[dropped[0].task].reason


async def test_runs_that_end_nowhere_agree_on_nothing(played: Played) -> None:
    found = await played.by(ByTask(instead(played.made, calls(("call_nobody_has", {})))))
    assert {(one.passed, one.agreeing) for one in found.values()} == {(0, 0)}


async def test_nothing_is_dropped_where_none_must_agree(played: Played) -> None:
    """So pass rates are measured without a filter."""
    found = await played.by(ByTask(reporting(played.made, costing(100))), ConsistencySettings(runs=2, agree=0))
    kept, dropped = without_inconsistent(played.made, list(found.values()), "any")
    assert [one.difficulty.pass_rate for one in kept] == [0.0] * len(played.made) and not dropped


async def test_runs_are_not_made_twice_but_for_another_verifier(played: Played) -> None:
    agent = Fickle([rightly(played.made)])
    assert await played.by(agent) == await played.by(agent)
    assert len(agent.begun) == 5 * len(played.made)
    first, *rest = played.made
    checks = first.verifier.verifier.model_copy(update={"source": first.verifier.verifier.source + "\n# again\n"})
    played.made = [first.model_copy(update={"verifier": first.verifier.model_copy(update={"verifier": checks})}), *rest]
    await played.by(agent)
    assert len(agent.begun) == 10 * len(played.made)


async def test_a_model_that_cannot_be_asked_says_nothing_about_a_task(played: Played) -> None:
    failing = ByTask(instead(played.made, InfrastructureFault("nobody is there")))
    with pytest.raises(InfrastructureFault, match="could not be played to its end: nobody is there"):
        await played.by(failing)
    assert (await played.by(ByTask(rightly(played.made))))[TASK].passed == 5, "it is played anew when somebody is there"


async def test_without_tasks_nobody_is_asked(runtime: Runtime, huts: Bundle, tmp_path: Path) -> None:
    agent = Fickle([])
    assert await consistent(runtime, agent, TrajectoryStore(Home.resolve(tmp_path)), huts, [], FIVE) == []
    assert agent.begun == []
