"""Tasks that say what another one says, or a public text."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.datasets.duplicates import (
    RUN,
    PublicText,
    Twin,
    asked,
    overlapping,
    read_benchmarks,
    repeated,
    resembling,
    roots,
)
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.language.settings import LanguageSettings
from tests.datasets.conftest import TALK

CALLER = Caller("rl_dataset", "", Role.EMBEDDER)
REBOOK = "Please move my booking at the Schneelahn Hut from Friday to Saturday and tell me what that costs me"
words = st.lists(st.sampled_from([f"w{n}" for n in range(40)]), max_size=40)


@settings(max_examples=50, deadline=None)
@given(words, words, words, st.integers(RUN, 30))
def test_a_run_of_equal_words_is_always_found(before: list[str], after: list[str], elsewhere: list[str], length: int):
    run = [f"shared{n}" for n in range(length)]
    ours = " ".join([*before, *run, *after])
    public = [PublicText("b.txt line 1", ", ".join([*elsewhere, *run]).upper())]
    assert overlapping({"t": ours}, public) == {"t": Twin("b.txt line 1", "a run of equal words")}


@settings(max_examples=50, deadline=None)
@given(words, words, st.integers(1, RUN - 1))
def test_fewer_equal_words_are_no_overlap(before: list[str], after: list[str], length: int):
    run = [f"shared{n}" for n in range(length)]
    ours = " ".join([*before, *run, "ours", *after])
    theirs = " ".join([*(f"x{n}" for n in range(RUN)), *run, "theirs", *(f"y{n}" for n in range(RUN))])
    assert overlapping({"t": ours}, [PublicText("b", theirs)]) == {}


def test_a_short_public_text_counts_where_all_of_it_is_said():
    public = [PublicText("b", "What does it cost me now?")]
    assert overlapping({"t": "So: what does it cost me NOW, and why?"}, public).keys() == {"t"}
    assert overlapping({"t": "What does it cost me?"}, public) == {}


def test_benchmarks_are_read_line_by_line_and_text_by_text(tmp_path: Path):
    (tmp_path / "a.txt").write_text(f"{REBOOK}\n\ntoo short\n")
    (tmp_path / "b.jsonl").write_text('{"turns": [{"content": "Book a table for four people tonight"}], "id": 1}\n')
    (tmp_path / "c.csv").write_text("not,read,because,of,its,name")
    assert read_benchmarks(tmp_path) == [
        PublicText("a.txt line 1", REBOOK),
        PublicText("b.jsonl line 1", "Book a table for four people tonight"),
    ]


@pytest.mark.parametrize(("name", "content"), [("nothing", None), ("empty", ""), ("broken", "{")])
def test_a_folder_that_cannot_be_read_is_named(tmp_path: Path, name: str, content: str | None):
    folder = tmp_path / name
    if content is not None:
        folder.mkdir()
    if content:
        (folder / "b.jsonl").write_text(content)
    with pytest.raises(UsageError, match=name):
        read_benchmarks(folder)


async def test_the_same_text_and_the_same_embedding_are_found(tmp_path: Path):
    texts = {
        "first": REBOOK,
        "shouted": REBOOK.upper() + "!",
        "nearly": REBOOK.replace("Please move", "Please do move"),
        "other": "Which of the trails around the lake are open in winter, and how long does each of them take?",
    }
    async with Gateway(LanguageSettings(), tmp_path) as gateway:
        twins = await repeated(gateway, CALLER, texts, 0.9)
        assert twins.keys() == {"shouted", "nearly"} and {twin.name for twin in twins.values()} == {"first"}
        assert twins["shouted"].how == "the same words" and twins["nearly"].how.startswith("cosine 0.9")
        public = [PublicText("b line 7", REBOOK.replace("Saturday", "Sunday"))]
        assert (await resembling(gateway, CALLER, texts, public, 0.85)).keys() == {"first", "shouted", "nearly"}
        assert await repeated(gateway, CALLER, {}, 0.9) == {}


def test_what_is_made_of_a_task_belongs_to_it(made: dict[str, MadeTask]):
    found = roots(made)
    assert found[TALK] == "call_it_off" and found["call_it_off"] == "call_it_off"
    assert "What do I have booked?" in asked(made[TALK])
