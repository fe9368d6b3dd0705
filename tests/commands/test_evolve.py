"""`envfactory evolve`: two rounds, killed in the middle, gone on with, and run again for nothing."""

import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from envfactory_dagster.arena.diagnosis.stage import STAGE as DIAGNOSIS
from tests.commands.evolving_shop import build
from tests.commands.terminal import Said, Terminal, said

pytestmark = pytest.mark.long

LEARNER = "simulated_learner:competence=0.1,mistakes=stops_early"
EVOLVE = ("evolve", "shop", "--rounds", "2", "--policy", LEARNER)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("shop") / "home")


@pytest.fixture(scope="module")
def evolved(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    """After two rounds, the second of which was killed while it was played."""
    terminal = Terminal(Path(shutil.copytree(shop, tmp_path_factory.mktemp("evolved") / "home")))
    root = Path(__file__).parents[2]
    killed = said(terminal.start(sys.executable, "-m", "tests.commands.killed_evolve", *EVOLVE, PYTHONPATH=str(root)))
    assert killed.status == -signal.SIGKILL, killed.err
    assert episodes(terminal, "arena/shop-r01")
    assert terminal.store().head(DIAGNOSIS, "shop-r01") is None
    return terminal


@pytest.fixture(scope="module")
def rounds(evolved: Terminal) -> list[dict[str, Any]]:
    before = {path: path.stat().st_mtime_ns for path in episodes(evolved, "arena/shop-r00")}
    done = evolved.factory(*EVOLVE, "--json")
    assert done.status == 0, done.err
    assert {path: path.stat().st_mtime_ns for path in episodes(evolved, "arena/shop-r00")} == before
    found: list[dict[str, Any]] = done.json()["rounds"]
    return found


def episodes(terminal: Terminal, below: str) -> list[Path]:
    return sorted((terminal.home / below).glob("trajectories/**/*.jsonl"))


def test_a_killed_experiment_is_gone_on_with_to_its_last_round(rounds: list[dict[str, Any]]):
    assert [one["round"] for one in rounds] == ["shop-r00", "shop-r01"]
    for one in rounds:
        assert one["practised"]["targeted"] == one["practised"]["untargeted"] >= one["practised"]["base"] > 0
        assert {arm["arm"] for arm in one["evaluation"]["arms"]} == {"before", "targeted", "untargeted", "base"}


def test_each_round_goes_on_from_the_policy_of_the_one_before(evolved: Terminal, rounds: list[dict[str, Any]]):
    first, second = (one["policies"] for one in rounds)
    for arm in ("targeted", "untargeted", "base"):
        assert second[arm]["begun"] == first[arm]["name"]
    played = evolved.store().latest("arena_results", "shop-r01")
    assert played is not None and played.artifact is not None
    assert played.artifact["policy"] == first["targeted"]["name"]


def test_every_policy_and_every_row_says_that_nothing_has_learned(rounds: list[dict[str, Any]]):
    for one in rounds:
        made = one["evaluation"]
        assert made["simulated"] and "Nothing was learned" in made["note"]
        rows = [*made["arms"], *made["differences"]]
        assert all(row["policy"].startswith("simulated_learner:") for row in rows)
        assert all(policy["simulated"] for policy in one["policies"].values())


def test_a_finished_experiment_costs_nothing(evolved: Terminal, rounds: list[dict[str, Any]]):
    def standing() -> dict[str, int]:
        files = [path for room in ("records", "arena", "policies") for path in (evolved.home / room).rglob("*.json*")]
        return {str(path): path.stat().st_mtime_ns for path in files}

    before, outcomes = standing(), evolved.outcomes()
    again = evolved.factory(*EVOLVE)
    assert again.status == 0, again.err
    assert standing() == before and evolved.outcomes() == outcomes
    assert "simulated_learner, targeted − untargeted" in again.out and "Nothing was learned" in again.out


def test_whoever_passes_everything_has_nothing_to_practise(shop: Path, tmp_path: Path):
    """Rounds are made on this machine: a Ray cluster that the line is spread over, here one that is not there, is not
    asked."""
    terminal = Terminal(Path(shutil.copytree(shop, tmp_path / "home")), {"ENVFACTORY_RAY": "127.0.0.1:1"})
    done = terminal.factory("evolve", "able", "--policy", "simulated_learner:competence=1")
    assert done.status == 0, done.err
    assert "There is nothing to practise" in done.out and "able-r01" not in done.out
    assert terminal.store().head("round_policy", "able-r00") is None


def test_what_cannot_be_is_said_before_anything_runs(type_here: Callable[..., Said], shop: Path, tmp_path: Path):
    def told(home: Path, *given: str) -> str:
        said = type_here(home, "evolve", *given)
        assert said.status == 2
        return said.err

    assert "not said what is trained" in told(tmp_path)
    assert "not said what is trained" in told(tmp_path, "--policy", "reference")
    assert "Leave one of them out" in told(tmp_path, "--policy", LEARNER, "--recipe", "qwen3-1.7b")
    assert "There is no recipe 'none'" in told(shop, "--recipe", "none")
    assert "There is no rl_dataset" in told(tmp_path / "empty", "--policy", LEARNER)
    assert "There is no finished rl_policy" in told(shop, "--recipe", "smollm2-135m")
    with_policy = Path(shutil.copytree(shop, tmp_path / "with-policy"))
    trained = with_policy / "policies" / "rl_policy"
    (trained / "run").mkdir(parents=True)
    (trained / "run" / "result.json").write_text('{"finished": true}')
    (trained / "LATEST").write_text("run")
    assert "no whole task under the protocol meta_tools" in told(with_policy, "--recipe", "qwen3-1.7b")
    no_recipe = tmp_path / "no-recipe.yaml"
    no_recipe.write_text("[1")
    assert "no-recipe.yaml cannot be read" in told(with_policy, "--recipe", str(no_recipe))
    assert "is no key" in told(shop, "A B", "--policy", LEARNER)
    assert "that names a round" in told(shop, "shop-r00", "--policy", LEARNER)
    assert not list(shop.glob("arena"))


def test_every_episode_names_the_simulated_learner(evolved: Terminal, rounds: list[dict[str, Any]]):
    for below in ("arena/shop-r00", "arena/shop-r01", "arena/shop"):
        lines = [orjson.loads(line) for path in episodes(evolved, below) for line in path.read_bytes().splitlines()]
        assert lines and all("simulated_learner:" in orjson.dumps(line).decode() for line in lines)
