"""The latest `rl_dataset` of a home: what a policy was trained on before the first round, and what is held out from it.

Belongs here: reading its whole tasks. Does not: making the dataset (`datasets`), and playing its tasks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Self

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.dataset import RlRow
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.synthesis import MadeTask, Release
from envfactory_dagster.contracts.trajectory import Protocol
from envfactory_dagster.datasets.assigned import read_tasks
from envfactory_dagster.datasets.splits import HELD_OUT
from envfactory_dagster.datasets.versions import latest
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.copies import fetched
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.release import ReleaseStage


@dataclass(frozen=True, slots=True)
class BaseTasks:
    home: Home
    version: str
    rows: Sequence[RlRow]

    @classmethod
    def read(cls, home: Home, protocol: Protocol = "native") -> Self:
        """The tasks of the dataset under this protocol."""
        version = latest(home, "rl")
        if version is None:
            raise UsageError(
                f"There is no rl_dataset in {home.root}. Rounds need one: its tasks are replayed, and policies are "
                "evaluated by those that are held out. The job build_datasets makes it."
            )
        found = cls(home, version, read_tasks(fetched(home, f"datasets/rl/{version}/rows"), protocol=protocol))
        if not found.trained():
            raise UsageError(f"No task of rl_dataset {version} is trained on, so that there is nothing to replay.")
        return found

    def trained(self) -> list[RlRow]:
        return [row for row in self.rows if row.trace.split == "rl"]

    def drawn(self, rng: Random, count: int) -> list[RlRow]:
        """Draw `count` rows of the training split, or all there are."""
        trained = self.trained()
        return rng.sample(trained, min(count, len(trained)))

    def held_out(self) -> list[RlRow]:
        rows = [row for row in self.rows if row.trace.split in HELD_OUT]
        if not rows:
            raise UsageError(
                f"No task of rl_dataset {self.version} is held out: there are too few environments for the splits "
                "held_out and held_out_modules, so that nothing could be said of a policy that is trained in rounds."
            )
        return rows

    def release(self, key: str) -> tuple[Bundle, list[MadeTask]]:
        """An environment of the dataset, as it was released for it."""
        [version] = {row.trace.bundle_version for row in self.rows if row.trace.environment == key}
        record = RecordStore(self.home).latest(ReleaseStage.name, key)
        if record is None or record.artifact is None or record.artifact.get("version") != version:
            raise UsageError(f"{key} was released anew since rl_dataset {self.version}; make the dataset again.")
        return BundleStore(self.home).load(key, version), Release.model_validate(record.artifact).tasks
