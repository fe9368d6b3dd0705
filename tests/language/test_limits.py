"""Any sixty seconds in a row stay within the limits; time is played."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from envfactory_dagster.language.limits import RateLimits
from envfactory_dagster.language.settings import LimitSettings


class PlayedTime:
    def __init__(self):
        self.now = 0.0

    def clock(self):
        return self.now

    async def sleep(self, seconds):
        self.now += seconds
        await asyncio.sleep(0)


def admitted_at(settings, calls):
    """When each call was let in. A call is (tokens reserved, tokens really used, seconds since the last call)."""
    time, times = PlayedTime(), []

    async def run():
        limits = RateLimits(settings, time.clock, time.sleep)
        for reserved, used, pause in calls:
            time.now += pause
            async with limits.slot(reserved) as admission:
                times.append(time.now)
                admission.tokens = used

    asyncio.run(run())
    return times


def busiest_minute(times, weights):
    return max(sum(w for t, w in zip(times, weights, strict=True) if start <= t < start + 60) for start in times)


@given(
    st.lists(st.tuples(st.integers(1, 100), st.integers(1, 100), st.floats(0, 50)), min_size=1, max_size=30),
    st.integers(1, 5),
    st.integers(100, 300),
)
def test_no_minute_exceeds_a_limit(calls, requests, tokens):
    calls = [(max(reserved, used), used, pause) for reserved, used, pause in calls]
    settings = LimitSettings(requests_per_minute=requests, tokens_per_minute=tokens)
    times = admitted_at(settings, calls)
    assert busiest_minute(times, [1] * len(times)) <= requests
    assert busiest_minute(times, [used for _, used, _ in calls]) <= tokens


def test_nobody_waits_longer_than_necessary():
    settings = LimitSettings(requests_per_minute=2)
    assert admitted_at(settings, [(1, 1, 0), (1, 1, 10), (1, 1, 0), (1, 1, 0)]) == [0, 10, 60, 70]


def test_what_was_reserved_and_not_used_is_free_again():
    settings = LimitSettings(tokens_per_minute=100)
    assert admitted_at(settings, [(90, 10, 0), (90, 10, 0)]) == [0, 0]


def test_a_call_larger_than_the_limit_goes_alone():
    settings = LimitSettings(tokens_per_minute=100)
    assert admitted_at(settings, [(50, 50, 0), (500, 500, 0), (50, 50, 0)]) == [0, 60, 120]


async def test_only_so_many_calls_are_under_way_at_once(endpoint, gateway_to):
    from language_kit import ask

    waiting = asyncio.Semaphore(0)
    good = endpoint.always

    async def answer_when_three_wait(body):
        if endpoint.flying == 3:
            for _ in range(3):
                waiting.release()
        await waiting.acquire()
        return good(body)

    endpoint.always = answer_when_three_wait
    async with gateway_to(limits={"concurrency": 3}) as gateway:
        await asyncio.gather(*(ask(gateway, f"dish {i}") for i in range(9)))
    assert endpoint.most_flying == 3
