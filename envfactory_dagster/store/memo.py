"""Running a stage: only when its inputs changed, and so that whatever is finished is never done again.

Belongs here: the memo, what becomes of a partition whose parents were not accepted, many partitions at once. This is
the one code path: a step of Dagster, the command line and the benchmark all come through here. Does not: how records
are stored (`store.records`), and events, checks and retries (`assets.stage`).
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.errors import (
    BudgetExceeded,
    InfrastructureFault,
    KeyRefused,
    SandboxUnavailable,
    StorageFault,
    UsageError,
)
from envfactory_dagster.contracts.records import Spent, StageRecord, Status
from envfactory_dagster.contracts.stages import OPTIONAL, Stage, StageInput, StageOutcome
from envfactory_dagster.store.records import Head, RecordStore

Heads = dict[str, Head | None]

BROKEN_AFTER = 3
"""So many different partitions have to fail, with no success between them, until the world is taken to be broken."""

_BROKEN_AT_ONCE = (BudgetExceeded, KeyRefused, SandboxUnavailable, StorageFault)
"""These say themselves that no other partition would fare better."""
_BROKEN_WHEN_REPEATED = (InfrastructureFault, UsageError)


@dataclass(frozen=True, slots=True)
class PartitionRecord:
    """A partition with its record."""

    record: StageRecord
    reused: bool
    """Whether it was there already."""


@dataclass(frozen=True, slots=True)
class PartitionFailure:
    """A partition that came to no record. Nothing of it is stored, so that it is made when it is asked for again."""

    partition: str
    error: Exception


async def run_stage(store: RecordStore, stage: Stage, partition: str, *, redo: bool = False) -> StageRecord:
    """The record of one partition: the stored one when its inputs are unchanged, else made, stored and returned.

    `redo`: one that was rejected is made again, as if from other inputs; the rejected record is kept.

    Raises only when the world is broken. Whatever the store touches may be far away, so it is left to a thread.
    """
    return (await make_partition(store, stage, redo, partition))[0]


Made = tuple[StageRecord, bool]
"""The record of a partition, and whether the stage did the work now."""
Make = Callable[[str], Awaitable[Made]]


async def make_partition(store: RecordStore, stage: Stage, redo: bool, partition: str, *, keep: bool = False) -> Made:
    """`keep`: what was made of the same parents is taken, whatever has changed in code and settings since."""
    try:
        return await _run(store, stage, partition, redo, keep)
    except Exception as failure:
        failure.add_note(f"while making {stage.name} of {partition}")
        raise


async def _run(store: RecordStore, stage: Stage, partition: str, redo: bool, keep: bool) -> Made:
    heads, memo = await asyncio.to_thread(_look, store, stage, partition, redo, keep)
    if memo.done is not None:
        return memo.done, False
    async with store.locked(stage.name, partition):
        done = await asyncio.to_thread(store.find, stage.name, partition, memo.inputs)
        made = done is None
        if done is None:
            status, outcome = await _make(store, stage, partition, heads, memo.redone)
            made = status != "skipped"
            done = _record(stage, partition, memo.inputs, heads, status, outcome)
        return await asyncio.to_thread(store.keep, done), made


async def run_partitions(
    store: RecordStore, stage: Stage, partitions: Iterable[str], concurrency: int
) -> AsyncGenerator[StageRecord, None]:
    """The records of many partitions, each as soon as it is stored. In the end the worst failure is raised, if any."""
    failures: list[Exception] = []
    make = partial(make_partition, store, stage, False)
    async with aclosing(try_partitions(make, partitions, concurrency)) as results:
        async for result in results:
            if isinstance(result, PartitionRecord):
                yield result.record
            else:
                failures.append(result.error)
    if failures:
        raise _worst(failures)


async def try_partitions(
    make: Make,
    partitions: Iterable[str],
    concurrency: int,
    *,
    some_came_out: bool = False,
) -> AsyncGenerator[PartitionRecord | PartitionFailure, None]:
    """What becomes of many partitions, each as soon as it is known; at most `concurrency` are at work at once.

    A failure concerns its own partition, and the others go on, unless the world is broken: the failure says so itself,
    or `BROKEN_AFTER` partitions fail in a row. Then what is at work is finished, because it is paid for, no more are
    started, and the failure is raised. It is also raised when no partition came out at all. `some_came_out`: an earlier
    attempt at the same range has had a record.
    """
    waiting = iter(partitions)
    at_work: dict[asyncio.Future[Made], str] = {}
    failures: list[Exception] = []
    in_a_row, broken = 0, False
    try:
        while True:
            while not broken and len(at_work) < concurrency and (partition := next(waiting, None)) is not None:
                at_work[asyncio.ensure_future(make(partition))] = partition
            if not at_work:
                break
            finished, _ = await asyncio.wait(at_work, return_when=asyncio.FIRST_COMPLETED)
            for task in finished:
                partition = at_work.pop(task)
                failure = task.exception()
                if failure is None:
                    record, made = task.result()
                    some_came_out = True
                    in_a_row = 0 if made else in_a_row  # what was stored before says nothing about the world now
                    reused = not made and record.status != "skipped"
                    yield PartitionRecord(_reused(record) if reused else record, reused=reused)
                elif isinstance(failure, Exception):
                    failures.append(failure)
                    in_a_row += isinstance(failure, _BROKEN_WHEN_REPEATED)
                    broken = broken or in_a_row >= BROKEN_AFTER or isinstance(failure, _BROKEN_AT_ONCE)
                    yield PartitionFailure(partition, failure)
                else:
                    raise failure
    finally:
        for task in at_work:
            task.cancel()
        await asyncio.gather(*at_work, return_exceptions=True)
    if failures and (_is_broken(failures) or not some_came_out or next(waiting, None) is not None):
        raise _worst(failures)


@dataclass(frozen=True, slots=True)
class _Memo:
    """Under which inputs the record is or will be, and the record if it is there."""

    inputs: str
    done: StageRecord | None
    redone: int
    """How many rejected records come before it."""


def _look(store: RecordStore, stage: Stage, partition: str, redo: bool, keep: bool) -> tuple[Heads, _Memo]:
    heads = {name: store.head(name, partition) for name in stage.upstream}
    for name in OPTIONAL:
        if name in heads and not _holds_something(store, name, partition, heads[name]):
            del heads[name]  # a stage without a source keeps the inputs it had before there were sources
    latest = _latest_of(store, stage.name, partition, _versions(heads)) if keep else None
    if latest is not None and (latest.status == "ok" or (latest.status == "rejected" and not redo)):
        return heads, _Memo(latest.inputs, latest, redone=0)
    facts = {"code": stage.code_version, "settings": stage.settings_hash(), "parents": _versions(heads)}
    inputs = content_hash(facts)
    memo = _Memo(inputs, store.find(stage.name, partition, inputs), redone=0)
    while memo.done is not None and memo.done.status == "rejected":
        inputs = content_hash(facts | {"redone": memo.redone + 1})
        made_again = store.find(stage.name, partition, inputs)
        if made_again is None and not redo:
            break
        memo = _Memo(inputs, made_again, memo.redone + 1)
    if memo.done is not None:
        store.point_to(memo.done)
    return heads, memo


def _latest_of(store: RecordStore, stage: str, partition: str, parents: dict[str, str | None]) -> StageRecord | None:
    """The latest record, where it was made of these parents."""
    head = store.head(stage, partition)
    record = None if head is None else store.find(stage, partition, head.inputs)
    return record if record is not None and record.parents == parents else None


def _holds_something(store: RecordStore, stage: str, partition: str, head: Head | None) -> bool:
    record = None if head is None else store.find(stage, partition, head.inputs)
    return record is not None and (record.artifact is None or record.artifact.get("kind") != "none")


async def _make(
    store: RecordStore, stage: Stage, partition: str, heads: Heads, redone: int
) -> tuple[Status, StageOutcome]:
    for name, head in heads.items():
        if head is None or head.status != "ok":
            state = "not made yet" if head is None else head.status
            return "skipped", StageOutcome(None, reason=f"skipped, because {name} is {state}")
    parents = await asyncio.to_thread(_parents, store, partition, heads)
    outcome = await stage.make(StageInput(partition, parents, redone))
    return ("rejected" if outcome.reason else "ok"), outcome


def _parents(store: RecordStore, partition: str, heads: Heads) -> dict[str, StageRecord]:
    parents = {}
    for name, head in heads.items():
        record = None if head is None else store.find(name, partition, head.inputs)
        if record is None:
            raise InfrastructureFault(f"the stored record of {name} for {partition} is damaged; make {name} again")
        parents[name] = record
    return parents


def _versions(heads: Heads) -> dict[str, str | None]:
    return {name: None if head is None else head.version for name, head in heads.items()}


def _record(
    stage: Stage, partition: str, inputs: str, heads: Heads, status: Status, outcome: StageOutcome
) -> StageRecord:
    result = {"status": status, "reason": outcome.reason, "artifact": outcome.artifact}
    return StageRecord(
        stage=stage.name,
        partition=partition,
        status=status,
        reason=outcome.reason,
        inputs=inputs,
        version=content_hash(result),
        parents=_versions(heads),
        artifact=outcome.artifact,
        attempts=outcome.attempts,
        spent=outcome.spent,
        metadata=dict(outcome.metadata),
    )


def _reused(record: StageRecord) -> StageRecord:
    """The record as it is told of when nothing was done for it."""
    return record.model_copy(update={"spent": Spent(reused=1)})


def _is_broken(failures: list[Exception]) -> bool:
    return any(isinstance(failure, _BROKEN_AT_ONCE) for failure in failures)


def _worst(failures: list[Exception]) -> Exception:
    """The one to raise: what no waiting mends, then a broken world, because waiting may mend it."""
    for kind in (_BROKEN_AT_ONCE, InfrastructureFault):
        for failure in failures:
            if isinstance(failure, kind):
                return failure
    return failures[0]
