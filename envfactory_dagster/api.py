"""What programs import: `from envfactory_dagster import load_bundle, verify`.

Belongs here: the few functions that stay put, over the rooms that do the work. Does not: the work, and `play`, which is
in `exchange.playing` and needs a client for endpoints.
"""

from collections.abc import Iterable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.truth import TracedStep, Verdict
from envfactory_dagster.exchange import exporting
from envfactory_dagster.exchange.forms import FORMS
from envfactory_dagster.exchange.origins import known_of
from envfactory_dagster.loading import load_bundle
from envfactory_dagster.runtime.reports import UnreadableReport, read_report
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.truth.execution import run_calls
from envfactory_dagster.truth.verdicts import TaskChecks, judge

__all__ = ["Bundle", "Runtime", "Verdict", "export", "load_bundle", "verify"]


async def verify(
    bundle: Bundle,
    task: str,
    calls: Iterable[tuple[str, Mapping[str, Json]]],
    report: Mapping[str, Json],
    *,
    runtime: Runtime | None = None,
) -> Verdict:
    """What the verifier of a task says of these calls of the agent's tools, made from the task's start, and this report
    (`outcome`, `answers`, `reason`, `message`). Give a `runtime` to share it among many."""
    asked = next((one for one in bundle.tasks if one.id == task), None)
    if asked is None or task not in bundle.verifiers:
        known = ", ".join(one.id for one in bundle.tasks if one.id in bundle.verifiers) or "none"
        raise UsageError(f"{bundle.key} has no task {task!r} with a verifier; these have one: {known}.")
    form = bundle.answer_form(task)
    read = read_report(dict(report), form, [rule.id for rule in bundle.theme.rules])
    if isinstance(read, UnreadableReport):
        raise UsageError(f"That is no report for the task {task!r}: {read.problem}.")
    steps = [
        TracedStep(tool=tool, principal="assistant", arguments=dict(arguments), outcome="ok")
        for tool, arguments in calls
    ]
    async with AsyncExitStack() as stack:
        running = runtime if runtime is not None else await stack.enter_async_context(Runtime())
        run = await run_calls(running, bundle, asked, steps, read)
        return await judge(running, TaskChecks(asked, bundle.verifiers[task], form), run)


def export(bundle: Bundle, form: str, folder: Path) -> exporting.Exported:
    """Write a released environment in the form of another project, such as `trl` or `harbor`, to a new folder."""
    if form not in FORMS:
        raise UsageError(f"There is no form {form!r}. There are: {', '.join(sorted(FORMS))}.")
    return exporting.export(bundle, FORMS[form], folder, known_of(Home.resolve(), bundle))
