"""Copies of the tiny shop as ground for rounds: three in the arena, one that is trained on."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import orjson
import pytest_asyncio

from envfactory_dagster.arena.diagnosis.stage import DiagnosisStage
from envfactory_dagster.arena.drawing import DrawSettings
from envfactory_dagster.arena.policies import OnePolicy, SimulatedPolicies
from envfactory_dagster.arena.practice import RoundPracticeStage
from envfactory_dagster.arena.richer_worlds import RicherWorldsStage
from envfactory_dagster.arena.round_evaluation import RoundEvaluationStage
from envfactory_dagster.arena.round_results import ArenaResultsStage
from envfactory_dagster.arena.round_tasks import ArenaTasksStage, RoundSettings
from envfactory_dagster.arena.target_tasks import TargetTasksStage
from envfactory_dagster.arena.training_home import keep_rows
from envfactory_dagster.authoring.mining.settings import MiningSettings
from envfactory_dagster.authoring.mining.stage import MinedDataStage
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.dataset import Placement, Split, SplitLedger
from envfactory_dagster.contracts.diagnosis import Diagnosis
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.stages import Stage
from envfactory_dagster.contracts.synthesis import MadeTask, Release
from envfactory_dagster.contracts.trajectory import Protocol
from envfactory_dagster.datasets.rows import RlSettings, Source, rl_rows
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings, is_simulated_learner
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.files import open_files
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_stage
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.families.sampling import fresh_tasks
from envfactory_dagster.tasks.release import sealed_bundle
from tests.support.tiny import tiny
from tests.tasks.family_kit import family, proven
from tests.tasks.huts_kit import Standing, inspection

EXAMINED = ("shop-east", "shop-north", "shop-west")
TRAINED, HELD_OUT = "shop-south", "shop-island"
CATEGORIES = {"shop-east": "Mountains", "shop-north": "Mountains", "shop-west": "Lodging", TRAINED: "Mountains"}
SHOP = replace(tiny(), families={one.name: proven(one) for one in (family(),)})
FEW = RoundSettings(draw=DrawSettings(per_category=2), family_tasks=2, graph_tasks=1, program_tasks=1)


@dataclass(frozen=True, slots=True)
class Ground:
    """A home with released environments, and whoever makes rounds in it."""

    home: Home
    gateway: Gateway
    runtime: Runtime
    made: Sequence[MadeTask]

    @property
    def records(self) -> RecordStore:
        return RecordStore(self.home)

    def release(self, key: str, tasks: Sequence[MadeTask] | None = None, split: Split = "arena") -> Bundle:
        """With these tasks, or two of all."""
        made = list(self.made if tasks is None else tasks)
        theme = SHOP.theme.model_copy(update={"key": key, "category": CATEGORIES.get(key, "Other")})
        shop = replace(SHOP, theme=theme)
        sealed = sealed_bundle(shop, made, inspection(shop), list(shop.families.values()))
        Standing(self.home, sealed, {}).keep("release", Release(version=sealed.version, tasks=made))
        self._place(key, split)
        return sealed

    def _place(self, key: str, split: Split) -> None:
        files = open_files(self.home.datasets)
        data = files.read("splits/ledger.json")
        ledger = SplitLedger(seed=0) if data is None else SplitLedger.model_validate_json(data)
        others = [one for one in ledger.placed if one.environment != key]
        placed = [*others, Placement(environment=key, split=split)]
        files.replace("splits/ledger.json", orjson.dumps(ledger.model_copy(update={"placed": placed}).model_dump()))

    def dataset(self, tasks: Sequence[MadeTask], protocol: Protocol = "native") -> str:
        """An rl_dataset with one environment that is trained on and one that is held out; its version."""
        shared: dict[str, Split] = {TRAINED: "rl", HELD_OUT: "held_out"}
        rows, settings = {}, RlSettings(protocols=(protocol,))
        for key, split in shared.items():
            sealed = self.release(key, tasks, split)
            rows[key] = rl_rows(Source(sealed, {one.task.id: one for one in tasks}, split), settings)[0]
        return keep_rows(self.home, rows)

    def tasks(self, settings: RoundSettings = FEW) -> ArenaTasksStage:
        return ArenaTasksStage(self.home, self.gateway, self.runtime, settings, LanguageSettings().model(Role.EMBEDDER))

    def diagnosis(self, gateway: Gateway | None = None, share: float = 0.25) -> DiagnosisStage:
        return DiagnosisStage(self.home, gateway or self.gateway, self.runtime, "built-in", "built-in", share)

    async def played_by(self, policy: str, key: str = "x-r00", candidates: int = 2) -> Diagnosis:
        """A round with this policy, as it is diagnosed without a model."""
        await self.run(self.tasks(), key)
        await self.run(self.results(policy, candidates), key)
        found = await self.run(self.diagnosis(), key)
        await self.run(self.richer(), key)
        return Diagnosis.model_validate(found.artifact)

    def targets(self, likeness: float = 0.92, protocol: Protocol = "native") -> TargetTasksStage:
        return TargetTasksStage(self.home, self.gateway, self.runtime, likeness, "built-in", protocol)

    def richer(self, gateway: Gateway | None = None) -> RicherWorldsStage:
        mining = MinedDataStage(
            gateway or self.gateway,
            self.runtime,
            AuthoringSettings(size="small"),
            MiningSettings(steps=4),
            self.home.snapshots,
        )
        return RicherWorldsStage(self.home, self.runtime, mining)

    def practice(self, replay: float = 0.5, protocol: Protocol = "native") -> RoundPracticeStage:
        return RoundPracticeStage(self.home, self.gateway, self.runtime, replay, 0.92, "built-in", protocol)

    def evaluation(self, policy: str) -> RoundEvaluationStage:
        return RoundEvaluationStage(self.home, self.runtime, self.policies(policy), 2)

    def results(self, policy: str = "reference", candidates: int = 2) -> ArenaResultsStage:
        return ArenaResultsStage(self.home, self.runtime, self.policies(policy), candidates)

    def policies(self, name: str) -> OnePolicy | SimulatedPolicies:
        models = LanguageSettings(models={Role.SOLVER: name})
        return (SimulatedPolicies if is_simulated_learner(name) else OnePolicy)(self.gateway, models)

    async def run(self, stage: Stage, key: str) -> StageRecord:
        return await run_stage(self.records, stage, key)


@pytest_asyncio.fixture(scope="session")
async def made(runtime: Runtime) -> list[MadeTask]:
    """One as if it were walked over the graph, and one as if it came with a program."""
    fresh = await fresh_tasks(runtime, SHOP, 2, seed=77)
    return [
        one.model_copy(update={"source": source}) for one, source in zip(fresh.tasks, ("graph", "program"), strict=True)
    ]


@pytest_asyncio.fixture
async def ground(runtime: Runtime, made: list[MadeTask], tmp_path: Path) -> AsyncIterator[Ground]:
    home = Home.resolve(tmp_path)
    async with Gateway(LanguageSettings(), home.root) as gateway:
        ground = Ground(home, gateway, runtime, made)
        for key in EXAMINED:
            ground.release(key)
        yield ground
