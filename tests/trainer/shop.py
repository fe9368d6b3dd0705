"""A shop whose tasks a very small policy can learn: order so many of that item. With its home and its datasets."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import orjson
from transformers import PreTrainedTokenizerFast

from envfactory_dagster.contracts.base import Contract
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.synthesis import Difficulty, MadeTask, Release
from envfactory_dagster.contracts.truth import GatedVerifier, TaskGate, Verifier
from envfactory_dagster.datasets.rows import RlSettings, SftSettings, Source, rl_rows, sft_rows
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.prompts import for_agent
from envfactory_dagster.rollouts.reporting import finish_tool
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.rollouts.tools import offered
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.proving import solve
from envfactory_dagster.tasks.released import released
from tests.rollouts.scripted import ByTask, calls, finishes
from tests.support.reports import RETURNED, report
from tests.support.small_model import save_small_model, small_tokenizer
from tests.support.tiny import tiny

ORDERS = [(item, quantity) for item in (3, 5, 8, 9) for quantity in (2, 4)]

VERIFIER = """
def goal_has_ordered(world) -> bool:
    rows = world.final.query("SELECT item_id, quantity FROM orders WHERE user_id = 1")
    return [(row["item_id"], row["quantity"]) for row in rows] == [({item}, {quantity})]


def guard_reports_it_as_done(world) -> bool:
    return world.report.outcome in (None, "done")


def guard_changes_nothing_else(world) -> bool:
    return {{change["table"] for change in world.changes}} <= {{"orders", "items"}}
"""


@dataclass(frozen=True, slots=True)
class Shop:
    """Where everything lies."""

    home: Path
    sft: Path
    rl: Path
    tasks: int


def _task(item: int, quantity: int) -> Task:
    return Task(id=f"order_{quantity}_of_{item}", text=f"Order {quantity} of Item {item}.", kind="action")


def bundle() -> Bundle:
    tasks = [_task(item, quantity) for item, quantity in ORDERS]
    verifiers = {_task(*order).id: VERIFIER.format(item=order[0], quantity=order[1]) for order in ORDERS}
    return replace(tiny(), tasks=tasks, verifiers=verifiers, answer_forms={task.id: AnswerForm() for task in tasks})


@cache
def _tokenizer() -> PreTrainedTokenizerFast:
    """One that has read what is said in the shop."""
    tools = offered(bundle().tools_of("assistant"), "native", finish_tool(bundle(), AnswerForm()))
    said = [for_agent(bundle(), _task(1, 1), "native", "single"), _task(1, 1).text, report().model_dump_json()]
    return small_tokenizer([*said, *(json.dumps(tool) for tool in tools)])


def save_policy(folder: Path, **shape: Any) -> Path:
    """A policy that has not learned the shop."""
    return save_small_model(folder, _tokenizer(), **shape)


async def _made(runtime: Runtime, bundle: Bundle, order: tuple[int, int]) -> MadeTask:
    task = _task(*order)
    call = f"tools.place_order(item_id={order[0]}, quantity={order[1]})"
    source = f"def solve(tools):\n    {call}\n    return {RETURNED}\n"
    solution = await solve(runtime, bundle, task, source, AnswerForm())
    assert not isinstance(solution, list), solution
    gate = TaskGate(task=task.id, trials=[], passed=True)
    verifier = GatedVerifier(verifier=Verifier(task=task.id, source=bundle.verifiers[task.id]), gate=gate)
    difficulty = Difficulty(level=1, calls=1, tools=1)
    return MadeTask(task=task, source="task_set", solution=solution, verifier=verifier, difficulty=difficulty)


async def build(runtime: Runtime, folder: Path) -> Shop:
    """A home with the shop's release; examples of following every task; the tasks to be played."""
    home, sealed = Home.resolve(folder / "home"), bundle()
    made = [await _made(runtime, sealed, order) for order in ORDERS]
    release = Release(version=sealed.version, tasks=made)
    BundleStore(home).keep(sealed)
    RecordStore(home).keep(_record(sealed, release))
    teacher = ByTask(
        {
            _task(*order).text: [
                calls(("place_order", {"item_id": order[0], "quantity": order[1]})),
                finishes(report()),
            ]
            for order in ORDERS
        }
    )
    settings = RolloutSettings()
    engine = Engine(runtime, teacher, settings, TrajectoryStore(home))
    rollouts = [one async for one in engine.roll(released(sealed, release, settings.reward))]
    source = {one.task.id: one for one in made}
    shown, _ = sft_rows(Source(sealed, source, "sft"), rollouts, SftSettings())
    played, _ = rl_rows(Source(sealed, source, "rl"), RlSettings())
    return Shop(Path(home.root), _write(folder / "sft.jsonl", shown), _write(folder / "rl.jsonl", played), len(made))


def _record(bundle: Bundle, release: Release) -> StageRecord:
    return StageRecord(
        stage="release",
        partition=bundle.key,
        status="ok",
        inputs="0" * 64,
        version=bundle.version,
        artifact=release.model_dump(mode="json"),
    )


def _write(path: Path, rows: Sequence[Contract]) -> Path:
    path.write_bytes(b"".join(orjson.dumps(row.model_dump(mode="json")) + b"\n" for row in rows))
    return path


def out_of_order(shop: Shop, folder: Path, code: str = "_OPEN = 1 // 0\n") -> tuple[Path, Path]:
    """A home in which the shop's tools cannot be loaded any more, because of this code in them, and its tasks."""
    home = Home.resolve(folder / "broken")
    record = RecordStore(Home.resolve(shop.home)).latest("release", bundle().key)
    assert record is not None
    broken = replace(bundle(), tools_source=f"{bundle().tools_source}\n\n{code}")
    release = Release.model_validate(record.artifact).model_copy(update={"version": broken.version})
    BundleStore(home).keep(broken)
    RecordStore(home).keep(_record(broken, release))
    data = folder / "broken.jsonl"
    data.write_text(shop.rl.read_text().replace(bundle().version, broken.version))
    return Path(home.root), data
