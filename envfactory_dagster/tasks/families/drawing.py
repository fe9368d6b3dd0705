"""From a family to tasks: instances drawn from the states, each as a task with its programs. None is gated yet.

Belongs here: the order of draws, names, texts, and the states of instances that bring rows. Does not: the gates
(`gate`), and how many tasks are wanted (`sampling`).

A task's name says family, seed and number. The number is its place among the draws of that seed, taken from the states
in turn, so that the same seed gives the same tasks in every process, however many are asked for.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from pydantic import ValidationError

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle, State
from envfactory_dagster.contracts.database import Cell, TableRows
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.families import FamilyInstance, TaskFamily
from envfactory_dagster.contracts.reports import AnswerForm, form_with_its_order
from envfactory_dagster.contracts.synthesis import OwnRows
from envfactory_dagster.contracts.truth import Dropped
from envfactory_dagster.runtime.databases import with_rows_added
from envfactory_dagster.runtime.prefixes import prefixed
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.families.modules import solution_of, verifier_of
from envfactory_dagster.tasks.families.wordings import WordingProblem, said, slots

STAGE = "task_families"
MOST_DRAWN = 2_000
"""Instances that one seed of a family gives from one state."""


@dataclass(frozen=True, slots=True)
class DrawnTask:
    """A task that no gate has seen."""

    family: TaskFamily
    number: int
    task: Task
    solution: str
    verifier: str
    state: str
    """The state it was drawn from; `task.state` is another one where it brings rows."""
    own_rows: OwnRows | None

    @property
    def form(self) -> AnswerForm:
        return form_with_its_order(self.family.answer_form)


@dataclass(frozen=True, slots=True)
class FamilyDraws:
    """The draws of one family and seed, in order: tasks, and those of which none could be made."""

    draws: list[DrawnTask | Dropped]
    ended: bool
    """Whether there are no more."""
    repeats: bool
    """Whether it ended because the family drew the same again and again."""


async def draw(runtime: Runtime, bundle: Bundle, family: TaskFamily, seed: int, most: int) -> FamilyDraws:
    """The first draws of a seed. A family that cannot draw from a state at all raises `EnvironmentFault`."""
    shared = bundle.shared_states
    of_state = -(-min(most, MOST_DRAWN * len(shared)) // len(shared))
    draws = {
        name: await runtime.draw_instances(
            family.source,
            state.image,
            state=name,
            clock=state.clock,
            seed=f"{family.name}/{name}/{seed}",
            most=of_state,
        )
        for name, state in shared.items()
    }
    found: list[DrawnTask | Dropped] = []
    for place in range(of_state):
        for offset, (state, drawn) in enumerate(draws.items()):
            if place < len(drawn.instances):
                number = place * len(draws) + offset + 1
                found.append(_task(family, seed, number, state, drawn.instances[place]))
    ended = all(len(drawn.instances) < of_state for drawn in draws.values()) or of_state == MOST_DRAWN
    return FamilyDraws(found[:most], ended and len(found) <= most, any(drawn.repeats for drawn in draws.values()))


def _task(family: TaskFamily, seed: int, number: int, state: str, drawn: Json) -> DrawnTask | Dropped:
    name = f"{family.name}_s{seed}_{number}"
    try:
        instance = FamilyInstance.model_validate(drawn)
        given = [of for table, rows in instance.given.items() for of in _tables(table, rows)]
        wording = Random(name).choice(family.wordings)
        text = said(wording, instance.p)
        task = Task(
            id=name,
            text=text,
            kind=instance.kind or family.kind,
            state=name if given else state,
            entities=family.entities,
            rule=instance.rule if instance.kind else family.rule,
        )
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        return Dropped(task=name, reason=f"What was drawn is no instance: {place}: {first['msg']}.", stage=STAGE)
    except WordingProblem as problem:
        return Dropped(task=name, reason=str(problem), stage=STAGE)
    known = {slot: instance.p[slot] for slot in sorted({slot for one in family.wordings for slot in slots(one)})}
    return DrawnTask(
        family=family,
        number=number,
        task=task,
        solution=solution_of(family.source, known),
        verifier=verifier_of(family.source, instance.p),
        state=state,
        own_rows=OwnRows(state=state, rows=given) if given else None,
    )


def _tables(name: str, rows: Sequence[dict[str, Cell]]) -> list[TableRows]:
    """Rows that name the same columns together."""
    groups: dict[tuple[str, ...], list[list[Cell]]] = {}
    for row in rows:
        columns = tuple(sorted(row))
        groups.setdefault(columns, []).append([row[column] for column in columns])
    return [TableRows(table=name, columns=list(columns), rows=found) for columns, found in groups.items()]


def family_of(task: str) -> str:
    """The name of the family that a task was drawn from."""
    return re.sub(r"_s\d+_\d+(?:_family(?:_\d+)?)?$", "", task)


async def with_states(
    runtime: Runtime, bundle: Bundle, drawn: Sequence[DrawnTask]
) -> tuple[Bundle, list[DrawnTask], list[Dropped]]:
    """The bundle with a state for each task that brings rows; the tasks that have their state, and those whose rows the
    database does not take."""
    states, refused = await own_states(runtime, bundle, {one.task.id: one.own_rows for one in drawn if one.own_rows})
    kept = [one for one in drawn if one.task.id not in refused]
    dropped = [Dropped(task=name, reason=reason, stage=STAGE) for name, reason in refused.items()]
    return (bundle.with_states(states) if states else bundle), kept, dropped


async def own_states(
    runtime: Runtime, bundle: Bundle, rows: Mapping[str, OwnRows]
) -> tuple[dict[str, State], dict[str, str]]:
    """By task: the state that its rows make, or why the database does not take them."""
    states, refused = dict[str, State](), dict[str, str]()
    async with runtime.database_worker() as worker:
        for name, own in rows.items():
            start = bundle.states[own.state]
            try:
                image = await with_rows_added(worker, start.image, own.rows)
                parts = {
                    prefix: await with_rows_added(worker, server.states[own.state].image, of_server(prefix, own.rows))
                    for prefix, server in bundle.servers.items()
                }
                states[name] = State(image, start.clock, parts)
            except EnvironmentFault as fault:
                refused[name] = f"Its rows do not fit: {fault}"
    return states, refused


def of_server(prefix: str, rows: Sequence[TableRows]) -> list[TableRows]:
    """The rows of one server of a workspace, in its own tables."""
    begins = prefixed(prefix, "")
    return [
        one.model_copy(update={"table": one.table.removeprefix(begins)}) for one in rows if one.table.startswith(begins)
    ]
