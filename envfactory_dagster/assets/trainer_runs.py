"""Runs of the trainer, each a process of its own: started, followed and resumed from here.

Belongs here: starting one, what an exit status means, and what a person sees of it. Does not: which policies there are
(`training`, `evolution`), and training (the package `trainer`, which nothing here imports).
"""

import base64
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg
import orjson

from envfactory_dagster.assets.retrying import tried_again
from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.errors import InfrastructureFault, UsageError
from envfactory_dagster.measuring import trainer_program
from envfactory_dagster.measuring.recipes import view_of
from envfactory_dagster.measuring.trained import LATEST, POLICIES, goes_on, is_finished, read, sentence
from envfactory_dagster.resources.dagster_internals import DagsterPipesExecutionError
from envfactory_dagster.store.copies import fetched, keep
from envfactory_dagster.store.files import open_files
from envfactory_dagster.store.home import Home

_VERSION_LENGTH = 16
_RUN, _GIVEN = "run", "given_policy"
"""Metadata: the name of the run's folder, and the policy that the run was given."""
_STATUS = re.compile(r"code (-?\d+)$")


@dataclass(frozen=True, slots=True)
class TrainerRun:
    home: Home
    folder: str
    """Below the home."""
    out: Path
    """The same on this machine."""


def go(
    context: dg.AssetExecutionContext,
    trainer: dg.PipesSubprocessClient,
    run: TrainerRun,
    arguments: list[object],
    begun: Path | str | None = None,
) -> dg.MaterializeResult[None]:
    """The trainer as a process. What is finished is not done again. `begun`: the policy that it is given, or the model
    that it asks."""
    out = run.out
    if is_finished(out):
        context.log.info("this run is finished already: %s", out)
        return _result(run, begun)
    command = trainer_program.command(*arguments)
    with tried_again(context):
        try:
            trainer.run(context=context, command=command, env=trainer_program.environment())
        except DagsterPipesExecutionError as error:
            raise what_happened(error, out) from error
        finally:
            keep(run.home, run.folder)
        if not is_finished(out):
            raise InfrastructureFault(f"The trainer ended without an outcome in {out}.")
        return _result(run, begun)


def _result(run: TrainerRun, begun: Path | str | None) -> dg.MaterializeResult[None]:
    """The name of the run is the version: the same run is the same policy, another one makes what follows stale."""
    name, out = run.out.parent.name, run.out
    open_files(run.home.root / POLICIES).replace(f"{name}/{LATEST}", out.name.encode())
    given = {} if begun is None else {_GIVEN: str(begun)}
    return dg.MaterializeResult(
        data_version=dg.DataVersion(out.name), metadata={**_outcome(out), **given, _RUN: out.name}
    )


def what_happened(error: DagsterPipesExecutionError, out: Path) -> Exception:
    """What an exit status means. One without a sentence is a defect: its traceback is in the log of the process."""
    found = _STATUS.search(str(error))
    status = int(found.group(1)) if found else 1
    said = sentence(out, status)
    if goes_on(status):
        return InfrastructureFault(said)
    return dg.Failure(said, metadata={"exit_status": status}, allow_retries=False) if said else error


def _outcome(out: Path) -> dict[str, Any]:
    """What the process left behind at its end: figures, pictures and tables."""
    figures = {name: value for name, value in (read(out / "result.json") or {}).items() if value is not None}
    pictures = {
        f"{path.stem}_plot": f"![{path.stem}](data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()})"
        for path in sorted(out.glob("*.png"))
    }
    texts = {path.stem: path.read_text() for path in sorted(out.glob("*.md"))}
    return figures | {name: dg.MetadataValue.md(text) for name, text in (pictures | texts).items()}


def run_of(home: Home, name: str, identity: list[object]) -> TrainerRun:
    """With what it has reached already, wherever that was."""
    folder = f"{POLICIES}/{name}/{content_hash([trainer_program.CODE_VERSION, *identity])[:_VERSION_LENGTH]}"
    return TrainerRun(home, folder, fetched(home, folder))


def name_of(home: Home, path: Path) -> str:
    """The name of a folder of the home, the same on every machine."""
    return str(home.root / path.relative_to(home.local).as_posix())


def check_protocol(data: Path, recipe: Path, name: str) -> None:
    """Refuse a dataset without tasks under the protocol of the recipe."""
    wanted = view_of(recipe).protocol
    rows = [orjson.loads(line) for file in data.glob("*.jsonl") for line in file.read_bytes().splitlines()]
    found = {row["protocol"] for row in rows if row.get("turn") is None}
    if found and wanted not in found:
        raise UsageError(
            f"{name} is to play under the protocol {wanted} (`grpo.protocol` of the recipe {recipe.stem}), and the "
            f"tasks of rl_dataset are under {' and '.join(sorted(found))}. Materialize rl_dataset with "
            f"`protocols: [{wanted}]`, or take a recipe with another protocol."
        )
