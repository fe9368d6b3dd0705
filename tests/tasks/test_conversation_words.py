"""The words of conversations: what they must not say, and what must not get lost."""

from collections import Counter
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.tasks.conversations.identifiers import Internals, Unsayable
from envfactory_dagster.tasks.conversations.values import days_meant, holds, of_now, spellings, values_in

# -- what must not be said, and what must not get lost -----------------------------------------------------------------


def test_a_number_gives_an_id_away_unless_the_person_says_it_for_another_reason():
    call = TracedStep(tool="book", arguments={"table_id": 2, "people": 2, "code_id": "X-7"})
    secrets = Unsayable.of([call], Internals(), "Book a table for 2 on 2 May 2026.", frozenset({"table_id"}))
    assert secrets.leaked(["Book a table for 2 on 2 May 2026 at 2:30."]) == []
    assert secrets.leaked(["Book table 2 for 2."]) == ["2"]
    assert secrets.leaked(["Book table 2 for 2, code X-7."]) == ["2", "X-7"]
    assert secrets.inside(['Set table_id, please, and call it "table_id".', "Book."]) == ["table_id"]


def test_a_code_that_the_person_knows_themselves_may_be_said_as_often_as_the_task_says_it():
    call = TracedStep(tool="track", arguments={"code_id": "TR-25009"})
    secrets = Unsayable.of([call], Internals(), "Where is my shipment TR-25009?", frozenset())
    assert secrets.leaked(["Where is my shipment TR-25009?"]) == []
    assert secrets.leaked(["Where is my shipment TR-25009?", "It is TR-25009."]) == ["TR-25009"]


def test_what_nobody_may_say_need_not_be_said():
    """A further wish asks for what the call shows, and the call shows the identifier too."""
    call = TracedStep(tool="track", arguments={"code_id": "TR-25009", "line_id": 7})
    secrets = Unsayable.of([call], Internals(), "Where is my shipment, and what about line 7?", frozenset())
    assert secrets.never_said == ["TR-25009"]


def test_a_word_that_joins_sentences_is_no_name():
    assert values_in("I wonder: When does it open, And is Bruno there? — If not, ask Will") == {"bruno", "will"}
    assert values_in("First this\nThen Bruno") == {"bruno"}


def test_the_same_day_time_or_number_is_the_same_however_it_is_written():
    assert values_in("on 4 June 2026 at 9:05") == values_in("June 4, 2026, 09:05") == values_in("2026-06-04 9:05:00")
    assert values_in("2026-06-04T09:05:00+01:00") == {"06-04", "09:05"}, "nobody says an offset"
    for span in (
        "15 to 20 September",
        "15–20 September",
        "Tuesday 15 through Sunday 20 September",
        "15th and 20th of September",
    ):
        assert values_in(f"from {span}") == {"09-15", "09-20"} | ({"tuesday", "sunday"} if "Sunday" in span else set())
    assert values_in("15 to 20 people in September") == {"15", "20", "september"}
    assert values_in("from 10:00-12:00") == {"10:00", "12:00"}
    assert values_in("1,500.50 for “Old Bridge”") == {"1500.5", "old bridge"}
    assert holds("Ask for two of them.", "2") and not holds("On 2 June.", "2")
    assert holds("Bruno comes.", "bruno")


@pytest.mark.parametrize(
    ("said", "days"),
    [
        ("Could it be tomorrow?", {"10-15", "thursday"}),
        ("Today or on Friday, please.", {"10-14", "wednesday", "10-16", "friday"}),
        ("I came yesterday.", {"10-13", "tuesday"}),
        ("Some Wednesday, whenever you like.", set()),
    ],
)
def test_a_day_may_be_said_as_it_is_from_here(said: str, days: set[str]):
    """It is Wednesday, 14 October 2026."""
    assert values_in(f"say {days_meant(said, '2026-10-14T09:05:00')}") == days


@pytest.mark.parametrize(
    ("text", "needless"),
    [
        ("It's Wednesday 14 October 2026, a little after 9:00, and I want a tree.", ["09:00", "10-14", "wednesday"]),
        ("Today is 14 October 2026. Book me in for 20 October at 9:00.", ["10-14"]),
        ("Today is 14 October 2026, so book me in for 14 October and not for later.", []),
        ("Move my trim of today, 14 October 2026, to 11:30.", []),
        ("It's 16 October that I mean.", []),
        ("It is now Wednesday 9:05. Book me in for 20 October.", ["09:05", "wednesday"]),
        ("It is five past nine on Wednesday, so I am early: book me in for Friday.", ["wednesday"]),
        ("It is Thursday that I mean.", []),
        ("It is Wednesday that I mean.", []),
        ("It is Wednesday next week that suits me.", []),
        ("It is the Wednesday call.", []),
    ],
)
def test_nobody_has_to_say_what_day_it_is(text: str, needless: list[str]):
    assert of_now(text, "2026-10-14T09:05:00") == needless


def test_what_four_of_them_may_do_is_no_day():
    assert values_in("Of the 12 cans, 4 may be nitrate.") == {"12", "4"}
    assert values_in("on 4 May and 4 june") == {"05-04", "06-04"}


def test_a_number_that_the_task_says_is_only_said_too_often():
    said = Unsayable(("12", "7"), Counter({"12": 1}), frozenset())
    assert [said.complaint(value) for value in said.leaked(["12 vials", "the same 12 of 7"])] == [
        "12 is said too often. Say it once at most: the service also uses it as an identifier.",
        "7 is known to the service alone: say what it stands for.",
    ]


@pytest.mark.parametrize("short", ["I'd", "I'll", "I'm", "I’ve", "Don't", "CAN’T"])
def test_a_short_form_is_no_name(short: str):
    assert values_in(f"Because {short} be late, move it") == set()


def test_a_name_is_the_same_with_an_ending_and_an_apostrophe_may_be_part_of_it():
    assert values_in("and Bruno's or Bruno’ll") == values_in("and Bruno") == {"bruno"}
    assert values_in("with O'Brien's friend") == {"o'brien"}


@given(st.datetimes(datetime(1950, 1, 1), datetime(2099, 12, 31)), st.booleans())
def test_every_way_to_write_a_day_or_a_moment_says_the_same(moment: datetime, with_time: bool):
    written = spellings(f"{moment:%Y-%m-%dT%H:%M:00}" if with_time else f"{moment:%Y-%m-%d}")
    assert len(written) > 2
    assert len({frozenset(values_in(f"Come {one}, please.")) for one in written}) == 1


@given(st.integers(2, 10**6))
def test_a_number_may_be_an_amount_and_a_small_one_a_word(number: int):
    for one in spellings(number):
        assert holds(f"I want {one} of it", str(number)) or holds(
            f"I want {one}", f"{number / 100:.2f}".rstrip("0").rstrip(".")
        )
