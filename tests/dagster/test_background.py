"""The bridge from asynchronous work to a plain iterator."""

import asyncio
import threading
from collections.abc import AsyncGenerator
from functools import partial

import pytest

from envfactory_dagster.assets.background import in_background


async def numbers(upto: int, made: list[int]) -> AsyncGenerator[int, None]:
    for number in range(upto):
        made.append(number)
        yield number


def test_everything_arrives_in_order() -> None:
    batches = in_background(partial(numbers, 1000, []), ahead=10)
    assert [number for batch in batches for number in batch] == list(range(1000))


def test_the_work_is_never_far_ahead_of_its_consumer() -> None:
    made: list[int] = []
    taken = 0
    for batch in in_background(partial(numbers, 200, made), ahead=5):
        taken += len(batch)
        assert len(made) <= taken + 2 * 5 + 1


def test_an_error_comes_after_what_was_finished_before_it() -> None:
    async def breaks() -> AsyncGenerator[int, None]:
        yield 1
        yield 2
        raise ValueError("the third")

    taken: list[int] = []

    def take_all() -> None:
        for batch in in_background(breaks, ahead=10):
            taken.extend(batch)

    with pytest.raises(ValueError, match="the third"):
        take_all()
    assert taken == [1, 2]


def test_whoever_stops_taking_stops_the_work_and_it_may_clean_up() -> None:
    cleaned = threading.Event()

    async def endless() -> AsyncGenerator[int, None]:
        try:
            yield 1
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            cleaned.set()

    batches = in_background(endless, ahead=10)
    assert next(batches) == [1]
    batches.close()  # type: ignore[attr-defined]
    assert cleaned.is_set()
