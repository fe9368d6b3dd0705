"""What the stages of the truth have in common: tasks are asked for together, and each may be given up by itself.

Belongs here: what became of one task, and of all together. Does not: any stage's question or gate.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel

from envfactory_dagster.authoring.loop import Authored
from envfactory_dagster.authoring.parts import Parts, author_parts
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.records import Attempt
from envfactory_dagster.contracts.requests import OfTask
from envfactory_dagster.contracts.truth import Dropped
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller

A = TypeVar("A", bound=BaseModel)
P = TypeVar("P", bound=OfTask)
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Worked(Generic[V]):
    """One task, and what was authored for it."""

    task: Task
    authored: Authored[V]

    @property
    def value(self) -> V | None:
        return self.authored.value

    def dropped(self, stage: str) -> Dropped:
        return Dropped(task=self.task.id, reason=self.authored.rejection(), stage=stage)


async def work(
    gateway: Gateway, caller: Caller, by_state: Iterable[Parts[A, P]], attempts: int
) -> tuple[dict[str, Authored[P]], list[Attempt]]:
    """What was authored for each task, and every answer: the tasks that start in one state are asked for together."""
    states = await asyncio.gather(*(author_parts(gateway, caller, one, attempts=attempts) for one in by_state))
    authored = {task: one for of_state, _ in states for task, one in of_state.items()}
    made = [attempt for _, of_state in states for attempt in of_state]
    return authored, sorted(made, key=lambda attempt: attempt.number)


def tasks_by_state(tasks: Iterable[Task]) -> dict[str, list[Task]]:
    found: dict[str, list[Task]] = {}
    for task in tasks:
        found.setdefault(task.state, []).append(task)
    return found


def tries(worked: Sequence[Worked[V]]) -> dict[str, Json]:
    """How many answers each task took: many tasks share one."""
    return {one.task.id: len(one.authored.attempts) for one in worked}


def too_few(kept: int, tasks: int, least: int, dropped: Sequence[Dropped]) -> str:
    """Why an environment with so many tasks left is rejected; empty when it is not."""
    wanted = min(least, tasks)
    if kept >= wanted:
        return ""
    reasons = "; ".join(f"{one.task}: {one.reason}" for one in dropped)
    return f"only {kept} of {tasks} tasks are left, {wanted} are the least ({reasons})"


def listing(sources: Iterable[tuple[str, str]]) -> str:
    """The programs of all tasks in one text, for a person to look through."""
    return "\n".join(f"# -- {task} --\n{source.strip()}\n" for task, source in sources)
