"""`envfactory build`, the jobs behind it, and what `list` and `show` tell of it."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.terminal import Said, Terminal

REFUSING = {"ENVFACTORY_EMBEDDED_FAULTS": "faults=1,repair=0,only=refusal"}


def keys_of(terminal: Terminal) -> list[str]:
    return terminal.store().partitions("proposal")


def test_what_was_rejected_is_shown_with_its_reason(fresh: Terminal) -> None:
    done = fresh.factory("build", **REFUSING)
    assert done.status == 1, "nothing was accepted"
    key = keys_of(fresh)[0]
    assert f"- {key}: theme was not accepted after 5 attempts" in done.out
    shown = fresh.factory("show", key, "--json").json()["stages"]
    assert Counter(stage["status"] for stage in shown) == {"ok": 1, "rejected": 1, "skipped": 6}
    theme = fresh.factory("show", key, "--stage", "theme").out
    assert theme.count("attempt ") == 5


def test_an_endpoint_that_refuses_the_key_is_named(fresh: Terminal) -> None:
    done = fresh.factory("build", ENVFACTORY_LLM_BASE_URL="http://127.0.0.1:9/v1")
    assert done.status == 2
    assert "ENVFACTORY_AUTHOR_MODEL" in done.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["build", "no-such-key"], "There is no environment 'no-such-key'"),
        (["build", "--all", "no-such-key"], "There is no environment 'no-such-key'"),
        (["show", "no-such-key"], "Nothing is known of 'no-such-key'"),
        (["show", "no,key"], "is no key of an environment"),
        (["show", "no-such-key", "--stage", "no_stage"], "There is no stage 'no_stage'"),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(
    type_here: Callable[..., Said], tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    done = type_here(tmp_path, *arguments)
    assert done.status == 2
    assert sentence in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("command", [["expand", "--count", "1"], ["build"], ["ui"], ["demo"]])
def test_a_home_that_cannot_be_written_is_named(type_here: Callable[..., Said], command: list[str]) -> None:
    done = type_here("/sys/envfactory", *command)
    assert done.status == 2
    assert done.err.startswith("envfactory: /sys/envfactory")
    assert "set ENVFACTORY_HOME to a folder or URL you may write to" in done.err
