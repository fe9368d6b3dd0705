"""`envfactory expand`: themes become environments to build."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.terminal import Said, Terminal


def test_what_is_taken_becomes_an_environment_to_build(proposed: Terminal) -> None:
    listed = proposed.factory("list", "--json").json()["environments"]
    assert [one["status"] for one in listed] == ["unfinished", "unfinished"]
    assert proposed.factory("list").out.count("unfinished, proposal is made") == 2


def test_a_world_in_ones_own_words_and_one_that_is_there_already(fresh: Terminal) -> None:
    words = "Cello workshop: customers book repairs, reserve rental cellos and pay invoices."
    first = fresh.factory("expand", "--theme", words, "--json")
    (accepted,) = first.json()["accepted"]
    assert accepted["source"]["kind"] == "user"
    again = fresh.factory("expand", "--theme", words, "--json")
    assert again.status == 1, "nothing was taken"
    assert [one["reason"] for one in again.json()["rejected"]] == ["duplicate"]


def test_broken_sources_are_reported_and_the_others_read(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "home")
    for folder in ("name_seeds", "mcp_specs", "tool_docs", "prds", "task_sets"):
        (terminal.home / "sources" / folder).mkdir(parents=True)
    sources = terminal.home / "sources"
    (sources / "name_seeds" / "binary.csv").write_bytes(b"\0\1\2")
    (sources / "name_seeds" / "good.csv").write_text("Bicycle rental shop with bookings and repairs, Retail\n")
    said = terminal.factory("expand", "--count", "1", "--json").json()
    assert len(said["accepted"]) == 1
    assert [one["name"] for one in said["rejected"] if one["reason"] == "unreadable"] == ["binary.csv"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [([], "Say how many themes are wanted"), (["--theme", "x" * 10_000], "describe it in at most 4,000")],
    ids=["nothing", "too much"],
)
def test_what_makes_no_sense_is_said_in_a_sentence(
    type_here: Callable[..., Said], tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    done = type_here(tmp_path, "expand", *arguments)
    assert done.status == 2
    assert done.err.splitlines()[-1].startswith("envfactory: ")
    assert sentence in done.err
    assert "Traceback" not in done.err
