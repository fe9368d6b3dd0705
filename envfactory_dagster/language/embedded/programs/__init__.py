"""Requests that take a program, by the procedural author: the skill `program_task`.

Belongs here: choosing a sketch for what was asked. Does not: making sketches (`asking`, `acting`).
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from envfactory_dagster.contracts.domain import INITIAL_STATE, Theme
from envfactory_dagster.contracts.program_tasks import Pattern, ProgramTaskAnswer, ProgramTaskContext
from envfactory_dagster.language.embedded import proofs
from envfactory_dagster.language.embedded.plan import Plan, plan_for
from envfactory_dagster.language.embedded.programs.acting import depending, for_all
from envfactory_dagster.language.embedded.programs.asking import across_lists, each_one, figures
from envfactory_dagster.language.embedded.programs.practice import Practice
from envfactory_dagster.language.embedded.programs.selections import Figure
from envfactory_dagster.language.embedded.programs.sketch import Sketch, sketched
from envfactory_dagster.language.embedded.programs.sources import Sources
from envfactory_dagster.language.embedded.seeds import rng_of
from envfactory_dagster.language.embedded.tasks import draft_tasks
from envfactory_dagster.language.embedded.world import build_world

SKETCHES_OF_A_PATTERN = 60
PLAIN_TASKS = 8
MOST_ALIKE = 0.6
"""Of the words of a request, the share it may have in common with one that is taken."""

_PATTERNS: Mapping[Pattern, Callable[[Sources, Sequence[Figure], random.Random], Iterator[Sketch]]] = {
    "across_lists": across_lists,
    "each_one": each_one,
    "for_all": for_all,
    "depending": depending,
}


def program_task(context: ProgramTaskContext, seed: int) -> ProgramTaskAnswer:
    """A sketch that is as hard as was asked for and unlike all that is taken; at every further attempt another one."""
    found = _sketches(context.theme.model_dump_json(), context.state)
    ranked = sorted(found, key=lambda sketch: _rank(sketch, context))
    chosen = ranked[(seed - 1) % len(ranked)]
    return ProgramTaskAnswer(
        id=chosen.name[:48],
        text=chosen.text,
        kind="action" if chosen.kind == "action" else "information",
        entities=list(chosen.nouns),
        answer_form=list(chosen.form),
        solution=chosen.solution,
        verifier=chosen.verifier,
    )


def _rank(sketch: Sketch, context: ProgramTaskContext) -> tuple[bool, bool, bool, bool, float, float]:
    """What speaks against a sketch, the gravest first."""
    alike = max((_shared(sketch.text, other) for other in context.taken), default=0.0)
    return (
        sketch.pattern is None,
        sketch.calls < context.least_calls or sketch.tools < context.least_tools,
        alike > MOST_ALIKE,
        sketch.pattern != context.pattern,
        round(alike, 1),
        rng_of(context.theme.key, context.state, context.number, sketch.text).random(),
    )


def _shared(one: str, other: str) -> float:
    first, second = set(re.findall(r"\w+", one.lower())), set(re.findall(r"\w+", other.lower()))
    return len(first & second) / len(first | second)


@lru_cache(maxsize=8)
def _sketches(theme: str, state: str) -> tuple[Sketch, ...]:
    plan = plan_for(Theme.model_validate_json(theme))
    sources = Sources(build_world(plan, state))
    known = figures(sources)
    found: list[Sketch] = []
    for pattern, make in _PATTERNS.items():
        rng = rng_of(plan.seed, state, "programs", pattern)
        found += islice(make(sources, known, rng), SKETCHES_OF_A_PATTERN)
    return (*found, *_plain(plan, state, sources.practice))


def _plain(plan: Plan, state: str, practice: Practice) -> Iterator[Sketch]:
    """Ordinary tasks, for an environment that has nothing to go over."""
    for draft in draft_tasks(plan, list(dict.fromkeys([INITIAL_STATE, state])), PLAIN_TASKS):
        task = draft.task
        if task.state == state and task.kind in ("action", "information"):
            solution, checks = proofs.solution(plan, draft), proofs.verifier(plan, draft).source
            form = solution.form.fields
            yield sketched(practice, None, task.id, task.text, task.kind, task.entities, form, solution.source, checks)
