"""Running a stage: only when its inputs changed, and so that whatever is finished is never done again.

Belongs here: the memo, what becomes of a partition whose parents were not accepted, many partitions at once. This is
the one code path: a step of Dagster, the command line and the benchmark all come through here. Does not: how records
are stored (`store.records`), and events, checks and retries (`assets.stage`).
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterable

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.errors import InfrastructureFault
from envfactory_dagster.contracts.records import StageRecord, Status
from envfactory_dagster.contracts.stages import Stage, StageInput, StageOutcome
from envfactory_dagster.store.records import Head, RecordStore

log = logging.getLogger(__name__)

Heads = dict[str, Head | None]


async def run_stage(store: RecordStore, stage: Stage, partition: str) -> StageRecord:
    """The record of one partition: the stored one when its inputs are unchanged, else made, stored and returned.

    Raises only when the world is broken. Whatever the store touches may be far away, so it is left to a thread.
    """
    heads, inputs, done = await asyncio.to_thread(_look, store, stage, partition)
    if done is not None:
        return done
    async with store.locked(stage.name, partition):
        done = await asyncio.to_thread(store.find, stage.name, partition, inputs)
        if done is None:
            status, outcome = await _make(store, stage, partition, heads)
            done = _record(stage, partition, inputs, heads, status, outcome)
        return await asyncio.to_thread(store.keep, done)


async def run_partitions(
    store: RecordStore, stage: Stage, partitions: Iterable[str], concurrency: int
) -> AsyncGenerator[StageRecord, None]:
    """The records of many partitions, each as soon as it is stored; at most `concurrency` are at work at once.

    When one partition fails, what is at work is finished, because it is paid for. A broken world starts no more of
    them; any other error concerns its own partition, and the others go on. In the end the failure is raised.
    """
    waiting = iter(partitions)
    at_work: dict[asyncio.Task[StageRecord], str] = {}
    failures: list[BaseException] = []
    try:
        while True:
            broken = any(isinstance(failure, InfrastructureFault) for failure in failures)
            while not broken and len(at_work) < concurrency and (partition := next(waiting, None)) is not None:
                at_work[asyncio.create_task(run_stage(store, stage, partition))] = partition
            if not at_work:
                break
            finished, _ = await asyncio.wait(at_work, return_when=asyncio.FIRST_COMPLETED)
            for task in finished:
                partition = at_work.pop(task)
                failure = task.exception()
                if failure is None:
                    yield task.result()
                else:
                    failure.add_note(f"while making {stage.name} of {partition}")
                    failures.append(failure)
    finally:
        for task in at_work:
            task.cancel()
        await asyncio.gather(*at_work, return_exceptions=True)
    if failures:
        raise _worst(failures)


def _look(store: RecordStore, stage: Stage, partition: str) -> tuple[Heads, str, StageRecord | None]:
    heads = {name: store.head(name, partition) for name in stage.upstream}
    facts = {"code": stage.code_version, "settings": stage.settings_hash(), "parents": _versions(heads)}
    inputs = content_hash(facts)
    done = store.find(stage.name, partition, inputs)
    if done is not None:
        store.point_to(done)
    return heads, inputs, done


async def _make(store: RecordStore, stage: Stage, partition: str, heads: Heads) -> tuple[Status, StageOutcome]:
    for name, head in heads.items():
        if head is None or head.status != "ok":
            state = "not made yet" if head is None else head.status
            return "skipped", StageOutcome(None, reason=f"skipped, because {name} is {state}")
    parents = await asyncio.to_thread(_parents, store, partition, heads)
    outcome = await stage.make(StageInput(partition, parents))
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
        metadata=dict(outcome.metadata),
    )


def _worst(failures: list[BaseException]) -> BaseException:
    """The one to raise: a broken world before anything else, because waiting may mend it."""
    worst = next((failure for failure in failures if isinstance(failure, InfrastructureFault)), failures[0])
    for failure in failures:
        if failure is not worst:
            log.error("another partition failed: %s", failure, exc_info=failure)
    return worst
