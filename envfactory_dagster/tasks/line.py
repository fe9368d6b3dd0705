"""The stages between an environment and its release, in the order in which they are made.

Belongs here: which stages there are, and what they are made with. Does not: any of them, or when they run (`assets`).
"""

from dataclasses import dataclass, field

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.stages import Stage
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.tasks.conversations.settings import ConversationSettings
from envfactory_dagster.tasks.conversations.stage import ConversationsStage
from envfactory_dagster.tasks.families.settings import FamilySettings
from envfactory_dagster.tasks.families.stage import TaskFamiliesStage
from envfactory_dagster.tasks.graph.semantics import Likeness
from envfactory_dagster.tasks.graph.stage import ToolGraphStage
from envfactory_dagster.tasks.graph_tasks.stage import GraphTaskSettings, GraphTasksStage
from envfactory_dagster.tasks.program_tasks.settings import ProgramTaskSettings
from envfactory_dagster.tasks.program_tasks.stage import ProgramTasksStage
from envfactory_dagster.tasks.proof_of_words import ProofSettings, WordsProver
from envfactory_dagster.tasks.release import ReleaseStage


@dataclass(frozen=True, slots=True)
class TaskSettings:
    """What tasks are made with, beside what environments are authored with."""

    embedder: str
    graph: GraphTaskSettings
    program: ProgramTaskSettings
    conversations: ConversationSettings
    families: FamilySettings = field(default_factory=FamilySettings)
    proof: ProofSettings = field(default_factory=ProofSettings)
    solver: str | None = None
    """The model that plays every task before it is released, to prove its words; None: nobody does."""
    user: str | None = None
    """The model that plays the person meanwhile, where the person has something to do."""


def task_stages(
    gateway: Gateway,
    runtime: Runtime,
    authoring: AuthoringSettings,
    bundles: BundleStore,
    home: Home,
    settings: TaskSettings,
) -> list[Stage]:
    """Every stage from an environment to its release, ready to run."""
    prover = prover_of(gateway, runtime, home, settings)
    return [
        ToolGraphStage(gateway, authoring, Likeness(settings.embedder)),
        GraphTasksStage(gateway, runtime, authoring, bundles, settings.graph),
        ProgramTasksStage(gateway, runtime, authoring, bundles, settings.program),
        TaskFamiliesStage(gateway, runtime, authoring, bundles, settings.families),
        ConversationsStage(gateway, runtime, authoring, bundles, settings.conversations),
        ReleaseStage(runtime, authoring, bundles, prover),
    ]


def prover_of(gateway: Gateway, runtime: Runtime, home: Home, settings: TaskSettings) -> WordsProver | None:
    """Who proves the words of tasks; None where nobody does."""
    if settings.solver is None or settings.user is None:
        return None
    runs = TrajectoryStore(Home(home.root / "proof_of_words"))
    return WordsProver(gateway, runtime, runs, settings.solver, settings.user, settings.proof)
