"""An environment is used from outside until it shows what is wrong with it; a sound one shows nothing."""

import ast
import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from typer.testing import CliRunner

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.cli import app
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Rule, Task
from envfactory_dagster.contracts.inspection import Finding, Grade, JudgedTest, TestCase
from envfactory_dagster.contracts.judge_requests import ToolSource
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.reports import AnswerField, AnswerForm
from envfactory_dagster.contracts.stages import StageInput
from envfactory_dagster.contracts.truth import ReferenceSolution, SolutionSet
from envfactory_dagster.language.built_in.app import create_app
from envfactory_dagster.language.built_in.conversation import ParsedQuestion
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.resources.authoring import AuthoringResource
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.truth.inspection import checker, inspector, revision, rounds
from envfactory_dagster.truth.inspection.asking import Asking
from envfactory_dagster.truth.inspection.examination import Examined, examine
from envfactory_dagster.truth.inspection.inspected import Inspected
from envfactory_dagster.truth.inspection.inspector import InspectionSettings, inspect_bundle, rejection
from envfactory_dagster.truth.inspection.stage import InspectionStage
from tests.support.faults import FaultyModel, Profile
from tests.support.judges import calls_of, judge, judged_by, regraded
from tests.support.reports import report
from tests.support.tiny import INTEGER, ITEM, schema, tiny, tool

JUDGE = Caller("inspection", "tiny-shop", Role.JUDGE)
AUTHOR = Caller("inspection", "tiny-shop", Role.AUTHOR)


@pytest_asyncio.fixture(scope="module")
async def gateway(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Gateway]:
    """The built-in model, reached like any other."""
    async with judged_by(create_app(), tmp_path_factory.mktemp("home")) as gateway:
        yield gateway


@pytest_asyncio.fixture(scope="module")
async def sound(runtime: Runtime, huts: Bundle) -> Examined:
    return await examine(runtime, huts)


def tool_source(bundle: Bundle, old: str, new: str) -> Bundle:
    assert bundle.tools_source.count(old) == 1
    return replace(bundle, tools_source=bundle.tools_source.replace(old, new))


# -- the two agents ----------------------------------------------------------------------------------------------------


async def test_the_tester_tries_all_tools_in_both_ways_and_the_checker_grades_each_call(
    runtime: Runtime, gateway: Gateway
) -> None:
    inspected = await Inspected.of(runtime, tiny())
    tests = await rounds.play(Asking(gateway, JUDGE), inspected, 2)
    assert {test.case.tool for test in tests} == set(inspected.tools)
    assert [test.round for test in tests] == sorted(test.round for test in tests)
    assert any(test.case.positive and test.outcome == "ok" for test in tests)
    assert any(not test.case.positive and test.outcome == "agent" for test in tests)
    assert rounds.score(tests) > 0.85


async def test_the_checker_fails_what_breaks(runtime: Runtime, gateway: Gateway) -> None:
    broken = tool_source(tiny(), '"""Look one item up."""', "env.nothing()")
    tests = await rounds.play(Asking(gateway, JUDGE), await Inspected.of(runtime, broken), 1)
    assert {test.grade for test in tests if test.case.tool == "get_item"} == {"fail"}


async def test_an_answer_that_cannot_be_read_is_asked_for_again(
    runtime: Runtime, gateway: Gateway, tmp_path: Path
) -> None:
    settings = InspectionSettings(rounds=1, revisions=0)
    garbled = FaultyModel(create_app(), Profile(faults=1.0, repair=1.0, only="invalid_json"))
    async with judged_by(garbled.app(), tmp_path) as at_second_try:
        found = (await inspect_bundle(at_second_try, runtime, tiny(), settings)).report
    assert {one.kind for one in garbled.injected} == {"invalid_json"}
    assert found == (await inspect_bundle(gateway, runtime, tiny(), settings)).report


async def test_answers_that_can_never_be_read_are_no_grades(runtime: Runtime, tmp_path: Path) -> None:
    app = FaultyModel(create_app(), Profile(faults=1.0, repair=0.0, only="invalid_json")).app()
    async with judged_by(app, tmp_path) as never:
        found = (await inspect_bundle(never, runtime, tiny(), InspectionSettings(rounds=1, revisions=0))).report
    ratings = found.ratings
    assert (ratings.task_feasibility, ratings.data_alignment, ratings.toolset_completeness) == (None, None, None)
    assert (found.tests, ratings.reasons, found.passed) == ([], {}, False)
    assert "no test was graded" in rejection(found, InspectionSettings(), 0)


async def test_a_test_that_an_answer_leaves_out_is_asked_for_again(
    runtime: Runtime, gateway: Gateway, tmp_path: Path
) -> None:
    """The first answer grades all calls but one; the second question is about that one alone."""
    asked = list[list[int]]()

    def forget(question: ParsedQuestion, answer: dict[str, Any]) -> dict[str, Any]:
        if question.schema != "inspection_check":
            return answer
        asked.append([test["number"] for tool in question.context["tools"] for test in tool["observed"]])
        return {"tests": answer["tests"][1:] if len(asked[-1]) > 1 else answer["tests"]}

    inspected = await Inspected.of(runtime, tiny())
    async with judged_by(judge(forget), tmp_path) as forgetful:
        forgotten = await rounds.play(Asking(forgetful, JUDGE), inspected, 1)
    assert forgotten == await rounds.play(Asking(gateway, JUDGE), inspected, 1)
    assert [again for again in asked if len(again) == 1] == [first[:1] for first in asked if len(first) > 1]


async def test_the_tester_is_told_what_worked_so_far(runtime: Runtime, tmp_path: Path) -> None:
    seen = list[dict[str, Any]]()

    def watch(question: ParsedQuestion, answer: dict[str, Any]) -> dict[str, Any]:
        seen.extend(question.context.get("seen", []))
        return answer

    inspected = await Inspected.of(runtime, tool_source(tiny(), '"""Look one item up."""', "env.nothing()"))
    async with judged_by(judge(watch), tmp_path) as watched:
        tests = await rounds.play(Asking(watched, JUDGE), inspected, 2)
    before = [test for test in tests if test.round < tests[-1].round and test.case.tool == "get_item"]
    last = [one for one in seen if one["tool"] == "get_item"][-1]
    assert (last["worked"], last["refused"]) == (0, len(before)) and "nothing" in last["last_refusal"]


async def test_the_tester_is_told_how_many_rows_it_does_not_see_and_asks_once_where_nothing_can_be_asked(
    runtime: Runtime, tmp_path: Path
) -> None:
    shown = list[dict[str, Any]]()

    def watch(question: ParsedQuestion, answer: dict[str, Any]) -> dict[str, Any]:
        if question.schema == "inspection_tests":
            shown.append(question.context)
        return answer

    count = tool("count_items", result=schema({"count": INTEGER}), read_only=True)
    source = """
def count_items(env) -> dict:
    \"\"\"How many items there are.\"\"\"
    return {"count": env.one("SELECT count(*) AS n FROM items")["n"]}
"""
    inspected = await Inspected.of(runtime, tiny(source=source, definitions=[count], items=200))
    async with judged_by(judge(watch), tmp_path) as watched:
        tests = await rounds.play(Asking(watched, JUDGE), inspected, 1)
    items = next(table for table in shown[0]["rows"] if table["table"] == "items")
    assert (len(items["rows"]), shown[0]["row_counts"]) == (150, {"users": 2, "items": 200, "orders": 0})
    assert [one["state"] for one in shown] == ["initial", "spring", rounds.EMPTIED]
    assert [test.round for test in tests if test.case.tool == "count_items"] == [1, 2, 3]
    assert not any("outputSchema" in one for one in shown[0]["tools"])


async def test_the_checker_sees_the_rows_that_a_call_names_as_they_were_then(runtime: Runtime, tmp_path: Path) -> None:
    seen, clocks = list[dict[str, Any]](), dict[str, str]()

    def plan(question: ParsedQuestion, answer: dict[str, Any]) -> dict[str, Any]:
        if question.schema == "inspection_check":
            clocks.update(question.context["clocks"])
            seen.extend(test for one in question.context["tools"] for test in one["observed"])
        if question.schema != "inspection_tests" or question.context["state"] != "initial":
            return answer
        orders = [("place_order", {"item_id": 55, "quantity": 3}), ("place_order", {"item_id": 55})]
        wanted = [*orders, ("confirm_order", {"order_id": 1}), ("cancel_order", {"order_id": 77}), ("list_items", {})]
        wanted += [("get_item", {"item_id": 55})]
        return {"tests": [{"tool": t, "arguments": a, "positive": True, "expectation": "-"} for t, a in wanted]}

    async with judged_by(judge(plan), tmp_path) as watched:
        await rounds.play(Asking(watched, JUDGE), await Inspected.of(runtime, tiny()), 1)
    named = {test["number"]: test["rows"] for test in seen if test["state"] == "initial"}
    item = {"id": 55, "name": "Item 55", "price": 65.0}
    assert named[0] == [{"table": "items", "row": item | {"stock": 10_000}}]
    assert named[1] == [{"table": "items", "row": item | {"stock": 9_997}}]
    assert [(row["table"], row["row"]["quantity"]) for row in named[2]] == [("orders", 3)]
    assert named[3] == named[4] == []
    assert clocks["spring"] == tiny().states["spring"].clock and clocks[rounds.EMPTIED] == clocks["initial"]
    states = {test["session"]: test["state"] for test in seen}
    assert len(states) == len({test["state"] for test in seen}), "each state has a session of its own in this round"


async def test_many_calls_are_graded_in_one_answer(runtime: Runtime, gateway: Gateway, tmp_path: Path) -> None:
    asked, shown = list[int](), list[list[str]]()

    def watch(question: ParsedQuestion, answer: dict[str, Any]) -> dict[str, Any]:
        if question.schema == "inspection_check":
            asked.append(sum(len(one["observed"]) for one in question.context["tools"]))
            shown.append([one["tool"]["name"] for one in question.context["tools"]])
        return answer

    names = [f"get_item_{number}" for number in range(40)]
    source = "".join(TOOLS_LIKE.format(name=name) for name in names)
    definitions = [tool(name, schema({"item_id": INTEGER}), ITEM, read_only=True) for name in names]
    async with judged_by(judge(watch), tmp_path) as watched:
        tests = await rounds.play(
            Asking(watched, JUDGE), await Inspected.of(runtime, tiny(source=source, definitions=definitions)), 1
        )
    assert sum(asked) == len(tests) and len(asked) == -(-len(tests) // checker.MOST_CALLS)
    tools = [name for names in shown for name in names]
    assert len(tools) == len(set(tools)) and set(names) <= set(tools), (
        "the calls of a tool in all three states are graded in one answer"
    )
    of_a_tool = max(Counter(test.case.tool for test in tests).values())
    assert max(asked) <= checker.MOST_CALLS + of_a_tool and min(asked) > checker.MOST_CALLS / 2


TOOLS_LIKE = """
def {name}(env, *, item_id: int) -> dict:
    \"\"\"Look one item up.\"\"\"
    row = env.one("SELECT id, name, price, stock FROM items WHERE id = ?", [item_id])
    if row is None:
        raise env.Error(f"there is no item {{item_id}}")
    return row
"""


async def test_a_checker_that_cannot_answer_about_so_many_is_asked_about_fewer(
    runtime: Runtime, gateway: Gateway, tmp_path: Path
) -> None:
    def overtaxed(question: ParsedQuestion, answer: dict[str, Any]) -> dict[str, Any]:
        is_too_much = question.schema == "inspection_check" and len(question.context["tools"]) > 2
        return {"tests": "too many"} if is_too_much else answer

    inspected = await Inspected.of(runtime, tiny())
    async with judged_by(judge(overtaxed), tmp_path) as checked:
        tests = await rounds.play(Asking(checked, JUDGE), inspected, 1)
    assert tests == await rounds.play(Asking(gateway, JUDGE), inspected, 1)


async def test_a_task_that_only_asks_is_not_called_blocked(runtime: Runtime, tmp_path: Path) -> None:
    """Its solution answers in the fields of its own form, without which its report would be none; and that no tool
    reads the table of users is not the fault of the one tool that it calls."""
    form = AnswerForm(fields=[AnswerField(name="price", type="number", description="What it costs.")])
    task = Task(id="ask", text="What does item 1 cost?", kind="information", state="initial", entities=["item"])
    program = (
        "def solve(tools):\n"
        "    price = tools.get_item(item_id=1)['price']\n"
        "    return {'outcome': 'done', 'answers': {'price': price}, 'reason': None, 'message': 'It costs that.'}\n"
    )
    solved = ReferenceSolution(
        task="ask", source=program, form=form, calls=[], changes=[], state_hash="", report=report(price=11.0)
    )
    bundles, shop = BundleStore(Home.resolve(tmp_path)), replace(tiny(), tasks=[task])
    await asyncio.to_thread(bundles.keep, shop)
    parents = {
        "environment": _record("environment", {"version": shop.version}),
        "reference_solutions": _record("reference_solutions", SolutionSet(solutions=[solved]).model_dump(mode="json")),
    }
    async with judged_by(create_app(), tmp_path) as gateway:
        stage = InspectionStage(
            gateway, runtime, AuthoringSettings(), bundles, InspectionSettings(rounds=1, revisions=0)
        )
        outcome = await stage.make(StageInput(shop.key, parents))
    assert outcome.metadata["ratings"]["blocked_tasks"] == []


async def test_tools_are_tried_in_every_state_and_where_nothing_is_recorded_yet(
    runtime: Runtime, tmp_path: Path
) -> None:
    shown = dict[int, dict[str, Any]]()

    def watch(question: ParsedQuestion, answer: dict[str, Any]) -> dict[str, Any]:
        if question.schema == "inspection_tests":
            shown[question.context["round"]] = question.context
        return answer

    async with judged_by(judge(watch), tmp_path) as watched:
        tests = await rounds.play(Asking(watched, JUDGE), await Inspected.of(runtime, tiny()), 1)
    assert list(dict.fromkeys((test.round, test.state) for test in tests)) == [
        (1, "initial"),
        (2, "spring"),
        (3, rounds.EMPTIED),
    ]
    assert [shown[number]["clock"] for number in (1, 2)] == [tiny().states[n].clock for n in ("initial", "spring")]
    filled = {table["table"]: len(table["rows"]) for table in shown[3]["rows"]}
    assert filled == {"users": 1}
    assert {test.outcome for test in tests if test.state == rounds.EMPTIED} == {"ok", "agent"}
    assert {test.grade for test in tests if test.state == rounds.EMPTIED} <= {"pass", "warning"}


async def test_a_tool_without_a_test_is_asked_for_again(runtime: Runtime, gateway: Gateway, tmp_path: Path) -> None:
    def forget(question: ParsedQuestion, answer: dict[str, Any]) -> dict[str, Any]:
        if question.schema != "inspection_tests":
            return answer
        return {"tests": [t for t in answer["tests"] if (t["tool"] == "get_item") is bool(question.error_reports)]}

    inspected = await Inspected.of(runtime, tiny())
    async with judged_by(judge(forget), tmp_path) as forgetful:
        asking = Asking(forgetful, JUDGE)
        tests = await rounds.play(asking, inspected, 1)
    assert {test.case.tool for test in tests} == set(inspected.tools)
    assert any("There is no test of get_item." in p.message for one in asking.attempts for p in one.problems)


async def test_what_fails_for_the_rows_it_met_is_told_and_not_held_against_the_tool(
    runtime: Runtime, gateway: Gateway, tmp_path: Path
) -> None:
    def blame_the_rows(question: ParsedQuestion, answer: dict[str, Any]) -> dict[str, Any]:
        said = {"grade": "fail", "at_fault": "scenario", "reason": "There is nothing to look at."}
        blamed = calls_of("get_item", question)[:1]
        return regraded(answer, dict.fromkeys(blamed, said))

    settings = InspectionSettings(rounds=1, revisions=0)
    async with judged_by(judge(blame_the_rows), tmp_path) as blaming:
        found = (await inspect_bundle(blaming, runtime, tiny(), settings)).report
    as_usual = (await inspect_bundle(gateway, runtime, tiny(), settings)).report
    blamed = [one for one in found.findings if "There is nothing to look at." in one.message]
    assert {(one.tool, one.severity) for one in blamed} == {("get_item", "warning")}
    tested, usual = ({one.tool: one for one in report.tools} for report in (found, as_usual))
    assert tested["get_item"].tests == usual["get_item"].tests - len(blamed)
    assert tested["get_item"].passed == tested["get_item"].tests


async def test_how_many_rounds_are_played_is_a_setting_of_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, digests = StoreResource(home=str(tmp_path)), list[str]()
    for resource in (
        AuthoringResource(),
        AuthoringResource(inspection_rounds=3),
        AuthoringResource(inspection_rounds=1),
    ):
        async with resource.stages(store) as stages:
            digests.append(stages["inspection"].settings_hash())
    assert digests[0] == digests[1] != digests[2], "what was inspected in other rounds is inspected anew"


async def test_every_answer_that_was_asked_for_is_in_the_record(runtime: Runtime, tmp_path: Path) -> None:
    bundles, shop = BundleStore(Home.resolve(tmp_path)), tiny()
    await asyncio.to_thread(bundles.keep, shop)
    parents = {
        "environment": _record("environment", {"version": shop.version}),
        "reference_solutions": _record("reference_solutions", SolutionSet(solutions=[]).model_dump(mode="json")),
    }
    settings = InspectionSettings(rounds=1, revisions=0)
    async with judged_by(create_app(), tmp_path) as gateway:
        stage = InspectionStage(gateway, runtime, AuthoringSettings(), bundles, settings)
        outcome = await stage.make(StageInput(shop.key, parents))
    assert len(outcome.attempts) == 3 + 1 + 1, "a tester in each state, a checker of all calls, and the ratings"
    assert all(attempt.tokens_in > 0 or attempt.cached for attempt in outcome.attempts)


def _record(stage: str, artifact: dict[str, Any]) -> StageRecord:
    return StageRecord(stage=stage, partition="tiny-shop", status="ok", inputs="x", version="x", artifact=artifact)


def test_what_works_with_a_warning_works_and_nothing_tested_is_worth_nothing() -> None:
    assert rounds.score([_test("a", "pass"), _test("a", "warning"), _test("a", "fail"), _test("b", "fail")]) == 0.5
    assert rounds.score([]) == 0.0


def test_a_tool_is_kept_when_it_passes_more_than_half_and_fails_nothing_else() -> None:
    tests = [_test("good", "pass"), _test("even", "pass"), _test("even", "fail"), _test("found", "pass")]
    found = [Finding(tool="found", criterion="state", severity="fail", message="It forgets.")]
    kept = {score.tool: score.kept for score in inspector.scores(["good", "even", "found", "new"], tests, found)}
    assert kept == {"good": True, "even": False, "found": False, "new": False}
    report = rounds.failures(tests, inspector.scores(kept, tests, []))
    assert [finding.tool for finding in report] == ["even"], "what is told to whoever mends it"


def _test(tool: str, grade: Grade) -> JudgedTest:
    case = TestCase(tool=tool, arguments={}, positive=True, expectation="It works.")
    return JudgedTest(round=1, case=case, outcome="ok", result="{}", grade=grade)


# -- mending -----------------------------------------------------------------------------------------------------------


async def test_a_revision_is_kept_when_the_mended_code_fails_less_in_the_sandbox(
    runtime: Runtime, gateway: Gateway
) -> None:
    broken = tool_source(tiny(), "    sql_rows = env.query(", "    most.bit_length\n    sql_rows = env.query(")
    before = await examine(runtime, broken)
    mended = await revision.revise(Asking(gateway, AUTHOR), runtime, broken, before, 1)
    assert [one.kept for one in mended.rounds] == [True]
    assert len(mended.examined.failures) < len(before.failures)
    assert "bit_length" not in mended.bundle.tools_source


async def test_a_revision_that_mends_nothing_leaves_the_code_as_it_was(runtime: Runtime, gateway: Gateway) -> None:
    broken = tool_source(tiny(), '    return {"order_id": order_id, "code"', '    return {"order_id": 7, "code"')
    mended = await revision.revise(Asking(gateway, AUTHOR), runtime, broken, await examine(runtime, broken), 1)
    assert mended.bundle is broken
    assert [one.kept for one in mended.rounds] == [False]


def test_mended_functions_take_the_place_of_the_old_ones() -> None:
    module = '"""Tools."""\n\n\ndef one(env) -> dict:\n    return {}\n\n\ndef two(env) -> dict:\n    return {}\n'
    new = "def _two_helper(env):\n    return 2\n\n\ndef two(env) -> dict:\n    return {'n': _two_helper(env)}\n"
    found = revision.with_tools(module, [ToolSource(tool="two", source=new)])
    space: dict[str, object] = {}
    exec(found, space)
    assert space["two"](None) == {"n": 2}  # type: ignore[operator]
    assert [n.name for n in ast.parse(found).body if isinstance(n, ast.FunctionDef)] == ["_two_helper", "one", "two"]


# -- all of it ---------------------------------------------------------------------------------------------------------


async def test_a_sound_environment_passes(runtime: Runtime, gateway: Gateway, huts: Bundle) -> None:
    found = (await inspect_bundle(gateway, runtime, huts, InspectionSettings(rounds=1))).report
    assert found.passed
    assert found.score >= 0.85
    assert all(found.criteria().values())
    assert found.ratings.blocked_tasks == []
    assert found.revised_source is None


def test_the_command_tells_all_of_it_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVFACTORY_HOME", str(tmp_path / "home"))
    folder = tiny().write(tmp_path / "shop")
    done = CliRunner().invoke(app, ["inspect", str(folder), "--rounds", "1", "--json"])
    said = json.loads(done.stdout)
    assert said["facts"]["coverage"] == 1.0
    assert done.exit_code == (0 if said["passed"] else 1)


def test_the_command_names_what_every_finding_is_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVFACTORY_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "200")
    shop = tiny()
    unheard_of = Rule(id="few_orders", text="Nobody places more than 40 orders of an item.")
    theme = shop.theme.model_copy(update={"rules": [*shop.theme.rules, unheard_of]})
    folder = replace(shop, theme=theme).write(tmp_path / "shop")
    told = CliRunner().invoke(app, ["inspect", str(folder), "--rounds", "1"]).stdout
    of_the_limit = next(line for line in told.splitlines() if "No call tests the limit 40" in line)
    assert of_the_limit.split("│")[1].strip() == "the environment"
