"""What endpoints do wrong, in process and over real HTTP, and how each of it reaches the caller."""

import asyncio

import pytest
from language_kit import ask, settings_for
from played_endpoint import cut_off, fails, never_ends, says, sends, sends_raw

from envfactory_dagster.contracts.errors import InfrastructureFault, UsageError
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.ledger import read_ledger

GOOD = says('{"name": "soup", "price": 4}')
PAGE = "<!DOCTYPE html><html><body>Welcome to the admin console</body></html>"


@pytest.mark.parametrize(
    "fault",
    [
        fails(408),
        fails(409),
        fails(429, headers={"retry-after": "0.001"}),
        fails(429, headers={"retry-after-ms": "1"}),
        fails(429, headers={"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}),
        fails(500),
        fails(502),
        sends_raw(PAGE, status=503, kind="text/html"),
        sends_raw(""),
        sends_raw('{"choices": [{"mess'),
        sends({"error": {"message": "upstream is busy"}}),
        sends({"choices": []}),
        sends_raw("pong", kind="text/plain"),
    ],
)
async def test_a_passing_fault_is_tried_again(endpoint, gateway, tmp_path, fault):
    endpoint.stage.extend([fault, fault])
    async with gateway() as open_gateway:
        assert (await ask(open_gateway)).value.name == "soup"
    assert endpoint.calls == 3
    (row,) = read_ledger(tmp_path).to_dicts()
    assert row["retries"] == 2 and row["seconds_lost"] > 0 and row["outcome"] == "answered"


async def test_a_connection_that_breaks_in_the_middle_of_a_body_is_tried_again(endpoint, url, tmp_path):
    endpoint.stage.append(cut_off)
    async with Gateway(settings_for(url), tmp_path) as gateway:
        assert (await ask(gateway)).value.name == "soup"
    assert endpoint.calls == 2


async def test_an_answer_that_never_ends_is_tried_again(endpoint, gateway):
    endpoint.stage.append(never_ends)
    async with gateway(limits={"timeout_s": 0.2}) as open_gateway:
        assert (await ask(open_gateway)).value.name == "soup"


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (fails(429, "slow down"), 'answered 429: {"error":{"message":"slow down"}}'),
        (fails(500), "answered 500"),
        (sends_raw(""), "empty body"),
        (sends_raw('{"choices": [{"mess'), "something else than asked (Invalid JSON: EOF while parsing"),
        (sends({"choices": []}), "something else than asked (choices: List should have at least 1 item"),
    ],
)
async def test_a_lasting_fault_is_the_services(endpoint, gateway_to, tmp_path, fault, told):
    endpoint.always = fault
    async with gateway_to(limits={"attempts": 3}) as gateway:
        with pytest.raises(InfrastructureFault) as caught:
            await ask(gateway)
    assert told in str(caught.value) and "Attempts: 3 of 3" in str(caught.value)
    assert endpoint.calls == 3
    (row,) = read_ledger(tmp_path).to_dicts()
    assert (row["outcome"], row["retries"], row["cost_usd"]) == ("failed", 2, None)
    assert told in row["error"]


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (never_ends, "did not answer within 0.2 seconds (ENVFACTORY_LLM_TIMEOUT_S)"),
        (fails(504), "answered 504"),
        (fails(524), "answered 524"),
    ],
)
async def test_what_took_too_long_is_asked_for_once_more_and_not_six_times(endpoint, gateway_to, tmp_path, fault, told):
    endpoint.always = fault
    async with gateway_to(limits={"timeout_s": 0.2 if fault is never_ends else 5.0}) as gateway:
        with pytest.raises(InfrastructureFault) as caught:
            await ask(gateway)
    assert told in str(caught.value) and "Attempts: 2 of 6" in str(caught.value)
    assert endpoint.calls == 2
    (row,) = read_ledger(tmp_path).to_dicts()
    assert row["outcome"] == "failed" and row["tokens_out"] == 2 * 32_768


async def test_nobody_listening_is_the_services_fault(tmp_path):
    async with Gateway(settings_for("http://127.0.0.1:9/v1", limits={"attempts": 2}), tmp_path) as gateway:
        with pytest.raises(InfrastructureFault, match=r"127\.0\.0\.1:9/v1.*could not be reached"):
            await ask(gateway)


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (fails(401, "bad key"), "refuses the key. Set ENVFACTORY_LLM_API_KEY"),
        (fails(403, "forbidden"), "refuses the key"),
        (fails(404, "no such model"), "it has no model 'played'"),
        (sends_raw(PAGE, kind="text/html"), "web page instead of JSON. Set ENVFACTORY_LLM_BASE_URL"),
        (sends_raw(PAGE, status=404, kind="text/html"), "web page instead of JSON"),
        (sends_raw(f"<!-- portal 4.2 -->\n{PAGE}", kind="text/html"), "web page instead of JSON"),
        (sends_raw(f"\ufeff\n{PAGE}", kind="text/html"), "web page instead of JSON"),
        (sends_raw("<?xml version='1.0'?>\n<html>Sign in</html>", kind="text/html"), "web page instead of JSON"),
        (fails(429, "insufficient_quota"), "no quota left"),
    ],
)
async def test_a_wrong_setting_is_told_at_once_with_the_address(endpoint, gateway, fault, told):
    endpoint.always = fault
    async with gateway() as open_gateway:
        with pytest.raises(UsageError) as caught:
            await ask(open_gateway)
    assert told in str(caught.value) and "/v1" in str(caught.value)
    assert endpoint.calls == 1


async def test_an_endpoint_that_asks_for_too_long_a_wait_is_down(endpoint, gateway_to):
    endpoint.always = fails(429, headers={"retry-after": "3600"})
    async with gateway_to() as gateway:
        with pytest.raises(InfrastructureFault, match="asks to wait 3600 s"):
            await ask(gateway)
    assert endpoint.calls == 1


async def test_a_bug_of_the_app_in_this_process_is_an_answer_500_and_is_logged(endpoint, gateway_to, caplog):
    endpoint.always = lambda body: body["no such field"]
    async with gateway_to(limits={"attempts": 1}) as gateway:
        with pytest.raises(InfrastructureFault, match="answered 500"):
            await ask(gateway)
    assert "KeyError: 'no such field'" in caplog.text


async def test_a_cancelled_call_leaves_a_row_and_can_be_made_again(endpoint, gateway_to, tmp_path):
    arrived = asyncio.Event()

    async def arrive_and_hang(body):
        arrived.set()
        return await never_ends(body)

    endpoint.stage.append(arrive_and_hang)
    async with gateway_to() as gateway:
        call = asyncio.create_task(ask(gateway))
        await arrived.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert (await ask(gateway)).value.name == "soup"
    outcomes = read_ledger(tmp_path)["outcome"].to_list()
    assert outcomes == ["interrupted", "answered"]


async def test_leaving_waits_for_what_is_on_the_wire_and_sends_nothing_more(endpoint, gateway_to, tmp_path):
    arrived, go = asyncio.Event(), asyncio.Event()

    async def wait_for_go(body):
        arrived.set()
        await go.wait()
        return GOOD(body)

    endpoint.always = wait_for_go
    async with gateway_to(limits={"concurrency": 1}) as gateway:
        on_the_wire, waiting = (asyncio.create_task(ask(gateway, dish)) for dish in ("soup", "salad"))
        await arrived.wait()
        asyncio.get_running_loop().call_soon(go.set)
    assert (await on_the_wire).value.name == "soup"
    with pytest.raises(InfrastructureFault, match="gateway was closed"):
        await waiting
    assert endpoint.calls == 1
    assert read_ledger(tmp_path)["outcome"].to_list() == ["answered"]


def refuses(*fields, unless=None):
    """A server that answers 400 to a request with one of these fields, as servers do."""

    def scene(body):
        for name in fields:
            value = body.get(name)
            kind = value.get("type") if isinstance(value, dict) else None
            if value is not None and (unless is None or kind != unless):
                return (
                    fails(400, f"Unsupported parameter: '{name}'. Use 'max_completion_tokens' instead.")(body)
                    if name == "max_tokens"
                    else fails(400, f"Unsupported parameter: '{name}'")(body)
                )
        return GOOD(body)

    return scene


@pytest.mark.parametrize(
    ("server", "field", "value"),
    [
        (refuses("response_format"), "response_format", None),
        (refuses("response_format", unless="json_object"), "response_format", {"type": "json_object"}),
        (refuses("max_tokens"), "max_completion_tokens", 32_768),
        (refuses("seed"), "seed", None),
        (refuses("temperature"), "temperature", None),
        (refuses("temperature", "max_tokens", "seed", "response_format"), "temperature", None),
    ],
)
async def test_what_a_server_does_not_understand_is_put_more_plainly_and_remembered(
    endpoint, gateway_to, server, field, value
):
    endpoint.always = server
    async with gateway_to() as gateway:
        await ask(gateway, temperature=0.5)
        learned = endpoint.calls
        await ask(gateway, temperature=0.6)
    assert endpoint.calls == learned + 1
    assert endpoint.bodies[-1].get(field) == value


async def test_a_temperature_that_is_kept_is_never_left_out_nor_answered_by_what_was_asked_without(
    endpoint, gateway_to, tmp_path
):
    endpoint.always = refuses("temperature", "seed")
    async with gateway_to() as gateway:
        await ask(gateway, temperature=0.5)
    known = endpoint.calls
    async with Gateway(settings_for(), tmp_path, app=endpoint.app(), keeps_temperature=True) as gateway:
        with pytest.raises(UsageError, match="Unsupported parameter: 'temperature'"):
            await ask(gateway, temperature=0.5)
        assert all("temperature" in body for body in endpoint.bodies[known:])
        await ask(gateway)
    assert "seed" not in endpoint.bodies[-1]


async def test_a_refusal_that_plainness_does_not_help_is_told_and_teaches_nothing(endpoint, gateway_to):
    endpoint.stage.extend([fails(400, "no")] * 3)
    async with gateway_to() as gateway:
        with pytest.raises(UsageError, match="answered 400 to a request for 'played'"):
            await ask(gateway)
        await ask(gateway)
    assert endpoint.bodies[-1]["response_format"]["type"] == "json_schema"
