"""Running a study: every level with every seed trained and evaluated, each once.

Belongs here: the processes that make cells, and the table of what came of them. Does not: which cells there are
(`cells`), and training (the package `trainer`, which nothing here imports).

    studies/NAME/CELL/recipe.yaml, curriculum.jsonl    what is trained, and on which tasks or rows
    studies/NAME/CELL/train, train.log                 the run of the trainer, and what its process printed
    studies/NAME/CELL/evaluation-HASH, ….log           the same of the evaluation
    studies/NAME/result.json, plot.svg                 the study

CELL is LABEL-sSEED-HASH. A hash stands for everything that the result depends on: a training or an evaluation that is
finished is not done again, one that was cut off is gone on with, and a study that was changed takes over those that it
still has.
"""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

import orjson
import yaml
from pydantic import ValidationError

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.errors import EnvFactoryError, InfrastructureFault, UsageError
from envfactory_dagster.contracts.studies import LevelResult, SeedResult, Study, StudyResult, Trains
from envfactory_dagster.datasets.splits import HELD_OUT
from envfactory_dagster.datasets.versions import latest_rows
from envfactory_dagster.measuring import trainer_program
from envfactory_dagster.measuring.studies.cells import Cell, cells_of
from envfactory_dagster.measuring.studies.picture import plot
from envfactory_dagster.measuring.trained import goes_on, is_finished, sentence
from envfactory_dagster.store.home import Home

Say = Callable[[str], object]


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
    folder, recipe = home.local / "studies" / study.name, trainer_program.recipe_at(study.recipe)
    exam = latest_rows(home, "rl")
    cells = await cells_of(home, study, recipe, exam)
    levels = []
    for label, of_level in cells.items():
        found = []
        for cell in of_level:
            _train(folder / cell.name, cell, study.trains, say)
            evaluation = _evaluate(home, folder / cell.name, cell, exam, study.k, say)
            found.append(_result(evaluation, cell, study.way))
        rates = [one.passed for one in found]
        levels.append(
            LevelResult(
                label=label, trained_on=of_level[0].environments, mean=fmean(rates), low=min(rates), high=max(rates),
                seeds=found,
            )
        )  # fmt: skip
    result = StudyResult(study=study, recipe=f"{study.recipe} {content_hash(recipe.read_text())[:8]}", levels=levels)
    (folder / "result.json").write_bytes(orjson.dumps(result.model_dump(mode="json"), option=orjson.OPT_INDENT_2))
    (folder / "plot.svg").write_text(plot(result))
    return result


def _train(folder: Path, cell: Cell, trains: Trains, say: Say) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    recipe, curriculum, out = folder / "recipe.yaml", folder / "curriculum.jsonl", folder / "train"
    recipe.write_text(cell.recipe)
    curriculum.write_bytes(cell.curriculum)
    if is_finished(out):
        return
    of_what = "tasks" if trains == "grpo" else "rows"
    say(f"training {cell.name}: {len(cell.lessons)} {of_what} of {cell.environments} environments")
    begun = ["--policy", cell.policy] if cell.policy is not None else []
    where: list[object] = ["--data", curriculum]
    if trains == "grpo":
        where = ["--data", cell.data, "--home", cell.home.root, "--curriculum", curriculum]
    _process(out, trains, "--recipe", recipe, *where, *begun, "--resume")


def _evaluate(home: Home, folder: Path, cell: Cell, exam: Path, k: int, say: Say) -> Path:
    """The folder of the evaluation. `exam`: the rows of which the held-out tasks are played, `k` times each."""
    asked = [str(exam), k, trainer_program.CODE_VERSION, *trainer_program.models_beside()]
    out = folder / f"evaluation-{content_hash(asked)[:8]}"
    if not is_finished(out):
        say(f"evaluating {cell.name}")
        splits = [word for split in HELD_OUT for word in ("--split", split)]
        where = ["--data", exam, "--home", home.root, "--policy", folder / "train" / "policy"]
        _process(out, "evaluate", "--recipe", folder / "recipe.yaml", *where, *splits, "--k", k)
    return out


def _process(out: Path, *arguments: object) -> None:
    """What it prints is beside its folder."""
    printed = out.with_name(f"{out.name}.log")
    command = trainer_program.command(*arguments, "--out", out)
    with printed.open("ab") as log:
        environ = os.environ | trainer_program.environment()
        status = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, env=environ, check=False).returncode
    if not status:
        return
    said = sentence(out, status)
    told = f"{said or f'The trainer failed with status {status}.'} What it printed is in {printed}."
    if goes_on(status):
        raise InfrastructureFault(told)
    raise UsageError(told) if said else EnvFactoryError(told)


def _result(evaluation: Path, cell: Cell, way: str) -> SeedResult:
    lines = map(orjson.loads, (evaluation / "tasks.jsonl").read_bytes().splitlines())
    rates = [one["passed"] / one["played"] for one in lines if one["way"] == way and one["played"]]
    if not rates:
        raise InfrastructureFault(f"Not one held-out task could be played in {evaluation}.")
    return SeedResult(seed=cell.seed, passed=fmean(rates), tasks=len(rates), folder=cell.name)
