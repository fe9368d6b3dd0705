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

from envfactory_dagster.commands.options import KEY_HELP, AllowUnsandboxed, AsJson
from envfactory_dagster.commands.terminal import say
from envfactory_dagster.contracts.base import found_in
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.trajectory import Trajectory
from envfactory_dagster.loading import load_bundle

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
    given = load_bundle(environment) if environment is not None else None
    if not asyncio.run(_replay_all(_read(trajectory), given, allow_unsandboxed, as_json)):
        raise typer.Exit(1)


def _read(path: Path) -> list[tuple[str, Trajectory]]:
    """Every trajectory of the file, with the place where it stands."""
    try:
        data = path.expanduser().read_bytes()
    except OSError as error:
        raise UsageError(f"The trajectory {path} cannot be read: {error.strerror}.") from error
    if path.suffix != ".jsonl":
        return [(str(path), _trajectory(data, str(path)))]
    lines = {f"{path}, line {number}": line for number, line in enumerate(data.splitlines(), 1) if line.strip()}
    if not lines:
        raise UsageError(f"There is no trajectory in {path}: it is empty.")
    return [(place, _trajectory(line, place)) for place, line in lines.items()]


def _trajectory(text: bytes, place: str) -> Trajectory:
    try:
        return Trajectory.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(map(str, first["loc"]))
        message = first["msg"].replace(" at line 1 column ", " at column ")  # the line is known, or the only one
        raise UsageError(f"{place} is no trajectory: {field and f'{field}: '}{message}.") from error


def _environment_of(recorded: Trajectory, place: str) -> Bundle:
    """The version it was recorded in where that is kept, else the latest."""
    from envfactory_dagster.store.bundles import BundleStore
    from envfactory_dagster.store.home import Home

    store = BundleStore(Home.resolve())
    if any(recorded.bundle_version.startswith(version) for version in store.versions(recorded.environment)):
        return store.load(recorded.environment, recorded.bundle_version)
    with found_in(place):
        return load_bundle(recorded.environment)


async def _replay_all(
    trajectories: Sequence[tuple[str, Trajectory]], given: Bundle | None, allow_unsandboxed: bool, as_json: bool
) -> bool:
    """Print what each replay came to. Return whether all of them were reproduced."""
    from envfactory_dagster.runtime.runtime import Runtime
    from envfactory_dagster.runtime.settings import RuntimeSettings
    from envfactory_dagster.truth.replay import replay

    reproduced = True
    async with Runtime(RuntimeSettings(allow_unsandboxed=allow_unsandboxed)) as runtime:
        for place, recorded in trajectories:
            bundle = given or _environment_of(recorded, place)
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
