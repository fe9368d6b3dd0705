"""A home in which everything was made that the catalogue tells of.

Two worlds of the library are really built, by the line. What is made of them later is written through the real stores
and contracts, out of their real solutions and verifiers, so that its figures are known beforehand.
"""

from collections.abc import Sequence
from typing import Any

from envfactory_dagster.assets.arena import ROUND
from envfactory_dagster.assets.evolution import EVOLUTION
from envfactory_dagster.authoring.accounts import AccountedStage
from envfactory_dagster.authoring.line import environment_stages
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import Artifact, content_hash
from envfactory_dagster.contracts.dataset import Placement, RlRow, SftRow, Split, SplitLedger, Trace, TrajectoryKey
from envfactory_dagster.contracts.domain import Task, TaskSet, ThemeSource
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.records import Attempt, Problem, StageRecord
from envfactory_dagster.contracts.requests import ThemeProposal
from envfactory_dagster.contracts.synthesis import (
    Conversation,
    Difficulty,
    MadeTask,
    MadeTasks,
    Release,
    TaskSource,
    Turn,
)
from envfactory_dagster.contracts.taxonomy import (
    Agreement,
    Category,
    Join,
    Label,
    PlacedEnvironment,
    Taxonomy,
    TaxonomySettings,
)
from envfactory_dagster.contracts.trajectory import Observation, Step, ToolRequest, Trajectory
from envfactory_dagster.contracts.truth import Dropped, SolutionSet, Verdict, VerifierSet
from envfactory_dagster.datasets.trainer_formats.canonical import canonical
from envfactory_dagster.library.collection import Library
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.files import open_files
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_stage
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.graph.semantics import Likeness
from envfactory_dagster.tasks.graph.stage import ToolGraphStage
from envfactory_dagster.truth.line import truth_stages
from tests.support.model import library_gateway

NURSERY, TOWER = "little-quay-forest-edge-day-nursery", "marlow-fen-parish-bell-ringing-tower"
WORLDS = {
    NURSERY: ("Little Quay forest-edge day nursery", "Childcare and family"),
    TOWER: ("Marlow Fen parish bell ringing tower", "Faith and congregations"),
}
REJECTED = "harbour-office"
SETTINGS = AuthoringSettings(size="small", tasks=4, least_tasks=1)


async def build(home: Home, runtime: Runtime) -> None:
    """The two worlds, from proposal to tool graph, and one that got no further than its theme."""
    store, bundles = RecordStore(home), BundleStore(home)
    async with library_gateway(home.local) as gateway:
        parts = (gateway, runtime, SETTINGS, bundles)
        graph = ToolGraphStage(gateway, SETTINGS, Likeness())
        stages = (*environment_stages(*parts), *truth_stages(*parts), graph)
        for key in WORLDS:
            keep_proposed(store, Library().cards[key].proposal)
            for stage in stages:
                record = await run_stage(store, AccountedStage(stage, gateway, store), key)
                assert record.status == "ok", record.reason
    keep_proposal(store, REJECTED, "Harbour office", "Travel", "Skippers ask for berths.")
    keep_rejected(store, "theme", REJECTED)


def keep_proposal(store: RecordStore, key: str, name: str, category: str, description: str) -> None:
    proposal = ThemeProposal(name=name, category=category, description=description)
    keep_proposed(store, PooledProposal(key=key, proposal=proposal, source=ThemeSource(kind="user"), suitability=1.0))


def keep_proposed(store: RecordStore, proposal: PooledProposal) -> None:
    likeness = {} if proposal.key == NURSERY else {"nearest": NURSERY, "similarity": 0.25}
    keep(store, "proposal", proposal.key, proposal.model_copy(update=likeness))


def keep_rejected(store: RecordStore, stage: str, key: str) -> None:
    """Two answers, the second no better than the first."""
    problem = Problem(fault="answer", message="the rules are missing", snippet="{}")
    attempts = [Attempt(number=number, problems=[problem], tokens_in=100, tokens_out=10) for number in (1, 2)]
    reason = "not accepted after 2 attempts"
    store.keep(
        StageRecord(
            stage=stage,
            partition=key,
            status="rejected",
            reason=reason,
            inputs=content_hash([stage, key]),
            version=content_hash(reason),
            attempts=attempts,
        )
    )


def keep(store: RecordStore, stage: str, key: str, artifact: Artifact) -> StageRecord:
    data = artifact.model_dump(mode="json")
    version = content_hash(data)
    return store.keep(
        StageRecord(stage=stage, partition=key, status="ok", inputs=version, version=version, artifact=data)
    )


def artifact_of(store: RecordStore, stage: str, key: str) -> dict[str, Any]:
    record = store.latest(stage, key)
    assert record is not None and record.artifact is not None
    return record.artifact


# -- tasks that are made later -----------------------------------------------------------------------------------------


def make_more(home: Home, key: str) -> None:
    """A graph task, a program task and a conversation of two turns, and a release of the author's tasks and these."""
    store = RecordStore(home)
    graph = made(store, key, "walk", "graph")
    program = made(store, key, "question", "program")
    talk = made(store, key, "talk", "conversation", parent="walk", turns=(1, len(graph.solution.calls) - 1))
    given_up = [Dropped(task="dull", reason="says nothing", stage="graph_tasks")]
    keep(store, "graph_tasks", key, MadeTasks(tasks=[graph], dropped=given_up))
    keep(store, "program_tasks", key, MadeTasks(tasks=[program]))
    keep(store, "conversations", key, MadeTasks(tasks=[talk]))
    measured = graph.model_copy(update={"difficulty": graph.difficulty.model_copy(update={"pass_rate": 0.5})})
    version = BundleStore(home).load(key).version
    keep(store, "release", key, Release(version=version, tasks=[measured, program, talk], dropped=given_up))


def made(
    store: RecordStore, key: str, name: str, source: TaskSource, parent: str | None = None, turns: Sequence[int] = ()
) -> MadeTask:
    """The author's first verified task that takes two calls at least, under another name."""
    solutions = SolutionSet.model_validate(artifact_of(store, "reference_solutions", key)).solutions
    verifiers = VerifierSet.model_validate(artifact_of(store, "verifiers", key)).verifiers
    original = {task.id: task for task in TaskSet.model_validate(artifact_of(store, "task_set", key)).tasks}
    verified = {one.verifier.task: one for one in verifiers}
    solution = next(one for one in solutions if one.task in verified and len(one.calls) > 1)
    gated, task = verified[solution.task], original[solution.task]
    return MadeTask(
        task=Task(**task.model_dump() | {"id": name}),
        source=source,
        parent=parent,
        solution=solution.model_copy(update={"task": name}),
        verifier=gated.model_copy(
            update={
                "verifier": gated.verifier.model_copy(update={"task": name}),
                "gate": gated.gate.model_copy(update={"task": name}),
            }
        ),
        difficulty=Difficulty(level=3, calls=len(solution.calls), tools=2, weak_edges=1, tables=2),
        conversation=Conversation(
            scenario="On the phone.",
            persona="In a hurry.",
            turns=[Turn(goal="part", request="Please do a part.", calls=calls) for calls in turns],
        )
        if turns
        else None,
    )


# -- taxonomy ----------------------------------------------------------------------------------------------------------


def keep_taxonomy(home: Home) -> None:
    """Each world has a label and a category of its own; the second was placed later. A round has no tasks."""
    names = {NURSERY: ("Families", "Day nurseries"), TOWER: ("Faith", "Bell towers")}
    labels = [
        Label(id=f"l{n}", name=label, category=f"c{n}", representatives=[key], radius=0.5, author="model")
        for n, (key, (_, label)) in enumerate(names.items())
    ]
    placed = [
        PlacedEnvironment(environment=key, label=f"l{n}", distance=n, later=n > 0, provisional=n > 0)
        for n, key in enumerate(names)
    ]
    taxonomy = Taxonomy(
        settings=TaxonomySettings(),
        basis="0" * 64,
        built_of=2,
        categories=[Category(id=f"c{n}", name=name) for n, (name, _) in enumerate(names.values())],
        labels=labels,
        placed=placed,
        joins=[Join(id="j1", left="l0", right="l1", height=1.0)],
        agreement=Agreement(author="people", annotators=["ada.csv"]),
    )
    keep(RecordStore(home), "taxonomy", "all", taxonomy)
    for asset in (*ROUND, *EVOLUTION):
        keep_rejected(RecordStore(home), asset.key.to_user_string(), "first-r00")


# -- episodes ----------------------------------------------------------------------------------------------------------


def step(number: int, *tools: str, text: str = "", reply: str = "", through: bool = False, fails: bool = False) -> Step:
    """A step in which an assistant calls these tools, `through` call_tool or by name."""
    calls = [
        ToolRequest(id=f"c{number}-{place}", name="call_tool", arguments={"tool_name": name, "arguments": {}})
        if through and name != "list_tools"
        else ToolRequest(id=f"c{number}-{place}", name=name, arguments={})
        for place, name in enumerate(tools)
    ]
    seen = [Observation(call=call.id, outcome="agent" if fails else "ok", value={}) for call in calls]
    return Step(number=number, text=text, reply=reply, calls=calls, observations=seen)


def rollout(key: str, task: str, steps: Sequence[Step], score: float | None, **more: Any) -> Rollout:
    """An episode that ended well, or, without a score, one whose model could not be reached."""
    known = {"setting": "single", "protocol": "native", "seed": 0} | more
    failed = score is None
    trajectory = Trajectory(
        environment=key,
        bundle_version="f" * 64,
        task=task,
        state="initial",
        clock="2026-06-02T09:00:00",
        protocol=known["protocol"],
        model="agent-a",
        seed=known["seed"],
        steps=list(steps),
        ending="stopped" if failed else "answered",
        outcome="environment_error" if failed else "completed" if score == 1.0 else "agent_error",
        verdict=None if score is None else Verdict(score=score),
        state_hash="0" * 64,
    )
    return Rollout(trajectory, known["setting"], "model_failed" if failed else "answered", "", [])


# -- datasets ----------------------------------------------------------------------------------------------------------


def make_datasets(home: Home) -> None:
    """Two steps of `walk` to learn from and `talk` to play; of the first there is an older version with one more."""
    sft = [_sft_row(number) for number in range(3)]
    trace = _trace("talk", "rl")
    playable = RlRow(
        id="talk",
        trace=trace,
        setting="conversation",
        protocol="native",
        turn=1,
        messages=_SAID[:2],
        tools=[],
        verifier=None,
        reward={},
    )
    placed = [Placement(environment=NURSERY, split="sft"), Placement(environment=TOWER, split="rl")]
    files = {
        "splits/ledger.json": SplitLedger(seed=0, placed=placed).model_dump_json().encode(),
        "sft/LATEST": b"new",
        "rl/LATEST": b"first",
        **{f"sft/old/{name}": data for name, data in canonical(NURSERY, sft).items()},
        **{f"sft/new/{name}": data for name, data in canonical(NURSERY, sft[:2]).items()},
        **{f"rl/first/{name}": data for name, data in canonical(NURSERY, [playable]).items()},
    }
    for name, data in files.items():
        open_files(home.datasets).replace(name, data)


_SAID: list[dict[str, Any]] = [
    {"role": "system", "content": "Help."},
    {"role": "user", "content": "Please do a part."},
    {"role": "assistant", "content": "Done."},
]


def _sft_row(number: int) -> SftRow:
    key = TrajectoryKey(setting="single", protocol="meta_tools", model="agent-a", seed=0)
    trace = _trace("walk", "sft")
    return SftRow(
        id=f"walk-{number}",
        trace=trace,
        trajectory=key,
        step=number,
        messages=_SAID,
        tools=[],
        outcome="completed",
        reward=1.0,
    )


def _trace(task: str, split: Split) -> Trace:
    return Trace(
        environment=NURSERY,
        bundle_version="f" * 64,
        task=task,
        state="initial",
        kind="action",
        source="graph",
        difficulty=Difficulty(level=1, calls=2, tools=2),
        split=split,
    )
