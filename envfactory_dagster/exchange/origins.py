"""What a home knows of an environment beyond its bundle.

Belongs here: how its verifiers were tried, its split, and why it was rejected. Does not: what an export says of it
(`forms`).
"""

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.stages import LINE
from envfactory_dagster.contracts.synthesis import Release
from envfactory_dagster.datasets.gathering import split_of
from envfactory_dagster.exchange.exporting import ReleaseFacts
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore


def known_of(home: Home, bundle: Bundle) -> ReleaseFacts:
    """Of this very version; nothing where the home has no release of it."""
    record = RecordStore(home).latest("release", bundle.key)
    release = Release.model_validate(record.artifact) if record is not None and record.artifact is not None else None
    if release is None or release.version != bundle.version:
        return ReleaseFacts()
    return ReleaseFacts({one.task.id: one.verifier.gate for one in release.tasks}, split_of(home, bundle.key))


def rejection_of(home: Home, key: str) -> str | None:
    """At which stage an environment was rejected, and why; None where it was not."""
    records = RecordStore(home)
    for stage in LINE:
        record = records.latest(stage, key)
        if record is not None and record.status == "rejected":
            return f"{key} was rejected at the stage {stage}: {record.reason}"
    return None
