"""Every artifact survives the way through JSON unchanged, and refuses what it must not hold."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from envfactory_dagster.contracts.base import Artifact, content_hash
from envfactory_dagster.contracts.database import DatabaseSchema, InitialState, SeedRows, Table, TableRows
from envfactory_dagster.contracts.domain import Rule, Task, TaskSet, Theme, ThemeSource
from envfactory_dagster.contracts.records import Attempt, Problem, StageRecord
from envfactory_dagster.contracts.tools import ServerCode, ToolSpec
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
from tests.support.tiny import DEFINITIONS, TOOLS

RULE = Rule(id="closed", text="Nobody books a closed hut.")
ROWS = TableRows(table="items", columns=["id", "name", "price"], rows=[[1, "Ärmel", 2.5], [2, "x", None]])
SOLUTION = ReferenceSolution(
    task="buy",
    source="def solve(tools): return tools.buy(item_id=1)",
    answer={"code": "ORD-50001"},
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
ARTIFACTS: list[Artifact] = [
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
    ToolSpec(tools=DEFINITIONS),
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
]


@pytest.mark.parametrize("artifact", ARTIFACTS, ids=lambda artifact: type(artifact).__name__)
def test_json_round_trip(artifact: Artifact) -> None:
    again = type(artifact).model_validate_json(artifact.model_dump_json())
    assert again == artifact
    assert again.content_hash() == artifact.content_hash()


@pytest.mark.parametrize("artifact", ARTIFACTS, ids=lambda artifact: type(artifact).__name__)
def test_unknown_fields_are_refused(artifact: Artifact) -> None:
    with pytest.raises(ValidationError):
        type(artifact).model_validate(artifact.model_dump() | {"surprise": 1})


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
