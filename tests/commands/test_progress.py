"""What a command tells of its progress when nobody watches: plain lines on stderr, nothing among the results."""

import re
from pathlib import Path

import pytest

from tests.commands.terminal import Terminal
from tests.language.played_endpoint import PlayedEndpoint, says, served
from tests.support.model import model_variables

pytestmark = pytest.mark.long

LINE = re.compile(r"^(\w+) +\S+ +(\d+)/(\d+) *(.*?) +\d+:\d\d:\d\d *$")


def bars(err: str) -> dict[str, tuple[str, str, str]]:
    """What the line of every asset says: how many are done, of how many, and a note."""
    found = [LINE.match(line) for line in err.splitlines() if not line.startswith("spent ")]
    assert all(found), err
    return {match[1]: (match[2], match[3], match[4]) for match in found if match}


def test_every_asset_has_one_plain_line(fresh: Terminal) -> None:
    with served(PlayedEndpoint(always=says("I'm sorry, but I can't help with that request.")).app()) as url:
        done = fresh.factory("build", **model_variables(url))
    assert "\x1b" not in done.err and "\r" not in done.err, "a file is no place to draw in"
    price, _, progress = done.err.partition("\n")
    assert price.startswith("2 environments to build: about")
    assert re.search(r"^spent \$0\.00 of about \$0\.00 ", done.err, re.MULTILINE)
    told = bars(progress)
    assert len(told) == 17
    assert told["theme"] == ("2", "2", "2 rejected")
    assert told["release"] == ("2", "2", ""), "what was skipped is no news"
    assert "━" not in done.out


def test_with_json_there_is_nothing_but_the_object(tmp_path: Path) -> None:
    done = Terminal(tmp_path / "home").factory("expand", "--count", "1", "--json")
    assert (done.status, done.err) == (0, "")
    assert len(done.json()["accepted"]) == 1
