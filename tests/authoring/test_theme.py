"""The gate of the theme, on the alpine huts: it takes them as they are, and names every defect."""

import re
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.authoring.theme import problems_of
from envfactory_dagster.contracts.domain import Rule, Theme
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.runtime.runtime import Runtime
from tests.authoring.line_kit import line
from tests.support.alpine_author import RULES, Answer, Asked, alpine_author, huts

WORDS = "hut bunk meal trail guide rope snow storm map boot stove lamp key ledger bill member warden season night peak"


def theme(**changes: Any) -> Theme:
    return huts().theme.model_copy(update=changes)


def with_a_rule(text: str) -> Theme:
    return theme(rules=[Rule(id="another", text=text), *huts().theme.rules[1:]])


DEFECTS: dict[str, tuple[Theme, str]] = {
    "too few rules": (theme(rules=huts().theme.rules[:4]), "6 rules were asked for, there are 4"),
    "too many rules": (theme(rules=huts().theme.rules + huts().theme.rules[:2]), "6 rules were asked for, there are 8"),
    "too few entities": (theme(entities=["hut", "person"]), "at least three entities"),
    "a description of 19 words": (theme(description=WORDS.rsplit(" ", 1)[0]), "description is too short"),
    "signing in": (theme(description=f"{WORDS}. Members sign in first."), "Leave out 'sign in': the person is already"),
    "a login": (theme(description=f"{WORDS}. You log in with a card."), "Leave out 'log in'"),
    "a password in a rule": (with_a_rule("Nobody enters a wrong password 3 times."), "Leave out 'password'"),
    "credentials in a rule": (with_a_rule("Credentials expire after 30 days."), "Leave out 'Credentials'"),
    "being authenticated": (with_a_rule("A call is authenticated within 5 minutes."), "Leave out 'authenticated'"),
}


def test_the_huts_are_accepted() -> None:
    assert problems_of(theme(), RULES) == []


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_defect_is_named(defect: str) -> None:
    spoiled, message = DEFECTS[defect]
    (problem,) = problems_of(spoiled, RULES)
    assert problem.fault == "answer"
    assert re.search(message, problem.message), problem.message


def test_the_sentence_with_the_word_is_shown() -> None:
    (problem,) = problems_of(with_a_rule("Nobody enters a wrong password 3 times."), RULES)
    assert problem.snippet == "Nobody enters a wrong password 3 times."


@pytest.mark.parametrize(
    "right",
    [
        theme(rules=huts().theme.rules[:5]),
        theme(rules=[*huts().theme.rules, Rule(id="another", text="A bunk holds 1 person.")]),
        theme(entities=["hut", "person", "booking"]),
        theme(description=WORDS),
        theme(description=f"{WORDS}. Wardens log in the guests who arrive."),
    ],
    ids=["a rule less", "a rule more", "three entities", "twenty words", "what is written into a log"],
)
def test_what_is_just_enough_is_accepted(right: Theme) -> None:
    assert problems_of(right, RULES) == []


async def test_what_is_no_theme_at_all_is_told_to_its_author_who_mends_it(
    runtime: Runtime, settings: AuthoringSettings, proposal: PooledProposal, tmp_path: Path
) -> None:
    def spoil(asked: Asked, answer: Answer) -> Answer:
        return answer if asked.reports else answer | {"rules": [answer["rules"][0], *answer["rules"][:5]]}

    async with line(alpine_author(spoil), runtime, tmp_path, settings) as stages:
        record = (await stages.run(proposal, until="theme"))["theme"]
    assert record.status == "ok"
    (problem,) = record.attempts[0].problems
    assert problem.fault == "answer"
    assert "rule ids must be unique; repeated: cancellation_window" in problem.message
    assert record.attempts[1].problems == []
