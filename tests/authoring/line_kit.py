"""Running the line in a test: real gateway, real sandbox, real store; only the model is chosen by the test."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from envfactory_dagster.authoring.accounts import AccountedStage
from envfactory_dagster.authoring.discovery.pool import proposal_record
from envfactory_dagster.authoring.line import environment_stages
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import ThemeSource
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.requests import ThemeProposal
from envfactory_dagster.contracts.stages import Stage
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings, LimitSettings
from envfactory_dagster.language.wire import AsgiApp
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_stage
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.truth.line import truth_stages


@dataclass(frozen=True)
class Line:
    """The stages by name, over a home of their own."""

    stages: dict[str, Stage]
    records: RecordStore
    bundles: BundleStore

    async def run(self, proposal: PooledProposal, until: str = "environment") -> dict[str, StageRecord]:
        """The records of one environment, up to a stage."""
        key = proposal.key
        self.records.keep(proposal_record(proposal))
        made: dict[str, StageRecord] = {}
        for name, stage in self.stages.items():
            made[name] = await run_stage(self.records, stage, key)
            if name == until:
                break
        return made

    def bundle(self, key: str) -> Bundle:
        return self.bundles.load(key)


@asynccontextmanager
async def line(app: AsgiApp, runtime: Runtime, folder: Path, settings: AuthoringSettings) -> AsyncIterator[Line]:
    home = Home.resolve(folder)
    language = LanguageSettings(
        base_url="http://model/v1",
        api_key=SecretStr("none"),
        limits=LimitSettings(backoff_s=0.001),
        models=dict.fromkeys(Role, "author"),
    )
    async with Gateway(language, folder, app=app) as gateway:
        bundles = BundleStore(home)
        environment = environment_stages(gateway, runtime, settings, bundles)
        truth = truth_stages(gateway, runtime, settings, bundles)
        stages = [*environment, *(stage for stage in truth if stage.name != "inspection")]
        records = RecordStore(home)
        yield Line({stage.name: AccountedStage(stage, gateway, records) for stage in stages}, records, bundles)


def proposal_of(key: str, name: str, category: str, description: str) -> PooledProposal:
    proposal = ThemeProposal(name=name, category=category, description=description)
    return PooledProposal(key=key, proposal=proposal, source=ThemeSource(kind="user"), suitability=1.0)
