"""A machine without the extra `train`, as `make demo` leaves it: what needs none of it works, all else says what to
install."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from trainer.__main__ import _EXTRA

RECIPE = Path("trainer/recipes/qwen3-1.7b.yaml").absolute()
HIDES_THE_EXTRA = """
import sys

class Without:
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, *where):
        extra = ("torch", "transformers", "trl", "accelerate", "datasets", "peft", "matplotlib", "safetensors")
        return None if name.split(".")[0] in extra else self.finder.find_spec(name, *where)

sys.meta_path = [Without(finder) for finder in sys.meta_path]

from trainer.__main__ import main

sys.exit(main(sys.argv[1:]))
"""


def trainer(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", HIDES_THE_EXTRA, *map(str, words)], capture_output=True, text=True, check=False
    )


def test_what_is_looked_for_is_what_the_extra_brings() -> None:
    brought = tomllib.loads(Path("pyproject.toml").read_text())["project"]["optional-dependencies"]["train"]
    assert {re.split("[<>=]", one)[0] for one in brought} == set(_EXTRA)


def test_a_run_says_what_to_install(tmp_path: Path) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_text("{}")
    for command in ("sft", "grpo", "evaluate"):
        out = tmp_path / command
        ended = trainer(command, "--recipe", RECIPE, "--data", data, "--out", out)
        assert ended.returncode == 2, ended.stderr
        assert "The extra `train` is not installed (torch, transformers, trl," in ended.stderr
        assert "Traceback" not in ended.stderr
        assert json.loads((out / "failure.json").read_bytes())["sentence"] in ended.stderr, (
            "which is what Dagster shows"
        )


def test_an_estimate_needs_nothing() -> None:
    ended = trainer("sft", "--recipe", RECIPE, "--dry-run")
    assert (ended.returncode, "memory_gb" in ended.stdout) == (0, True), ended.stderr
