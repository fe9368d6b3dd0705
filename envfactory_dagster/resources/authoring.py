"""What environments are authored with, as a resource: models, sandbox and sizes.

Belongs here: typed configuration, and opening the rooms below for the length of a step. Does not: any stage's work.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import dagster as dg

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.domain import INITIAL_STATE, Size
from envfactory_dagster.contracts.stages import Stage
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.runtime.settings import RuntimeSettings

if TYPE_CHECKING:
    from envfactory_dagster.language.gateway import Gateway


class AuthoringResource(dg.ConfigurableResource[None]):
    """Which environments are made. The models themselves are chosen by environment variables: ENVFACTORY_LLM_BASE_URL,
    ENVFACTORY_LLM_API_KEY, ENVFACTORY_AUTHOR_MODEL; with none of them set, the embedded model works."""

    size: Size = "full"
    """`full`: at least 12 tables and 20 tools; `small`: about 4 tables and 6 tools."""
    tasks: int = 10
    rules: int = 5
    states: int = 2
    """How many initial states: the same world with other people and data."""
    attempts: int = 5
    """How often a model may answer before an artifact is rejected."""
    call_seconds: float = 2.0
    """How long one call of a tool may take while its code is judged."""

    def settings(self) -> AuthoringSettings:
        from envfactory_dagster.language.messages import Role
        from envfactory_dagster.language.settings import LanguageSettings

        names = [INITIAL_STATE, "second", "third", "fourth"][: self.states]
        return AuthoringSettings(
            size=self.size,
            tasks=self.tasks,
            rules=self.rules,
            states=tuple(names),
            attempts=self.attempts,
            models={"author": LanguageSettings.from_environment().model(Role.AUTHOR)},
        )

    @asynccontextmanager
    async def gateway(self, store: StoreResource) -> AsyncIterator["Gateway"]:
        from envfactory_dagster.language.gateway import Gateway
        from envfactory_dagster.language.settings import LanguageSettings

        home = store.resolved()
        folder = Path(str(home.root)) if home.is_local else home.dagster.parent
        async with Gateway(LanguageSettings.from_environment(), folder) as gateway:
            yield gateway

    @asynccontextmanager
    async def stages(self, store: StoreResource) -> AsyncIterator[dict[str, Stage]]:
        """Every stage of the line by name, ready to run."""
        from envfactory_dagster.authoring.line import environment_stages
        from envfactory_dagster.runtime.runtime import Runtime

        settings = RuntimeSettings(call_seconds=self.call_seconds)
        async with self.gateway(store) as gateway, Runtime(settings) as runtime:
            stages = environment_stages(gateway, runtime, self.settings(), store.bundles())
            yield {stage.name: stage for stage in stages}

