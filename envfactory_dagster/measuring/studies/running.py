"""Running a study: every level with every seed trained and evaluated, each once.

Belongs here: cells, the processes that make them, and the table of what came of them. Does not: which environments a
cell is trained on (`subsets`), and training (the package `trainer`, which nothing here imports).

    studies/NAME/LABEL-sSEED-HASH/recipe.yaml, curriculum.jsonl    what the cell is
    studies/NAME/LABEL-sSEED-HASH/train, evaluation                what the trainer left
    studies/NAME/result.json, plot.svg                             the study

HASH stands for everything that goes into a cell, so that one that is finished is not done again, one that was cut off
is gone on with, and a study that was changed takes over the cells that it still has.
"""

import os
import re
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, cast, get_args

import orjson
import yaml
from pydantic import ValidationError

from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.dataset import RlRow
from envfactory_dagster.contracts.errors import InfrastructureFault, UsageError
from envfactory_dagster.contracts.studies import Half, LevelResult, SeedResult, Study, StudyResult, Varies
from envfactory_dagster.contracts.trajectory import Protocol
from envfactory_dagster.datasets.assigned import read_tasks
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.measuring import trainer_program
from envfactory_dagster.measuring.contamination import latest
from envfactory_dagster.measuring.studies.picture import plot
from envfactory_dagster.measuring.studies.subsets import Likeness, half, nested
from envfactory_dagster.measuring.trained import is_finished
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home

HELD_OUT = ("held_out", "held_out_modules")
_AGAIN = (6, 143)
"""Exit statuses of the trainer after which the same command may go on."""

Say = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Cell:
    """One training and its evaluation."""

    label: str
    seed: int
    recipe: str
    """Its text."""
    home: Home
    data: Path
    policy: str | None
    """What training begins with; None: what the recipe says."""
    rows: list[RlRow]
    """The training rows, in order."""

    @property
    def environments(self) -> int:
        return len({row.trace.environment for row in self.rows})

    @property
    def curriculum(self) -> bytes:
        named = [
            {"environment": one.environment, "version": one.bundle_version, "task": one.task}
            for one in (row.trace for row in self.rows)
        ]
        return b"".join(orjson.dumps(one) + b"\n" for one in named)

    @property
    def name(self) -> str:
        given = [self.recipe, str(self.data), self.policy, self.curriculum.decode()]
        short = re.sub(r"[^A-Za-z0-9._-]+", "-", self.label)[:40]
        return f"{short}-s{self.seed}-{content_hash(given)[:8]}"


def read_study(path: Path) -> Study:
    try:
        return Study.model_validate(yaml.safe_load(path.read_text()))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(f"The study {path} cannot be read: {error}") from error
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, one['loc'])) or 'study'}: {one['msg']}" for one in error.errors())
        raise UsageError(f"The study {path} is not one: {wrong}.") from error


async def run_study(home: Home, study: Study, say: Say) -> StudyResult:
    """Every cell that is not finished, one after the other, and the whole table."""
    if not home.is_local:
        raise UsageError("A study needs a home that is a folder.")
    folder, text = home.local / "studies" / study.name, trainer_program.recipe_at(study.recipe).read_text()
    base = _rows_folder(home)
    cells = await cells_of(home, study, text, base)
    levels = []
    for label, of_level in cells.items():
        found = []
        for cell in of_level:
            _run(home, folder / cell.name, cell, base, study.k, say)
            found.append(_result(folder / cell.name, cell, study.way))
        rates = [one.passed for one in found]
        levels.append(
            LevelResult(
                label=label, trained_on=of_level[0].environments, mean=fmean(rates), low=min(rates), high=max(rates),
                seeds=found,
            )
        )  # fmt: skip
    result = StudyResult(study=study, recipe=f"{study.recipe} {content_hash(text)[:8]}", levels=levels)
    (folder / "result.json").write_bytes(orjson.dumps(result.model_dump(mode="json"), option=orjson.OPT_INDENT_2))
    (folder / "plot.svg").write_text(plot(result))
    return result


def _rows_folder(home: Home) -> Path:
    version = latest(home, "rl")
    if version is None:
        raise UsageError(f"There is no rl_dataset in {home.root} to train on and to evaluate by; materialize it.")
    return home.local / "datasets" / "rl" / version / "rows"


async def cells_of(home: Home, study: Study, text: str, base: Path) -> Mapping[str, list[Cell]]:
    """Label → one for each seed. All of them are made before any is run: a level that cannot be is told of first."""
    recipe = yaml.safe_load(text)
    rows = read_tasks(base, protocol=_protocol(recipe))
    if not any(row.trace.split in HELD_OUT for row in rows):
        raise UsageError(f"No task in {base} is held out, so that nothing could be evaluated.")
    likeness = await _likeness(home, rows) if study.varies == "similarity" else {}
    return {
        label: [_cell(home, study, level, label, seed, recipe, base, rows, likeness) for seed in study.seeds]
        for label, level in zip(study.named, study.levels, strict=True)
    }


async def _likeness(home: Home, rows: list[RlRow]) -> dict[str, float]:
    store = BundleStore(home)
    versions = {row.trace.environment: (row.trace.bundle_version, row.trace.split) for row in rows}
    bundles = {key: (store.load(key, version), split) for key, (version, split) in versions.items()}
    trained = [bundle for bundle, split in bundles.values() if split == "rl"]
    held_out = [bundle for bundle, split in bundles.values() if split in HELD_OUT]
    async with Gateway(LanguageSettings.from_environment(), home.root) as gateway:
        return await Likeness(gateway).of(trained, held_out)


def _cell(
    home: Home,
    study: Study,
    level: Json,
    label: str,
    seed: int,
    recipe: dict[str, Any],
    base: Path,
    rows: list[RlRow],
    likeness: dict[str, float],
) -> Cell:
    trained = [row for row in rows if row.trace.split == "rl"]
    keys = sorted({row.trace.environment for row in trained})
    place, data, policy, chosen = home, base, None, keys
    changed: dict[str, Any] = {**recipe, "seed": seed}
    match study.varies:
        case "environments":
            if not isinstance(level, int):
                raise UsageError(f"The level {level!r} is no number of environments.")
            chosen = nested(keys, level, seed)
        case "similarity":
            if level not in get_args(Half):
                raise UsageError(f"The level {level!r} is no half; there are: {', '.join(get_args(Half))}.")
            chosen = half(likeness, cast(Half, level), seed)
        case "home":
            place = Home.resolve(_folder(level))
            data = _rows_folder(place)
            trained = read_tasks(data, ["rl"], _protocol(recipe))
            chosen = sorted({row.trace.environment for row in trained})
            if taught := {row.trace.environment for row in rows if row.trace.split in HELD_OUT} & set(chosen):
                raise UsageError(f"{level} trains on {min(taught)}, which is held out here.")
        case "policy":
            policy = str(_folder(level))
        case field:
            changed = _with(changed, field, level)
    mine = [row for row in trained if row.trace.environment in set(chosen)]
    ordered = Random(f"order {seed}").sample(mine, len(mine))
    return Cell(label, seed, yaml.safe_dump(changed), place, data, policy, ordered)


def _protocol(recipe: dict[str, Any]) -> Protocol:
    named = (recipe.get("grpo") or {}).get("protocol", "native")
    return "meta_tools" if named == "meta_tools" else "native"


def _folder(level: Json) -> Path:
    path = Path(str(level)).expanduser()
    if not path.is_dir():
        raise UsageError(f"The level {level!r} is no folder.")
    return path.resolve()


def _with(recipe: dict[str, Any], field: str, value: Json) -> dict[str, Any]:
    """The recipe with another value in a field, `grpo.window`. The trainer refuses a field that there is not."""
    section, dot, name = field.partition(".")
    if not dot:
        raise UsageError(
            f"A study cannot vary {field!r}: it varies {', '.join(get_args(Varies))}, or a field such as grpo.window."
        )
    return recipe | {section: {**(recipe.get(section) or {}), name: value}}


def _run(home: Home, folder: Path, cell: Cell, base: Path, k: int, say: Say) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    recipe, curriculum = folder / "recipe.yaml", folder / "curriculum.jsonl"
    recipe.write_text(cell.recipe)
    curriculum.write_bytes(cell.curriculum)
    train, evaluation = folder / "train", folder / "evaluation"
    begun = ["--policy", cell.policy] if cell.policy is not None else []
    if not is_finished(train):
        say(f"training {cell.name}: {len(cell.rows)} tasks of {cell.environments} environments")
        where = ["--data", cell.data, "--home", cell.home.root, "--curriculum", curriculum]
        _process("grpo", "--recipe", recipe, *where, *begun, "--out", train, "--resume")
    if not is_finished(evaluation):
        say(f"evaluating {cell.name}")
        splits = [word for split in HELD_OUT for word in ("--split", split)]
        where = ["--data", base, "--home", home.root, "--policy", train / "policy"]
        _process("evaluate", "--recipe", recipe, *where, *splits, "--k", k, "--out", evaluation)


def _process(*arguments: object) -> None:
    command, environ = trainer_program.command(*arguments), os.environ | trainer_program.environment()
    done = subprocess.run(command, capture_output=True, text=True, env=environ, check=False)
    if done.returncode:
        said = done.stderr.strip().splitlines()
        sentence = said[-1].removeprefix("trainer: ") if said else f"The trainer ended with {done.returncode}."
        raise (InfrastructureFault if done.returncode in _AGAIN or done.returncode < 0 else UsageError)(sentence)


def _result(folder: Path, cell: Cell, way: str) -> SeedResult:
    lines = map(orjson.loads, (folder / "evaluation" / "tasks.jsonl").read_bytes().splitlines())
    rates = [one["passed"] / one["played"] for one in lines if one["way"] == way and one["played"]]
    if not rates:
        raise InfrastructureFault(f"Not one held-out task could be played in {folder}.")
    return SeedResult(seed=cell.seed, passed=fmean(rates), tasks=len(rates), folder=folder.name)
