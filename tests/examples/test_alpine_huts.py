"""The hut network as a bundle: complete, of full size, and its tasks can be solved and are judged rightly."""

import inspect
from pathlib import Path
from statistics import median

import pytest
from jsonschema import Draft202012Validator

from envfactory_dagster import examples
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.database import DatabaseSchema, Table
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.runtime.facts.results import ToolFacts
from envfactory_dagster.runtime.facts.screen import screen_tools
from tests.examples.solving import TASKS, replayed, solved, writes
from tests.support.inline_runtime import Environment, Row, Session, score, signals

ACTIONS = [task.id for task in TASKS.values() if task.kind == "action"]
KEYWORDS = """
type properties required additionalProperties enum const minimum maximum exclusiveMinimum exclusiveMaximum
minLength maxLength pattern format items minItems maxItems uniqueItems anyOf description title default
"""


# -- the bundle --------------------------------------------------------------------------------------------------------


def test_it_is_the_same_bundle_after_a_trip_through_a_folder(huts: Bundle, tmp_path: Path) -> None:
    folder = huts.write(tmp_path / "alpine-huts")
    assert Bundle.read(folder) == huts
    assert Bundle.read(folder).version == huts.version == examples.load("alpine_huts").version


def test_an_unknown_example_is_named_together_with_those_there_are() -> None:
    assert examples.names() == ["alpine_huts"]
    with pytest.raises(UsageError, match=r"no example called 'mars'.*alpine_huts"):
        examples.load("mars")


def test_it_is_of_full_size(huts: Bundle, environment: Environment) -> None:
    assert len(huts.theme.rules) == 6
    assert len(huts.tools_of("assistant")) >= 34
    assert 3 <= len(huts.tools_of("user")) <= 5
    for state in huts.states:
        tables = Session(environment, state).initial.tables()
        assert len(tables) >= 20
        assert sum(len(rows) for rows in tables.values()) >= 120
        assert all(tables.values()), "a table without rows teaches nothing"


def test_its_tasks_are_of_all_kinds_and_in_both_states(huts: Bundle) -> None:
    kinds = [task.kind for task in huts.tasks]
    assert (kinds.count("action"), kinds.count("information"), kinds.count("refusal")) == (6, 2, 2)
    assert sum(task.state == "winter" for task in huts.tasks) >= 3
    assert huts.solutions.keys() == huts.verifiers.keys() == huts.answer_forms.keys() == TASKS.keys()
    assert {rule.id for rule in huts.theme.rules} >= {task.rule for task in huts.tasks if task.rule}
    assert {entity for task in huts.tasks for entity in task.entities} <= set(huts.theme.entities)


def test_the_two_states_share_no_people_and_no_huts(environment: Environment) -> None:
    initial, winter = (Session(environment, state).initial.tables() for state in ("initial", "winter"))
    for table, column in (("people", "full_name"), ("huts", "name"), ("bookings", "code")):
        names = [{row[column] for row in tables[table].values()} for tables in (initial, winter)]
        assert not names[0] & names[1]


def test_the_schema_is_written_as_the_contract_renders_it(huts: Bundle) -> None:
    tables: list[Table] = []
    for statement in huts.schema_sql.split(";\n")[:-1]:
        if statement.startswith("CREATE TABLE"):
            tables.append(Table(name=statement.split()[2], ddl=statement))
        else:
            tables[-1] = tables[-1].model_copy(update={"indexes": [*tables[-1].indexes, statement]})
    assert DatabaseSchema(tables=tables).sql() == huts.schema_sql


# -- the tools ---------------------------------------------------------------------------------------------------------


def test_the_code_passes_the_screen_and_binds_to_the_schema(huts: Bundle, facts: ToolFacts) -> None:
    assert screen_tools(huts.tools_source) == []
    assert facts.problems == ()
    assert all(statement.traced for tool in facts.tools.values() for statement in tool.statements)
    for tool in huts.tools:
        assert bool(facts.tools[tool.name].writes) != tool.annotations.readOnlyHint


def test_signatures_are_those_of_the_specification(huts: Bundle, environment: Environment) -> None:
    for tool in huts.tools:
        parameters = list(inspect.signature(environment.functions[tool.name]).parameters.values())[1:]
        schema = tool.inputSchema
        assert [parameter.name for parameter in parameters] == list(schema["properties"])
        assert [p.name for p in parameters if p.default is p.empty] == schema["required"]
        defaults = {p.name: p.default for p in parameters if p.default not in (p.empty, None)}
        assert defaults == {name: s["default"] for name, s in schema["properties"].items() if "default" in s}


def test_schemas_are_precise_and_within_the_subset(huts: Bundle) -> None:
    def check(schema: Row, where: str) -> None:
        assert set(schema) <= set(KEYWORDS.split()), where
        if schema.get("type") == "object":
            assert schema["additionalProperties"] is False, where
        for name, inner in schema.get("properties", {}).items():
            check(inner, f"{where}.{name}")
        for inner in [*schema.get("anyOf", []), *([schema["items"]] if "items" in schema else [])]:
            check(inner, f"{where}[]")

    for tool in huts.tools:
        for schema in (tool.inputSchema, tool.outputSchema):
            Draft202012Validator.check_schema(schema)
            check(schema, tool.name)
        assert all("description" in parameter for parameter in tool.inputSchema["properties"].values()), tool.name
        assert set(tool.outputSchema["required"]) == set(tool.outputSchema["properties"]), tool.name


# -- the tasks ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_the_reference_solution_scores_one_twice_in_the_same_way(environment: Environment, task: Task) -> None:
    session, report = solved(environment, task.id)
    assert signals(session, task.id, report) == dict.fromkeys(signals(session, task.id, report), True)
    assert score(session, task.id, report) == 1.0
    again, same_report = solved(environment, task.id)
    assert (again.env.tables(), same_report) == (session.env.tables(), report)


@pytest.mark.parametrize("task", TASKS)
def test_doing_nothing_scores_zero_and_breaks_no_guard(environment: Environment, task: str) -> None:
    found = signals(Session(environment, TASKS[task].state), task, None)
    assert {name: value for name, value in found.items() if name.startswith("goal_")} == dict.fromkeys(
        (name for name in found if name.startswith("goal_")), False
    )
    assert all(value for name, value in found.items() if name.startswith("guard_"))


@pytest.mark.parametrize("task", ACTIONS)
def test_saying_it_is_done_scores_zero(environment: Environment, task: str) -> None:
    _, report = solved(environment, task)
    assert score(Session(environment, TASKS[task].state), task, report) == 0.0


@pytest.mark.parametrize("task", ACTIONS)
def test_leaving_out_any_one_write_scores_less(environment: Environment, task: str) -> None:
    session, report = solved(environment, task)
    steps = writes(session)
    assert len(steps) >= 4
    for left_out in steps:
        calls = session.calls[:left_out] + session.calls[left_out + 1 :]
        assert score(replayed(environment, task, calls), task, report) < 1.0, session.calls[left_out]


@pytest.mark.parametrize("task", ACTIONS)
def test_doing_any_one_write_twice_scores_zero_if_it_changes_anything(environment: Environment, task: str) -> None:
    session, report = solved(environment, task)
    for repeated in writes(session):
        calls = session.calls[: repeated + 1] + session.calls[repeated:]
        twice = replayed(environment, task, calls)
        if twice.env.tables() != session.env.tables():
            assert score(twice, task, report) < 1.0, session.calls[repeated]


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize(
    "extra",
    [
        ("send_message", {"hut_id": 1, "subject": "Greetings", "body": "How is the weather up there?"}),
        ("add_companion", {"full_name": "Nobody Special", "birth_date": "1990-01-01", "relation": "friend"}),
        ("update_contact", {"email": "somebody@else.example"}),
    ],
    ids=lambda extra: extra[0],
)
def test_one_write_too_many_scores_zero(environment: Environment, task: str, extra: tuple[str, Row]) -> None:
    session, report = solved(environment, task)
    session.call(extra[0], **extra[1])
    assert score(session, task, report) == 0.0


def test_solutions_are_long_and_touch_nearly_everything(
    huts: Bundle, environment: Environment, facts: ToolFacts
) -> None:
    trajectories = [[call["tool"] for call in solved(environment, task)[0].calls] for task in TASKS]
    assert median(map(len, trajectories)) >= 6
    assert median(len(set(tools)) for tools in trajectories) >= 4
    used = {tool for tools in trajectories for tool in tools}
    assert len(used) >= 0.8 * len(huts.tools)
    touched = {table for tool in used for table in facts.tools[tool].reads}
    touched |= {write.table for tool in used for write in facts.tools[tool].writes}
    assert len(touched) >= 0.8 * huts.schema_sql.count("CREATE TABLE")
