"""A measurement as it is wished for: from a home and the settings of its models to a result.

Belongs here: choosing the benchmark, and writing down how it is asked. Does not: measuring (`measurement`).
"""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from envfactory_dagster.contracts.benchmarks import BenchmarkName, BenchmarkResult, BenchmarkSetup, Decoding
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings, is_reference
from envfactory_dagster.measuring.bfcl import Bfcl
from envfactory_dagster.measuring.held_out import HeldOut
from envfactory_dagster.measuring.measurement import Benchmark, measure
from envfactory_dagster.measuring.tau2 import Tau2
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home


@dataclass(frozen=True, slots=True)
class BenchmarkWish:
    benchmark: BenchmarkName
    decoding: Decoding
    tries: int
    categories: Sequence[str] = ()
    """Empty: all."""


async def run_measurement(
    home: Home,
    settings: LanguageSettings,
    people: LanguageSettings,
    wish: BenchmarkWish,
    say: Callable[[str], object],
    endpoint: str | None = None,
) -> tuple[BenchmarkResult, Path]:
    """The result, and the folder that holds every try. The role solver of `settings` is measured, the role user of
    `people` plays the person. `endpoint`: what the address is called, where it is another one each time."""
    settings.require(Role.SOLVER)
    if settings.base_url is None or is_reference(settings.model(Role.SOLVER)):
        raise UsageError("There is no model to measure: name one with --endpoint and --model.")
    async with (
        Gateway(settings, home.root, keeps_temperature=True) as gateway,
        Gateway(people, home.root) as others,
        _opened(home, wish) as benchmark,
    ):
        setup = BenchmarkSetup(
            benchmark=benchmark.name,
            version=benchmark.version,
            categories=sorted({task.category for task in benchmark.tasks}),
            model=settings.model(Role.SOLVER),
            endpoint=endpoint or settings.base_url,
            user_model=people.model(Role.USER) if benchmark.has_conversations else None,
            decoding=wish.decoding,
            most_output_tokens=settings.limits.max_output_tokens,
            tries=wish.tries,
        )
        return await measure(home, gateway, others, benchmark, setup, say)


@asynccontextmanager
async def _opened(home: Home, wish: BenchmarkWish) -> AsyncGenerator[Benchmark, None]:
    if wish.benchmark == "bfcl":
        async with Bfcl.opened(home.local, wish.categories) as bfcl:
            yield bfcl
    elif wish.benchmark == "tau2":
        async with Tau2.opened(home.local, wish.categories) as tau2:
            yield tau2
    else:
        async with Runtime() as runtime:
            yield HeldOut.read(home, runtime, wish.categories)
