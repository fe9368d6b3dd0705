"""What was paid once is not paid again; what decides an answer is part of its key."""

import asyncio

import pytest
from language_kit import ask, settings_for
from played_endpoint import PlayedEndpoint, fails, says

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.ledger import read_ledger
from envfactory_dagster.language.messages import AnswerUnusable


async def test_a_second_run_pays_nothing(endpoint, gateway_to, tmp_path):
    for _ in range(2):
        async with gateway_to(models={"author": "gpt-4.1"}) as gateway:
            answer = await ask(gateway)
    assert endpoint.calls == 1
    assert answer.cached and answer.usage.cost_usd == 0.0
    paid, free = read_ledger(tmp_path).to_dicts()
    assert not paid["cached"] and paid["cost_usd"] > 0
    assert free["cached"] and (free["cost_usd"], free["tokens_in"]) == (0.0, 0)


async def test_an_unusable_answer_is_not_paid_twice_either(endpoint, gateway_to):
    endpoint.always = says("no")
    async with gateway_to() as gateway:
        for _ in range(2):
            with pytest.raises(AnswerUnusable):
                await ask(gateway)
    assert endpoint.calls == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": 1},
        {"temperature": 0.5},
        {"instructions": "Invent another dish."},
        {"context": {"kind": "salad"}},
        {"schema_name": "meal"},
        {"conversation": [{"role": "user", "content": "cheaper"}]},
    ],
)
async def test_a_different_question_is_asked(endpoint, gateway_to, changes):
    async with gateway_to() as gateway:
        await ask(gateway)
        await ask(gateway, **changes)
    assert endpoint.calls == 2


@pytest.mark.parametrize("changes", [{"models": {"author": "other"}}, {"limits": {"max_output_tokens": 99}}])
async def test_a_different_model_or_length_limit_is_asked(endpoint, gateway_to, changes):
    for given in ({}, changes):
        async with gateway_to(**given) as gateway:
            await ask(gateway)
    assert endpoint.calls == 2


async def test_one_model_name_at_two_addresses_is_two_models(tmp_path):
    ones, others = PlayedEndpoint(says('{"name": "a", "price": 1}')), PlayedEndpoint(says('{"name": "b", "price": 2}'))
    apps = [ones.app(), others.app()]
    apps[1].version = "2"
    names = []
    for app in apps:
        async with Gateway(settings_for(), tmp_path, app=app) as gateway:
            names.append((await ask(gateway)).value.name)
    assert names == ["a", "b"]


async def test_identical_questions_at_once_are_asked_once(endpoint, gateway_to, tmp_path):
    async with gateway_to() as gateway:
        answers = await asyncio.gather(*(ask(gateway) for _ in range(20)))
    assert endpoint.calls == 1
    assert sorted(answer.cached for answer in answers) == [False] + [True] * 19
    assert len(read_ledger(tmp_path)) == 20


async def test_two_writers_of_one_home_ask_an_identical_question_once(endpoint, gateway_to):
    async with gateway_to() as one, gateway_to() as other:
        answers = await asyncio.gather(ask(one), ask(other))
    assert endpoint.calls == 1
    assert {answer.cached for answer in answers} == {False, True}


async def test_a_failure_is_not_kept(endpoint, gateway_to):
    endpoint.stage.append(fails(401))
    async with gateway_to() as gateway:
        with pytest.raises(UsageError):
            await ask(gateway)
        assert (await ask(gateway)).value.name == "soup"
