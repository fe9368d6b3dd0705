"""What Dagster is told of a record: one materialization and one check evaluation for its partition.

Belongs here: the translation from a record to Dagster's events, with the tags that staleness is computed from. Does
not: making the record (`store.memo`), and the step that yields the events (`assets.stage`).

Dagster's own event of a range step would mark every partition with one data version. These events are the projection
of our store instead: a data version, a code version and the versions and event ids of the inputs, per partition. All
three kinds of tags are needed, or staleness falls back to comparing timestamps.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import dagster as dg

from envfactory_dagster.assets.metadata import record_metadata
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.resources.dagster_internals import (
    CODE_VERSION_TAG,
    DATA_VERSION_IS_USER_PROVIDED_TAG,
    DATA_VERSION_TAG,
    NULL_DATA_VERSION,
    AssetCheckEvaluationTargetMaterializationData,
    get_input_data_version_tag,
    get_input_event_pointer_tag,
)

CHECK = "accepted"
FAILED = "failed"
"""The status in the check of a partition that came to no record."""

_NOTHING_SEEN = -1
"""The event id of an input that was not there: any later event of it makes the partition stale."""


@dataclass(frozen=True, slots=True)
class Input:
    """An asset upstream, as it stood before the step's work began. What changes meanwhile makes a partition stale,
    never wrongly fresh."""

    asset: dg.AssetKey
    ids: Mapping[str, int]
    """Partition → id of the latest materialization."""
    pool_version: str | None = None
    """The data version of the whole, when the asset is not partitioned."""


@dataclass(frozen=True, slots=True)
class Announcer:
    """Tells one run's Dagster instance of the records of one asset."""

    instance: dg.DagsterInstance
    run_id: str
    asset: dg.AssetKey
    code_version: str
    home: str
    """What paths in metadata are below."""
    inputs: Mapping[str, Input]
    """By the name under which records know their parents."""

    def materialization(self, record: StageRecord, *, reused: bool) -> dg.AssetMaterialization:
        tags = {
            DATA_VERSION_TAG: record.version,
            DATA_VERSION_IS_USER_PROVIDED_TAG: "true",
            CODE_VERSION_TAG: self.code_version,
        }
        for parent, version in record.parents.items():
            seen = self.inputs[parent]
            tags[get_input_data_version_tag(seen.asset)] = seen.pool_version or version or NULL_DATA_VERSION.value
            tags[get_input_event_pointer_tag(seen.asset)] = str(seen.ids.get(record.partition, _NOTHING_SEEN))
        metadata = record_metadata(record, self.home, reused=reused)
        return dg.AssetMaterialization(self.asset, partition=record.partition, tags=tags, metadata=metadata)

    def verdicts(self, records: Sequence[StageRecord]) -> list[dg.AssetCheckEvaluation]:
        """To be asked once the materializations were stored: each verdict points at the one it is about."""
        ids = latest_ids(self.instance, self.asset, [record.partition for record in records])
        return [self._verdict(record, ids[record.partition]) for record in records]

    def _verdict(self, record: StageRecord, materialization: int) -> dg.AssetCheckEvaluation:
        return dg.AssetCheckEvaluation(
            asset_key=self.asset,
            check_name=CHECK,
            partition=record.partition,
            passed=record.status == "ok",
            # A rejected artifact is the finding; what it kept from being made is only its consequence.
            severity=dg.AssetCheckSeverity.ERROR if record.status == "rejected" else dg.AssetCheckSeverity.WARN,
            description=record.reason or None,
            metadata={"status": record.status},
            blocking=False,
            target_materialization_data=AssetCheckEvaluationTargetMaterializationData(
                storage_id=materialization, run_id=self.run_id, timestamp=time.time()
            ),
        )

    def failure(self, partition: str, reason: str) -> dg.AssetCheckEvaluation:
        """Without a materialization: the partition was not made, and its check says why."""
        return dg.AssetCheckEvaluation(
            asset_key=self.asset,
            check_name=CHECK,
            partition=partition,
            passed=False,
            severity=dg.AssetCheckSeverity.ERROR,
            description=reason,
            metadata={"status": FAILED},
            blocking=False,
        )


def partitioned_input(instance: dg.DagsterInstance, asset: dg.AssetKey, partitions: Sequence[str]) -> Input:
    return Input(asset, latest_ids(instance, asset, partitions))


def pool_input(instance: dg.DagsterInstance, asset: dg.AssetKey) -> Input:
    latest = instance.get_latest_materialization_event(asset)
    version = None if latest is None or latest.tags is None else latest.tags.get(DATA_VERSION_TAG)
    return Input(asset, {}, pool_version=version or NULL_DATA_VERSION.value)


def latest_ids(instance: dg.DagsterInstance, asset: dg.AssetKey, partitions: Sequence[str]) -> Mapping[str, int]:
    """Partition → id of the latest materialization of the asset there."""
    materialized = dg.DagsterEventType.ASSET_MATERIALIZATION
    return instance.get_latest_storage_id_by_partition(asset, materialized, set(partitions))
