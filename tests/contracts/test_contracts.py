"""Every artifact survives the way through JSON unchanged, and refuses what it must not hold."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

import envfactory_dagster
from envfactory_dagster.authoring.discovery.pool import Candidate, Round
from envfactory_dagster.authoring.environment import BuiltEnvironment
from envfactory_dagster.authoring.server_code import TriedCode
from envfactory_dagster.contracts.audit import Audit, AuditFinding, TaskAudit
from envfactory_dagster.contracts.base import Artifact, content_hash
from envfactory_dagster.contracts.benchmarks import (
    BenchmarkResult,
    BenchmarkSetup,
    Contamination,
    Decoding,
    Scores,
    Spread,
)
from envfactory_dagster.contracts.bundle import Manifest, Provenance, StateEntry
from envfactory_dagster.contracts.database import DatabaseSchema, InitialState, SeedRows, Table, TableRows
from envfactory_dagster.contracts.dataset import Placement, SplitLedger
from envfactory_dagster.contracts.domain import Rule, Task, TaskSet, Theme, ThemeSource
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.families import FamilyRecord, Proven, TaskFamilies, TaskFamily
from envfactory_dagster.contracts.graph import GraphEdge, GraphParameter, GraphTool, ParameterLink, ToolGraph
from envfactory_dagster.contracts.inspection import (
    ComputedFacts,
    Finding,
    Inspection,
    JudgedTest,
    Ratings,
    Revised,
    TestCase,
    ToolScore,
    ToolUse,
)
from envfactory_dagster.contracts.pool import PooledProposal, RejectedProposal
from envfactory_dagster.contracts.records import Attempt, Problem, Spent, StageRecord
from envfactory_dagster.contracts.reports import AnswerField, AnswerForm, Report
from envfactory_dagster.contracts.requests import ThemeProposal
from envfactory_dagster.contracts.sources import (
    LeftOutTool,
    NamedThing,
    SourceDocument,
    SourceSection,
    SourceTask,
    SourceTool,
)
from envfactory_dagster.contracts.synthesis import Conversation, Difficulty, MadeTask, MadeTasks, Release, Turn
from envfactory_dagster.contracts.tools import GivenRow, ServerCode, ToolCall, ToolEdge, ToolSpec, ToolTest
from envfactory_dagster.contracts.trajectory import Criterion
from envfactory_dagster.contracts.truth import (
    Dropped,
    GatedVerifier,
    ReferenceSolution,
    RowChange,
    SolutionSet,
    TaskGate,
    TracedStep,
    Trial,
    Verifier,
    VerifierSet,
)
from envfactory_dagster.library.world import PartOrigin, WorldCard, WorldProvenance
from tests.contracts import later_artifacts
from tests.contracts.test_trajectory import TRAJECTORY
from tests.support.tiny import DEFINITIONS, TOOLS
from tests.support.workspaces import workspace

SPREAD = Spread(mean=0.5, low=0.25, high=0.75)
RULE = Rule(id="closed", text="Nobody books a closed hut.")
ROWS = TableRows(table="items", columns=["id", "name", "price"], rows=[[1, "Ärmel", 2.5], [2, "x", None]])
SOLUTION = ReferenceSolution(
    task="buy",
    source="def solve(tools): return tools.buy(item_id=1)",
    form=AnswerForm(fields=[AnswerField(name="code", type="text", description="The code of the order")]),
    report=Report(outcome="done", answers={"code": "ORD-50001"}, message="Ordered."),
    calls=[TracedStep(tool="buy", arguments={"item_id": 1}, outcome="agent", error="sold out")],
    changes=[RowChange(table="items", key=[1], before={"id": 1, "price": 2.0}, after=None)],
    state_hash="ab",
    volatile={"orders": ["code"]},
)
TRIALS = [
    Trial(kind="gold", what="the reference solution", expected="accept", score=1.0, right=True),
    Trial(kind="mutant", operator="skip", what="call 1 skipped", expected="reject", score=0.0, right=True),
    Trial(kind="mutant", operator="owner", what="of user 2", expected="reject", score=1.0, right=False, reason="?"),
]
GATE = TaskGate(task="buy", trials=TRIALS, passed=False)
VERIFIER = Verifier(task="buy", source="def goal_bought(world): return bool(world.changes)")
DROPPED = Dropped(task="sell", reason="no solution runs", stage="reference_solutions")
PROPOSAL = ThemeProposal(name="Shop", category="Retail", description="A shop.", entities=["item"])
POOLED = PooledProposal(
    key="shop", proposal=PROPOSAL, source=ThemeSource(kind="prd", reference="prds/shop.md"), suitability=0.75
)
FAMILY = TaskFamily(
    name="buy_some",
    about="Somebody wants several of one thing.",
    hard="The thing has to be found by its name.",
    kind="action",
    entities=["items"],
    wordings=["Buy {n} of {item}.", "I need {n} pieces of {item}.", "Get me {item}, {n} of it."],
    answer_form=[AnswerField(name="price", type="number", description="The price", unit="euros")],
    source="def instances(world, rng):\n    return []\n",
    proven=Proven(instances=29, volatile={"orders": ["code"]}, relative={"orders": ["created_at"]}),
)
MADE = MadeTask(
    task=Task(id="buy", text="Buy me a coat.", kind="action"),
    source="graph",
    parent="look",
    solution=SOLUTION,
    verifier=GatedVerifier(verifier=VERIFIER, gate=GATE),
    rubric=[Criterion(id="bought", text="A coat was bought.")],
    difficulty=Difficulty(level=2, calls=1, tools=1, pass_rate=0.5),
    conversation=Conversation(
        scenario="At the counter.", persona="In a hurry.", turns=[Turn(goal="Buy.", request="That one.", calls=1)]
    ),
    masked={"buy": ["note"]},
)
ARTIFACTS: list[Artifact] = [
    workspace(),
    SourceDocument(
        kind="mcp_spec",
        reference="mcp_specs/shop.json",
        title="Shop",
        tools=[SourceTool(name="buyItem", inputSchema={"type": "object"}, loosened=["inputSchema.not"])],
        sections=[SourceSection(title="Who", text="Shoppers.")],
        tasks=[SourceTask(text="Buy me a coat.", place={"domain": "retail"})],
        things={"Coat": {"type": "object"}},
        mirror=True,
        unusable=[LeftOutTool(name="a b", reason="name", detail="'a b' cannot be the name of a function")],
    ),
    Theme(
        key="shop",
        name="Shop",
        category="retail",
        description="A shop.",
        entities=["item"],
        rules=[RULE],
        source=ThemeSource(kind="hand"),
    ),
    TaskSet(
        tasks=[
            Task(id="buy", text="Buy me a coat.", kind="action"),
            Task(id="refuse", text="Book it anyway.", kind="refusal", rule="closed"),
        ]
    ),
    DatabaseSchema(tables=[Table(name="items", ddl="CREATE TABLE items (id INTEGER PRIMARY KEY) STRICT")]),
    SeedRows(states=[InitialState(name="initial", clock="2026-03-02T09:00:00", tables=[ROWS])]),
    ToolSpec(tools=DEFINITIONS, named=[NamedThing(words="ärmel", tables=["items.name"], tools=["buy"], tasks=["buy"])]),
    ServerCode(source=TOOLS),
    SolutionSet(solutions=[SOLUTION], dropped=[DROPPED]),
    VerifierSet(verifiers=[GatedVerifier(verifier=VERIFIER, gate=GATE)], dropped=[DROPPED]),
    StageRecord(
        stage="theme",
        partition="shop",
        status="rejected",
        reason="no rules",
        inputs="a",
        version="b",
        attempts=[Attempt(number=1, problems=[Problem(fault="answer", message="no JSON")])],
    ),
    TriedCode(
        source=TOOLS,
        tests={
            "buy": ToolTest(
                before=[ToolCall(tool="look", arguments={})],
                good_call={"item_id": 1},
                good_changes=["orders"],
                bad_call={"item_id": 99},
                edges=[
                    ToolEdge(
                        clock="2026-03-02T09:00:00",
                        given=[GivenRow(table="items", id=2, values={"stock": 0, "note": None})],
                        arguments={"item_id": 2},
                        refused=True,
                    )
                ],
            )
        },
    ),
    BuiltEnvironment(key="shop", version="ab", path="bundles/shop/ab", tables=2, rows={"initial": 3}, tools=2, tasks=1),
    Manifest(
        key="shop",
        version="ab",
        states={"initial": StateEntry(clock="2026-03-02T09:00:00", file="initial.sqlite")},
        files={"theme.json": "cd"},
        provenance=Provenance(models=["some/model"], attempts={"theme": 2}, parents={"theme": "ef"}),
    ),
    POOLED,
    Round(
        order="monday",
        read=["a1"],
        taken=[POOLED],
        reserved=[Candidate(proposal=PROPOSAL, source=ThemeSource(kind="expansion"), suitability=0.5)],
        rejected=[RejectedProposal(name="?", source=ThemeSource(kind="user"), reason="bad_name", detail="no letters")],
    ),
    ToolGraph(
        tools=[
            GraphTool(name="look", principal="assistant", read_only=True, parameters=[], outputs=["items[].id"]),
            GraphTool(
                name="buy",
                principal="user",
                read_only=False,
                parameters=[GraphParameter(name="item_id", required=True, internal=True)],
                outputs=["code"],
            ),
        ],
        edges=[
            GraphEdge(
                source="look",
                target="buy",
                weight=3,
                links=[ParameterLink(output="items[].id", parameter="item_id", evidence="lineage")],
            )
        ],
    ),
    Inspection(
        bundle="ab",
        facts=ComputedFacts(
            uses=[ToolUse(tool="buy", worked=2, refused=1, broke=0, refusals=1)],
            dead_tools=["sell"],
            untouched_tables=["orders"],
            unused_columns=["items.price"],
            unreachable_values=["orders.status = late"],
            coverage=0.5,
        ),
        findings=[Finding(tool="buy", criterion="state", severity="warning", message="It writes twice.")],
        tests=[
            JudgedTest(
                round=1,
                case=TestCase(tool="buy", arguments={"item_id": 1}, positive=True, expectation="An order."),
                outcome="ok",
                result="{}",
                grade="pass",
            )
        ],
        tools=[ToolScore(tool="buy", tests=1, passed=1, kept=True)],
        ratings=Ratings(
            task_feasibility=5,
            data_alignment=4,
            toolset_completeness=3,
            reasons={"data_alignment": "One row is odd."},
            bugs=0,
            blocked_tasks=["sell"],
        ),
        score=0.5,
        passed=False,
        revisions=[Revised(number=1, failures_before=1, failures_after=2, kept=False)],
        revised_source=TOOLS,
    ),
    MadeTasks(tasks=[MADE], dropped=[DROPPED]),
    TaskFamilies(
        families=[FamilyRecord(family=FAMILY, tried=30, dropped=[DROPPED], skeletons=2, levels={"1": 29})],
        tasks=[MADE],
        dropped=[DROPPED],
        declined="",
    ),
    Release(version="ab", tasks=[MADE], dropped=[DROPPED]),
    WorldCard(size="small", proposal=POOLED),
    WorldProvenance(parts=[PartOrigin(question="theme", part="theme", stage="theme", hash="ab")]),
    TRAJECTORY,
    SplitLedger(seed=3, placed=[Placement(environment="shop", split="held_out")], held_bodies=["ab"]),
    Audit(
        bundle="ab",
        tasks=[
            TaskAudit(
                task="buy",
                has_solution=True,
                has_verifier=True,
                trials=4,
                findings=[AuditFinding(kind="no_op_passes", detail="Doing nothing gets 1.")],
            )
        ],
        tools=[ToolUse(tool="get_item", worked=2, refused=1, broke=0, refusals=1)],
    ),
    BenchmarkResult(
        setup=BenchmarkSetup(
            benchmark="held-out",
            version="ab",
            categories=["held_out"],
            model="m",
            endpoint="http://localhost:8000/v1",
            decoding=Decoding(temperature=0.7),
            most_output_tokens=1_000,
            tries=2,
        ),
        scores={"all": Scores(tasks=1, score=SPREAD, pass_all={1: SPREAD, 2: SPREAD}, best={2: SPREAD})},
        aggregates={"overall": 0.5},
        missing=["telecom"],
        contamination=Contamination(compared_with={"sft": "v1"}, tasks={"buy": "row 3"}),
        spent=Spent(calls=2, tokens_in=10, tokens_out=3, cost_usd=None),
    ),
    *later_artifacts.ARTIFACTS,
]


def kinds_of_artifacts() -> set[str]:
    """The names of all classes that are made from `Artifact`, directly or not, as the package's text declares them.
    Importing every module instead would take ten seconds."""
    package = Path(envfactory_dagster.__file__).parent
    declared = [
        (name, set(re.findall(r"\w+", bases)))
        for path in package.rglob("*.py")
        for name, bases in re.findall(r"^class (\w+)\((.*?)\):", path.read_text(), re.MULTILINE | re.DOTALL)
    ]
    kinds = {"Artifact"}
    while more := {name for name, bases in declared if bases & kinds} - kinds:
        kinds |= more
    return kinds - {"Artifact"}


def test_there_is_an_example_of_every_kind_of_artifact() -> None:
    assert sorted(type(artifact).__name__ for artifact in ARTIFACTS) == sorted(kinds_of_artifacts())


@pytest.mark.parametrize("artifact", ARTIFACTS, ids=lambda artifact: type(artifact).__name__)
def test_json_round_trip(artifact: Artifact) -> None:
    again = type(artifact).model_validate_json(artifact.model_dump_json())
    assert again == artifact
    assert again.content_hash() == artifact.content_hash()


@pytest.mark.parametrize("artifact", ARTIFACTS, ids=lambda artifact: type(artifact).__name__)
def test_unknown_fields_are_refused(artifact: Artifact) -> None:
    with pytest.raises(ValidationError):
        type(artifact).model_validate(artifact.model_dump() | {"surprise": 1})


@pytest.mark.parametrize("artifact", ARTIFACTS, ids=lambda artifact: type(artifact).__name__)
def test_another_format_is_refused_with_what_to_do(artifact: Artifact) -> None:
    reads = rf"reads format {artifact.format}\. Use .* set ENVFACTORY_HOME"
    told = rf"{type(artifact).__name__} .* another version .* format 99; .*{reads}"
    with pytest.raises(UsageError, match=told):
        type(artifact).model_validate(artifact.model_dump() | {"format": 99})


@pytest.mark.parametrize(
    ("model", "values"),
    [
        (Theme, ARTIFACTS[0].model_dump() | {"key": "a,b"}),
        (Theme, ARTIFACTS[0].model_dump() | {"key": "../up"}),
        (Theme, ARTIFACTS[0].model_dump() | {"rules": [RULE.model_dump()] * 2}),
        (Task, {"id": "x", "text": "y", "kind": "refusal"}),
        (Task, {"id": "x", "text": "y", "kind": "action", "rule": "closed"}),
        (TableRows, {"table": "t", "columns": ["a", "b"], "rows": [[1]]}),
        (SeedRows, {"states": [{"name": "winter", "clock": "2026-03-02T09:00:00", "tables": []}]}),
        (InitialState, {"name": "initial", "clock": "yesterday", "tables": []}),
        (SolutionSet, {"solutions": [SOLUTION, SOLUTION]}),
        (SolutionSet, {"solutions": [SOLUTION], "dropped": [DROPPED.model_copy(update={"task": "buy"})]}),
        (GatedVerifier, {"verifier": VERIFIER, "gate": GATE.model_copy(update={"task": "sell"})}),
        (Trial, TRIALS[0].model_dump() | {"score": float("nan")}),
    ],
)
def test_what_breaks_a_contract_is_refused(model: type[Artifact], values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        model.model_validate(values)


def test_a_gate_counts_what_was_judged_rightly() -> None:
    assert (GATE.kill_rate, GATE.acceptance_rate, GATE.rate("noop")) == (0.5, 1.0, None)
    assert (GATE.survivors, GATE.refused) == ([TRIALS[2]], [])


@given(st.dictionaries(st.text(), st.integers(-(2**53), 2**53) | st.text() | st.none()))
def test_a_hash_does_not_depend_on_the_order_of_fields(value: dict[str, Any]) -> None:
    assert content_hash(value) == content_hash(dict(reversed(value.items())))


def test_an_edge_on_the_rows_as_they_are_is_written_as_before_there_were_others() -> None:
    """So that bundles of that time keep their version."""
    assert "given" not in ToolEdge(arguments={}, refused=True).model_dump(mode="json")
