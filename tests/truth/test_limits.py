"""A number that a rule speaks of is moved in the code: a call has to show it, or the tester is asked for one."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Rule
from envfactory_dagster.contracts.inspection import JudgedTest, TestCase
from envfactory_dagster.contracts.tools import GivenRow, ToolCall, ToolEdge, ToolTest
from envfactory_dagster.language.built_in.conversation import ParsedQuestion
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.inspection import limits, trying
from envfactory_dagster.truth.inspection.exploration import Exploration
from envfactory_dagster.truth.inspection.facts import computed
from envfactory_dagster.truth.inspection.inspected import Inspected
from envfactory_dagster.truth.inspection.inspector import InspectionSettings, inspect_bundle
from tests.support.judges import judge, judged_by, regraded
from tests.support.tiny import INTEGER, schema, tiny, tool

RULE = Rule(id="few_reservations", text="Nobody reserves more than 3 items at a time.")
RESERVE = '''

def reserve_item(env, *, item_id: int) -> dict:
    """Reserve an item."""
    if env.one("SELECT id FROM items WHERE id = ?", [item_id]) is None:
        raise env.Error(f"there is no item {item_id}")
    held = env.one("SELECT count(*) AS n FROM orders WHERE user_id = ? AND confirmed = 0", [env.user_id])
    if held["n"] >= MOST:
        raise env.Error("you have reserved as many items as you may")
    order_id = env.insert(
        "INSERT INTO orders (code, user_id, item_id, quantity, created_at) VALUES (?, ?, ?, 1, ?)",
        [env.new_id("RES"), env.user_id, item_id, env.now],
    )
    return {"order_id": order_id}
'''


def shop(most: int, *, edges: tuple[int, ...] = ()) -> Bundle:
    """A shop in which so many items can be reserved. `edges`: after how many reservations its author tried another."""
    definition = tool("reserve_item", schema({"item_id": INTEGER}), schema({"order_id": INTEGER}))
    bundle = tiny(source=RESERVE.replace("MOST", str(most)), definitions=[definition])
    tried = ToolTest(
        good_call={"item_id": 1},
        bad_call={"item_id": 999},
        edges=[
            ToolEdge(before=[reserving(n) for n in range(1, held + 1)], arguments={"item_id": 9}, refused=held >= most)
            for held in edges
        ],
    )
    theme = bundle.theme.model_copy(update={"rules": [RULE]})
    return replace(bundle, theme=theme, tool_tests={"reserve_item": tried})


def reserving(item: int) -> ToolCall:
    return ToolCall(tool="reserve_item", arguments={"item_id": item})


async def unnoticed(runtime: Runtime, bundle: Bundle, tests: list[JudgedTest]) -> list[str]:
    inspected = await Inspected.of(runtime, bundle)
    return [one.number for one in await limits.unnoticed(inspected, tests, limits.limits(inspected))]


@pytest.mark.parametrize(
    ("edges", "open_limits"),
    [((2, 3), []), ((3,), []), ((2,), ["3"]), ((1,), ["3"]), ((), ["3"])],
    ids=["both sides", "the last and the first in one", "allowed only", "too far away", "none"],
)
async def test_a_limit_is_met_by_the_calls_on_either_side_of_it(
    runtime: Runtime, edges: tuple[int, ...], open_limits: list[str]
) -> None:
    assert await unnoticed(runtime, shop(3, edges=edges), []) == open_limits


@pytest.mark.parametrize(
    ("rule", "name", "numbers"),
    [
        ("At most 3 reels of 35 mm film are lent.", "Shop with 35 mm film", ["3"]),
        ("At most 3 reels of 35-mm film are lent.", "A shop that stores it as 35mm", ["3"]),
        ("At most 3 reels of 35 mm film are lent.", "A shop", ["3", "35"]),
        ("In Hall 2 there are 5 seats, at table T4 only 6, from 10:00.", "A shop", ["5", "6", "10:00"]),
        ("Hall 2 is closed until May 20, and on Saturday 24 items are sold.", "A shop", ["2", "20", "24"]),
        ("Bring it back within 24 hours.", "A shop open for 24 hours", ["24"]),
        ("A fine of EUR 40 is due.", "A shop", ["40"]),
        ("A fine is Euro 50.", "A shop", ["50"]),
        ("Basic members keep it 14 days, Premium 28 days.", "A shop", ["14", "28"]),
        ("Who is at level Gold 10 loans may have.", "A shop", ["10"]),
        ("For every Member 3 loans are free.", "A shop", ["3"]),
        ("Groups of Adults 12 or more pay less.", "A shop", ["12"]),
        ("In Hall 2 or Hall 3, nobody eats; Hall 4 opens late.", "A shop", []),
        ("Orders are taken until 30 April 2026, and 2026 of them at most.", "A shop", ["30", "2026"]),
        ("Since March 4, 2026, 3 are allowed.", "A shop", ["4", "3"]),
        ("No more than 10 km from home.", "Shop at the 10 km race", ["10"]),
        ("Nobody enters the 10 km races twice.", "Shop at the 10 km race", []),
    ],
)
async def test_a_figure_in_a_name_is_no_limit(runtime: Runtime, rule: str, name: str, numbers: list[str]) -> None:
    bundle = shop(3)
    theme = bundle.theme.model_copy(update={"name": name, "rules": [Rule(id="rule", text=rule)]})
    inspected = await Inspected.of(runtime, replace(bundle, theme=theme))
    if "35mm" in name:
        stored = replace(inspected.bundle, schema_sql="CREATE TABLE reels (kind TEXT CHECK (kind = '35mm')) STRICT;")
        inspected = replace(inspected, bundle=stored)
    assert [one.number for one in limits.limits(inspected)] == numbers


async def test_a_good_call_on_rows_of_its_own_meets_a_limit_there(runtime: Runtime) -> None:
    """Three orders are waiting, and the shop allows three: only with one of them confirmed goes a fourth through."""
    bundle = shop(3)
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", bundle.states["initial"].image)
    for number in (1, 2, 3):
        row = (f"RES-{number}", 1, number, 1, "2026-03-01T09:00:00")
        connection.execute(
            "INSERT INTO orders (code, user_id, item_id, quantity, created_at) VALUES (?, ?, ?, ?, ?)", row
        )
    first = replace(bundle.states["initial"], image=connection.serialize("main"))
    given = [GivenRow(table="orders", id=1, values={"confirmed": 1})]
    test = ToolTest(good_call={"item_id": 9}, bad_call={"item_id": 999}, given=given)
    edge = ToolEdge(arguments={"item_id": 9}, refused=True)
    waiting = replace(bundle, states=bundle.states | {"initial": first}, tool_tests={"reserve_item": test})
    assert await unnoticed(runtime, waiting, []) == ["3"]
    edged = replace(waiting, tool_tests={"reserve_item": test.model_copy(update={"edges": [edge]})})
    assert await unnoticed(runtime, edged, []) == []
    inspected = await Inspected.of(runtime, edged)
    assert [finding.message for finding in await trying.of_the_tests(inspected)] == []
    assert "reserve_item" not in computed(inspected, Exploration()).dead_tools


async def test_tests_of_the_inspection_meet_a_limit_as_well_as_those_of_authors(runtime: Runtime) -> None:
    def made(session: int, *outcomes: str) -> list[JudgedTest]:
        return [
            JudgedTest(
                round=1,
                session=session,
                case=TestCase(
                    tool="reserve_item", arguments={"item_id": n}, positive=outcome == "ok", expectation="It holds."
                ),
                outcome=outcome,
                result="{}",
                grade="pass",
            )
            for n, outcome in enumerate(outcomes, 1)
        ]

    in_one = made(1, "ok", "ok", "ok", "agent")
    assert await unnoticed(runtime, shop(3), in_one) == []
    apart = [*made(1, "ok", "ok"), *made(2, "ok", "ok")]
    assert await unnoticed(runtime, shop(3), apart) == ["3"]


async def test_a_limit_that_the_code_weakens_is_found_and_mended(runtime: Runtime, tmp_path: Path) -> None:
    """The code lets four be reserved, and its author's own calls agree with it. The tester is shown the rule."""
    asked, sessions = list[list[dict[str, Any]]](), set[int]()

    def spoil(question: ParsedQuestion, answer: dict[str, Any]) -> dict[str, Any]:
        context = question.context
        if question.schema == "inspection_tests" and context["limits"]:
            asked.append(context["limits"])
            said = {"tool": "reserve_item", "expectation": "Three are allowed, and no fourth one."}
            return {"tests": [said | {"arguments": {"item_id": n}, "positive": n < 4} for n in (1, 2, 3, 4)]}
        if question.schema == "inspection_check":
            calls = [test for tool in context["tools"] for test in tool["observed"]]
            sessions.update(test["session"] for test in calls if test["state"] == "initial")
            reserved = [t for t in calls if t["case"]["tool"] == "reserve_item" and t["outcome"] == "ok"]
            beyond = [t["number"] for t in reserved if not t["case"]["positive"]]
            said = {"grade": "fail", "reason": "A fourth one is reserved."}
            return regraded(answer, dict.fromkeys(beyond, said))
        if question.schema == "inspection_revision":
            own = [source for source in context["sources"] if source["tool"] == "reserve_item"]
            if any("A fourth one" in finding["message"] for finding in context["report"]):
                return {"tools": [one | {"source": one["source"].replace(">= 4", ">= 3")} for one in own]}
        return answer

    weak = shop(4, edges=(3, 4))
    async with judged_by(judge(spoil), tmp_path) as gateway:
        as_it_is = (await inspect_bundle(gateway, runtime, weak, InspectionSettings(rounds=1, revisions=0))).report
        assert len(sessions) == 2, "limits are tested from the first state again"
        mended = (await inspect_bundle(gateway, runtime, weak, InspectionSettings(rounds=1, revisions=1))).report
    assert asked[0] == [{"rule": RULE.text, "number": "3"}]
    said = [one.message for one in as_it_is.findings if one.tool == "reserve_item" and one.severity == "fail"]
    assert "reserve_item: A fourth one is reserved." in said and "reserve_item" in as_it_is.dropped_tools
    assert mended.revisions[-1].kept and ">= 3" in (mended.revised_source or "")
    assert not any("A fourth one" in one.message for one in mended.findings)
    assert mended.dropped_tests == ["reserve_item"], "its author said that a fourth one can be reserved"


async def test_a_limit_that_nobody_has_a_test_of_is_told(runtime: Runtime, tmp_path: Path) -> None:
    async with judged_by(judge(lambda question, answer: answer), tmp_path) as gateway:
        settings = InspectionSettings(rounds=1, revisions=0)
        found = (await inspect_bundle(gateway, runtime, shop(4), settings)).report
    told = [one for one in found.findings if "3 of the rule few_reservations" in one.message]
    assert [(one.tool, one.severity) for one in told] == [("", "warning")]
