"""The cells of a study: what is trained at each level with each seed, and on what.

Belongs here: one cell of each level and seed, and what it is known by. Does not: choosing among environments
(`subsets`), and making cells (`running`).
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, cast, get_args

import orjson
import yaml
from pydantic import ValidationError

from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.dataset import RlRow, SftRow
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.studies import Half, Study, Trains, Varies
from envfactory_dagster.contracts.trajectory import Protocol
from envfactory_dagster.datasets.assigned import lines_of, read_tasks
from envfactory_dagster.datasets.splits import HELD_OUT
from envfactory_dagster.datasets.versions import latest_rows
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.measuring import trainer_program
from envfactory_dagster.measuring.recipes import read_recipe, view_of
from envfactory_dagster.measuring.studies.subsets import HeldOutLikeness, half, nested
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home


@dataclass(frozen=True, slots=True)
class Lesson:
    """A task that is practised, or a row that is learned from."""

    environment: str
    version: str
    line: bytes
    """As the trainer reads it."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One training."""

    label: str
    seed: int
    recipe: str
    """Its text."""
    home: Home
    data: Path
    policy: str | None
    """What training begins with; None: what the recipe says."""
    begins_with: str
    """The contents of that: two policies may be in the same folder one after the other."""
    lessons: list[Lesson]
    """In order."""

    @property
    def environments(self) -> int:
        return len({one.environment for one in self.lessons})

    @property
    def curriculum(self) -> bytes:
        return b"".join(one.line + b"\n" for one in self.lessons)

    @property
    def name(self) -> str:
        """Of its folder. Whatever would make another policy of it makes another name."""
        given = [self.recipe, str(self.data), self.begins_with, self.curriculum.decode()]
        given += [trainer_program.CODE_VERSION, *trainer_program.models_beside()]
        short = re.sub(r"[^A-Za-z0-9._-]+", "-", self.label)[:40]
        return f"{short}-s{self.seed}-{content_hash(given)[:8]}"


async def cells_of(home: Home, study: Study, recipe: Path, exam: Path) -> Mapping[str, list[Cell]]:
    """Label → one for each seed. All of them are made before any is run: a level that cannot be is told of first.
    `exam`: the rows of the home that is trained on and evaluated by."""
    protocol = view_of(recipe).protocol
    rows = read_tasks(exam, protocol=protocol)
    if not any(row.trace.split in HELD_OUT for row in rows):
        raise UsageError(f"No task in {exam} is held out, so that nothing could be evaluated.")
    data, trained = _lessons(home, study.trains, protocol)
    likeness = await _likeness(home, trained, rows) if study.varies == "similarity" else {}
    levels = _Levels(home, study, read_recipe(recipe), protocol, data, trained, rows, likeness, cache(_contents))
    return {
        label: [levels.cell(level, label, seed) for seed in study.seeds]
        for label, level in zip(study.named, study.levels, strict=True)
    }


def _lessons(home: Home, trains: Trains, protocol: Protocol) -> tuple[Path, list[Lesson]]:
    """What the policies of a home are trained on, and where it lies."""
    data = latest_rows(home, "rl" if trains == "grpo" else "sft")
    if trains == "grpo":
        traces = [row.trace for row in read_tasks(data, ["rl"], protocol)]
        named = [{"environment": t.environment, "version": t.bundle_version, "task": t.task} for t in traces]
        lines = [orjson.dumps(one) for one in named]
    else:
        try:
            known = [(line, SftRow.model_validate_json(line)) for line in lines_of(data)]
        except ValidationError as error:
            raise UsageError(f"The rows in {data} cannot be read: {error}") from error
        shown = [(line, row.trace) for line, row in known if row.trajectory.protocol == protocol]
        if not shown:
            raise UsageError(f"No row in {data} is under the protocol {protocol}, by which the recipe's policy plays.")
        lines, traces = [line for line, _ in shown], [trace for _, trace in shown]
    return data, [Lesson(t.environment, t.bundle_version, line) for t, line in zip(traces, lines, strict=True)]


async def _likeness(home: Home, trained: Sequence[Lesson], exam: Sequence[RlRow]) -> dict[str, float]:
    store = BundleStore(home)
    ours = {one.environment: one.version for one in trained}
    theirs = {row.trace.environment: row.trace.bundle_version for row in exam if row.trace.split in HELD_OUT}
    bundles = [[store.load(*one) for one in versions.items()] for versions in (ours, theirs)]
    async with Gateway(LanguageSettings.from_environment(), home.root) as gateway:
        return await HeldOutLikeness(gateway).of(*bundles)


@dataclass(frozen=True, slots=True)
class _Levels:
    """What all cells of a study have in common."""

    home: Home
    study: Study
    recipe: dict[str, Any]
    protocol: Protocol
    data: Path
    trained: list[Lesson]
    exam: list[RlRow]
    """Both those that are trained on and those that are held out."""
    likeness: dict[str, float]
    contents: Callable[[str], str]

    def cell(self, level: Json, label: str, seed: int) -> Cell:
        home, data, trained, policy = self.home, self.data, self.trained, None
        chosen = sorted({one.environment for one in trained})
        recipe: dict[str, Any] = {**self.recipe, "seed": seed}
        match self.study.varies:
            case "environments":
                if not isinstance(level, int):
                    raise UsageError(f"The level {level!r} is no number of environments.")
                chosen = nested(chosen, level, seed)
            case "similarity":
                if level not in get_args(Half):
                    raise UsageError(f"The level {level!r} is no half; there are: {', '.join(get_args(Half))}.")
                chosen = half(self.likeness, cast(Half, level), seed)
            case "home":
                home = Home.resolve(_folder(level))
                data, trained = _lessons(home, self.study.trains, self.protocol)
                chosen = sorted({one.environment for one in trained})
                if taught := {row.trace.environment for row in self.exam if row.trace.split in HELD_OUT} & {*chosen}:
                    raise UsageError(f"{level} trains on {min(taught)}, which is held out here.")
            case "policy":
                policy = str(_folder(level))
            case field:
                recipe = _with(recipe, field, level)
        sft = recipe.get("sft")
        if self.study.trains == "sft" and not (isinstance(sft, dict) and sft.get("most_steps")):
            raise UsageError("All cells take equally many steps: set `sft.most_steps` in the recipe.")
        lessons = [one for one in trained if one.environment in {*chosen}]
        ordered = Random(f"order {seed}").sample(lessons, len(lessons))
        begins_with = self.contents(policy or str((recipe.get("policy") or {}).get("base")))
        return Cell(label, seed, yaml.safe_dump(recipe), home, data, policy, begins_with, ordered)


def _folder(level: Json) -> Path:
    path = Path(str(level)).expanduser()
    if not path.is_dir():
        raise UsageError(f"The level {level!r} is no folder.")
    return path.resolve()


def _contents(policy: str) -> str:
    """A fingerprint of a folder; of a model that is fetched by its name, the name."""
    folder = Path(policy).expanduser()
    if not folder.is_dir():
        return policy
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            with path.open("rb") as file:
                found[path.relative_to(folder).as_posix()] = hashlib.file_digest(file, "sha256").hexdigest()
    return content_hash(found)


def _with(recipe: dict[str, Any], field: str, value: Json) -> dict[str, Any]:
    """The recipe with another value in a field, `grpo.window`. The trainer refuses a field that there is not."""
    section, dot, name = field.partition(".")
    if not dot:
        raise UsageError(
            f"A study cannot vary {field!r}: it varies {', '.join(get_args(Varies))}, or a field such as grpo.window."
        )
    fields = recipe.get(section) or {}
    if not isinstance(fields, dict):
        raise UsageError(f"A study cannot vary {field!r}: {section} is a value of the recipe and has no fields.")
    return recipe | {section: {**fields, name: value}}
