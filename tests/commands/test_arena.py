"""`envfactory arena`: a round from the terminal, by the job."""

from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from envfactory_dagster.contracts.dataset import Placement, SplitLedger
from tests.commands.conftest import QUICK, copy_of
from tests.commands.terminal import Said, Terminal

pytestmark = pytest.mark.long

POLICY = "reference:competence=0.5"


def test_a_round_is_made_once_and_shown_again(built: Terminal, tmp_path: Path):
    terminal = copy_of(built, tmp_path)
    ledger = SplitLedger(seed=3, placed=[Placement(environment=key, split="arena") for key in QUICK])
    (terminal.home / "datasets" / "splits").mkdir(parents=True)
    (terminal.home / "datasets" / "splits" / "ledger.json").write_text(ledger.model_dump_json())
    first = terminal.factory("arena", "first-r00", "--policy", POLICY, "--json")
    assert first.status == 0, first.err
    found = orjson.loads(first.out)
    assert {one["key"] for one in found["arena_tasks"]["environments"]} == set(QUICK)
    assert found["arena_results"]["policy"] == POLICY and 0 < found["arena_results"]["overall"]["value"] < 1
    episodes = sorted((terminal.home / "arena" / "first-r00" / "trajectories").rglob("*.jsonl"))
    again = terminal.factory("arena", "first-r00", "--policy", POLICY)
    assert again.status == 0
    assert f"first-r00, played by {POLICY}: 16 tasks in 2 environments" in again.out
    assert sorted((terminal.home / "arena" / "first-r00" / "trajectories").rglob("*.jsonl")) == episodes


def test_what_cannot_be_is_said_before_anything_runs(type_here: Callable[..., Said], tmp_path: Path):
    assert "names no round" in type_here(tmp_path, "arena", "first").err
    assert "The round first-r00 comes first" in type_here(tmp_path, "arena", "first-r01").err
    assert "needs an endpoint" in type_here(tmp_path, "arena", "first-r00", "--policy", "some-model").err
