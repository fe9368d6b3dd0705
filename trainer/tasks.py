"""The tasks that GRPO and evaluations play: rows of `rl_dataset`, found again in the releases they came from.

Belongs here: from rows and a home to assignments. Does not: which rows there are (`envfactory_dagster.datasets`), or
playing them (`playing`).

Rows of single turns are left to trainers that begin in the middle of a conversation; here whole tasks are played.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import orjson
from pydantic import ValidationError

from envfactory_dagster.contracts.dataset import RlRow
from envfactory_dagster.contracts.errors import EnvFactoryError, UsageError
from envfactory_dagster.contracts.synthesis import Release
from envfactory_dagster.contracts.trajectory import Protocol
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.released import released
from envfactory_dagster.truth.rewards import RewardSettings
from trainer.examples import lines_of
from trainer.failures import RecipeError


def read_tasks(path: Path, splits: Collection[str] = (), protocol: Protocol = "native") -> list[RlRow]:
    """The whole tasks among the rows of a JSONL file, or of a folder of them; of these splits, or of all. A task that
    is there under two protocols is there twice, so that one has to be chosen."""
    try:
        rows = [RlRow.model_validate(orjson.loads(line)) for line in lines_of(path)]
    except (OSError, orjson.JSONDecodeError, ValidationError) as error:
        raise RecipeError(f"The tasks in {path} cannot be read: {error}") from error
    whole = [row for row in rows if row.turn is None and row.protocol == protocol]
    chosen = [row for row in whole if not splits or row.trace.split in splits]
    if not chosen:
        of = f" of {', '.join(splits)}" if splits else ""
        raise RecipeError(f"There is no whole task{of} under the protocol {protocol} in {path}.")
    return chosen


def in_curriculum(rows: Sequence[RlRow], path: Path) -> list[RlRow]:
    """The tasks that a curriculum names, in its order. Its lines are those of `envfactory calibrate`."""
    try:
        named = [orjson.loads(line) for line in lines_of(path)]
        places = {(one["environment"], one["version"], one["task"]): place for place, one in enumerate(named)}
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise RecipeError(f"The curriculum {path} cannot be read: {error}") from error
    chosen = sorted((row for row in rows if _key(row) in places), key=lambda row: places[_key(row)])
    if not chosen:
        raise RecipeError(f"None of the tasks is in the curriculum {path}, which names {len(places)}.")
    return chosen


def ranks_of(rows: Sequence[RlRow], *, in_order: bool, easiest_first: bool) -> list[int]:
    """Which are played before which: each before the next, or those of lower levels, else all alike."""
    if in_order:
        return [*range(len(rows))]
    return [row.trace.difficulty.level if easiest_first else 0 for row in rows]


def load_tasks(rows: Collection[RlRow], home: Home, rewards: RewardSettings) -> list[Assignment]:
    """What is needed to play each row, in their order."""
    wanted: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        wanted[row.trace.environment].add(row.trace.bundle_version)
    found = {
        (one.bundle.key, one.bundle.version, one.task.id): one
        for key, versions in wanted.items()
        for one in _released(key, versions, home, rewards)
    }
    missing = [row.id for row in rows if _key(row) not in found]
    if missing:
        raise RecipeError(f"{len(missing)} tasks are not in the releases of {home.root}, the first is {missing[0]}.")
    return [_as_given(found[_key(row)], row) for row in rows]


def _as_given(assignment: Assignment, row: RlRow) -> Assignment:
    """Without the tools that are not there in the split of the row, and in its setting."""
    task = assignment.task.model_copy(update={"withheld": row.withheld})
    return replace(assignment, task=task, setting=row.setting)


def _key(row: RlRow) -> tuple[str, str, str]:
    return row.trace.environment, row.trace.bundle_version, row.trace.task


def _released(key: str, versions: set[str], home: Home, rewards: RewardSettings) -> list[Assignment]:
    record = RecordStore(home).latest("release", key)
    if record is None or record.artifact is None:
        raise RecipeError(f"{key} has no release in {home.root}; the tasks were made in another home.")
    try:
        release = Release.model_validate(record.artifact)
    except UsageError as error:
        raise RecipeError(f"The release of {key} in {home.root} cannot be played. {error}") from error
    if versions != {release.version}:
        raise RecipeError(f"The tasks are of another version of {key} than its release; make the dataset again.")
    try:
        bundle = BundleStore(home).load(key, release.version)
    except EnvFactoryError as error:
        raise RecipeError(f"{key} cannot be played: {error}") from error
    return released(bundle, release, rewards)
