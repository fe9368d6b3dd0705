"""`envfactory verify`: does a program do what a task asks? The stored verifier says so, with its reasons.

Belongs here: finding the verifier, showing its verdict. Does not: judging (`truth.verdicts`).
"""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer

from envfactory_dagster.commands.options import KEY_HELP, AllowUnsandboxed, AsJson
from envfactory_dagster.commands.terminal import how_many, say
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.truth import SolutionSet, Verdict, VerifierSet
from envfactory_dagster.loading import load_bundle

if TYPE_CHECKING:
    from envfactory_dagster.truth.execution import Run
    from envfactory_dagster.truth.verdicts import TaskChecks


def verify(
    key: Annotated[str, typer.Argument(metavar="KEY", help=KEY_HELP)],
    task: Annotated[str, typer.Option(help="Id of the task.")],
    solution: Annotated[Path, typer.Option(help="A Python file with `def solve(tools)` that returns the report.")],
    allow_unsandboxed: AllowUnsandboxed = False,
    as_json: AsJson = False,
) -> None:
    """Run a program on a task and print what the task's verifier says of it. Ends with 1 unless the score is 1."""
    bundle = load_bundle(key)
    checks = _checks(bundle, _task(bundle, task))
    run, verdict = asyncio.run(_verify(bundle, checks, _read(solution), allow_unsandboxed))
    if as_json:
        say(orjson.dumps(_as_json(run, verdict)).decode())
    else:
        _print(run, verdict)
    if verdict.score < 1.0:
        raise typer.Exit(1)


def _task(bundle: Bundle, wanted: str) -> Task:
    for task in bundle.tasks:
        if task.id == wanted:
            return task
    known = ", ".join(task.id for task in bundle.tasks) or "none"
    raise UsageError(f"{bundle.key} has no task {wanted!r}; it has: {known}.")


def _checks(bundle: Bundle, task: Task) -> "TaskChecks":
    """Those in the bundle, else those that were made for this version of it."""
    from envfactory_dagster.truth.verdicts import TaskChecks

    if task.id in bundle.verifiers:
        return TaskChecks(task, bundle.verifiers[task.id], bundle.answer_form(task.id))
    made = {} if bundle.verifiers else _made_for(bundle)
    if task.id in made:
        return TaskChecks(task, *made[task.id])
    known = ", ".join(bundle.verifiers or made) or "none"
    raise UsageError(f"The task {task.id!r} of {bundle.key} has no verifier; these have one: {known}.")


def _made_for(bundle: Bundle) -> dict[str, tuple[str, AnswerForm]]:
    """The accepted verifiers of this very version under ENVFACTORY_HOME, with the forms of their tasks."""
    from envfactory_dagster.authoring.environment import BuiltEnvironment
    from envfactory_dagster.store.home import Home
    from envfactory_dagster.store.records import RecordStore

    store = RecordStore(Home.resolve())
    stages = ("environment", "reference_solutions", "verifiers")
    built, solved, verified = (store.latest(stage, bundle.key) for stage in stages)
    if built is None or solved is None or verified is None:
        return {}
    if built.artifact is None or solved.artifact is None or verified.artifact is None:
        return {}
    if verified.parents.get("environment") != built.version:
        return {}
    if BuiltEnvironment.model_validate(built.artifact).version != bundle.version:
        return {}
    accepted = VerifierSet.model_validate(verified.artifact).verifiers
    forms = {one.task: one.form for one in SolutionSet.model_validate(solved.artifact).solutions}
    return {one.verifier.task: (one.verifier.source, forms[one.verifier.task]) for one in accepted}


def _read(solution: Path) -> str:
    try:
        return solution.expanduser().read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The solution {solution} cannot be read: {error}") from error


async def _verify(bundle: Bundle, checks: "TaskChecks", source: str, allow_unsandboxed: bool) -> "tuple[Run, Verdict]":
    from envfactory_dagster.runtime.runtime import Runtime
    from envfactory_dagster.runtime.settings import RuntimeSettings
    from envfactory_dagster.truth.execution import run_solution
    from envfactory_dagster.truth.verdicts import judge

    async with Runtime(RuntimeSettings(allow_unsandboxed=allow_unsandboxed)) as runtime:
        run = await run_solution(runtime, bundle, checks.task, source, checks.form)
        verdict = await judge(runtime, checks, run)
    if run.error is None:
        return run, verdict
    return run, Verdict(score=0.0, signals=verdict.signals, reasons=[f"The program failed: {run.error}"])


def _as_json(run: "Run", verdict: Verdict) -> dict[str, Any]:
    calls = [call.model_dump(mode="json", exclude={"value"}) for call in run.calls]
    report = None if run.report is None else run.report.model_dump(mode="json")
    return {**verdict.model_dump(mode="json"), "report": report, "error": run.error, "calls": calls}


def _print(run: "Run", verdict: Verdict) -> None:
    from envfactory_dagster.commands.console import Console

    console = Console(soft_wrap=True, highlight=False)
    passed = verdict.score == 1.0
    console.print(f"score {verdict.score:g}", style="green" if passed else "red")
    for signal in verdict.signals:
        mark = "+" if signal.value is True else "-"
        console.print(f"{mark} {signal.name}", style="green" if signal.value is True else "red", markup=False)
    for reason in verdict.reasons:
        console.print(reason, markup=False)
    reported = "No report." if run.report is None else f"Reported {run.report.outcome}: {run.report.message}"
    done = f"{how_many(len(run.calls), 'call')}, {how_many(len(run.changes), 'row')} changed"
    console.print(f"{done}. {reported}", markup=False)
