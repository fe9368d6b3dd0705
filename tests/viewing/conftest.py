"""A home in which a shop was released and played, and whoever wrote the shop and played in it meant harm to readers."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import pytest
import pytest_asyncio

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Rule, Task
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.synthesis import Difficulty, MadeTask, Release
from envfactory_dagster.contracts.truth import Dropped, GatedVerifier, TaskGate, Trial, Verifier
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.tasks.proving import solve
from envfactory_dagster.tasks.released import released
from envfactory_dagster.viewing.gathering import unfinished, world_of
from envfactory_dagster.viewing.site import Written, write_site
from tests.rollouts.scripted import ByTask, Line, calls, finishes
from tests.support.reports import RETURNED, report
from tests.support.tiny import tiny
from tests.tasks.huts_kit import Standing
from tests.viewing.browser import CHROMIUM, Page, browser

TODAY = date(2026, 3, 2)
SCRIPT = "<script>document.title = 'taken'</script><img src=x onerror=\"document.title = 'taken'\">"
ENDS_EVERYTHING = (
    "]]></script></style></textarea></title>--><svg onload=\"document.title = 'taken'\">{{ 7 * 7 }}{% endif %}"
)
TURNS_AROUND = "paid\u202e.ton\u202c \u2066x\u200b\u0007\x1b[2J\x00"
HARM = f"{SCRIPT} {ENDS_EVERYTHING} {TURNS_AROUND}".replace("\x00", "")
"""Without the one character that no contract lets through."""

BUY, REFUND = "buy_three", "cancel_it"
VERIFIER = """
def goal_has_ordered(world) -> bool:
    rows = world.final.query("SELECT item_id, quantity FROM orders WHERE user_id = 1")
    return [(row["item_id"], row["quantity"]) for row in rows] == [(3, 2)]


def guard_reports_it_as_done(world) -> bool:
    return world.report.outcome in (None, "done")
"""
ORDER = "    tools.place_order(item_id=3, quantity=2)\n"
SOLUTIONS = {BUY: f"def solve(tools):\n    tools.get_item(item_id=3)\n{ORDER}    return {RETURNED}\n"}
SOLUTIONS[REFUND] = f"def solve(tools):\n{ORDER}    return {RETURNED}\n"


def shop() -> Bundle:
    bundle = tiny()
    theme = bundle.theme.model_copy(
        update={
            "name": f"Tiny shop {SCRIPT}",
            "category": f"retail {SCRIPT}",
            "description": f"A shop. {HARM}",
            "rules": [Rule(id="stock", text=f"Nothing is sold that is not there. {HARM}")],
        }
    )
    tasks = [
        Task(id=BUY, text="Order two of Item 3.", kind="action"),
        Task(id=REFUND, text=f"Do it, {HARM}", kind="action"),
    ]
    tools = [one.model_copy(update={"description": f"{one.description} {HARM}"}) for one in bundle.tools]
    return replace(
        bundle,
        theme=theme,
        tasks=tasks,
        tools=tools,
        solutions=SOLUTIONS,
        verifiers={task.id: VERIFIER for task in tasks},
        answer_forms={task.id: AnswerForm() for task in tasks},
    )


async def made_task(runtime: Runtime, bundle: Bundle, task: Task) -> MadeTask:
    solution = await solve(runtime, bundle, task, bundle.solutions[task.id], AnswerForm())
    assert not isinstance(solution, list), solution
    trials = [
        Trial(kind="gold", what="as it is", expected="accept", score=1.0, right=True),
        Trial(kind="noop", what=f"nothing {HARM}", expected="reject", score=0.0, right=True),
        Trial(kind="mutant", what="another item", expected="reject", score=1.0, right=False, reason=f"it slept {HARM}"),
    ]
    verifier = Verifier(task=task.id, source=bundle.verifiers[task.id])
    gated = GatedVerifier(verifier=verifier, gate=TaskGate(task=task.id, trials=trials, passed=True))
    difficulty = Difficulty(level=2, calls=len(solution.calls), tools=1)
    return MadeTask(task=task, source="task_set", solution=solution, verifier=gated, difficulty=difficulty)


def lines(bundle: Bundle) -> dict[str, list[Line]]:
    """One plays its task well; the other calls what is not there, orders, takes it back and says that all is done."""
    buy, refund = bundle.tasks
    return {
        buy.text: [
            calls(("get_item", {"item_id": 3})),
            calls(("place_order", {"item_id": 3, "quantity": 2})),
            finishes(report(message="Two of Item 3 are ordered.")),
        ],
        refund.text: [
            calls(("get_item", {"item_id": 999})),
            calls((f"no_such_tool_{SCRIPT}", {SCRIPT: HARM}), ("place_order", f'{{"item_id": {SCRIPT}')),
            calls(("place_order", {"item_id": 3, "quantity": 1}), text=HARM),
            calls(("cancel_order", {"order_id": 1})),
            finishes(report(message=f"It is done. {HARM}")),
        ],
    }


@dataclass(frozen=True)
class Ground:
    home: Home
    bundle: Bundle

    async def write(self, runtime: Runtime, out: Path) -> Written:
        stores = {"": TrajectoryStore(self.home)}
        missing = list(unfinished(self.home, [self.bundle.key]))
        return await write_site([world_of(self.home, self.bundle.key, stores)], missing, out, runtime, TODAY)


@pytest_asyncio.fixture(scope="session")
async def ground(runtime: Runtime, tmp_path_factory: pytest.TempPathFactory) -> Ground:
    home, bundle = Home.resolve(tmp_path_factory.mktemp("viewed")), shop()
    tasks = [await made_task(runtime, bundle, task) for task in bundle.tasks]
    dropped = [Dropped(task="third", stage="verifiers", reason=f"it slept {HARM}")]
    release = Release(version=bundle.version, tasks=tasks, dropped=dropped)
    BundleStore(home).keep(bundle)
    Standing(home, bundle, {}).keep("release", release)
    settings = RolloutSettings(candidates=2)
    engine = Engine(runtime, ByTask(lines(bundle), name=f"by-task {SCRIPT}"), settings, TrajectoryStore(home))
    played = [one async for one in engine.roll(released(bundle, release, settings.reward))]
    assert sorted(one.trajectory.outcome or "" for one in played) == ["agent_error"] * 2 + ["completed"] * 2
    return Ground(home, bundle)


@pytest_asyncio.fixture(scope="session")
async def site(ground: Ground, runtime: Runtime, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return (await ground.write(runtime, tmp_path_factory.mktemp("web") / "site")).folder


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine")
    with browser() as opened:
        yield opened
