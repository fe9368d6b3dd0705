"""Days and hours as requests say them are shown to a policy from scratch as tools say them."""

from datetime import date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trainer.instants import as_tools_say, in_prose
from trainer.rendering import Renderer
from trainer.tokenizers import train_tokenizer

MINUTES = st.datetimes(datetime(1000, 1, 1), datetime(9999, 12, 31)).map(
    lambda one: one.replace(second=0, microsecond=0)
)


@settings(deadline=None)
@given(MINUTES.map(datetime.isoformat) | st.dates(date(1000, 1, 1)).map(date.isoformat))
def test_what_is_said_of_a_time_is_that_time(value: str) -> None:
    assert as_tools_say(f"Move it to {in_prose(value)}, please.") == f"Move it to {value}, please."


@pytest.mark.parametrize("text", ["on 31 February 2026", "in May 2026", "May 4", "12 maybe 2026", "3 March 20261", ""])
def test_what_is_no_day_stays_as_it_is(text: str) -> None:
    assert as_tools_say(text) == text


def test_all_times_of_a_request_are_shown_so_and_what_others_say_is_not_changed() -> None:
    request = "Book it from 4 March 2026 at 09:30 until 6 May 2026."
    messages = [
        {"role": "system", "content": "It is 4 March 2026 now."},
        {"role": "user", "content": request},
        {"role": "assistant", "content": "It is booked until 6 May 2026."},
    ]
    tokenizer = train_tokenizer(["x"], 300)
    shown = tokenizer.decode(Renderer(tokenizer).sample(messages, []).ids)

    assert "It is 4 March 2026 now." in shown
    assert "Book it from 2026-03-04T09:30:00 until 2026-05-06." in shown
    assert "It is booked until 6 May 2026." in shown
