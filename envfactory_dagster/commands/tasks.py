"""`envfactory tasks`: fresh tasks of an environment, drawn from its task families without a model.

Belongs here: asking for them, showing them, writing them as a bundle. Does not: drawing and gating (`tasks.families`).
"""

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer

from envfactory_dagster.commands.options import KEY_HELP, AllowUnsandboxed, AsJson
from envfactory_dagster.commands.terminal import how_many, say
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.loading import load_bundle

if TYPE_CHECKING:
    from envfactory_dagster.tasks.families.sampling import Fresh

_DROPPED_SHOWN = 5


def tasks(
    key: Annotated[str, typer.Argument(metavar="KEY", help=KEY_HELP)],
    families: Annotated[
        list[str] | None, typer.Option("--family", help="Only of this family; may be repeated. By default of all.")
    ] = None,
    count: Annotated[int, typer.Option(help="How many tasks are wanted.")] = 5,
    seed: Annotated[int, typer.Option(help="The same seed gives the same tasks, on every machine.")] = 0,
    difficulty: Annotated[
        int | None, typer.Option(help="Only tasks of this level, 1 to 8, by the calls that their solutions make.")
    ] = None,
    whole_gate: Annotated[
        bool, typer.Option("--whole-gate", help="Put every task through all trials, also of families that are proven.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Write a bundle with these tasks to this folder, to be served and played.")
    ] = None,
    allow_unsandboxed: AllowUnsandboxed = False,
    as_json: AsJson = False,
) -> None:
    """Draw fresh tasks from the task families of an environment: each is run and judged before it is given out."""
    bundle = load_bundle(key)
    if out is not None:
        _refuse_to_overwrite(out.expanduser())
    fresh = asyncio.run(_draw(bundle, families or [], count, seed, difficulty, whole_gate, allow_unsandboxed))
    if out is not None and fresh.tasks:
        fresh.bundle.write(out.expanduser())
    if as_json:
        say(orjson.dumps(_as_json(bundle, fresh, seed, out)).decode())
    else:
        _print(fresh, count, out)
    if not fresh.tasks:
        raise typer.Exit(1)


def _refuse_to_overwrite(folder: Path) -> None:
    """A bundle would replace the folder that it is written to."""
    if os.path.lexists(folder):
        raise UsageError(f"{folder} exists: choose another folder, or remove it.")


async def _draw(
    bundle: Bundle,
    families: list[str],
    count: int,
    seed: int,
    difficulty: int | None,
    whole_gate: bool,
    allow_unsandboxed: bool,
) -> "Fresh":
    from envfactory_dagster.runtime.runtime import Runtime
    from envfactory_dagster.runtime.settings import RuntimeSettings
    from envfactory_dagster.tasks.families.sampling import fresh_tasks

    async with Runtime(RuntimeSettings(allow_unsandboxed=allow_unsandboxed)) as runtime:
        return await fresh_tasks(runtime, bundle, count, seed, families=families, level=difficulty, wholly=whole_gate)


def _as_json(bundle: Bundle, fresh: "Fresh", seed: int, out: Path | None) -> dict[str, Any]:
    return {
        "key": bundle.key,
        "seed": seed,
        "tasks": [
            {
                **one.task.model_dump(mode="json", exclude={"withheld"}),
                "level": one.difficulty.level,
                "calls": one.difficulty.calls,
            }
            for one in fresh.tasks
        ],
        "dropped": [one.model_dump(mode="json", exclude={"stage"}) for one in fresh.dropped],
        "counts": fresh.summary(),
        "folder": str(out) if out is not None and fresh.tasks else None,
    }


def _print(fresh: "Fresh", wanted: int, out: Path | None) -> None:
    from envfactory_dagster.commands.console import Console

    console = Console(soft_wrap=True, highlight=False)
    for one in fresh.tasks:
        measure = f"level {one.difficulty.level}, {how_many(one.difficulty.calls, 'call')}, {one.task.kind}"
        console.print(f"{one.task.id} ({measure})", style="green", markup=False)
        console.print(f"  {one.task.text}", markup=False)
    for dropped in fresh.dropped[:_DROPPED_SHOWN]:
        console.print(f"- {dropped.task}: {dropped.reason}", style="yellow", markup=False)
    counts = fresh.summary()
    fewer = "" if len(fresh.tasks) >= wanted else f" of {wanted} that were wanted; the families have no more"
    console.print(
        f"{how_many(counts['tasks'], 'task')}{fewer}. {how_many(counts['dropped'], 'draw')} dropped, "
        f"{counts['of_other_levels']} of another level, {counts['wholly_gated']} through the whole gate.",
        markup=False,
    )
    if out is not None and fresh.tasks:
        console.print(f"The bundle with these tasks is in {out}: `envfactory serve {out}`.", markup=False)
