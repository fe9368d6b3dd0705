"""`envfactory inspect`: how good is an environment? Facts, failures, graded tests, ratings.

Belongs here: running one inspection for a person, and showing it. Does not: the inspection (`truth.inspection`).
"""

import asyncio
import sys
from typing import Annotated

import typer

from envfactory_dagster.commands.options import KEY_HELP, AllowUnsandboxed, AsJson
from envfactory_dagster.commands.terminal import say
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.inspection import Inspection
from envfactory_dagster.loading import load_bundle

_MEASURED_ROUNDS = 3


def inspect(
    key: Annotated[str, typer.Argument(metavar="KEY", help=KEY_HELP)],
    rounds: Annotated[
        int,
        typer.Option(
            min=1, help="Rounds of the two agents that test and check the tools; at least one in every state."
        ),
    ] = 3,
    revisions: Annotated[int, typer.Option(min=0, help="How often failing tools may be mended.")] = 0,
    allow_unsandboxed: AllowUnsandboxed = False,
    as_json: AsJson = False,
) -> None:
    """Use every tool of an environment and report what is wrong with it. Ends with 1 unless it passes."""
    bundle = load_bundle(key)
    if bundle.storage == "object":
        raise UsageError(
            f"{key} was imported, and its code cannot be read so: `envfactory audit {key}` looks at its tasks."
        )
    if bundle.servers:
        environments = ", ".join(server.key for server in bundle.servers.values())
        raise UsageError(f"{key} is a workspace, whose tools are those of its environments: inspect {environments}.")
    _announce(bundle, rounds)
    found = asyncio.run(_inspect(bundle, rounds, revisions, allow_unsandboxed))
    if as_json:
        say(found.model_dump_json())
    else:
        _print(found)
    if not found.passed:
        raise typer.Exit(1)


def _announce(bundle: Bundle, rounds: int) -> None:
    """Say what it will cost, where a model is paid."""
    from envfactory_dagster.commands.estimates import estimate
    from envfactory_dagster.language.messages import Role
    from envfactory_dagster.language.settings import LanguageSettings

    settings = LanguageSettings.from_environment()
    settings.require(Role.JUDGE, Role.AUTHOR)
    expected = estimate(settings, bundle.theme.size, {"inspection": rounds / _MEASURED_ROUNDS})
    if expected is not None:
        say(f"Inspecting {bundle.key} takes {expected}.", file=sys.stderr)


async def _inspect(bundle: Bundle, rounds: int, revisions: int, allow_unsandboxed: bool) -> Inspection:
    from envfactory_dagster.language.gateway import Gateway
    from envfactory_dagster.language.settings import LanguageSettings
    from envfactory_dagster.runtime.runtime import Runtime
    from envfactory_dagster.runtime.settings import RuntimeSettings
    from envfactory_dagster.store.home import Home
    from envfactory_dagster.truth.inspection.inspector import InspectionSettings, inspect_bundle

    settings = InspectionSettings(rounds=rounds, revisions=revisions)
    async with (
        Gateway(LanguageSettings.from_environment(), Home.resolve().root) as gateway,
        Runtime(RuntimeSettings(allow_unsandboxed=allow_unsandboxed)) as runtime,
    ):
        return (await inspect_bundle(gateway, runtime, bundle, settings)).report


def _print(found: Inspection) -> None:
    from rich.table import Table

    from envfactory_dagster.commands.console import Console

    console, ratings = Console(), found.ratings
    verdict = "passes" if found.passed else "does not pass"
    console.print(
        f"It {verdict}: score {found.score:.2f} over {len(found.tests)} tests, coverage {found.facts.coverage:.0%}"
    )
    rated = {name: getattr(ratings, name) for name in ratings.reasons}
    shown = ", ".join(f"{name.replace('_', ' ')} {score}" for name, score in rated.items())
    console.print(shown or "not rated: the judge gave no readable answer")
    for what, listed in (
        ("never works", found.facts.dead_tools),
        ("never read", found.facts.unused_columns),
        ("never reached", found.facts.unreachable_values),
        ("blocked task", ratings.blocked_tasks),
        ("to be dropped", [*found.dropped_tools, *(one.task for one in found.dropped_tasks)]),
    ):
        if listed:
            console.print(f"{what}: {', '.join(listed)}", markup=False, highlight=False, soft_wrap=True)
    if found.findings:
        table = Table("about", "criterion", "severity", "what")
        for finding in found.findings:
            table.add_row(finding.subject, finding.criterion, finding.severity, finding.message)
        console.print(table, markup=False)
