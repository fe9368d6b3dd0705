"""A home with what is to be trained on, for the trainer to read like any other: releases, bundles, and one dataset.

Belongs here: keeping them. Does not: which tasks they hold (`target_tasks`, `practice`).
"""

from collections.abc import Mapping, Sequence

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.dataset import RlRow
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.synthesis import MadeTask, Release
from envfactory_dagster.contracts.trajectory import Protocol
from envfactory_dagster.datasets.rows import RlSettings, Source, rl_rows
from envfactory_dagster.datasets.trainer_formats import Files
from envfactory_dagster.datasets.trainer_formats.canonical import canonical
from envfactory_dagster.datasets.versions import LATEST
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.files import open_files
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.release import ReleaseStage

_VERSION_LENGTH = 16


def keep_release(home: Home, bundle: Bundle, tasks: Sequence[MadeTask]) -> None:
    """Keep an environment with these tasks as its latest release."""
    BundleStore(home).keep(bundle)
    release = Release(version=bundle.version, tasks=list(tasks)).model_dump(mode="json")
    version = content_hash(release)
    RecordStore(home).keep(
        StageRecord(
            stage=ReleaseStage.name, partition=bundle.key, status="ok", inputs=version, version=version,
            artifact=release,
        )
    )  # fmt: skip


def rows_of(bundle: Bundle, tasks: Sequence[MadeTask], protocol: Protocol) -> list[RlRow]:
    """The rows of tasks all of which are trained on."""
    settings = RlSettings(protocols=(protocol,))
    return rl_rows(Source(bundle, {one.task.id: one for one in tasks}, "rl"), settings)[0]


def version_of(rows: Mapping[str, Sequence[RlRow]]) -> str:
    """The version of a dataset with these rows of each environment. It stands for all that is in it."""
    given = {key: [row.model_dump(mode="json") for row in those] for key, those in rows.items()}
    return content_hash(given)[:_VERSION_LENGTH]


def keep_rows(home: Home, rows: Mapping[str, Sequence[RlRow]]) -> str:
    """Keep the rows of each environment as a dataset, which becomes the latest. Returns its version."""
    files: Files = {}
    for key, those in rows.items():
        files |= canonical(key, those)
    version = version_of(rows)
    store = open_files(home.datasets)
    for name, data in files.items():
        store.replace(f"rl/{version}/{name}", data)
    if files:
        store.replace(f"rl/{LATEST}", version.encode())
    return version
