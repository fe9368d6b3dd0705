"""What a program gets from the REST side."""

import asyncio
import json

import httpx2
import pytest

from envfactory_dagster.contracts.errors import EnvironmentFault, UsageError
from envfactory_dagster.runtime.gateway.service import Service
from envfactory_dagster.runtime.gateway.settings import GatewaySettings
from envfactory_dagster.runtime.gateway.slots import Full
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.settings import RuntimeSettings
from tests.gateway.conftest import Serve, Served
from tests.support.tiny import tiny, tool


async def test_a_session_from_opening_to_closing(shop: Served) -> None:
    opened = await shop.rest.post("/sessions", json={"environment": "tiny-shop", "state": "spring"})
    session = opened.json()
    assert opened.status_code == 201
    assert opened.headers["location"] == f"/sessions/{session['id']}"
    assert (session["environment"], session["state"], session["opened_by"]) == ("tiny-shop", "spring", "rest")

    assert (await shop.rest.get(opened.headers["location"])).json()["state"] == "spring"
    items = await shop.call(session["id"], "list_items")
    assert items["outcome"] == "ok"
    assert len(items["value"]["items"]) == 5, "the spring shop has five items"

    assert (await shop.rest.delete(f"/sessions/{session['id']}")).status_code == 204
    gone = await shop.rest.get(f"/sessions/{session['id']}")
    assert gone.status_code == 404
    assert session["id"] in gone.json()["error"]


async def test_sessions_do_not_see_each_other(shop: Served) -> None:
    one, other = await shop.open(), await shop.open()
    assert (await shop.call(one, "place_order", {"item_id": 1, "quantity": 4}))["outcome"] == "ok"
    assert (await shop.call(one, "get_item", {"item_id": 1}))["value"]["stock"] == 9_996
    assert (await shop.call(other, "get_item", {"item_id": 1}))["value"]["stock"] == 10_000


async def test_both_principals_act_in_one_session(shop: Served) -> None:
    session = await shop.open()
    placed = await shop.call(session, "place_order", {"item_id": 1})
    order = {"order_id": placed["value"]["order_id"]}
    assert (await shop.call(session, "confirm_order", order))["outcome"] == "agent", "it is the user's tool"
    assert (await shop.call(session, "confirm_order", order, principal="user"))["value"] == {"confirmed": True}


async def test_environments_and_their_tools_are_described(serve: Serve) -> None:
    async with serve(tiny(), tiny("other-shop")) as gateway:
        listed = (await gateway.rest.get("/environments")).json()
        assert [(e["key"], e["mcp"]) for e in listed] == [
            ("tiny-shop", "/mcp/tiny-shop"),
            ("other-shop", "/mcp/other-shop"),
        ]
        described = (await gateway.rest.get("/environments/tiny-shop")).json()
        assert described["states"] == ["initial", "spring"]
        assert described["rules"] == [{"id": "stock", "text": "Nothing is sold that is not in stock."}]
        tools = (await gateway.rest.get("/environments/tiny-shop/tools")).json()
        assert "get_item" in [t["name"] for t in tools]
        assert next(t for t in tools if t["name"] == "get_item")["annotations"]["readOnlyHint"] is True
        users = (await gateway.rest.get("/environments/tiny-shop/tools", params={"principal": "user"})).json()
        assert [t["name"] for t in users] == ["confirm_order"]


async def test_a_call_that_fails_is_a_result_that_says_whose_fault_it_was(serve: Serve) -> None:
    broken = "def broken(env) -> dict:\n    return {'a': 1 / 0}\n"
    async with serve(tiny(source=broken, definitions=[tool("broken")])) as gateway:
        session = await gateway.open()
        refused = await gateway.call(session, "place_order", {"item_id": 1, "quantity": 100_000})
        assert refused == {
            "outcome": "agent",
            "value": None,
            "error": "only 10000 of item 1 are left",
            "note": None,
        }
        misnamed = await gateway.call(session, "get_itme", {"item_id": 1})
        assert (misnamed["outcome"], "did you mean 'get_item'" in misnamed["error"]) == ("agent", True)
        assert (await gateway.call(session, "broken"))["outcome"] == "environment"
        assert (await gateway.call(session, "get_item", {"item_id": 1}))["outcome"] == "ok", "the next call works"


async def test_a_long_answer_comes_with_a_note(serve: Serve) -> None:
    async with serve(tiny(items=300)) as gateway:
        listed = await gateway.call(await gateway.open(), "list_items")
        assert len(listed["value"]["items"]) == 200
        assert "first 200 of 300" in listed["note"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "says"),
    [
        ("GET", "/environments/nowhere", None, 404, "there are: tiny-shop"),
        ("GET", "/environments/nowhere/tools", None, 404, "there are: tiny-shop"),
        ("GET", "/sessions?environment=nowhere", None, 404, "there are: tiny-shop"),
        ("POST", "/sessions", {"environment": "nowhere"}, 404, "there are: tiny-shop"),
        ("POST", "/sessions", {"environment": "tiny-shop", "state": "winter"}, 400, "it has: initial, spring"),
        ("POST", "/sessions", {}, 422, "environment: Field required"),
        ("POST", "/sessions", {"environment": "tiny-shop", "colour": "red"}, 422, "colour"),
        ("GET", "/sessions/unknown", None, 404, "no session 'unknown'"),
        ("DELETE", "/sessions/unknown", None, 404, "no session 'unknown'"),
        ("POST", "/sessions/unknown/calls", {"tool": "get_item"}, 404, "no session 'unknown'"),
        ("POST", "/sessions/unknown/calls", {"tool": "get_item", "principal": "judge"}, 422, "'assistant' or 'user'"),
        ("POST", "/sessions/unknown/reset", None, 404, "Not Found"),
        ("POST", "/sessions/unknown/verify", None, 404, "Not Found"),
        ("PUT", "/sessions", None, 405, "Method Not Allowed"),
    ],
)
async def test_a_request_that_cannot_be_served_says_why(
    shop: Served, method: str, path: str, body: object, status: int, says: str
) -> None:
    answer = await shop.rest.request(method, path, json=body) if body is not None else None
    answer = answer or await shop.rest.request(method, path)
    assert answer.status_code == status
    assert says in answer.json()["error"]


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b'{"tool": "get_item", "arguments": {"item_id": NaN}}', "application/json", 400),
        (b'{"tool": "get_item", "arguments": {"item_id": "\\ud800"}}', "application/json", 400),
        (b'{"tool": "get_item", "arguments": ' + b"[" * 50_000, "application/json", 400),
        (b'{"tool": "get_item"', "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b'{"tool": "get_item"}', "text/plain", 415),
        (b'{"tool": "get_item"}', "", 415),
        (b"", "application/json", 422),
        (b"[]", "application/json", 422),
        (b'{"tool": 7}', "application/json", 422),
        (b'{"tool": "get_item", "arguments": []}', "application/json", 422),
        (b'{"tool": "' + b"x" * 10_000_000 + b'"}', "application/json", 413),
    ],
)
async def test_a_body_that_is_no_request_is_refused(shop: Served, body: bytes, content_type: str, status: int) -> None:
    path = f"/sessions/{await shop.open()}/calls"
    answer = await shop.rest.post(path, content=body, headers={"content-type": content_type})
    assert answer.status_code == status
    assert answer.json()["error"]


async def test_a_body_of_unknown_length_is_refused(shop: Served) -> None:
    async def chunks():  # type: ignore[no-untyped-def]
        yield b'{"environment": '
        yield b'"tiny-shop"}'

    answer = await shop.rest.post("/sessions", content=chunks(), headers={"content-type": "application/json"})
    assert answer.status_code == 411
    assert "Content-Length" in answer.json()["error"]


@pytest.mark.parametrize("value", ["1e999", json.dumps("x" * 1_500_000), "[" * 100 + "]" * 100, str(2**70)])
async def test_arguments_no_tool_could_take_are_the_agents_fault(shop: Served, value: str) -> None:
    path = f"/sessions/{await shop.open()}/calls"
    body = f'{{"tool": "get_item", "arguments": {{"item_id": {value}}}}}'
    answer = await shop.rest.post(path, content=body, headers={"content-type": "application/json"})
    assert (answer.status_code == 400) or (answer.json()["outcome"] == "agent"), answer.text


async def test_when_full_the_answer_is_clear_and_room_is_found_again(serve: Serve) -> None:
    async with serve(max_sessions=2) as gateway:
        first = await gateway.open()
        await gateway.open()
        health = (await gateway.rest.get("/health")).json()
        assert health == {"status": "ok", "environments": 1, "sessions_open": 2, "sessions_capacity": 2}
        refused = await gateway.rest.post("/sessions", json={"environment": "tiny-shop"})
        assert refused.status_code == 503
        assert refused.json() == {"error": "All 2 sessions are in use; close one, or try later."}
        assert int(refused.headers["retry-after"]) > 0
        await gateway.rest.delete(f"/sessions/{first}")
        await gateway.open()


async def test_the_limit_holds_when_everybody_comes_at_once() -> None:
    alone = RuntimeSettings(sessions_per_worker=1)  # so that opening a session takes a moment
    async with Runtime(alone) as runtime, Service(runtime, [tiny()], GatewaySettings(max_sessions=3)) as service:
        opened = await asyncio.gather(
            *(service.open("tiny-shop", opened_by="rest") for _ in range(8)), return_exceptions=True
        )
        assert [type(outcome) for outcome in opened].count(Full) == 5
        assert len(service.slots) == 3


async def test_a_session_closed_during_a_call_answers_clearly(shop: Served) -> None:
    session = await shop.open()
    calls = [shop.rest.post(f"/sessions/{session}/calls", json={"tool": "list_items"}) for _ in range(20)]
    *answers, closed = await asyncio.gather(*calls, shop.rest.delete(f"/sessions/{session}"))
    assert closed.status_code == 204
    assert {answer.status_code for answer in answers} <= {200, 404}


async def test_an_environment_that_does_not_load_is_found_before_serving(runtime: Runtime) -> None:
    with pytest.raises(EnvironmentFault, match=r"tiny-shop does not load.*SyntaxError"):
        async with Service(runtime, [tiny(source="def broken(:\n")]):
            pass


def test_two_environments_with_one_key_are_refused(runtime: Runtime) -> None:
    with pytest.raises(UsageError, match="tiny-shop"):
        Service(runtime, [tiny(), tiny(items=3)])


@pytest.mark.parametrize(
    "settings", [{"max_sessions": 0}, {"idle_seconds": 0.0}, {"lost_seconds": -1.0}, {"token": " "}, {"token": "a\nb"}]
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        GatewaySettings(**settings)  # type: ignore[arg-type]


async def test_metrics_count_what_happened(serve: Serve) -> None:
    async with serve(max_sessions=1) as gateway:
        session = await gateway.open()
        await gateway.call(session, "get_item", {"item_id": 1})
        await gateway.call(session, "get_item", {"item_id": 999})
        await gateway.rest.post("/sessions", json={"environment": "tiny-shop"})
        answer = await gateway.rest.get("/metrics")
        assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
        samples = _samples(answer)
        assert samples['envfactory_sessions_open{environment="tiny-shop"}'] == 1
        assert samples["envfactory_sessions_capacity"] == 1
        assert samples["envfactory_sessions_refused_total"] == 1
        assert samples['envfactory_calls_total{environment="tiny-shop",outcome="ok"}'] == 1
        assert samples['envfactory_calls_total{environment="tiny-shop",outcome="agent"}'] == 1
        assert samples['envfactory_call_seconds_count{environment="tiny-shop"}'] == 2
        assert samples['envfactory_call_seconds_bucket{environment="tiny-shop",le="+Inf"}'] == 2
        assert samples["envfactory_processes"] >= 2
        assert samples["envfactory_worker_deaths_total"] >= 0
        buckets = [n for name, n in samples.items() if name.startswith("envfactory_call_seconds_bucket")]
        assert buckets == sorted(buckets), "each bucket counts the ones before it"


def _samples(answer: httpx2.Response) -> dict[str, float]:
    lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}
