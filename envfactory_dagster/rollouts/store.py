"""The trajectories of a home: append-only, as JSON lines for whoever reads episodes and as Parquet for whoever counts.

Belongs here: the layout below `trajectories/`, adding, reading back. Does not: making trajectories (`engine`), and rows
for training (`datasets`).

    trajectories/KEY/VERSION/BATCH.jsonl     one rollout a line
    trajectories/KEY/VERSION/BATCH.parquet   the same rollouts as columns, with the trajectory as JSON in one of them

Both files of a batch are written once and never change. Where an episode was played again, because the first time its
surroundings failed, both are kept, and the latest counts. The lines are written last: without them a batch was not.
"""

import secrets
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import orjson

from envfactory_dagster.contracts.base import found_in
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.trajectory import Trajectory
from envfactory_dagster.rollouts.endings import WORTH_ANOTHER_TRY
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.store.files import Files, open_files
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.keys import checked_key

BATCH = 64
"""So many rollouts of one environment are written together; a process that is killed loses at most as many."""
_FOLDER = "trajectories"
_VERSION_LENGTH = 16


@dataclass(frozen=True, slots=True)
class Key:
    """What tells one episode from every other."""

    bundle_version: str
    task: str
    setting: str
    protocol: str
    model: str
    seed: int

    @classmethod
    def of(cls, rollout: Rollout) -> "Key":
        one = rollout.trajectory
        return cls(one.bundle_version, one.task, rollout.setting, one.protocol, one.model, one.seed)


@dataclass(slots=True)
class TrajectoryStore:
    """Safe for any number of processes: each writes files of its own."""

    home: Home
    _unwritten: defaultdict[str, list[Rollout]] = field(default_factory=lambda: defaultdict(list))

    def add(self, rollouts: Sequence[Rollout]) -> None:
        """What could not be written is kept, and written with whatever comes next."""
        for rollout in rollouts:
            folder = _folder(rollout.trajectory.environment, rollout.trajectory.bundle_version)
            self._unwritten[folder].append(rollout)
        for folder in [folder for folder, waiting in self._unwritten.items() if len(waiting) >= BATCH]:
            self._write(folder)

    def flush(self) -> None:
        """Write whatever still waits."""
        for folder in list(self._unwritten):
            self._write(folder)

    def read(self, bundle: Bundle) -> list[Rollout]:
        """The rollouts of one version of an environment that were written, oldest first; of each key the latest."""
        files, folder = self._files(), _folder(bundle.key, bundle.version)
        found: dict[Key, Rollout] = {}
        for name in (f"{folder}/{file}" for file in files.names(folder) if file.endswith(".jsonl")):
            data = files.read(name) or b""
            with found_in(f"{self.home.root}/{_FOLDER}/{name}"):
                found |= {Key.of(rollout): rollout for rollout in map(_rollout, data.splitlines())}
        return list(found.values())

    def environments(self) -> list[str]:
        """Those in which anything was played."""
        return self._files().names("")

    def versions(self, key: str) -> list[str]:
        """Of this environment: those that were played, as far as folders name them."""
        return self._files().names(checked_key(key))

    def settled(self, bundle: Bundle) -> set[Key]:
        """The episodes that need not be played again."""
        return {Key.of(one) for one in self.read(bundle) if one.cause not in WORTH_ANOTHER_TRY}

    def alone(self, bundle: Bundle) -> AbstractAsyncContextManager[None]:
        """Be the only process that plays this version of an environment."""
        return self._files().locked(f"{_folder(bundle.key, bundle.version)}/.playing")

    def _write(self, folder: str) -> None:
        rollouts = self._unwritten[folder]
        files, batch = self._files(), f"{folder}/{time.time_ns():020d}-{secrets.token_hex(4)}"
        files.create(f"{batch}.parquet", _parquet(rollouts))
        files.create(f"{batch}.jsonl", b"".join(orjson.dumps(_line(one)) + b"\n" for one in rollouts))
        del self._unwritten[folder]

    def _files(self) -> Files:
        return open_files(self.home.root / _FOLDER)


def _folder(key: str, version: str) -> str:
    return f"{checked_key(key)}/{version[:_VERSION_LENGTH]}"


def _line(rollout: Rollout) -> dict[str, Any]:
    return {
        "trajectory": rollout.trajectory.model_dump(mode="json"),
        "setting": rollout.setting,
        "cause": rollout.cause,
        "detail": rollout.detail,
        "remarks": rollout.remarks,
    }


def _rollout(line: bytes) -> Rollout:
    given = orjson.loads(line)
    return Rollout(**given | {"trajectory": Trajectory.model_validate(given["trajectory"])})


def _parquet(rollouts: Sequence[Rollout]) -> bytes:
    import polars as pl

    text, number, real = pl.String, pl.Int64, pl.Float64
    schema: dict[str, Any] = {
        "environment": text, "bundle_version": text, "task": text, "state": text, "setting": text, "protocol": text,
        "model": text, "seed": number, "ending": text, "cause": text, "detail": text, "remarks": pl.List(text),
        "outcome": text, "score": real, "reward": real, "components": text, "steps": number, "calls": number,
        "model_s": real, "tools_s": real, "state_hash": text, "trajectory": text,
    }  # fmt: skip
    sealed = BytesIO()
    pl.DataFrame([_row(one) for one in rollouts], schema=schema).write_parquet(sealed)
    return sealed.getvalue()


def _row(rollout: Rollout) -> dict[str, Any]:
    one = rollout.trajectory
    timings = [step.timing for step in one.steps if step.timing is not None]
    names = ("environment", "bundle_version", "task", "state", "protocol", "model", "seed", "ending", "outcome")
    return {
        **{name: getattr(one, name) for name in names},
        "setting": rollout.setting,
        "cause": rollout.cause,
        "detail": rollout.detail,
        "remarks": list(rollout.remarks),
        "score": one.verdict.score if one.verdict else None,
        "reward": one.reward.total if one.reward else None,
        "components": orjson.dumps(one.reward.components if one.reward else {}).decode(),
        "steps": len(one.steps),
        "calls": sum(not call.is_report for step in one.steps for call in step.calls),
        "model_s": sum(timing.model_s for timing in timings),
        "tools_s": sum(timing.tools_s for timing in timings),
        "state_hash": one.state_hash,
        "trajectory": one.model_dump_json(),
    }
