"""How often a model is asked again."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from envfactory_dagster.authoring.loop import Question, author
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.requests import ThemeAnswer, ThemeContext
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.language.settings import LanguageSettings
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
