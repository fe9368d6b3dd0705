"""The records of stages: for every stage and partition the latest one, and every earlier one that can be used again.

Belongs here: the layout below `records/`, finding a record by its inputs, keeping a new one. Does not: deciding
whether work must be done (`store.memo`).

    records/STAGE/PARTITION/INPUTS.json   one record for every set of inputs the stage was run with; never overwritten
    records/STAGE/PARTITION/head.json     which of them is the latest

Keeping them by inputs makes going back free (another model and back again), keeps what was paid for when a newer try
is rejected, and lets two runs with different settings work at the same partition without losing each other's work.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TypeVar

import orjson
from pydantic import ValidationError

from envfactory_dagster.contracts.base import Contract, found_in
from envfactory_dagster.contracts.records import StageRecord, Status
from envfactory_dagster.store.files import open_files
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.keys import checked_key, checked_stage

log = logging.getLogger(__name__)

Parsed = TypeVar("Parsed", bound=Contract)

_HEAD = "head.json"


class Head(Contract):
    """The latest record in short: enough to tell whether work downstream must be done again."""

    inputs: str
    version: str
    status: Status


class RecordStore:
    """Safe for any number of processes. Holds nothing in memory."""

    def __init__(self, home: Home) -> None:
        self._files = open_files(home.records)

    def head(self, stage: str, partition: str) -> Head | None:
        data = self._files.read(f"{_folder(stage, partition)}/{_HEAD}")
        return _parsed(Head, data, f"{stage} of {partition}")

    def heads(self, stage: str, partitions: Sequence[str]) -> dict[str, Head]:
        """The heads of these partitions, without those that have none. An object store is asked for many at once."""
        names = {f"{_folder(stage, partition)}/{_HEAD}": partition for partition in partitions}
        found = self._files.read_all([*names])
        heads = {names[name]: _parsed(Head, data, f"{stage} of {names[name]}") for name, data in found.items()}
        return {partition: head for partition, head in heads.items() if head is not None}

    def marks(self, stages: Sequence[str], partitions: Sequence[str]) -> dict[str, list[str]]:
        """For each partition a mark of each stage, which changes whenever the stage has another latest record there."""
        folders, keys = [checked_stage(stage) for stage in stages], [checked_key(one) for one in partitions]
        marks = self._files.marks([f"{stage}/{key}/{_HEAD}" for key in keys for stage in folders])
        return {
            partition: marks[place * len(stages) : (place + 1) * len(stages)]
            for place, partition in enumerate(partitions)
        }

    def latest(self, stage: str, partition: str) -> StageRecord | None:
        head = self.head(stage, partition)
        return self.find(stage, partition, head.inputs) if head else None

    def find(self, stage: str, partition: str, inputs: str) -> StageRecord | None:
        """The record made from these inputs, latest or not. One that cannot be read counts as not made; one of another
        format is refused, so that nothing that was paid for is made again unasked, or written over."""
        data = self._files.read(f"{_folder(stage, partition)}/{inputs}.json")
        return _parsed(StageRecord, data, f"{stage} of {partition}")

    def keep(self, record: StageRecord) -> StageRecord:
        """Store a record and make it the latest. When another process was first with the same inputs, its record is
        the one that is kept and returned, so that everybody tells of the same artifact."""
        folder = _folder(record.stage, record.partition)
        name, data = f"{folder}/{record.inputs}.json", orjson.dumps(record.model_dump(mode="json"))
        if not self._files.create(name, data):
            first = self.find(record.stage, record.partition, record.inputs)
            if first is None:
                self._files.replace(name, data)
            record = first or record
        self.point_to(record)
        return record

    def point_to(self, record: StageRecord) -> None:
        """Make a stored record the latest of its partition."""
        head = Head(inputs=record.inputs, version=record.version, status=record.status)
        if head != self.head(record.stage, record.partition):
            name = f"{_folder(record.stage, record.partition)}/{_HEAD}"
            self._files.replace(name, orjson.dumps(head.model_dump(mode="json")))

    def partitions(self, stage: str) -> list[str]:
        return self._files.names(checked_stage(stage))

    def records(self, stage: str) -> Iterator[StageRecord]:
        """The latest record of every partition, read one at a time."""
        for partition in self.partitions(stage):
            record = self.latest(stage, partition)
            if record is not None:
                yield record

    def locked(self, stage: str, partition: str) -> AbstractAsyncContextManager[None]:
        """Be the only process that makes this partition of this stage."""
        return self._files.locked(_folder(stage, partition))


def _folder(stage: str, partition: str) -> str:
    return f"{checked_stage(stage)}/{checked_key(partition)}"


def _parsed(model: type[Parsed], data: bytes | None, what: str) -> Parsed | None:
    if data is None:
        return None
    try:
        with found_in(what):
            return model.model_validate(orjson.loads(data))
    except (orjson.JSONDecodeError, ValidationError) as error:
        log.warning("a stored file of %s cannot be read and counts as not made: %s", what, error)
        return None
