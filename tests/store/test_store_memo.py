"""Finished work is found again, whatever became of it, and only what changed is made anew."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest

from envfactory_dagster.contracts.errors import (
    BudgetExceeded,
    InfrastructureFault,
    KeyRefused,
    SandboxUnavailable,
    StorageFault,
    UsageError,
)
from envfactory_dagster.contracts.records import Spent, StageRecord
from envfactory_dagster.contracts.stages import Stage, StageInput, StageOutcome
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import (
    PartitionFailure,
    PartitionRecord,
    make_partition,
    run_partitions,
    run_stage,
    try_partitions,
)
from envfactory_dagster.store.records import RecordStore

MakeWords = Callable[..., Any]


async def run_all(store: RecordStore, stage: Stage, partitions: list[str], concurrency: int = 8) -> list[StageRecord]:
    return [record async for record in run_partitions(store, stage, partitions, concurrency)]


def tried(
    store: RecordStore, stage: Stage, partitions: list[str]
) -> AsyncGenerator[PartitionRecord | PartitionFailure, None]:
    return try_partitions(partial(make_partition, store, stage, False), partitions, concurrency=1)


async def test_a_record_tells_everything_about_the_making(store: RecordStore, words: MakeWords) -> None:
    record = await run_stage(store, words({"a": "one two three"}), "a")
    assert record == store.latest("words", "a")
    assert (record.status, record.artifact, record.metadata) == ("ok", {"count": 3}, {"first": "one"})
    assert [attempt.tokens_in for attempt in record.attempts] == [13]


async def test_unchanged_inputs_are_not_worked_on_again(store: RecordStore, words: MakeWords) -> None:
    stage = words({"a": "one two"})
    first = await run_stage(store, stage, "a")
    assert await run_stage(store, stage, "a") == first
    assert stage.made == ["a"]


async def test_a_record_that_is_used_again_is_told_of_as_one_that_cost_nothing(
    store: RecordStore, words: MakeWords
) -> None:
    stage = words({"a": "one two"})
    for reused in (False, True):
        (record,) = await run_all(store, stage, ["a"])
        assert (record.spent == Spent(reused=1)) == reused
    assert store.latest("words", "a") != record, "what is stored tells of its making"


@pytest.mark.parametrize("change", [{"code_version": "2"}, {"settings": "other model"}])
async def test_new_code_or_settings_are_worked_on(store: RecordStore, words: MakeWords, change: dict[str, str]) -> None:
    await run_stage(store, words({"a": "one two"}), "a")
    changed = words({"a": "one two three"}, **change)
    assert (await run_stage(store, changed, "a")).artifact == {"count": 3}


@pytest.mark.parametrize("change", [{"code_version": "2"}, {"settings": "other model"}])
@pytest.mark.parametrize("text", ["one two", ""])
async def test_who_goes_on_keeps_what_was_made_before_code_or_settings_changed(
    store: RecordStore, words: MakeWords, change: dict[str, str], text: str
) -> None:
    """What was accepted, and what was rejected, until somebody asks for that again."""
    first = await run_stage(store, words({"a": text}), "a")
    changed = words({"a": "one two three"}, **change)
    assert await make_partition(store, changed, False, "a", keep=True) == (first, False)
    again, _ = await make_partition(store, changed, True, "a", keep=True)
    assert (again == first) is (first.status == "ok")


async def test_who_goes_on_makes_anew_what_has_other_parents(store: RecordStore, words: MakeWords) -> None:
    await run_stage(store, words({"a": "one"}), "a")
    longer = words({"a": "x"}, "longer", ("words",))
    first, _ = await make_partition(store, longer, False, "a", keep=True)
    await run_stage(store, words({"a": "one two"}, settings="other"), "a")
    second, made = await make_partition(store, longer, False, "a", keep=True)
    assert made and second.parents != first.parents


async def test_going_back_to_earlier_settings_costs_nothing(store: RecordStore, words: MakeWords) -> None:
    before = await run_stage(store, words({"a": "one"}), "a")
    await run_stage(store, words({"a": "one two"}, settings="other"), "a")
    again = words({"a": "unused"})
    assert await run_stage(store, again, "a") == before == store.latest("words", "a")
    assert again.made == []


async def test_a_parent_that_changed_is_followed_and_one_that_came_out_the_same_is_not(
    store: RecordStore, words: MakeWords, parity: Any
) -> None:
    for texts, settings, made in [
        ({"a": "one"}, "1", 1),
        ({"a": "uno"}, "2", 1),  # remade, but the artifact is the same
        ({"a": "one two"}, "3", 2),
    ]:
        await run_stage(store, words(texts, settings=settings), "a")
        record = await run_stage(store, parity, "a")
        assert len(parity.made) == made
    assert record.artifact == {"even": True}


async def test_a_rejection_is_data_and_what_follows_is_skipped(
    store: RecordStore, words: MakeWords, parity: Any
) -> None:
    stage = words({"good": "one two", "bad": ""})
    rejected = {record.partition: record for record in await run_all(store, stage, ["good", "bad"])}["bad"]
    assert (rejected.status, rejected.reason, rejected.artifact) == ("rejected", "there is no word in the text", None)
    assert len(rejected.attempts) == 1
    skipped = {record.partition: record for record in await run_all(store, parity, ["good", "bad"])}["bad"]
    assert (skipped.status, skipped.reason) == ("skipped", "skipped, because words is rejected")
    assert parity.made == ["good"]
    await run_stage(store, stage, "bad")
    assert sorted(stage.made) == ["bad", "good"]


async def test_a_rejection_is_repeated_for_nothing_until_it_is_asked_for_again(
    store: RecordStore, words: MakeWords, parity: Any
) -> None:
    rejected = await run_stage(store, words({"a": ""}), "a")
    better = words({"a": "one two"})
    assert await run_stage(store, better, "a") == rejected
    assert better.made == []
    again = await run_stage(store, better, "a", redo=True)
    assert (again.status, again.inputs == rejected.inputs) == ("ok", False)
    assert store.find("words", "a", rejected.inputs) == rejected, "it is kept"
    assert (await run_stage(store, parity, "a")).status == "ok"
    for redo in (False, True):
        assert await run_stage(store, better, "a", redo=redo) == again == store.latest("words", "a")
    assert better.made == ["a"], "what was accepted stays"


async def test_each_time_it_is_asked_for_again_is_told_from_those_before(store: RecordStore) -> None:
    asked = list[int]()

    class Hopeless:
        name, upstream, code_version = "hopeless", (), "1"

        def settings_hash(self) -> str:
            return ""

        async def make(self, stage_input: StageInput) -> StageOutcome:
            asked.append(stage_input.redo)
            return StageOutcome(None, reason="it never will be")

    for redo in (False, True, False, True):
        await run_stage(store, Hopeless(), "a", redo=redo)
    assert asked == [0, 1, 2]


async def test_what_is_not_made_yet_skips_until_it_is(store: RecordStore, words: MakeWords, parity: Any) -> None:
    assert (await run_stage(store, parity, "a")).reason == "skipped, because words is not made yet"
    await run_stage(store, words({"a": "one two"}), "a")
    assert (await run_stage(store, parity, "a")).status == "ok"


@pytest.mark.parametrize("given", [{"artifact": None}, {"artifact": {}, "reason": "none came out"}])
def test_an_outcome_is_an_artifact_or_a_reason(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="one of them, and not both"):
        StageOutcome(**given)


@dataclass
class Moody:
    """Fails as it is told to, and says who was at work."""

    failures: dict[str, Exception]
    together: int = 1
    name: str = "moody"
    upstream: tuple[str, ...] = ()
    code_version: str = "1"
    made: list[str] = field(default_factory=list)
    at_work: int = 0
    _all_here: asyncio.Event = field(default_factory=asyncio.Event)

    def settings_hash(self) -> str:
        return ""

    async def make(self, stage_input: StageInput) -> StageOutcome:
        self.at_work += 1
        if self.at_work == self.together:
            self._all_here.set()
        await self._all_here.wait()
        if stage_input.partition in self.failures:
            raise self.failures[stage_input.partition]
        self.made.append(stage_input.partition)
        return StageOutcome({"key": stage_input.partition})


LETTERS = list("abcdefghijkl")


def down(*partitions: str) -> dict[str, Exception]:
    return {partition: InfrastructureFault("the endpoint answered 500") for partition in partitions}


async def test_a_partition_that_always_fails_keeps_no_other_from_being_made(store: RecordStore) -> None:
    stage = Moody(down("c", "h"))
    with pytest.raises(InfrastructureFault, match="answered 500") as raised:
        await run_all(store, stage, LETTERS, concurrency=1)
    assert raised.value.__notes__ == ["while making moody of c"]
    assert stage.made == [letter for letter in LETTERS if letter not in "ch"]
    mended = Moody({})
    await run_all(store, mended, LETTERS)
    assert sorted(mended.made) == ["c", "h"], "only these are asked for again"


async def test_what_failed_is_told_and_raised_only_when_the_world_is_broken(store: RecordStore) -> None:
    results = [result async for result in tried(store, Moody(down("c", "h")), LETTERS)]
    failed = [result.partition for result in results if isinstance(result, PartitionFailure)]
    assert (len(results), failed) == (12, ["c", "h"])


async def test_an_endpoint_that_is_down_is_not_asked_for_every_partition(store: RecordStore) -> None:
    stage = Moody(down(*LETTERS))
    with pytest.raises(InfrastructureFault, match="answered 500"):
        await run_all(store, stage, LETTERS, concurrency=1)
    assert stage.at_work == 3


async def test_a_world_that_breaks_finishes_what_is_at_work(store: RecordStore) -> None:
    stage = Moody(down("a", "c", "d"), together=4)
    with pytest.raises(InfrastructureFault):
        await run_all(store, stage, LETTERS, concurrency=4)
    assert "b" in stage.made
    mended = Moody({})
    await run_all(store, mended, LETTERS)
    assert sorted(mended.made + stage.made) == LETTERS


async def test_what_was_stored_before_does_not_show_that_the_endpoint_is_up(store: RecordStore) -> None:
    await run_all(store, Moody({}), ["b", "d", "f"])
    stage = Moody(down(*LETTERS))
    with pytest.raises(InfrastructureFault):
        await run_all(store, stage, LETTERS, concurrency=1)
    assert stage.at_work == 3


async def test_failures_at_the_end_of_a_range_are_its_partitions_own(store: RecordStore) -> None:
    stage = Moody(down("j", "k", "l"))
    results = [result async for result in tried(store, stage, LETTERS)]
    assert [result.partition for result in results if isinstance(result, PartitionFailure)] == ["j", "k", "l"]


async def test_a_short_range_in_which_nothing_came_out_is_a_broken_world(store: RecordStore) -> None:
    with pytest.raises(InfrastructureFault):
        async for _ in tried(store, Moody(down("a", "b")), ["a", "b"]):
            pass


@pytest.mark.parametrize("kind", [BudgetExceeded, KeyRefused, SandboxUnavailable, StorageFault])
async def test_what_no_other_partition_can_escape_stops_the_range_at_once(
    store: RecordStore, kind: type[Exception]
) -> None:
    stage = Moody({"b": kind("nothing goes any more")})
    with pytest.raises(kind):
        await run_all(store, stage, LETTERS, concurrency=1)
    assert stage.made == ["a"]


async def test_a_defect_in_one_partition_keeps_no_other_from_being_made(store: RecordStore) -> None:
    stage = Moody({"b": KeyError("surprise")})
    with pytest.raises(KeyError, match="surprise"):
        await run_all(store, stage, ["a", "b", "c", "d"], concurrency=1)
    assert stage.made == ["a", "c", "d"]


async def test_a_broken_world_is_told_before_a_defect_because_waiting_may_mend_it(store: RecordStore) -> None:
    stage = Moody({"a": KeyError("surprise"), "b": InfrastructureFault("the endpoint is down")}, together=2)
    with pytest.raises(InfrastructureFault):
        await run_all(store, stage, ["a", "b"])


async def test_records_come_one_by_one_and_stopping_early_stops_the_work(store: RecordStore, words: MakeWords) -> None:
    stage = words({f"k{n}": "one" for n in range(50)})
    async with aclosing(run_partitions(store, stage, list(stage.texts), concurrency=2)) as records:
        async for record in records:
            assert store.latest("words", record.partition) == record
            break
    assert len(stage.made) < 50


async def test_two_at_once_on_one_partition_tell_the_same(home: Home, words: MakeWords) -> None:
    stages = [words({"a": "one"}), words({"a": "one two"})]
    told = await asyncio.gather(*(run_stage(RecordStore(home), stage, "a") for stage in stages))
    assert told[0] == told[1] == RecordStore(home).latest("words", "a")
    assert sum(len(stage.made) for stage in stages) == 1


@pytest.mark.parametrize("key", ["", "Upper", "with,comma", "with/slash", "..", "a" * 65, "trailing-", "new\nline"])
async def test_a_key_that_is_no_slug_touches_nothing(store: RecordStore, words: MakeWords, key: str) -> None:
    with pytest.raises(UsageError, match="is no key of an environment"):
        await run_stage(store, words({key: "one"}), key)
    assert store.partitions("words") == []
