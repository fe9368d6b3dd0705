"""The words of conversations: what they must not say, what must not get lost, and how refinements are judged."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envfactory_dagster.contracts.conversations import RefinementAnswer, RefinementContext, TurnShown
from envfactory_dagster.contracts.requests import CallShown
from envfactory_dagster.contracts.synthesis import Refinement
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.tasks.conversations.identifiers import Internals, Secrets
from envfactory_dagster.tasks.conversations.refinements import problems_of
from envfactory_dagster.tasks.conversations.values import holds, spellings, values_in

# -- what must not be said, and what must not get lost -----------------------------------------------------------------


def test_a_number_gives_an_id_away_unless_the_person_says_it_for_another_reason():
    call = TracedStep(tool="book", arguments={"table_id": 2, "people": 2, "code_id": "X-7"})
    secrets = Secrets.of([call], Internals(), "Book a table for 2 on 2 May 2026.", frozenset({"table_id"}))
    assert secrets.leaked(["Book a table for 2 on 2 May 2026 at 2:30."]) == []
    assert secrets.leaked(["Book table 2 for 2."]) == ["2"]
    assert secrets.leaked(["Book table 2 for 2, code X-7."]) == ["2", "X-7"]
    assert secrets.inside(['Set table_id, please, and call it "table_id".', "Book."]) == ["table_id"]


def test_a_code_that_the_person_knows_themselves_may_be_said_as_often_as_the_task_says_it():
    call = TracedStep(tool="track", arguments={"code_id": "TR-25009"})
    secrets = Secrets.of([call], Internals(), "Where is my shipment TR-25009?", frozenset())
    assert secrets.leaked(["Where is my shipment TR-25009?"]) == []
    assert secrets.leaked(["Where is my shipment TR-25009?", "It is TR-25009."]) == ["TR-25009"]


def test_the_same_day_time_or_number_is_the_same_however_it_is_written():
    assert values_in("on 4 June 2026 at 9:05") == values_in("June 4, 2026, 09:05") == values_in("2026-06-04 9:05:00")
    assert values_in("1,500.50 for “Old Bridge”") == {"1500.5", "old bridge"}
    assert holds("Ask for two of them.", "2") and not holds("On 2 June.", "2")
    assert holds("Bruno comes.", "bruno")


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


# -- the gates of the refinements --------------------------------------------------------------------------------------

BOOKING = CallShown(
    tool="move_booking",
    arguments={"booking_id": 5, "to": "2026-07-13T11:00:00"},
    outcome="ok",
    result='{"bookings":[{"id":5,"starts_at":"2026-06-21T18:00:00","room":"Blue room"}]}',
)
SAID = "Please move my booking of 21 June 2026 at 18:00, number 5, to 13 July 2026 at 11:00."


def _context(*requests: str) -> RefinementContext:
    turns = [TurnShown(goal=request, calls=[BOOKING], request=request) for request in requests]
    return RefinementContext(
        clock="2026-06-01T09:00:00",
        scenario="A busy week.",
        persona="Brief.",
        turns=turns,
        answers=[],
        identifiers=["5"],
    )


def _found(refinement: Refinement, *requests: str, answers: tuple[str, ...] = (), before: str = SAID) -> str:
    step = TracedStep(tool=BOOKING.tool, arguments=BOOKING.arguments)
    secrets = Secrets.of([step], Internals(), "", frozenset({"booking_id"}))
    given = RefinementAnswer(requests=list(requests), answers=list(answers))
    return " ".join(problem.message for problem in problems_of(refinement, _context(before), secrets, given))


@pytest.mark.parametrize(
    ("refinement", "request_", "finding"),
    [
        ("implicit_reference", SAID, "5 is known to the service alone"),
        ("implicit_reference", "Move my booking of 21 June 2026 at 18:00.", "'07-13', '11:00' was said before"),
        ("implicit_reference", SAID.replace(", number 5,", " (booking_id)"), "a name inside the service"),
        ("implicit_reference", SAID.replace(", number 5,", " for 9 people"), "'9' comes from nowhere"),
        (
            "implicit_reference",
            f"{SAID.replace(', number 5,', '')} {'Thank you so very much. ' * 12}",
            "words; at most",
        ),
        ("action_compression", f"{SAID} Thank you.", "words; at most"),
        ("ambiguity", SAID.replace(" at 18:00", ""), "there is no answer for whoever asks"),
        ("goal_expansion", f"{SAID} And when does it open?", "asks a question that it did not ask"),
    ],
)
def test_a_model_that_rewrites_wrongly_is_told_what_is_wrong(refinement: Refinement, request_: str, finding: str):
    assert finding in _found(refinement, request_)


def test_a_refinement_brings_no_identifier_back_and_no_turn_disappears():
    clean = SAID.replace(", number 5,", "")
    assert "is said more often now" in _found("goal_expansion", f"For the summer: {SAID}", before=clean)
    assert "1 turns and 2 requests" in _found("action_compression", "Move it.", "Thanks.")


def test_what_is_rewritten_rightly_passes():
    clean = SAID.replace(", number 5,", "")
    assert _found("implicit_reference", clean) == ""
    assert _found("implicit_reference", clean.replace("of 21 June", "in the Blue room of 21 June")) == ""
    assert _found("ambiguity", clean.replace(" at 18:00", ""), answers=("The one at 18:00.",), before=clean) == ""
    assert _found("goal_expansion", f"For the summer: {clean}", before=clean) == ""
