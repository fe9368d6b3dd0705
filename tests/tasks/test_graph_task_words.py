"""The words of tasks along the tool graph: what a text has to say, and what it must not."""

from dataclasses import replace
from random import Random

import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import strategies as st

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.graph_tasks import GraphTaskWordingAnswer, GraphTaskWordingContext
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.graph_tasks.choosing import choose, meant
from envfactory_dagster.tasks.graph_tasks.describing import context_of
from envfactory_dagster.tasks.graph_tasks.making import Wanted
from envfactory_dagster.tasks.graph_tasks.reading import forms, mentions
from envfactory_dagster.tasks.graph_tasks.steps import Item, Walked
from envfactory_dagster.tasks.graph_tasks.wording import problems_of
from tests.support.alpine_author import Asked
from tests.tasks.graph_kit import maker_of
from tests.tasks.program_kit import gateway_of
from tests.tasks.wording_kit import plain_words

Drafted = tuple[Walked, GraphTaskWordingContext, GraphTaskWordingAnswer]


@pytest_asyncio.fixture(scope="module")
async def drafted(runtime: Runtime, huts: Bundle, tmp_path_factory: pytest.TempPathFactory) -> Drafted:
    """A draft in which something is said and something told, with plain words for it."""
    async with gateway_of(tmp_path_factory.mktemp("home"), plain_words) as gateway:
        maker = maker_of(gateway, runtime, huts)
        for level in (3, 4, 5):
            for walked in await maker.drafts(Wanted(f"draft_{level}", level, "initial"), 7):
                context = context_of(huts, walked, "initial", obscured=False)
                if walked.changes and walked.tellings and any(wish.values for wish in context.wishes):
                    words = plain_words(Asked("graph_task_wording", context.model_dump(mode="json"), []))
                    return walked, context, GraphTaskWordingAnswer.model_validate(words)
    raise AssertionError("no draft says and tells anything")


def said_of(drafted: Drafted, **changed: object) -> list[str]:
    walked, context, answer = drafted
    worded = answer.model_copy(update=changed)
    return [problem.message for problem in problems_of(context, walked, worded, "")]


def test_a_text_that_says_all_that_is_wanted_is_taken(drafted: Drafted) -> None:
    assert said_of(drafted) == []


def test_a_text_that_leaves_something_out_is_sent_back(drafted: Drafted) -> None:
    missing = said_of(drafted, text="Please do as usual, and tell me what is wanted.")
    assert any("does not say" in sentence for sentence in missing)


def test_a_text_must_ask_for_what_it_wants_to_know(drafted: Drafted) -> None:
    assert any("tell me" in sentence for sentence in said_of(drafted, text="Do it all."))


def test_names_of_the_code_and_numbers_of_rows_are_sent_back(drafted: Drafted) -> None:
    walked, context, answer = drafted
    spoken = said_of(drafted, text=f"{answer.text} Use {context.unspeakable[0]} and list_all_of_it.")
    assert sum("No person would say" in sentence for sentence in spoken) == 2
    [number, *_] = [
        source.value
        for step in walked.steps
        for name, source in step.arguments.items()
        if name.endswith("_id") and isinstance(source.value, int)
    ]
    assert any("number of a row" in one for one in said_of(drafted, text=f"{answer.text} I mean id {number}."))


def test_a_text_that_gives_the_answer_away_is_sent_back(drafted: Drafted) -> None:
    walked, context, answer = drafted
    telling = walked.tellings[0].__class__(walked.steps[0].number, "value", "name", "", None, "Nebelhorn refuge")
    giving = replace(walked, tellings=(telling,))
    told = said_of((giving, context, answer), text=f"{answer.text} It is the Nebelhorn refuge.")
    assert any("gives away 'Nebelhorn refuge'" in sentence for sentence in told)


def test_a_rubric_speaks_of_every_wish(drafted: Drafted) -> None:
    assert any("one for each wish" in one for one in said_of(drafted, rubric=drafted[2].rubric[:1]))


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("price_cents", 4500, ["45.00", "45", "4500 cents"]),
        ("ends_on", "2026-07-16", ["16 July 2026", "July 16, 2026", "2026-07-16"]),
        ("starts_at", "2026-07-16T09:30:00", ["16 July 2026 at 09:30", "2026-07-16T09:30:00"]),
        ("people", 3, ["3", "three"]),
        ("report.from_quarter", 1, ["1", "one", "first quarter"]),
        ("status", "in_review", ["in review"]),
    ],
)
def test_values_may_be_said_as_people_say_them(field: str, value: Json, said: list[str]) -> None:
    assert set(said) <= set(forms(field, value))


def test_only_what_is_counted_off_is_said_by_its_place() -> None:
    assert not any(mentions("First of all, I am the first of the first people.", form) for form in forms("people", 1))
    assert not any(mentions("First of all, I need it.", form) for form in forms("quarter", 1))


def test_a_number_within_another_is_not_said() -> None:
    assert mentions("for 45 people", "45")
    assert not mentions("for 45.50", "45")
    assert not mentions("for 145 people", "45")


# -- which one is meant ------------------------------------------------------------------------------------------------

ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.sampled_from(["Alma", "Berta", "Clara"]),
            "beds": st.integers(2, 5),
            "opens_on": st.sampled_from(["2026-05-01", "2026-06-01"]),
        }
    ),
    min_size=1,
    max_size=8,
).map(lambda rows: [{"id": number, **row} for number, row in enumerate(rows)])


@given(ROWS, st.booleans(), st.randoms(use_true_random=False))
def test_signs_fit_the_chosen_item_and_no_other(rows: list[dict[str, Json]], obscured: bool, chance: Random) -> None:
    chosen = choose(rows, obscured, chance)
    if chosen is not None:
        row, signs = chosen
        assert meant(Item(1, "rows", signs), rows) == [row]
        assert all(sign.field != "id" for sign in signs)


@given(ROWS, st.randoms(use_true_random=False))
def test_an_item_that_has_a_twin_is_not_chosen(rows: list[dict[str, Json]], chance: Random) -> None:
    twins = [row for row in rows for _ in range(2)]
    assert choose(twins, False, chance) is None


def test_an_obscured_item_is_known_by_what_it_is_like() -> None:
    rows: list[dict[str, Json]] = [{"id": 1, "name": "Alma", "beds": 4}, {"id": 2, "name": "Berta", "beds": 9}]
    for seed in range(5):
        chosen = choose(rows, True, Random(seed))
        assert chosen is not None
        assert [sign.field for sign in chosen[1]] == ["beds"]
