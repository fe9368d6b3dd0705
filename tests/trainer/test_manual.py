"""The manual of the trainer: its commands are taken, its recipes are there, its statuses are those of the failures."""

import re
import shlex
from pathlib import Path

import pytest

from trainer import failures
from trainer.__main__ import main, parser
from trainer.failures import TrainingFailure

MANUAL = (Path(__file__).parents[2] / "docs" / "guides" / "training.md").read_text()
COMMANDS = [
    words[words.index("-m") + 2 :]
    for block in re.findall(r"^```sh\n(.*?)^```", MANUAL, re.DOTALL | re.MULTILINE)
    for line in block.splitlines()
    if "trainer" in (words := shlex.split(line)) and "-m" in words
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_commands_are_taken(words: list[str]) -> None:
    given = parser().parse_args(words)
    if given.command not in ("compare", "merge"):
        assert given.recipe.is_file()


def test_every_command_is_shown() -> None:
    assert {words[0] for words in COMMANDS} == {"sft", "grpo", "evaluate", "compare", "merge", "serve"}


@pytest.mark.parametrize(
    "words",
    ["sft --split rl", "sft --home H", "sft --curriculum C", "grpo --split rl", "grpo --k 2", "evaluate --resume",
     "evaluate --curriculum C", "evaluate --dry-run"],
)  # fmt: skip
def test_options_that_a_command_would_not_look_at_are_refused(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    command, *option = words.split()
    with pytest.raises(SystemExit):
        parser().parse_args([command, "--recipe", "recipe.yaml", *option])
    assert f"unrecognized arguments: {option[0]}" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    ["sft --machines 2", "grpo --machines 2", "sft --dry-run --data D", "sft --dry-run --out O",
     "sft --dry-run --resume", "grpo --dry-run --policy P", "grpo --dry-run --home H", "grpo --dry-run --curriculum C"],
)  # fmt: skip
def test_options_that_only_a_run_or_only_an_estimate_looks_at_are_refused(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command, *options = words.split()
    assert main([command, "--recipe", "trainer/recipes/envfactory.yaml", *options]) == 2
    refused = next(one for one in options if one.startswith("--") and one != "--dry-run")
    assert refused in capsys.readouterr().err


def test_every_exit_status_is_told() -> None:
    told = {int(status) for status in re.findall(r"^\| (\d+) \|", MANUAL, re.MULTILINE)}
    known = {
        one.exit_status for one in vars(failures).values() if isinstance(one, type) and issubclass(one, TrainingFailure)
    }
    assert told == known | {0, failures.INTERRUPTED}
