"""What policies do on benchmarks: one partition for each policy on each benchmark.

Belongs here: the asset `benchmark_results`, its configuration and what a person sees of it. Does not: measuring
(`measuring`).
"""

import os
from collections.abc import AsyncGenerator, Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

import dagster as dg
from pydantic import Field

from envfactory_dagster.assets.background import in_background
from envfactory_dagster.assets.metadata import as_metadata, cost_facts
from envfactory_dagster.assets.retrying import MODEL_CALLS, tried_again
from envfactory_dagster.assets.training import GROUP, TrainingConfig
from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.benchmarks import BenchmarkName, BenchmarkResult, Decoding
from envfactory_dagster.measuring.trained import made_last
from envfactory_dagster.resources.store import StoreResource

if TYPE_CHECKING:
    from envfactory_dagster.measuring.local import LocalEndpoint
    from envfactory_dagster.measuring.running import BenchmarkWish
    from envfactory_dagster.store.home import Home

ENDPOINT = "endpoint"
BENCHMARKS = dg.MultiPartitionsDefinition(
    {
        "benchmark": dg.StaticPartitionsDefinition(get_args(BenchmarkName)),
        "policy": dg.StaticPartitionsDefinition(["sft_policy", "rl_policy", ENDPOINT]),
    }
)
"""`endpoint`: the model of the role solver. A key is written `BENCHMARK|POLICY`."""


class BenchmarkConfig(TrainingConfig):
    """The recipe is that of the policy; an endpoint has none."""

    k: int = Field(default=1, ge=1, description="How often each task is tried.")
    categories: list[str] = Field(default=[], description="Only these parts; empty: all.")
    temperature: float | None = Field(default=None, ge=0, description="By default the endpoint's, or the recipe's.")
    top_p: float | None = Field(default=None, gt=0, le=1, description="By default nothing is said.")
    top_k: int | None = Field(default=None, ge=1, description="By default nothing is said.")

    def wish(self, benchmark: BenchmarkName) -> "BenchmarkWish":
        from envfactory_dagster.measuring.running import BenchmarkWish

        decoding = Decoding(temperature=self.temperature, top_p=self.top_p, top_k=self.top_k)
        return BenchmarkWish(benchmark, decoding, self.k, tuple(self.categories))


@dg.asset(
    group_name=GROUP,
    owners=[f"team:{GROUP}"],
    partitions_def=BENCHMARKS,
    deps=["sft_policy", "rl_policy", "rl_dataset"],
    kinds={"llm"},
    pool=MODEL_CALLS,
    description="What a policy does on a benchmark: mean score, pass^k and max@k, of whole sets only.",
)
def benchmark_results(
    context: dg.AssetExecutionContext, config: BenchmarkConfig, store: StoreResource
) -> Iterator[dg.MaterializeResult[None]]:
    assert isinstance(context.partition_key, dg.MultiPartitionKey)
    chosen = context.partition_key.keys_by_dimension
    wish = config.wish(cast(BenchmarkName, chosen["benchmark"]))
    home, policy = store.resolved(), chosen["policy"]
    with tried_again(context), _endpoint_of(home, policy, config) as local:
        measured = partial(_measured, home, wish, local, config.path() if local is not None else None, context.log.info)
        ((result, folder),) = [found for batch in in_background(measured, ahead=1) for found in batch]
    yield dg.MaterializeResult(
        data_version=dg.DataVersion(content_hash(result.model_dump(mode="json", exclude={"spent"}))[:16]),
        metadata=as_metadata(_facts(result)) | {"path": dg.MetadataValue.path(str(folder))},
    )


def _endpoint_of(home: "Home", policy: str, config: BenchmarkConfig) -> Any:
    """A context with the address of a policy of this home; with None for the endpoint that the variables name."""
    from envfactory_dagster.measuring.local import served_policy

    if policy == ENDPOINT:
        return nullcontext()
    return served_policy(config.path(), made_last(home, policy), home.local / "measurements" / "trainer-serve.log")


async def _measured(
    home: "Home", wish: "BenchmarkWish", local: "LocalEndpoint | None", recipe: Path | None, say: Any
) -> AsyncGenerator[tuple[BenchmarkResult, Path], None]:
    from envfactory_dagster.language.messages import Role
    from envfactory_dagster.language.settings import LanguageSettings, variable
    from envfactory_dagster.measuring.running import run_measurement

    people = settings = LanguageSettings.from_environment()
    name = None
    if local is not None and recipe is not None:
        environ = {key: value for key, value in os.environ.items() if key != "ENVFACTORY_LLM_API_KEY"}
        given = {"ENVFACTORY_LLM_BASE_URL": local.url, variable(Role.SOLVER): local.model}
        settings = LanguageSettings.from_environment(environ | given)
        name = f"trainer serve, recipe {recipe.stem} {content_hash(recipe.read_text())[:8]}"
    yield await run_measurement(home, settings, people, wish, say, name)


def _facts(result: BenchmarkResult) -> dict[str, Any]:
    setup = result.setup
    table = [
        {
            "category": name,
            "tasks": one.tasks,
            "score": one.score.mean,
            "low": one.score.low,
            "high": one.score.high,
            **{f"pass^{k}": spread.mean for k, spread in one.pass_all.items()},
            **{f"max@{k}": spread.mean for k, spread in one.best.items() if k > 1},
        }
        for name, one in result.scores.items()
    ]
    known = {name: value for name, value in setup.model_dump(mode="json").items() if value is not None}
    return {
        "scores": table,
        **result.aggregates,
        **known,
        "missing": list(result.missing),
        "contaminated": len(result.contamination.tasks),
        **cost_facts(result.spent),
    }
