"""`envfactory call`: one tool call, for a person who wants to see what an environment does."""

import asyncio
from dataclasses import asdict
from typing import Annotated, Any

import orjson
import typer

from envfactory_dagster.commands.options import KEY_HELP, AllowUnsandboxed, AsJson, PrincipalName, StateName
from envfactory_dagster.commands.terminal import say
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.calls import CallResult, Change
from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.tools import Principal
from envfactory_dagster.loading import load_bundle


def call(
    key: Annotated[str, typer.Argument(metavar="KEY", help=KEY_HELP)],
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="Name of the tool.")],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="K=V…", help="Its arguments; a value that is JSON is read as JSON, others as text."),
    ] = None,
    state: StateName = INITIAL_STATE,
    principal: PrincipalName = "assistant",
    allow_unsandboxed: AllowUnsandboxed = False,
    as_json: AsJson = False,
) -> None:
    """Call a tool in a session of its own; print its answer and the rows it changed. Nothing is kept."""
    result, changes = asyncio.run(
        _call(load_bundle(key), state, principal, tool, parse_arguments(arguments or []), allow_unsandboxed)
    )
    if as_json:
        say(orjson.dumps({**asdict(result), "changes": [_as_json(change) for change in changes]}).decode())
    else:
        _print(result, changes)
    if not result.ok:
        raise typer.Exit(1)


def parse_arguments(pairs: list[str]) -> dict[str, Json]:
    return dict(_parse(pair) for pair in pairs)


def _parse(pair: str) -> tuple[str, Json]:
    name, equals, text = pair.partition("=")
    if not name or not equals:
        raise UsageError(f"Arguments are given as NAME=VALUE, not as {pair!r}.")
    try:
        return name, orjson.loads(text)
    except orjson.JSONDecodeError:
        return name, text


async def _call(
    bundle: Bundle, state: str, principal: Principal, tool: str, arguments: dict[str, Json], allow_unsandboxed: bool
) -> tuple[CallResult, list[Change]]:
    from envfactory_dagster.runtime.runtime import Runtime
    from envfactory_dagster.runtime.settings import RuntimeSettings

    async with Runtime(RuntimeSettings(allow_unsandboxed=allow_unsandboxed)) as runtime:
        async with await runtime.open(bundle, state=state) as session:
            result = await session.call(tool, arguments, principal=principal)
            return result, await session.changes()


def _as_json(change: Change) -> dict[str, Any]:
    return {"kind": change.kind, **asdict(change)}


def _print(result: CallResult, changes: list[Change]) -> None:
    from envfactory_dagster.commands.console import Console

    if not result.ok:
        Console(stderr=True).print(f"{result.outcome}: {result.error}", style="red", markup=False, highlight=False)
        return
    console = Console()
    console.print_json(orjson.dumps(result.value).decode())
    if result.note is not None:
        console.print(result.note, style="yellow", markup=False)
    for change in changes:
        console.print(_in_words(change), markup=False, highlight=False, soft_wrap=True)


def _in_words(change: Change) -> str:
    key = ", ".join(map(str, change.key))
    if change.before is None:
        fields = ", ".join(f"{name}={value!r}" for name, value in (change.after or {}).items())
        return f"+ {change.table} {key}: {fields}"
    if change.after is None:
        return f"- {change.table} {key}"
    updates = [
        f"{name}: {old!r} → {change.after[name]!r}" for name, old in change.before.items() if old != change.after[name]
    ]
    return f"~ {change.table} {key}: {', '.join(updates)}"
