"""Datasets for training: one asset for SFT, one for RL, each a folder with a card.

Belongs here: their configuration, what a person sees of them, and their checks. Does not: rows and splits (`datasets`).
"""

import asyncio
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

import dagster as dg
from pydantic import Field, ValidationError

from envfactory_dagster.assets.metadata import as_metadata
from envfactory_dagster.assets.retrying import MODEL_CALLS, tried_again
from envfactory_dagster.contracts.dataset import ROWS
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.resources.authoring import AuthoringResource
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.runtime.settings import RuntimeSettings

if TYPE_CHECKING:
    from envfactory_dagster.contracts.dataset import RowForm
    from envfactory_dagster.datasets.building import Built
    from envfactory_dagster.datasets.gathering import Gathered, GatherSettings
    from envfactory_dagster.datasets.rows import RlSettings, SftSettings
    from envfactory_dagster.language.gateway import Gateway

GROUP = "experience"
ROWS_PARSE, SPLITS_APART = "rows_parse", "splits_are_apart"
_SHOWN = 50


class _DatasetConfig(dg.Config):
    """What both datasets are made with. Both keep to one ledger: what is held out for one is for the other."""

    seed: int = Field(default=0, description="Of the splits; decided once for a home.")
    sft: float = Field(default=0.3, ge=0, le=1, description="Share of the environments that SFT learns from.")
    rl: float = Field(default=0.3, ge=0, le=1, description="Share of the environments for RL.")
    arena: float = Field(default=0.2, ge=0, le=1, description="Share of the environments for the arena's rounds.")
    held_out: float = Field(default=0.1, ge=0, le=1, description="Share held out, of the same kinds.")
    held_out_modules: float = Field(default=0.1, ge=0, le=1, description="Share held out with all tools they have.")
    task_likeness: float = Field(default=0.92, gt=0, le=1, description="From this cosine on two tasks are the same.")
    benchmarks: str | None = Field(
        default=None, description="A folder of .txt and .jsonl files: tasks that are like a text in it are left out."
    )
    benchmark_likeness: float = Field(default=0.9, gt=0, le=1, description="From this cosine on a task is like a text.")

    def gathering(self) -> "GatherSettings":
        from envfactory_dagster.datasets.duplicates import LikenessThresholds
        from envfactory_dagster.datasets.gathering import GatherSettings
        from envfactory_dagster.datasets.splits import Shares

        return GatherSettings(
            seed=self.seed,
            shares=Shares(self.sft, self.rl, self.arena, self.held_out, self.held_out_modules),
            likeness=LikenessThresholds(self.task_likeness, self.benchmark_likeness),
            benchmarks=Path(self.benchmarks).expanduser() if self.benchmarks else None,
        )


class SftDatasetConfig(_DatasetConfig):
    by_step: str = Field(
        default="thinking",
        pattern="^(thinking|always|never)$",
        description="A row for each step: of episodes with reasoning (`thinking`), `always`, or `never`.",
    )
    window: int | None = Field(
        default=None, ge=1, description="How many exchanges the agent was shown, as in rollouts; by default all."
    )
    form: str = Field(
        default="report",
        pattern="^(report|text)$",
        description="How episodes end: with the call that hands in the report, or in words to the person (`text`).",
    )
    shorten: bool = Field(default=True, description="Leave out what an episode did not need, proved by playing again.")

    def rows(self) -> "SftSettings":
        from envfactory_dagster.datasets.rows import SftSettings

        by_step, form = cast(Literal["thinking", "always", "never"], self.by_step), cast("RowForm", self.form)
        return SftSettings(by_step, self.window, form)


class RlDatasetConfig(_DatasetConfig):
    protocols: list[str] = Field(default=["native"], description="`native`, `compact`, `meta_tools`, or several.")
    turns: bool = Field(default=True, description="Turns of conversations as rows of their own.")
    most_tools: int | None = Field(
        default=None,
        ge=1,
        description="The most tools that a row shows: those that the reference solution calls, and others by chance; "
        "by default all.",
    )
    reward: dict[str, Any] = Field(default={}, description="Settings of the reward that differ from the default.")

    def rows(self) -> "RlSettings":
        from envfactory_dagster.contracts.trajectory import Protocol
        from envfactory_dagster.datasets.rows import RlSettings
        from envfactory_dagster.truth.rewards import RewardSettings

        unknown = set(self.protocols) - {*get_args(Protocol)}
        if unknown or not self.protocols:
            known = ", ".join(f"`{name}`" for name in get_args(Protocol))
            raise UsageError(f"Protocols can be {known}, not {', '.join(sorted(unknown)) or 'none'}.")
        try:
            reward = RewardSettings.model_validate(self.reward)
        except ValidationError as error:
            raise UsageError(f"The settings of the reward cannot be used: {error}") from error
        return RlSettings(cast(tuple[Protocol, ...], tuple(self.protocols)), self.turns, reward, self.most_tools)


def _checks(asset: str) -> list[dg.AssetCheckSpec]:
    return [
        dg.AssetCheckSpec(ROWS_PARSE, asset=asset, description="Every row can be read back in every form."),
        dg.AssetCheckSpec(SPLITS_APART, asset=asset, description="Nothing that is held out is trained on."),
    ]


@dg.asset(
    group_name=GROUP,
    owners=[f"team:{GROUP}"],
    deps=["release", "trajectories"],
    code_version=str(ROWS),
    kinds={"parquet", "polars"},
    pool=MODEL_CALLS,
    check_specs=_checks("sft_dataset"),
    description="The best verified episode of each task, as rows for TRL and LLaMA-Factory.",
)
def sft_dataset(
    context: dg.AssetExecutionContext, config: SftDatasetConfig, store: StoreResource, authoring: AuthoringResource
) -> Iterator[dg.MaterializeResult[None]]:
    with tried_again(context):
        built = asyncio.run(_sft(config, store, authoring))
    yield _result(built)


@dg.asset(
    group_name=GROUP,
    owners=[f"team:{GROUP}"],
    deps=["release"],
    code_version=str(ROWS),
    kinds={"parquet", "polars"},
    pool=MODEL_CALLS,
    check_specs=_checks("rl_dataset"),
    description="Released tasks, and turns of conversations, as rows for TRL and verl; what is held out apart.",
)
def rl_dataset(
    context: dg.AssetExecutionContext, config: RlDatasetConfig, store: StoreResource, authoring: AuthoringResource
) -> Iterator[dg.MaterializeResult[None]]:
    with tried_again(context):
        built = asyncio.run(_rl(config, store, authoring))
    yield _result(built)


async def _sft(config: SftDatasetConfig, store: StoreResource, authoring: AuthoringResource) -> "Built":
    from envfactory_dagster.datasets.building import build_sft
    from envfactory_dagster.runtime.runtime import Runtime

    home, settings = store.resolved(), config.rows()
    async with authoring.gateway(store) as gateway:
        gathered = await _gathered("sft_dataset", config, store, gateway)
    if not config.shorten:
        return await build_sft(home, gathered, settings, None)
    async with Runtime(RuntimeSettings(call_seconds=authoring.call_seconds)) as runtime:
        return await build_sft(home, gathered, settings, runtime)


async def _rl(config: RlDatasetConfig, store: StoreResource, authoring: AuthoringResource) -> "Built":
    from envfactory_dagster.datasets.building import build_rl
    from envfactory_dagster.language.messages import Role
    from envfactory_dagster.language.settings import LanguageSettings
    from envfactory_dagster.runtime.runtime import Runtime
    from envfactory_dagster.truth.rewards import needs_judge

    settings = config.rows()
    if needs_judge(settings.reward):
        LanguageSettings.from_environment().require(Role.JUDGE)
    async with authoring.gateway(store) as gateway:
        gathered = await _gathered("rl_dataset", config, store, gateway)
    async with Runtime(RuntimeSettings(call_seconds=authoring.call_seconds)) as runtime:
        return await build_rl(store.resolved(), gathered, settings, runtime)


async def _gathered(asset: str, config: _DatasetConfig, store: StoreResource, gateway: "Gateway") -> "Gathered":
    from envfactory_dagster.datasets.gathering import gather
    from envfactory_dagster.language.messages import Caller, Role

    return await gather(store.resolved(), gateway, Caller(asset, "", Role.EMBEDDER), config.gathering())


def _result(built: "Built") -> dg.MaterializeResult[None]:
    facts = {
        "rows": built.checks.rows,
        "splits": built.summary.splits(),
        "left_out": [one.model_dump() for one in built.left_out],
    }
    return dg.MaterializeResult(
        data_version=dg.DataVersion(built.version),
        metadata=as_metadata(facts)
        | {"card": dg.MetadataValue.md(built.card), "path": dg.MetadataValue.path(built.folder)},
        check_results=[_check(ROWS_PARSE, built.checks.broken), _check(SPLITS_APART, built.leaks)],
    )


def _check(name: str, found: Iterable[str]) -> dg.AssetCheckResult:
    listed = list(found)
    return dg.AssetCheckResult(
        passed=not listed, check_name=name, metadata={"number": len(listed), "found": listed[:_SHOWN]}
    )


DATASETS: list[dg.AssetsDefinition] = [sft_dataset, rl_dataset]
