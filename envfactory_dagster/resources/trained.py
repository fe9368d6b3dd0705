"""The policies of an experiment that are trained.

Belongs here: serving one on this machine for as long as it plays. Does not: the server (`measuring.local`), and
training.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from envfactory_dagster.arena.policies import Playing
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.evolution import RoundPolicy
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings, variable
from envfactory_dagster.measuring.local import served_policy
from envfactory_dagster.measuring.recipes import view_of
from envfactory_dagster.measuring.trained import made_last
from envfactory_dagster.rollouts.settings import AgentView
from envfactory_dagster.store.copies import fetched
from envfactory_dagster.store.home import Home

FIRST = "rl_policy"
"""What the first round begins with."""


@dataclass(frozen=True, slots=True)
class TrainedPolicies:
    home: Home
    recipe: Path
    people: Gateway
    models: LanguageSettings
    """Those of the other roles."""
    are_trained: ClassVar[bool] = True

    @property
    def told(self) -> list[Json]:
        return ["trained", content_hash(self.recipe.read_text()), self._first, self.models.model(Role.USER)]

    @property
    def view(self) -> AgentView:
        return view_of(self.recipe)

    @asynccontextmanager
    async def playing(self, policy: RoundPolicy | None) -> AsyncIterator[Playing]:
        with served_policy(self.recipe, self._folder(policy), self.home.local / "arena" / "trainer-serve.log") as local:
            # The key is for another endpoint.
            environ = {name: value for name, value in os.environ.items() if name != "ENVFACTORY_LLM_API_KEY"}
            given = {
                "ENVFACTORY_LLM_BASE_URL": local.url,
                variable(Role.SOLVER): local.model,
                variable(Role.USER): self.models.model(Role.USER),
            }
            settings = LanguageSettings.from_environment(environ | given)
            async with Gateway(settings, self.home.root) as gateway:
                name = self._first if policy is None else policy.name
                yield Playing(name, gateway, settings, self.people)

    @property
    def _first(self) -> str:
        return f"{FIRST} {made_last(self.home, FIRST).parent.name}"

    def _folder(self, policy: RoundPolicy | None) -> Path:
        if policy is None:
            return made_last(self.home, FIRST)
        assert policy.path is not None, "what is trained has a folder"
        return fetched(self.home, policy.path) / "policy"
