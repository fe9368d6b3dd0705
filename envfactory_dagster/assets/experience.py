"""Experience: the released tasks, played.

Belongs here: the asset `trajectories`, its configuration and what a person sees of it. Does not: playing
(`tasks.playing`), and rows for training (`assets.datasets`).
"""

from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import dagster as dg
from pydantic import Field, ValidationError

from envfactory_dagster.assets.background import in_background
from envfactory_dagster.assets.metadata import as_metadata, page
from envfactory_dagster.assets.retrying import MODEL_CALLS, tried_again
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.resources.authoring import AuthoringResource
from envfactory_dagster.resources.cluster import ClusterResource, Do
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.runtime.settings import RuntimeSettings

if TYPE_CHECKING:
    from envfactory_dagster.tasks.playing import PlayedEnvironment, PlayPlan, ToPlay, Unplayable

GROUP = "experience"
_AHEAD = 2
"""Environments that may be played before their figures are taken."""


class TrajectoriesConfig(dg.Config):
    candidates: int = Field(default=4, ge=1, description="How many times each task is played, with other seeds.")
    protocol: str = Field(
        default="native",
        pattern="^(native|compact|meta_tools)$",
        description="How tools are shown: `native`, in short (`compact`), or through `list_tools` (`meta_tools`).",
    )
    setting: str = Field(
        default="as_made",
        pattern="^(as_made|single|conversation)$",
        description="`single`: said in one message; `conversation`: with a simulated user; `as_made`: as made.",
    )
    environments: list[str] = Field(default=[], description="Only these; empty: all that are released.")
    most_tasks: int | None = Field(default=None, ge=1, description="The most tasks of one environment; by default all.")
    token_ids: bool = Field(default=False, description="Keep token ids and log-probabilities as they were sampled.")
    window: int | None = Field(
        default=None, ge=1, description="How many of the latest exchanges the solver is shown; by default all."
    )
    most_tools: int | None = Field(
        default=None,
        ge=1,
        description="The most tools that the solver is shown: those that the reference solution calls, and others by "
        "chance; by default all.",
    )
    most_steps: int | None = Field(
        default=None,
        ge=1,
        description="The most messages of the solver; by default three for each call of the reference solution, and "
        "20 at least.",
    )
    reward: dict[str, Any] = Field(
        default={}, description="Settings of the reward that differ from the default; a kept episode keeps its own."
    )

    def plan(self) -> "PlayPlan":
        from envfactory_dagster.contracts.trajectory import Protocol
        from envfactory_dagster.tasks.playing import Choice, PlayPlan
        from envfactory_dagster.truth.rewards import RewardSettings

        try:
            reward = RewardSettings.model_validate(self.reward)
        except ValidationError as error:
            raise UsageError(f"The settings of the reward cannot be used: {error}") from error
        return PlayPlan(
            candidates=self.candidates,
            protocol=cast(Protocol, self.protocol),
            setting=cast(Choice, self.setting),
            environments=tuple(self.environments),
            most_tasks=self.most_tasks,
            token_ids=self.token_ids,
            window=self.window,
            most_tools=self.most_tools,
            most_steps=self.most_steps,
            reward=reward,
        )


@dg.asset(
    group_name=GROUP,
    owners=[f"team:{GROUP}"],
    deps=["release"],
    kinds={"llm", "parquet"},
    pool=MODEL_CALLS,
    description="Every released task, played by the model of the role solver; judged, and kept for good.",
)
def trajectories(
    context: dg.AssetExecutionContext,
    config: TrajectoriesConfig,
    store: StoreResource,
    authoring: AuthoringResource,
    cluster: ClusterResource,
) -> Iterator[dg.MaterializeResult[None]]:
    from envfactory_dagster.tasks.rollout_figures import RolloutFigures

    figures = RolloutFigures()
    with tried_again(context):
        for batch in in_background(partial(_played, config.plan(), store, authoring, cluster), ahead=_AHEAD):
            for one in batch:
                figures.add(one)
            context.log.info("environments: %d, new episodes: %d", figures.environments, figures.new)
    shown = as_metadata(figures.facts()) | {"page": page(store.resolved(), "episodes.html")}
    yield dg.MaterializeResult(data_version=dg.DataVersion(figures.version), metadata=shown)


async def _played(
    plan: "PlayPlan", store: StoreResource, authoring: AuthoringResource, cluster: ClusterResource
) -> "AsyncGenerator[PlayedEnvironment | Unplayable, None]":
    from envfactory_dagster.language.settings import LanguageSettings
    from envfactory_dagster.tasks.playing import AT_ONCE, played, to_play

    home = store.resolved()
    releases = to_play(home, LanguageSettings.from_environment(), plan)
    open_work = partial(_players, plan, StoreResource(home=str(home.root)), authoring)
    async with cluster.workers(open_work, AT_ONCE) as workers:
        async for one in played(workers.do, releases, AT_ONCE * workers.number):
            yield one


@asynccontextmanager
async def _players(
    plan: "PlayPlan", store: StoreResource, authoring: AuthoringResource
) -> "AsyncIterator[Do[ToPlay, PlayedEnvironment | Unplayable]]":
    from envfactory_dagster.language.settings import LanguageSettings
    from envfactory_dagster.runtime.runtime import Runtime
    from envfactory_dagster.tasks.playing import Players

    settings = RuntimeSettings(call_seconds=authoring.call_seconds)
    async with authoring.gateway(store) as gateway, Runtime(settings) as runtime:
        players = Players(store.resolved(), gateway, runtime, LanguageSettings.from_environment())
        yield partial(players.environment, plan)
