"""`envfactory audit`: are the tasks of an environment worth what they claim? For whoever wants to train on it.

Belongs here: running an audit for a person, and showing it. Does not: the audit (`truth.audit`).
"""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer

from envfactory_dagster.commands.options import KEY_HELP, AllowUnsandboxed, AsJson
from envfactory_dagster.commands.terminal import say
from envfactory_dagster.contracts.audit import Audit
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.inspection import ToolUse
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.loading import load_bundle

if TYPE_CHECKING:
    from envfactory_dagster.runtime.runtime import Runtime


def audit(
    key: Annotated[str, typer.Argument(metavar="KEY", help=KEY_HELP)],
    task: Annotated[list[str] | None, typer.Option(metavar="ID", help="Only this task; may be repeated.")] = None,
    mend: Annotated[
        bool, typer.Option("--repair", help="Have a model write better verifiers, and keep them as a new version.")
    ] = False,
    allow_unsandboxed: AllowUnsandboxed = False,
    as_json: AsJson = False,
) -> None:
    """Try every task's reference solution and verifier, inspect the tools, and report what is wrong. Ends with 1 when
    anything is; warnings about tools do not count."""
    bundle = load_bundle(key)
    if mend and LanguageSettings.from_environment().base_url is None:
        raise UsageError("--repair needs a language model: set ENVFACTORY_LLM_BASE_URL, its key and its models.")
    found, notes = asyncio.run(_audit(bundle, _chosen(bundle, task or []), mend, allow_unsandboxed))
    if as_json:
        say(orjson.dumps(found.model_dump(mode="json") | notes).decode())
    else:
        _print(bundle.key, found)
        for what, told in notes.get("given_up", {}).items():
            say(f"  not repaired: {what}: {told[:300]}")
        if "kept" in notes:
            say(f"The better verifiers are in {notes['kept']}")
    if not found.clean:
        raise typer.Exit(1)


def _chosen(bundle: Bundle, wanted: list[str]) -> list[Task]:
    known = {task.id: task for task in bundle.tasks}
    if unknown := [name for name in wanted if name not in known]:
        raise UsageError(f"There is no task {unknown[0]!r} in {bundle.key}; `envfactory show {bundle.key} --tasks`.")
    return [known[name] for name in wanted] or bundle.tasks


async def _audit(
    bundle: Bundle, tasks: list[Task], mend: bool, allow_unsandboxed: bool
) -> tuple[Audit, dict[str, Any]]:
    """And what came of repairing."""
    from envfactory_dagster.runtime.runtime import Runtime
    from envfactory_dagster.runtime.settings import RuntimeSettings
    from envfactory_dagster.truth.audit import audit as look

    async with Runtime(RuntimeSettings(allow_unsandboxed=allow_unsandboxed)) as runtime:
        found = await look(runtime, bundle, tasks)
        return await _repair(runtime, bundle, found) if mend else (found, {})


async def _repair(runtime: "Runtime", bundle: Bundle, found: Audit) -> tuple[Audit, dict[str, Any]]:
    from envfactory_dagster.authoring.settings import AuthoringSettings
    from envfactory_dagster.language.gateway import Gateway
    from envfactory_dagster.store.bundles import BundleStore
    from envfactory_dagster.store.home import Home
    from envfactory_dagster.truth.repair import repair

    home = Home.resolve()
    async with Gateway(LanguageSettings.from_environment(), home.root) as gateway:
        mended = await repair(gateway, runtime, bundle, found, AuthoringSettings().attempts)
    notes: dict[str, Any] = {"given_up": mended.given_up}
    if mended.bundle is not bundle:
        notes["kept"] = str(BundleStore(home).keep(mended.bundle))
    return mended.audit, notes


def _print(key: str, found: Audit) -> None:
    solved = sum(task.has_solution for task in found.tasks)
    verified = sum(task.has_verifier for task in found.tasks)
    trials = sum(task.trials for task in found.tasks)
    if found.tasks:
        say(f"{key}: {len(found.tasks)} tasks, {solved} with a solution, {verified} with a verifier, {trials} trials")
    else:
        say(f"{key}: there are no tasks; {len(found.tools)} tools were inspected")
    for task in found.tasks:
        for finding in task.findings:
            say(f"- {task.task}: {_words(finding.kind)}: {finding.detail[:300]}")
    for finding_of_tool in found.inspection:
        say(f"- {finding_of_tool.subject}: {finding_of_tool.severity}: {finding_of_tool.message[:300]}")
    for what, names in _standing_of_tools(found.tools).items():
        say(f"Tools that {what}: {', '.join(names) or 'none'}")
    counts = ", ".join(f"{_words(kind)} {number}" for kind, number in found.counts().items())
    if found.tasks:
        say(f"Tasks with findings: {counts}" if counts else "Nothing is wrong with its tasks.")


def _standing_of_tools(uses: Sequence[ToolUse]) -> dict[str, list[str]]:
    """What calls of the reference solutions say of the tools; where there are none, calls without arguments."""
    return {
        "worked": [use.tool for use in uses if use.worked],
        "were called and never worked": [use.tool for use in uses if not use.worked and use.refused + use.broke],
        "nobody called": [use.tool for use in uses if not use.worked + use.refused + use.broke],
    }


def _words(kind: str) -> str:
    return kind.replace("_", " ")
