"""Sessions opened for a task: they start where the task does, and take the report on it."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio
from mcp import Client

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from tests.gateway.conftest import Serve, Served
from tests.support.reports import form
from tests.support.tiny import tiny, tool

COUNTING = Task(
    id="how_many", text="How many items are there?", kind="information", state="spring", withheld=["place_order"]
)
RIGHT: dict[str, Json] = {"outcome": "done", "answers": {"items": "five"}, "reason": None, "message": "There are five."}
FINISH_OF_ITS_OWN = '''
def finish(env) -> dict:
    """Finish shopping."""
    return {}
'''


def shop_with_a_task(**more: Any) -> Bundle:
    return replace(tiny(**more), tasks=[COUNTING], answer_forms={COUNTING.id: form(items="integer")})


@pytest_asyncio.fixture(scope="module")
async def shop(serve: Serve) -> AsyncIterator[Served]:
    async with serve(shop_with_a_task()) as gateway:
        yield gateway


async def names(shop: Served, session: str, **params: str) -> list[str]:
    answer = await shop.rest.get(f"/sessions/{session}/tools", params=params)
    return sorted(tool["name"] for tool in answer.json())


async def test_a_session_for_a_task_offers_finish_and_lacks_what_is_withheld(shop: Served) -> None:
    for_a_task, for_none = await shop.open(task="how_many"), await shop.open()
    assert await names(shop, for_a_task) == ["cancel_order", "finish", "get_item", "list_items"]
    assert await names(shop, for_none) == ["cancel_order", "get_item", "list_items", "place_order"]
    assert "finish" not in await names(shop, for_a_task, principal="user")
    assert (await shop.call(for_none, "finish", RIGHT))["outcome"] == "agent"
    withheld = await shop.call(for_a_task, "place_order", {"item_id": 1})
    unknown = await shop.call(for_a_task, "telephone", {"item_id": 1})
    assert withheld["error"] == unknown["error"].replace("telephone", "place_order")


async def test_a_session_for_a_task_starts_in_its_state_and_keeps_the_report(shop: Served) -> None:
    session = await shop.open(task="how_many")
    described = (await shop.rest.get(f"/sessions/{session}")).json()
    assert (described["state"], described["task"], described["report"]) == ("spring", "how_many", None)
    assert (await shop.call(session, "finish", RIGHT))["value"] == {"report": "taken"}
    assert (await shop.rest.get(f"/sessions/{session}")).json()["report"] == RIGHT
    for late in ("finish", "list_items"):
        assert (await shop.call(session, late, RIGHT if late == "finish" else {}))["outcome"] == "agent"


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"outcome": "finished"}, "outcome"),
        ({"outcome": "refused"}, "names the rule"),
        ({"outcome": "refused", "reason": "no_such_rule"}, "reason"),
        ({"answers": {}}, "items"),
        ({"answers": {"items": "some"}}, "`items` must be a whole number"),
        ({"answers": {"items": 5, "more": 1}}, "more"),
        ({"message": "x" * 1_000_000}, "message"),
        ({"message": " "}, "told nothing"),
        ({"extra": 1}, "extra"),
    ],
)
async def test_what_is_no_report_is_said_and_can_be_handed_in_again(
    shop: Served, wrong: dict[str, Json], says: str
) -> None:
    session = await shop.open(task="how_many")
    refused = await shop.call(session, "finish", RIGHT | wrong)
    assert refused["outcome"] == "agent"
    assert says in refused["error"] and refused["error"].endswith("the report was not taken")
    assert (await shop.call(session, "finish", RIGHT))["outcome"] == "ok"


async def test_what_was_answered_in_a_session_is_for_those_who_have_its_id(serve: Serve) -> None:
    """Somebody else may be at work on the same task."""
    async with serve(shop_with_a_task(), tiny("other-shop")) as gateway:
        session = await gateway.open(task="how_many")
        assert (await gateway.call(session, "finish", RIGHT))["outcome"] == "ok"
        assert (await gateway.rest.get("/sessions")).json() == {"open": 1}
        assert (await gateway.rest.get("/sessions?environment=other-shop")).json() == {"open": 0}
        assert (await gateway.rest.get(f"/sessions/{session}")).json()["report"] == RIGHT


async def test_tasks_and_states_that_do_not_go_together_are_refused(shop: Served) -> None:
    for wanted, status, says in [
        ({"task": "fly"}, 404, "has no task 'fly'"),
        ({"task": "how_many", "state": "initial"}, 400, "starts in the state 'spring'"),
    ]:
        answer = await shop.rest.post("/sessions", json={"environment": "tiny-shop", **wanted})
        assert (answer.status_code, says in answer.json()["error"]) == (status, True), answer.text


async def test_an_mcp_client_hands_its_report_in(shop: Served) -> None:
    async with Client(shop.mcp(query="?task=how_many")) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert sorted(tools) == ["cancel_order", "finish", "get_item", "list_items"]
        assert tools["finish"].input_schema["properties"]["reason"]["enum"] == ["stock", None]
        assert (await client.call_tool("finish", RIGHT | {"answers": {"items": "some"}})).is_error
        assert (await client.call_tool("finish", RIGHT)).structured_content == {"report": "taken"}
        [session] = [slot for slot in shop.service.slots if slot.opened_by == "mcp"]
        assert session.at_hand is not None and session.at_hand.report is not None
        assert session.at_hand.report.answers == {"items": "five"}


async def test_a_tool_called_finish_keeps_its_name(serve: Serve) -> None:
    own = shop_with_a_task(source=FINISH_OF_ITS_OWN, definitions=[tool("finish")])
    async with serve(own) as gateway:
        session = await gateway.open(task="how_many")
        assert {"finish", "finish_task"} <= set(await names(gateway, session))
        assert (await gateway.call(session, "finish"))["value"] == {}
        assert (await gateway.call(session, "finish_task", RIGHT))["value"] == {"report": "taken"}
