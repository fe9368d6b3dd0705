"""Rows of `rl_dataset` as what an engine plays, found again in the releases they came from.

Belongs here: from rows and a home to assignments. Does not: which rows there are (`rows`), or playing them
(`rollouts.engine`).

A row of a single turn becomes an assignment that begins in the middle of its conversation.
"""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import orjson
from pydantic import ValidationError

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.dataset import RlRow
from envfactory_dagster.contracts.errors import EnvFactoryError, UsageError
from envfactory_dagster.contracts.synthesis import Release
from envfactory_dagster.contracts.trajectory import Protocol
from envfactory_dagster.rollouts.assignments import Assignment, SingleTurn
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.released import released
from envfactory_dagster.truth.rewards import RewardSettings

_TASK_CHARS = 54
"""A name has 64 characters at most."""


def lines_of(path: Path) -> list[bytes]:
    """The lines of a JSONL file; of a folder, those of all such files in it."""
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    return [line for file in files for line in file.read_bytes().splitlines() if line.strip()]


def read_tasks(
    path: Path, splits: Collection[str] = (), protocol: Protocol = "native", *, turns: bool = False
) -> list[RlRow]:
    """The whole tasks among the rows of a JSONL file, or of a folder of them; of these splits, or of all. A task that
    is there under two protocols is there twice, so that one has to be chosen. `turns`: where a conversation has rows
    of its turns, these in its place."""
    try:
        rows = [RlRow.model_validate(orjson.loads(line)) for line in lines_of(path)]
    except (OSError, orjson.JSONDecodeError, ValidationError) as error:
        raise UsageError(f"The tasks in {path} cannot be read: {error}") from error
    under = [row for row in rows if row.protocol == protocol and (not splits or row.trace.split in splits)]
    apart = {task_of(row) for row in under if turns and row.turn is not None}
    chosen = [row for row in under if (row.turn is not None) == (task_of(row) in apart)]
    if not chosen:
        of = f" of {', '.join(splits)}" if splits else ""
        raise UsageError(
            f"There is no whole task{of} under the protocol {protocol} in {path}. Materialize rl_dataset with "
            f"`protocols: [{protocol}]`, or choose another protocol."
        )
    return chosen


def load_tasks(rows: Collection[RlRow], home: Home, rewards: RewardSettings) -> list[Assignment]:
    """Load the environment, gold and verifier of each row, in the order of the rows."""
    if rewards.weights.keys() != {"path_and_state"} and any(row.turn is not None for row in rows):
        raise UsageError("Turns have no verifier: play them with a reward that is `path_and_state` alone.")
    wanted: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        wanted[row.trace.environment].add(row.trace.bundle_version)
    found = {
        (one.bundle.key, one.bundle.version, one.task.id): one
        for key, versions in wanted.items()
        for one in _released(key, versions, home, rewards)
    }
    missing = [row.id for row in rows if task_of(row) not in found]
    if missing:
        raise UsageError(f"{len(missing)} tasks are not in the releases of {home.root}, the first is {missing[0]}.")
    return [_as_given(found[task_of(row)], row) for row in rows]


def task_of(row: RlRow) -> tuple[str, str, str]:
    """The environment, its version, and the task."""
    return row.trace.environment, row.trace.bundle_version, row.trace.task


def _as_given(assignment: Assignment, row: RlRow) -> Assignment:
    """Without the tools that are not there for the row, and in its setting; of a turn, its part alone."""
    given = replace(assignment.without(row.withheld), setting=row.setting)
    if row.turn is None:
        return given
    if row.target_changes is None:
        raise UsageError(f"{row.id} does not say what its turn changes: make the dataset again.")
    begin, end = len(row.prefix_calls), len(row.prefix_calls) + len(row.target_calls)
    calls = assignment.solution.calls
    task = given.task.model_copy(update={"id": _name_of_turn(row)})
    gold = assignment.solution.model_copy(update={"calls": calls[begin:end], "changes": row.target_changes})
    turn = SingleTurn(row.messages, calls[:begin])
    return replace(given, task=task, basis=given.basis.of_turn(task, gold), conversation=None, turn=turn)


def _name_of_turn(row: RlRow) -> str:
    """Its episodes are told from those of other turns by it."""
    task = row.trace.task
    return f"{task if len(task) <= _TASK_CHARS else 't' + content_hash(task)[:12]}_turn_{row.turn}"


def _released(key: str, versions: set[str], home: Home, rewards: RewardSettings) -> list[Assignment]:
    record = RecordStore(home).latest("release", key)
    if record is None or record.artifact is None:
        raise UsageError(f"{key} has no release in {home.root}; the tasks were made in another home.")
    try:
        release = Release.model_validate(record.artifact)
    except UsageError as error:
        raise UsageError(f"The release of {key} in {home.root} cannot be played. {error}") from error
    if versions != {release.version}:
        raise UsageError(f"The tasks are of another version of {key} than its release; make the dataset again.")
    try:
        bundle = BundleStore(home).load(key, release.version)
    except EnvFactoryError as error:
        raise UsageError(f"{key} cannot be played: {error}") from error
    return released(bundle, release, rewards)
