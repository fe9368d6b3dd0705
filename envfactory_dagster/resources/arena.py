"""How the rounds of the arena are made, as a resource: how many environments and tasks, and the policy that plays.

Belongs here: typed configuration, and opening the stages for the length of a step. Does not: any stage's work.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import dagster as dg
from pydantic import Field

from envfactory_dagster.contracts.stages import Stage
from envfactory_dagster.resources.authoring import AuthoringResource
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.runtime.settings import RuntimeSettings

if TYPE_CHECKING:
    from envfactory_dagster.arena.round_tasks import RoundSettings
    from envfactory_dagster.language.settings import LanguageSettings


class ArenaResource(dg.ConfigurableResource[None]):
    per_category: int = Field(
        default=5, ge=1, description="How many environments of each category a round has; all, where there are fewer."
    )
    carried: int = Field(default=1, ge=0, description="How many of these were in the round before.")
    family_tasks: int = Field(default=4, ge=0, description="How many tasks of an environment are drawn from families.")
    graph_tasks: int = Field(
        default=2, ge=0, description="How many are graph tasks of the release; families give what is missing of them."
    )
    program_tasks: int = Field(default=2, ge=0, description="The same for program tasks.")
    task_likeness: float = Field(default=0.92, gt=0, le=1, description="From this cosine on a task is not new.")
    policy: str | None = Field(default=None, description="Who plays; by default the model of the role solver.")
    weak_share: float = Field(
        default=0.25, gt=0, le=1, description="Of the environments of a round, at most so many are called weak."
    )
    practise: int = Field(
        default=12, ge=1, description="How many tasks are to be practised in a weak environment, where no model says."
    )
    candidates: int = Field(default=2, ge=1, description="How many times each task is played, with other seeds.")

    def round_settings(self) -> "RoundSettings":
        from envfactory_dagster.arena.drawing import DrawSettings
        from envfactory_dagster.arena.round_tasks import RoundSettings

        return RoundSettings(
            draw=DrawSettings(self.per_category, self.carried),
            family_tasks=self.family_tasks,
            graph_tasks=self.graph_tasks,
            program_tasks=self.program_tasks,
            likeness=self.task_likeness,
        )

    def models(self) -> "LanguageSettings":
        """With the policy as the solver."""
        from envfactory_dagster.language.messages import Role
        from envfactory_dagster.language.settings import LanguageSettings, variable

        given = {} if self.policy is None else {variable(Role.SOLVER): self.policy}
        return LanguageSettings.from_environment({**os.environ, **given})

    @asynccontextmanager
    async def stages(self, store: StoreResource, authoring: AuthoringResource) -> AsyncIterator[dict[str, Stage]]:
        """Every stage over rounds by name, ready to run."""
        from envfactory_dagster.arena.diagnosis.stage import DiagnosisStage
        from envfactory_dagster.arena.round_results import ArenaResultsStage
        from envfactory_dagster.arena.round_tasks import ArenaTasksStage
        from envfactory_dagster.arena.target_tasks import TargetTasksStage
        from envfactory_dagster.authoring.accounts import AccountedStage
        from envfactory_dagster.language.messages import Role
        from envfactory_dagster.runtime.runtime import Runtime

        home, models = store.resolved(), self.models()
        models.require(Role.SOLVER, Role.USER, Role.JUDGE, Role.EMBEDDER)
        embedder = models.model(Role.EMBEDDER)
        async with authoring.gateway(store) as gateway, Runtime(RuntimeSettings()) as runtime:
            stages = (
                ArenaTasksStage(home, gateway, runtime, self.round_settings(), embedder),
                ArenaResultsStage(home, gateway, runtime, models, self.candidates),
                DiagnosisStage(
                    home, gateway, runtime, models.model(Role.JUDGE), embedder, self.weak_share, self.practise
                ),
                TargetTasksStage(home, gateway, runtime, self.task_likeness, embedder),
            )
            yield {stage.name: AccountedStage(stage, gateway) for stage in stages}
