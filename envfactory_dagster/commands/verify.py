"""`envfactory verify`: does a program do what a task asks? The stored verifier says so, with its reasons.

Belongs here: finding the verifier, showing its verdict. Does not: judging (`truth.verdicts`).
"""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer

from envfactory_dagster.commands.bundles import find_bundle
from envfactory_dagster.commands.options import KEY_HELP, AllowUnsandboxed, AsJson
from envfactory_dagster.commands.terminal import say
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.truth import Verdict, VerifierSet

if TYPE_CHECKING:
    from envfactory_dagster.truth.execution import Run


def verify(
    key: Annotated[str, typer.Argument(metavar="KEY", help=KEY_HELP)],
    task: Annotated[str, typer.Option(help="Id of the task.")],
    solution: Annotated[Path, typer.Option(help="A Python file with `def solve(tools)` that returns the answer.")],
    allow_unsandboxed: AllowUnsandboxed = False,
    as_json: AsJson = False,
) -> None:
    """Run a program on a task and print what the task's verifier says of it. Ends with 1 unless the score is 1."""
    bundle = find_bundle(key)
    wanted, verifier = _task(bundle, task), _verifier(bundle, task)
    run, verdict = asyncio.run(_verify(bundle, wanted, verifier, _read(solution), allow_unsandboxed))
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


def _verifier(bundle: Bundle, task: str) -> str:
    """The one in the bundle, else the one that was made for this version of it."""
    made = bundle.verifiers or _made_for(bundle)
    if task in made:
        return made[task]
    known = ", ".join(made) or "none"
    raise UsageError(f"The task {task!r} of {bundle.key} has no verifier; these have one: {known}.")


def _made_for(bundle: Bundle) -> dict[str, str]:
    """The accepted verifiers of this very version under ENVFACTORY_HOME."""
    from envfactory_dagster.authoring.environment import BuiltEnvironment
    from envfactory_dagster.store.home import Home
    from envfactory_dagster.store.records import RecordStore

    store = RecordStore(Home.resolve())
    built, verified = store.latest("environment", bundle.key), store.latest("verifiers", bundle.key)
    if built is None or verified is None or built.artifact is None or verified.artifact is None:
        return {}
    if verified.parents.get("environment") != built.version:
        return {}
    if BuiltEnvironment.model_validate(built.artifact).version != bundle.version:
        return {}
    accepted = VerifierSet.model_validate(verified.artifact).verifiers
    return {one.verifier.task: one.verifier.source for one in accepted}


def _read(solution: Path) -> str:
    try:
        return solution.expanduser().read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The solution {solution} cannot be read: {error}") from error


async def _verify(
    bundle: Bundle, task: Task, verifier: str, source: str, allow_unsandboxed: bool
) -> "tuple[Run, Verdict]":
    from envfactory_dagster.runtime.runtime import Runtime
    from envfactory_dagster.runtime.settings import RuntimeSettings
    from envfactory_dagster.truth.execution import run_solution
    from envfactory_dagster.truth.verdicts import judge

    async with Runtime(RuntimeSettings(allow_unsandboxed=allow_unsandboxed)) as runtime:
        run = await run_solution(runtime, bundle, task, source)
        verdict = await judge(runtime, verifier, run)
    if run.error is None:
        return run, verdict
    return run, Verdict(score=0.0, signals=verdict.signals, reasons=[f"The program failed: {run.error}"])


def _as_json(run: "Run", verdict: Verdict) -> dict[str, Any]:
    calls = [call.model_dump(mode="json", exclude={"value"}) for call in run.calls]
    return {**verdict.model_dump(mode="json"), "answer": run.answer, "error": run.error, "calls": calls}


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
    console.print(f"{len(run.calls)} calls, {len(run.changes)} rows changed. Answer: {run.answer}", markup=False)
