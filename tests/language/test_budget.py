"""The budget is never exceeded, also by many calls at once, and what it stops can go on later."""

import asyncio
import re
from datetime import UTC, datetime, timedelta

import pytest
from language_kit import ask, settings_for
from played_endpoint import cut_off, fails, never_ends, says, sends, sends_raw

from envfactory_dagster.contracts.errors import BudgetExceeded, InfrastructureFault, UsageError
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.ledger import read_ledger

ANSWER = '{"name": "soup", "price": 4}'
PRICED = {"author": "gpt-4.1"}


def spent(home):
    rows = read_ledger(home)
    return (rows["tokens_in"] + rows["tokens_out"]).sum(), rows["cost_usd"].sum()


async def ask_many(gateway, count):
    """How many of so many different questions were answered, and what the others raised."""
    results = await asyncio.gather(*(ask(gateway, f"dish {i}") for i in range(count)), return_exceptions=True)
    errors = [result for result in results if isinstance(result, Exception)]
    return count - len(errors), errors


async def test_tokens_stay_within_the_budget_under_concurrency(endpoint, home):
    endpoint.always = says(ANSWER, tokens=(400, 100))
    settings = settings_for(budget={"tokens": 10_000}, limits={"max_output_tokens": 100})
    async with Gateway(settings, home, app=endpoint.app()) as gateway:
        answered, errors = await ask_many(gateway, 40)
    assert spent(home)[0] <= 10_000
    assert {type(error) for error in errors} == {BudgetExceeded}
    # A call is refused when the most it could use (its bytes and the length limit) no longer fits.
    most_one_call_uses = 1_500
    assert answered * 500 > 10_000 - most_one_call_uses - 500


async def test_dollars_stay_within_the_budget_of_two_writers(endpoint, home):
    endpoint.always = says(ANSWER, tokens=(400, 100))
    settings = settings_for(models=PRICED, budget={"usd": 0.02}, limits={"max_output_tokens": 100})
    app = endpoint.app()
    async with Gateway(settings, home, app=app) as one, Gateway(settings, home, app=app) as other:
        await asyncio.gather(ask_many(one, 30), ask_many(other, 60))
    assert 0.015 < spent(home)[1] <= 0.02


async def test_calls_wait_for_reservations_that_turn_out_cheaper(endpoint, gateway_to):
    endpoint.always = says(ANSWER, tokens=(1, 1))
    async with gateway_to(budget={"tokens": 3_000}, limits={"max_output_tokens": 1_500}) as gateway:
        answered, errors = await ask_many(gateway, 10)
    assert (answered, errors) == (10, [])


async def test_the_message_says_what_was_spent_what_is_allowed_and_what_to_set(endpoint, gateway_to):
    endpoint.always = says(ANSWER, tokens=(400, 100))
    async with gateway_to(
        models=PRICED, budget={"usd": 0.05, "tokens": 2_200}, limits={"max_output_tokens": 1_000}
    ) as gateway:
        await ask(gateway)
        with pytest.raises(BudgetExceeded) as caught:
            await ask(gateway, "salad")
    message = str(caught.value)
    assert "$0.0016 and 500 tokens were spent of $0.0500 and 2200 tokens" in message
    assert "ENVFACTORY_BUDGET_TOKENS" in message and "menu, corner-cafe" in message
    assert endpoint.calls == 1


async def test_what_is_cached_is_free_even_without_any_budget(endpoint, gateway_to):
    async with gateway_to() as gateway:
        await ask(gateway)
    async with gateway_to(budget={"tokens": 0}) as gateway:
        assert (await ask(gateway)).cached
        with pytest.raises(BudgetExceeded):
            await ask(gateway, "salad")


async def test_a_budget_counts_from_its_moment(endpoint, gateway_to):
    endpoint.always = says(ANSWER, tokens=(5_000, 100))
    start = datetime.now(UTC)
    async with gateway_to() as gateway:
        await ask(gateway)
    limits = {"max_output_tokens": 100}
    for since in (start - timedelta(hours=1), start):
        async with gateway_to(budget={"tokens": 6_000, "since": since}, limits=limits) as gateway:
            with pytest.raises(BudgetExceeded):
                await ask(gateway, "salad")
    async with gateway_to(budget={"tokens": 6_000}, limits=limits) as gateway:
        assert (await ask(gateway, "salad")).value.name == "soup"


async def test_dollars_need_a_price(endpoint, gateway_to):
    async with gateway_to(budget={"usd": 1.0}) as gateway:
        with pytest.raises(UsageError, match="price of 'played' is not known"):
            await ask(gateway)
    assert endpoint.calls == 0


async def test_a_price_table_of_ones_own_is_enough(gateway_to, tmp_path):
    own = tmp_path / "prices.yaml"
    own.write_text("played: {input: 10, output: 100, cached: 1}\n")
    async with gateway_to(budget={"usd": 5.0}, prices_path=own) as gateway:
        answer = await ask(gateway)
    assert answer.usage.cost_usd == pytest.approx((100 * 10 + 20 * 100) / 1e6)


async def test_failures_give_their_reservation_back(endpoint, gateway_to):
    endpoint.stage.extend([fails(503)] * 2)
    async with gateway_to(budget={"tokens": 37_000}) as gateway:
        assert (await ask(gateway)).value.name == "soup"


@pytest.mark.parametrize(
    ("no_answer", "tokens", "estimated"),
    [
        (sends({"choices": [], "usage": {"prompt_tokens": 300, "completion_tokens": 50}}), 350, False),
        (sends({"choices": []}), None, True),
        (sends_raw('{"choices": [{"mess'), None, True),
        (sends_raw(""), None, True),
    ],
)
async def test_a_body_that_is_no_answer_counts_as_it_says_or_as_the_most_it_can_have_used(
    endpoint, gateway_to, tmp_path, no_answer, tokens, estimated
):
    endpoint.always = says(ANSWER, tokens=(400, 100))
    limits = {"max_output_tokens": 1_000, "attempts": 2}
    endpoint.stage.extend([no_answer, endpoint.always])
    async with gateway_to(models=PRICED, budget={"tokens": 10_000}, limits=limits) as gateway:
        await ask(gateway)
        (row,) = read_ledger(tmp_path).to_dicts()
        wasted = row["tokens_in"] + row["tokens_out"] - 500
        assert wasted == tokens if tokens else wasted > 1_000
        assert row["tokens_estimated"] == estimated and row["retries"] == 1
        assert row["cost_usd"] > 0.0016 + (1_000 * 8 / 1e6 if estimated else 50 * 8 / 1e6)


async def test_what_was_wasted_ends_the_budget_and_is_in_the_ledger(endpoint, gateway_to, tmp_path):
    endpoint.always = sends_raw("")
    limits = {"max_output_tokens": 1_000, "attempts": 5}
    async with gateway_to(budget={"tokens": 6_000}, limits=limits) as gateway:
        with pytest.raises(BudgetExceeded) as caught:
            await ask(gateway)
    assert 1 < endpoint.calls < 5
    (row,) = read_ledger(tmp_path).to_dicts()
    assert (row["outcome"], row["retries"]) == ("failed", endpoint.calls)
    assert f"{spent(tmp_path)[0]} tokens were spent of 6000 tokens" in str(caught.value)
    assert "$" not in str(caught.value), "nobody knows the price"


async def counted(gateway_to, since):
    """The tokens that the budget has counted."""
    async with gateway_to(budget={"tokens": 0, "since": since}) as gateway:
        with pytest.raises(BudgetExceeded) as caught:
            await ask(gateway, "what nobody asked")
    return int(re.search(r"(\d+) tokens were spent", str(caught.value))[1])


def starts(gateway, *dishes):
    return [asyncio.create_task(ask(gateway, dish)) for dish in dishes]


def holds_back_its_second_answer(endpoint):
    """The first one is empty. The second has arrived at the endpoint with the first event, and comes with the other."""
    arrived, go = asyncio.Event(), asyncio.Event()

    async def waits(body):
        arrived.set()
        await go.wait()
        return says(ANSWER)(body)

    endpoint.stage.extend([sends_raw(""), waits])
    return arrived, go


@pytest.mark.parametrize(
    ("end", "backoff_s"), [(asyncio.CancelledError, 60.0), (InfrastructureFault, 60.0), (InfrastructureFault, 0.2)]
)
async def test_a_call_that_ends_between_two_attempts_leaves_what_it_wasted(
    endpoint, gateway_to, tmp_path, end, backoff_s
):
    """Because its caller went away, or the gateway was closed: then it may wake up long afterwards."""
    start = datetime.now(UTC)
    endpoint.stage.append(sends_raw(""))
    async with gateway_to(limits={"concurrency": 1, "backoff_s": backoff_s}) as gateway:
        soup, salad = starts(gateway, "soup", "salad")
        await salad  # which had to wait until the soup's first attempt was over
        if end is asyncio.CancelledError:
            soup.cancel()
            await asyncio.wait([soup])
    if backoff_s < 1:
        with pytest.raises(end, match="gateway was closed"):
            await soup
    soup.cancel()
    await asyncio.wait([soup])
    rows = read_ledger(tmp_path)
    assert sorted(rows["outcome"]) == ["answered", "failed"]
    assert rows.filter(rows["outcome"] == "failed")["tokens_in"].item() > 0
    assert spent(tmp_path)[0] == await counted(gateway_to, start)


async def test_a_call_that_waits_for_its_next_attempt_when_the_gateway_closes(endpoint, gateway_to, tmp_path):
    start, (arrived, go) = datetime.now(UTC), holds_back_its_second_answer(endpoint)
    async with gateway_to(limits={"concurrency": 1}) as gateway:
        soup, salad = starts(gateway, "soup", "salad")
        await arrived.wait()
        asyncio.get_running_loop().call_soon(go.set)
    await salad
    with pytest.raises(InfrastructureFault, match="gateway was closed"):
        await soup
    assert sorted(read_ledger(tmp_path)["outcome"]) == ["answered", "failed"]
    assert spent(tmp_path)[0] == await counted(gateway_to, start)


async def test_what_was_wasted_is_booked_though_another_process_was_answered(endpoint, gateway_to, tmp_path):
    start, (arrived, go) = datetime.now(UTC), holds_back_its_second_answer(endpoint)
    async with gateway_to(limits={"concurrency": 1}) as one, gateway_to() as other:
        soup, salad = starts(one, "soup", "salad")
        await arrived.wait()
        assert not (await ask(other, "soup")).cached
        go.set()
        assert (await soup).cached
        await salad
    rows = read_ledger(tmp_path)
    assert sorted(zip(rows["outcome"], rows["cached"], strict=True)) == [
        ("answered", False),
        ("answered", False),
        ("answered", True),
        ("failed", False),
    ]
    assert spent(tmp_path)[0] == await counted(gateway_to, start)


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": -10_000_000, "completion_tokens": 10},
        {"prompt_tokens": 10, "completion_tokens": -10_000_000},
        {"prompt_tokens": 10, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 50_000_000}},
        {"prompt_tokens": 10, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": -5}},
        {"prompt_tokens": "many", "completion_tokens": 1.5},
        {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
        {"prompt_tokens": 0, "completion_tokens": 10},
        {"prompt_tokens": 10, "completion_tokens": 0},
        {"prompt_tokens": 10},
        {"prompt_tokens": 10**30, "completion_tokens": 10},
        "nonsense",
    ],
)
async def test_an_absurd_usage_is_estimated_instead(endpoint, gateway_to, tmp_path, usage):
    body = {"choices": [{"index": 0, "finish_reason": "stop", "message": {"content": ANSWER}}], "usage": usage}
    endpoint.always = sends(body)
    async with gateway_to(models=PRICED) as gateway:
        assert (await ask(gateway)).value.name == "soup"
    (row,) = read_ledger(tmp_path).to_dicts()
    assert row["tokens_estimated"] and row["cost_usd"] > 0
    assert 0 < row["tokens_in"] < 10_000 and 0 < row["tokens_out"] < 10_000 and row["tokens_cached"] == 0


@pytest.mark.parametrize("fault", [never_ends, cut_off, fails(500), fails(504)])
async def test_what_an_endpoint_may_have_worked_on_counts_though_it_did_not_answer(
    endpoint, gateway_to, tmp_path, fault
):
    endpoint.stage.append(fault)
    given = {"budget": {"tokens": 40_000}, "limits": {"timeout_s": 0.3, "max_output_tokens": 1_000}}
    async with gateway_to(models=PRICED, **given) as gateway:
        await ask(gateway)
    rows = read_ledger(tmp_path)
    assert rows["tokens_in"].sum() + rows["tokens_out"].sum() > 1_000, "the attempt is counted at what it may have used"
    assert rows["tokens_estimated"].any() and rows["cost_usd"].sum() > 0.001 * 8 / 2


async def test_an_endpoint_that_is_not_there_costs_nothing(tmp_path):
    async with Gateway(settings_for("http://127.0.0.1:9/v1", limits={"attempts": 2}), tmp_path) as nobody:
        with pytest.raises(InfrastructureFault):
            await ask(nobody)
    assert spent(tmp_path) == (0, 0)
