"""One world as a person meets it: its rules, a task, how the task is done, and how wrong ends of it are refused.

Belongs here: choosing the task, playing it in the sandbox, showing what happens. Does not: judging (`truth.verdicts`),
and what to do next (`demo`).
"""

import asyncio
import re
import shutil
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import orjson

from envfactory_dagster.commands.console import Console
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import AnswerField, Report
from envfactory_dagster.contracts.truth import TracedStep, Verdict
from envfactory_dagster.runtime.amounts import in_whole_units, minor_units
from envfactory_dagster.runtime.checks import GOAL, GUARD
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.execution import Run, run_calls, run_solution
from envfactory_dagster.truth.verdicts import TaskChecks, judge

_SENTENCES = 2
"""How much of a world's description is shown; the rest lists what its people can do, and the tools show that."""
_WIDEST = 100
_LINES_OF_A_RESULT = 2
_NUMBERS = ("money", "integer")


def choose(bundles: Sequence[Bundle]) -> tuple[Bundle, Task] | None:
    """The first task that changes something and tells a number; else one that comes near to that."""
    tasks = [(bundle, task) for bundle in bundles for task in bundle.tasks if task.id in bundle.verifiers]
    return min(tasks, key=lambda one: _distance(*one), default=None)


def _distance(bundle: Bundle, task: Task) -> tuple[bool, bool, bool]:
    fields = bundle.answer_form(task.id).fields
    return task.kind != "action", not fields, not any(field.type in _NUMBERS for field in fields)


def show(bundle: Bundle, task: Task) -> None:
    (_, done, right), *wrong = asyncio.run(_ends(bundle, task))
    _heading(f"One of these worlds: {bundle.theme.name}")
    _paragraph(" ".join(re.split(r"(?<=[.!?])\s+", bundle.theme.description)[:_SENTENCES]))
    _heading("The rules that its tools enforce")
    for number, rule in enumerate(bundle.theme.rules, 1):
        _paragraph(rule.text, f"{number}. ")
    _heading(f"What somebody asks there, on {done.clock[:10]} at {done.clock[11:16]}")
    _paragraph(f"“{task.text}”")
    _heading("How it is done: the reference solution, played in the sandbox just now")
    for number, step in enumerate(done.calls, 1):
        _show_call(number, step, done.calls[number:])
    rows = Counter(change.table for change in done.changes)
    _paragraph(", ".join(f"{table} ({count})" for table, count in rows.items()) or "none", "Rows changed: ")
    _heading("What is reported at the end")
    _show_report(done, bundle.answer_form(task.id).fields)
    _heading(f"The verdict: score {right.score:.2g}")
    for signal in right.signals:
        name = signal.name.replace(GOAL, "goal: ").replace(GUARD, "guard: ").replace("_", " ")
        _paragraph(name, "+ ", "green") if signal.value is True else _paragraph(name, "- ", "red")
    for how, _, verdict in wrong:
        _heading(f"A wrong end: {how}. Score {verdict.score:.2g}")
        for reason in verdict.reasons:
            _paragraph(reason, "- ", "red")
    _heading("The score is the share of the goals that are reached, and 0 as soon as a guard is broken.", style="")


async def _ends(bundle: Bundle, task: Task) -> list[tuple[str, Run, Verdict]]:
    """The right end, and then wrong ones with what is wrong about them; what the verifier says of each."""
    checks = TaskChecks(task, bundle.verifiers[task.id], bundle.answer_form(task.id))
    async with Runtime() as runtime:
        done = await run_solution(runtime, bundle, task, bundle.solutions[task.id], checks.form)
        runs = [("", done)]
        for how, calls, report in _mistakes(bundle, done, checks.form.fields):
            runs.append((how, await run_calls(runtime, bundle, task, calls, report)))
        return [(how, run, await judge(runtime, checks, run)) for how, run in runs]


def _mistakes(
    bundle: Bundle, done: Run, fields: Sequence[AnswerField]
) -> Iterator[tuple[str, list[TracedStep], Report | None]]:
    """The last write is left out; the last number is reported wrongly."""
    changing = {tool.name for tool in bundle.tools if not tool.annotations.readOnlyHint}
    writes = [number for number, step in enumerate(done.calls) if step.tool in changing and step.outcome == "ok"]
    for left_out in writes[-1:]:
        rest = [step for number, step in enumerate(done.calls) if number != left_out]
        yield f"the same report, but {done.calls[left_out].tool} was left out", rest, done.report
    answers = done.report.answers if done.report else {}
    numbers = [(field, value) for field in fields if isinstance(value := answers.get(field.name), int)]
    for field, value in [one for one in numbers if one[0].type in _NUMBERS][-1:]:
        other = value + (100 if field.type == "money" else 1)
        report = done.report and done.report.model_copy(update={"answers": {**answers, field.name: other}})
        yield f"the same calls, but {field.name} is reported as {_answer(field, other)}", done.calls, report


def _show_call(number: int, step: TracedStep, later: Sequence[TracedStep]) -> None:
    given = ", ".join(f"{name}={_json(value)}" for name, value in step.arguments.items())
    _paragraph(f"{step.tool}({given})", f"{number}. " if step.principal == "assistant" else f"{number}. the person: ")
    needed = {name: value for call in later for name, value in call.arguments.items()}
    result = _short(step.value, needed) if step.outcome == "ok" else f"refused: {step.error}"
    _paragraph(result, "   → ", lines=_LINES_OF_A_RESULT)


def _show_report(run: Run, fields: Sequence[AnswerField]) -> None:
    if run.report is None:  # the verdict says so
        return
    _paragraph(run.report.outcome + (f", because of {run.report.reason}" if run.report.reason else ""), "outcome: ")
    for field in fields:
        _paragraph(_answer(field, run.report.answers.get(field.name)), f"{field.name}: ")
    _paragraph(f"“{run.report.message}”", "message: ")


def _answer(field: AnswerField, value: Json) -> str:
    """Money is counted in cents, or whatever the smallest unit is."""
    if field.type == "money" and isinstance(value, int) and minor_units(field.unit) > 1:
        return f"{_json(value)} ({in_whole_units(value, field.unit)} {field.unit})"
    return _json(value)


def _short(value: Json, needed: Mapping[str, Json]) -> str:
    """What a tool gave back: of a list its length and one of its items, if possible one that a later call names."""
    if isinstance(value, dict):
        return ", ".join(
            f"{name}{': ' if isinstance(inner, dict | list) else '='}{_short(inner, needed)}"
            for name, inner in value.items()
            if inner is not None
        )
    if isinstance(value, list) and value:
        item = next((item for item in value if _is_named(item, needed)), value[0])
        return ("" if len(value) == 1 else f"{len(value)}, among them ") + _short(item, needed)
    return _json(value)


def _is_named(item: Json, needed: Mapping[str, Json]) -> bool:
    """Whether `id` or `expense_claim_id` of the item is what a later call gave as `expense_claim_id`."""
    fields = item.items() if isinstance(item, dict) else []
    return any(name.endswith(field) and known == value for field, value in fields for name, known in needed.items())


def _json(value: Json) -> str:
    return orjson.dumps(value).decode()


def _heading(text: str, style: str = "bold") -> None:
    Console(soft_wrap=True, highlight=False).print(f"\n{text}", style=style, markup=False)


def _paragraph(text: str, mark: str = "", style: str = "", lines: int | None = None) -> None:
    width, first = min(shutil.get_terminal_size().columns, _WIDEST), f"  {mark}"
    further = " " * min(len(first), 7)
    shown = textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=further, max_lines=lines, placeholder=" …"
    )
    Console(soft_wrap=True, highlight=False).print("\n".join(shown), style=style, markup=False)
