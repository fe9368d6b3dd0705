"""What the stages of the truth have in common: every task is worked at by itself, and may be given up by itself.

Belongs here: what became of one task, and of all together. Does not: any stage's question or gate.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from envfactory_dagster.authoring.loop import Authored
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.records import Attempt, Problem
from envfactory_dagster.contracts.truth import Dropped

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

    def attempts(self) -> list[Attempt]:
        """Every attempt, with the task's name before each problem: a record holds those of all tasks."""
        return [
            attempt.model_copy(update={"problems": [_named(self.task, problem) for problem in attempt.problems]})
            for attempt in self.authored.attempts
        ]


def _named(task: Task, problem: Problem) -> Problem:
    return problem.model_copy(update={"message": f"{task.id}: {problem.message}"})


def all_attempts(worked: Sequence[Worked[V]]) -> list[Attempt]:
    attempts = [attempt for one in worked for attempt in one.attempts()]
    return sorted(attempts, key=lambda attempt: attempt.number)


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
