"""How often a model is asked again."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from envfactory_dagster.authoring.accounts import AccountedStage
from envfactory_dagster.authoring.loop import Authored, Gate, Question, author
from envfactory_dagster.contracts.base import Contract
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.records import Problem, Spent
from envfactory_dagster.contracts.requests import ThemeAnswer, ThemeContext
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.language.settings import LanguageSettings, LimitSettings
from tests.language.played_endpoint import PlayedEndpoint, fails, says
from tests.support.alpine_author import alpine_author


@pytest.mark.parametrize(("mendable", "asked"), [(True, 3), (False, 1)])
async def test_what_no_answer_can_mend_is_not_asked_again(
    proposal: PooledProposal, tmp_path: Path, mendable: bool, asked: int
) -> None:
    context = ThemeContext(key=proposal.key, proposal=proposal.proposal, size="full", rules=5)
    question = Question("theme", ThemeAnswer, "Work it out.", context)
    settings = LanguageSettings(
        base_url="http://model/v1", api_key=SecretStr("none"), models=dict.fromkeys(Role, "author")
    )

    async def gate(answer: ThemeAnswer) -> list[Problem]:
        return [Problem(fault="tasks", message="It cannot be.", mendable=mendable)]

    async with Gateway(settings, tmp_path, app=alpine_author()) as gateway:
        caller = Caller("theme", proposal.key, Role.AUTHOR)
        authored = await author(gateway, caller, question, gate, attempts=3)
    assert (authored.value, len(authored.attempts)) == (None, asked)


class Number(Contract):
    number: int


NOTHING_TO_JUDGE = [
    says(None, refusal="I would rather not."),
    says('{"number": 1', finish="length"),
    says("Certainly! A number, you say?"),
    says('{"number": "one"}'),
]
CALLER = Caller("numbers", "a", Role.AUTHOR)


async def asked_for_a_number(gateway: Gateway, gate: Gate[Number]) -> Authored[Number]:
    return await author(
        gateway, CALLER, Question("number", Number, "Name a number.", Number(number=0)), gate, attempts=3
    )


def gateway_to(endpoint: PlayedEndpoint, home: Path, **changes: Any) -> Gateway:
    models, quick = dict.fromkeys(Role, "played"), LimitSettings(backoff_s=0.001)
    settings = LanguageSettings(base_url="http://played/v1", models=models, limits=quick, **changes)
    return Gateway(settings, home, app=endpoint.app())


async def never(answer: Number) -> list[Problem]:
    return [Problem(fault="tasks", message="Another one.")]


async def test_answers_with_nothing_to_judge_use_up_no_attempt(tmp_path: Path) -> None:
    right = says('{"number": 7}')
    endpoint = PlayedEndpoint(always=right)
    endpoint.stage.extend([*NOTHING_TO_JUDGE, right, *NOTHING_TO_JUDGE, right])
    async with gateway_to(endpoint, tmp_path) as gateway:
        authored = await asked_for_a_number(gateway, never)
    assert authored.rejection() == "not accepted after 3 attempts; tasks: Another one."
    assert [len(attempt.unusable) for attempt in authored.attempts] == [4, 4, 0]
    assert [attempt.tokens_in for attempt in authored.attempts] == [500, 500, 100], "they are paid for all the same"
    assert "refused" in authored.attempts[0].unusable[0].message
    last = endpoint.bodies[8]["messages"]
    assert "Another one." in last[-3]["content"], "what was wrong with the content is not forgotten over it"
    assert len({body["seed"] for body in endpoint.bodies}) == endpoint.calls == 11


async def test_a_model_that_always_refuses_is_not_asked_for_ever(tmp_path: Path) -> None:
    endpoint = PlayedEndpoint(always=NOTHING_TO_JUDGE[0])
    async with gateway_to(endpoint, tmp_path) as gateway:
        authored = await asked_for_a_number(gateway, never)
    assert (endpoint.calls, authored.value) == (5, None)
    assert authored.rejection() == (
        "not accepted after 1 attempt; answer: 5 answers in a row could not be used. The last one: "
        "The model refused to answer: I would rather not."
    )


class Numbers:
    """A stage that takes no number."""

    name, upstream, code_version = "numbers", (), "1"

    def __init__(self, gateway: Gateway) -> None:
        self.gateway = gateway

    def settings_hash(self) -> str:
        return ""

    async def make(self, stage_input: StageInput) -> StageOutcome:
        authored = await asked_for_a_number(self.gateway, never)
        return StageOutcome(None, authored.attempts, authored.rejection())


async def test_who_is_asked_again_after_a_rejection_is_asked_anew(tmp_path: Path) -> None:
    endpoint = PlayedEndpoint(always=says('{"number": 7}'))
    async with gateway_to(endpoint, tmp_path) as gateway:
        stage = AccountedStage(Numbers(gateway), gateway)
        for redo, calls in ((0, 3), (0, 3), (1, 6), (2, 9), (1, 9)):
            await stage.make(StageInput("a", {}, redo))
            assert endpoint.calls == calls, "the same question with the same seed is answered from the cache"
    assert len({body["seed"] for body in endpoint.bodies}) == 9


async def test_what_a_stage_spent_is_counted_with_the_answers_that_were_of_no_use(tmp_path: Path) -> None:
    endpoint = PlayedEndpoint(always=says('{"number": 7}', tokens=(1000, 100)))
    endpoint.stage.extend([fails(503), NOTHING_TO_JUDGE[0]])
    own = tmp_path / "prices.yaml"
    own.write_text("played: {input: 1, output: 10}")
    async with gateway_to(endpoint, tmp_path, prices_path=own) as gateway:
        stage = AccountedStage(Numbers(gateway), gateway)
        first, again = [(await stage.make(StageInput("a", {}))).spent for _ in range(2)]
    assert first is not None and (first.calls, first.tokens_in, first.tokens_out) == (4, 3_100, 320)
    assert first.cost_usd == pytest.approx(0.0063)
    assert again == Spent(reused=4)


async def test_what_has_no_price_costs_an_unknown_amount(tmp_path: Path) -> None:
    async with gateway_to(PlayedEndpoint(always=says('{"number": 7}')), tmp_path) as gateway:
        spent = (await AccountedStage(Numbers(gateway), gateway).make(StageInput("a", {}))).spent
    assert spent == Spent(calls=3, tokens_in=300, tokens_out=60, cost_usd=None)
