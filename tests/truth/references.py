"""Reference solutions of the hand-written tasks, kept as the line keeps them; and ways to break a verifier."""

import re

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.truth import ReferenceSolution
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.changesets import by_table
from envfactory_dagster.truth.dictation import dictated_columns
from envfactory_dagster.truth.execution import run_solution
from envfactory_dagster.truth.masks import learn_mask
from envfactory_dagster.truth.start_rows import schema_of

ANOTHER_CHOICE = {
    "sister_joins": ("rooms[0]", "rooms[-1]"),
    "tour_with_ida": (
        "tour = next(date for date in dates if on_a_weekend",
        "tour = next(date for date in reversed(dates) if on_a_weekend",
    ),
}
"""Where a task leaves a choice: how its program takes the last that fits instead of the first."""


def alternatives(huts: Bundle, task: str) -> list[str]:
    if task not in ANOTHER_CHOICE:
        return []
    before, after = ANOTHER_CHOICE[task]
    assert before in huts.solutions[task]
    return [huts.solutions[task].replace(before, after)]


async def reference(runtime: Runtime, huts: Bundle, task: Task) -> ReferenceSolution:
    source, form = huts.solutions[task.id], huts.answer_forms.get(task.id, AnswerForm())
    run = await run_solution(runtime, huts, task, source, form)
    assert run.report is not None, run.error
    mask = (await learn_mask(runtime, huts, task, schema_of(huts.schema_sql), source, form, run)).mask
    return ReferenceSolution(
        task=task.id,
        source=source,
        alternatives=alternatives(huts, task.id),
        form=form,
        report=run.report,
        calls=run.calls,
        changes=run.row_changes,
        state_hash=run.state_hash,
        volatile=by_table(mask.volatile),
        relative=by_table(mask.relative),
        dictated=dictated_columns(task, run.calls, run.changes, {tool.name: tool for tool in huts.tools}),
    )


def checks(source: str) -> list[str]:
    return re.findall(r"^def ((?:goal|guard)_\w+)", source, re.MULTILINE)


def seen_through(source: str, **shown: str) -> str:
    """The same verifier, whose checks see something else: each attribute of the world by an expression over it."""
    taken = {"initial", "final", "report", "trajectory", "changes"} - shown.keys()
    attributes = {name: f"world.{name}" for name in sorted(taken)} | shown
    lines = "".join(f"        self.{name} = {expression}\n" for name, expression in attributes.items())
    through = "".join(f"{name} = _through({name})\n" for name in checks(source))
    return (
        f"{source}\n\nclass _Shown:\n    def __init__(self, world):\n{lines}\n"
        f"def _through(check):\n    return lambda world: check(_Shown(world))\n\n{through}"
    )
