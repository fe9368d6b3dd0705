"""How the rounds of the arena are made, as a resource: how many environments and tasks, and the policy that plays.

Belongs here: typed configuration, and opening the stages for the length of a step. Does not: any stage's work.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import dagster as dg
from pydantic import Field

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.stages import Stage
from envfactory_dagster.measuring import trainer_program
from envfactory_dagster.resources.authoring import AuthoringResource
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.runtime.settings import RuntimeSettings

if TYPE_CHECKING:
    from envfactory_dagster.arena.policies import Policies
    from envfactory_dagster.arena.round_tasks import RoundSettings
    from envfactory_dagster.language.gateway import Gateway
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
    replay: float = Field(
        default=0.5, ge=0, lt=1, description="Of what is practised after a round, the share that was trained on before."
    )
    recipe: str | None = Field(
        default=None,
        description="What the policies of rounds are trained by. The first round is played by `rl_policy` then, each "
        "later one by the policy that was trained after the one before.",
    )

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
        """With the policy as the solver. Refuses where a model that rounds need is not set."""
        from envfactory_dagster.language.messages import Role
        from envfactory_dagster.language.settings import LanguageSettings, variable

        given = {} if self.policy is None else {variable(Role.SOLVER): self.policy}
        models = LanguageSettings.from_environment({**os.environ, **given})
        models.require(*(() if self.recipe else (Role.SOLVER,)), Role.USER, Role.JUDGE, Role.EMBEDDER)
        return models

    def simulates(self) -> bool:
        """Whether the policies are simulated learners, which learn nothing."""
        from envfactory_dagster.language.settings import is_simulated_learner

        return self.policy is not None and is_simulated_learner(self.policy)

    def check_training(self) -> None:
        """Refuse settings that do not say which policy is trained."""
        if self.recipe is not None and self.policy is not None:
            raise UsageError(
                "Give either `recipe` (trains rl_policy further) or `policy: simulated_learner`, not both. "
                "Leave one of them out."
            )
        if self.recipe is None and not self.simulates():
            raise UsageError(
                "It is not said what is trained in rounds: name a recipe, one of "
                f"{', '.join(trainer_program.known_recipes())} or a file of your own. The policy `simulated_learner` "
                "goes through rounds without a model, and learns nothing."
            )

    def recipe_path(self) -> Path:
        self.check_training()
        assert self.recipe is not None, "a simulated learner is not trained"
        return trainer_program.recipe_at(self.recipe)

    def _policies(self, store: StoreResource, gateway: "Gateway", models: "LanguageSettings") -> "Policies":
        from envfactory_dagster.arena.policies import OnePolicy, SimulatedPolicies
        from envfactory_dagster.resources.trained import TrainedPolicies

        if self.simulates():
            return SimulatedPolicies(gateway, models)
        if self.recipe is not None:
            return TrainedPolicies(store.resolved(), self.recipe_path(), gateway, models)
        return OnePolicy(gateway, models)

    @asynccontextmanager
    async def stages(self, store: StoreResource, authoring: AuthoringResource) -> AsyncIterator[dict[str, Stage]]:
        """Every stage over rounds by name, ready to run."""
        from envfactory_dagster.arena.diagnosis.stage import DiagnosisStage
        from envfactory_dagster.arena.practice import RoundPracticeStage
        from envfactory_dagster.arena.richer_worlds import RicherWorldsStage
        from envfactory_dagster.arena.round_evaluation import RoundEvaluationStage
        from envfactory_dagster.arena.round_results import ArenaResultsStage
        from envfactory_dagster.arena.round_tasks import ArenaTasksStage
        from envfactory_dagster.arena.target_tasks import TargetTasksStage
        from envfactory_dagster.authoring.accounts import AccountedStage
        from envfactory_dagster.authoring.mining.settings import MiningSettings
        from envfactory_dagster.authoring.mining.stage import MinedDataStage
        from envfactory_dagster.language.messages import Role
        from envfactory_dagster.runtime.runtime import Runtime

        home, models = store.resolved(), self.models()
        embedder = models.model(Role.EMBEDDER)
        async with authoring.gateway(store) as gateway, Runtime(RuntimeSettings()) as runtime:
            policies = self._policies(store, gateway, models)
            stages: tuple[Stage, ...] = (
                ArenaTasksStage(home, gateway, runtime, self.round_settings(), embedder),
                ArenaResultsStage(home, runtime, policies, self.candidates),
                DiagnosisStage(
                    home, gateway, runtime, models.model(Role.JUDGE), embedder, self.weak_share, self.practise
                ),
                RicherWorldsStage(
                    home,
                    runtime,
                    MinedDataStage(gateway, runtime, authoring.settings(), MiningSettings(), home.snapshots),
                ),
                TargetTasksStage(home, gateway, runtime, self.task_likeness, embedder, policies.view.protocol),
                RoundPracticeStage(
                    home, gateway, runtime, self.replay, self.task_likeness, embedder, policies.view.protocol
                ),
                RoundEvaluationStage(home, runtime, policies, self.candidates),
            )
            yield {stage.name: AccountedStage(stage, gateway) for stage in stages}
