"""`envfactory replay`: is a recorded episode true? It is played again and compared.

Belongs here: reading the file, finding its environment, showing what differs. Does not: comparing (`truth.replay`).
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer
from pydantic import ValidationError

from envfactory_dagster.commands.bundles import find_bundle
from envfactory_dagster.commands.options import KEY_HELP, AllowUnsandboxed, AsJson
from envfactory_dagster.commands.terminal import say
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.trajectory import Trajectory

if TYPE_CHECKING:
    from envfactory_dagster.truth.replay import Replay


def replay(
    trajectory: Annotated[
        Path, typer.Argument(metavar="TRAJECTORY", help="A trajectory as a JSON file, or one in each line of a JSONL.")
    ],
    environment: Annotated[
        str | None, typer.Option(metavar="KEY", help=f"{KEY_HELP} By default the environment the trajectory names.")
    ] = None,
    allow_unsandboxed: AllowUnsandboxed = False,
    as_json: AsJson = False,
) -> None:
    """Play a recorded episode again; compare every observation, the final state and the verdict. Ends with 1 when
    something differs."""
    given = find_bundle(environment) if environment is not None else None
    if not asyncio.run(_replay_all(_read(trajectory), given, allow_unsandboxed, as_json)):
        raise typer.Exit(1)


def _read(path: Path) -> list[Trajectory]:
    try:
        data = path.expanduser().read_bytes()
    except OSError as error:
        raise UsageError(f"The trajectory {path} cannot be read: {error.strerror}.") from error
    texts = [line for line in data.splitlines() if line.strip()] if path.suffix == ".jsonl" else [data]
    return [_trajectory(text, path, number) for number, text in enumerate(texts, 1)]


def _trajectory(text: bytes, path: Path, number: int) -> Trajectory:
    try:
        return Trajectory.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or ("the file" if path.suffix != ".jsonl" else f"line {number}")
        raise UsageError(f"{path} is no trajectory: {where}: {first['msg']}.") from error


def _environment_of(recorded: Trajectory) -> Bundle:
    """The version it was recorded in where that is kept, else the latest."""
    from envfactory_dagster.store.bundles import BundleStore
    from envfactory_dagster.store.home import Home

    store = BundleStore(Home.resolve())
    if any(recorded.bundle_version.startswith(version) for version in store.versions(recorded.environment)):
        return store.load(recorded.environment, recorded.bundle_version)
    return find_bundle(recorded.environment)


async def _replay_all(
    trajectories: Sequence[Trajectory], given: Bundle | None, allow_unsandboxed: bool, as_json: bool
) -> bool:
    """Print what each replay came to. Return whether all of them were reproduced."""
    from envfactory_dagster.runtime.runtime import Runtime
    from envfactory_dagster.runtime.settings import RuntimeSettings
    from envfactory_dagster.truth.replay import replay

    reproduced = True
    async with Runtime(RuntimeSettings(allow_unsandboxed=allow_unsandboxed)) as runtime:
        for recorded in trajectories:
            bundle = given or _environment_of(recorded)
            found = await replay(runtime, bundle, recorded)
            note = f"no verdict: {bundle.key} was made before reports: rebuild it" if bundle.made_before_reports else ""
            if as_json:
                say(orjson.dumps(_as_json(found, note)).decode())
            else:
                _print(found, note)
            reproduced = reproduced and found.reproduced
    return reproduced


def _as_json(found: "Replay", note: str) -> dict[str, Any]:
    return {
        "outcome": found.outcome,
        "reproduced": found.reproduced,
        "findings": [{"kind": one.kind, "step": one.step, "message": one.message} for one in found.findings],
        "observations": found.observations,
        "state_hash": found.state_hash,
        "verdict": found.verdict.model_dump(mode="json") if found.verdict is not None else None,
        "note": note,
    }


def _print(found: "Replay", note: str) -> None:
    from envfactory_dagster.commands.console import Console

    console = Console(soft_wrap=True, highlight=False)
    style = "green" if found.reproduced else "red"
    console.print(f"{found.outcome}: {found.observations} observations compared", style=style, markup=False)
    for one in found.findings:
        where = f"step {one.step}: " if one.step is not None else ""
        console.print(f"{one.kind}: {where}{one.message}", markup=False)
    if found.verdict is not None:
        console.print(f"score {found.verdict.score:g}", style=style)
    if note:
        console.print(note, markup=False)
