"""What environments are authored with, as a resource: models, sandbox and sizes.

Belongs here: typed configuration, and opening the rooms below for the length of a step. Does not: any stage's work.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, get_args

import dagster as dg
from pydantic import Field, PrivateAttr

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.domain import INITIAL_STATE, Size
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.stages import Stage
from envfactory_dagster.contracts.synthesis import Refinement
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.runtime.settings import RuntimeSettings

if TYPE_CHECKING:
    from envfactory_dagster.language.gateway import Gateway
    from envfactory_dagster.language.messages import Role
    from envfactory_dagster.language.settings import LanguageSettings
    from envfactory_dagster.language.wire import AsgiApp
    from envfactory_dagster.tasks.line import TaskSettings

SIZE_VARIABLE = "ENVFACTORY_SIZE"
LIBRARY_EXHAUSTED = (
    "The library has no more worlds of this size (ENVFACTORY_SIZE=small or full chooses another). For worlds of your "
    "own, set a language model: ENVFACTORY_LLM_BASE_URL, ENVFACTORY_LLM_API_KEY and ENVFACTORY_MODEL."
)
_STATES = (INITIAL_STATE, "second", "third", "fourth")


class AuthoringResource(dg.ConfigurableResource[None]):
    """Which environments are made. The models are chosen by environment variables: ENVFACTORY_LLM_BASE_URL,
    ENVFACTORY_LLM_API_KEY, ENVFACTORY_MODEL; with none of them set, the worlds of the library are made."""

    size: str | None = Field(
        default=None,
        description=f"`full` (12 tables and 20 tools at least) or `small` (3 and 5); by default {SIZE_VARIABLE}, "
        "else `full`.",
    )
    tasks: int = Field(default=10, ge=3, description="How many tasks an environment has.")
    rules: int | None = Field(
        default=None, ge=1, description="How many rules its tools enforce; by default 5, of a `small` one 4."
    )
    states: int = Field(
        default=2, ge=1, le=len(_STATES), description="How many initial states: one world, other people and data."
    )
    least_tasks: int = Field(
        default=5, ge=1, description="How many tasks must be solved and verified, or the environment is rejected."
    )
    attempts: int = Field(default=5, ge=1, description="How often a model may answer before an artifact is rejected.")
    inspection_rounds: int = Field(
        default=3, ge=1, description="How many rounds of tests an environment stands; at least one in every state."
    )
    graph_tasks: int = Field(default=8, ge=0, description="How many tasks are made over the tool graph.")
    program_tasks: int | None = Field(
        default=None, ge=0, description="How many hard tasks are made from programs; by default 5, of a `small` one 3."
    )
    task_families: int | None = Field(
        default=None, ge=0, description="How many task families are asked for; by default 12, of a `small` one 4."
    )
    refinements: list[str] = Field(
        default=list(get_args(Refinement)), description="How requests of conversations are made less plain."
    )
    proof_runs: int = Field(
        default=5,
        ge=0,
        description="How often the solver, who sees nothing but the words, plays a task at most before it is released; "
        "0: never. The reference policy proves no words.",
    )
    release_unproven: bool = Field(
        default=False, description="Release also tasks on whose end no two runs of the solver agree."
    )
    call_seconds: float = Field(
        default=2.0, gt=0, description="How long one call of a tool may take while its code is judged."
    )
    _run_began: datetime | None = PrivateAttr(default=None)

    def settings(self) -> AuthoringSettings:
        from envfactory_dagster.language.messages import Role

        return AuthoringSettings(
            size=configured_size(self.size),
            tasks=self.tasks,
            rules_asked=self.rules,
            states=_STATES[: self.states],
            attempts=self.attempts,
            least_tasks=self.least_tasks,
            models={"author": models_of_the_line().model(Role.AUTHOR)},
        )

    def task_settings(self) -> "TaskSettings":
        from envfactory_dagster.language.messages import Role
        from envfactory_dagster.language.settings import LanguageSettings
        from envfactory_dagster.tasks.conversations.settings import ConversationSettings
        from envfactory_dagster.tasks.families.settings import FamilySettings
        from envfactory_dagster.tasks.graph_tasks.stage import GraphTaskSettings
        from envfactory_dagster.tasks.line import TaskSettings
        from envfactory_dagster.tasks.program_tasks.settings import ProgramTaskSettings
        from envfactory_dagster.tasks.proof_of_words import MOST_RUNS, ProofSettings

        models, known = LanguageSettings.from_environment(), get_args(Refinement)
        if unknown := set(self.refinements) - set(known):
            raise UsageError(f"{min(unknown)!r} is no refinement; there are: {', '.join(known)}.")
        solver = self._prover(models)
        return TaskSettings(
            embedder=models.model(Role.EMBEDDER),
            graph=GraphTaskSettings(count=self.graph_tasks),
            program=ProgramTaskSettings(tasks=self.program_tasks),
            families=FamilySettings(families=self.task_families),
            conversations=ConversationSettings(refinements=tuple(one for one in known if one in self.refinements)),
            proof=ProofSettings(self.proof_runs or MOST_RUNS, self.release_unproven),
            solver=solver,
            user=_listener(models, solver) if solver is not None else None,
        )

    def _prover(self, models: "LanguageSettings") -> str | None:
        """Who proves words; None where nobody does. The reference policy is given the solution, so it proves none."""
        from envfactory_dagster.language.messages import Role
        from envfactory_dagster.language.settings import is_reference

        if not self.proof_runs or is_reference(model := models.model(Role.SOLVER)):
            return None
        return model

    def roles(self) -> "tuple[Role, ...]":
        """Whom the line asks."""
        from envfactory_dagster.language.messages import Role

        players = (Role.SOLVER, Role.USER) if self.proof_runs else ()
        return (Role.AUTHOR, Role.JUDGE, Role.EMBEDDER, *players)

    def setup_for_execution(self, context: dg.InitResourceContext) -> None:
        self._run_began = _run_began(context)

    def __reduce__(self) -> tuple[Any, ...]:
        """To workers on other nodes go the values. What Dagster keeps in a resource cannot be sent."""
        return _restored, (self.model_dump(), self._run_began)

    @asynccontextmanager
    async def gateway(self, store: StoreResource) -> AsyncIterator["Gateway"]:
        """A budget that names no moment is the whole run's, whichever of its steps spend it."""
        from envfactory_dagster.language.gateway import Gateway

        settings = models_of_the_line().counting_from(self._run_began)
        app = self._app_without_an_endpoint() if settings.base_url is None else None
        async with Gateway(settings, store.resolved().root, app=app) as gateway:
            yield gateway

    def _app_without_an_endpoint(self) -> "AsgiApp":
        """The library as one model, and the built-in one in every other role that is asked."""
        from envfactory_dagster.language.built_in.app import create_app
        from envfactory_dagster.library.app import LibraryApp
        from envfactory_dagster.library.collection import Library

        return LibraryApp(Library(), create_app(), size=configured_size(self.size))

    @asynccontextmanager
    async def stages(self, store: StoreResource) -> AsyncIterator[dict[str, Stage]]:
        """Every stage of the line by name, ready to run. A role without a model is told of by the first step."""
        from envfactory_dagster.authoring.accounts import AccountedStage
        from envfactory_dagster.authoring.line import environment_stages
        from envfactory_dagster.language.settings import LanguageSettings
        from envfactory_dagster.runtime.runtime import Runtime
        from envfactory_dagster.tasks.line import task_stages
        from envfactory_dagster.truth.inspection.inspector import InspectionSettings
        from envfactory_dagster.truth.line import truth_stages

        LanguageSettings.from_environment().require(*self.roles())
        settings = RuntimeSettings(call_seconds=self.call_seconds)
        async with self.gateway(store) as gateway, Runtime(settings) as runtime:
            parts = (gateway, runtime, self.settings(), store.bundles())
            tasks = task_stages(*parts, store.resolved(), self.task_settings())
            truth = truth_stages(*parts, InspectionSettings(rounds=self.inspection_rounds))
            stages = (*environment_stages(*parts), *truth, *tasks)
            yield {stage.name: AccountedStage(stage, gateway, store.records()) for stage in stages}


def _restored(values: dict[str, Any], run_began: datetime | None) -> AuthoringResource:
    resource = AuthoringResource(**values)
    resource._run_began = run_began
    return resource


def _listener(models: "LanguageSettings", solver: str) -> str:
    """Who plays the person where one has a part in a proof: the solver's model, rather than a script that hears
    nothing."""
    from envfactory_dagster.language.messages import Role
    from envfactory_dagster.language.settings import is_reference

    user = models.model(Role.USER)
    return solver if is_reference(user) else user


def models_of_the_line() -> "LanguageSettings":
    """Those of the environment. Without an endpoint the library is the author, unless another is named."""
    from envfactory_dagster.language.messages import Role
    from envfactory_dagster.language.settings import LanguageSettings
    from envfactory_dagster.library.app import MODEL

    settings = LanguageSettings.from_environment()
    if settings.base_url is not None or settings.default_model is not None or Role.AUTHOR in settings.models:
        return settings
    return settings.model_copy(update={"models": {**settings.models, Role.AUTHOR: MODEL}})


def library_is_the_author() -> bool:
    """Whether nobody reads sources and nobody writes worlds: there are those of the library alone."""
    from envfactory_dagster.language.messages import Role
    from envfactory_dagster.library.app import MODEL

    settings = models_of_the_line()
    return settings.base_url is None and settings.models.get(Role.AUTHOR) == MODEL


def _run_began(context: dg.InitResourceContext) -> datetime:
    """Where each step has a process of its own, each initialises this resource anew: only the instance knows."""
    known = context.instance and context.run and context.instance.get_run_record_by_id(context.run.run_id)
    if not known or known.start_time is None:
        return datetime.now(UTC)
    return datetime.fromtimestamp(known.start_time, UTC)


def configured_size(given: str | None = None) -> Size:
    given = given or os.environ.get(SIZE_VARIABLE) or "full"
    known: dict[str, Size] = {size: size for size in get_args(Size)}
    if given not in known:
        raise UsageError(f"The size of environments is {given!r}; it can be {' or '.join(known)} ({SIZE_VARIABLE}).")
    return known[given]
