"""Evaluations: any policy and any endpoint at the same tasks, played once, told in figures, tables and a picture."""

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.contracts.dataset import RlRow
from envfactory_dagster.contracts.errors import UsageError
from tests.language.played_endpoint import PlayedEndpoint, fails, says, served
from tests.support.tiny import LETHAL
from tests.trainer.clerk import MODEL, clerk
from tests.trainer.shop import Shop, out_of_order, save_policy
from tests.trainer.training import RECIPE, command, environment, recipe, trainer
from trainer.__main__ import main
from trainer.comparing import compare
from trainer.evaluate import evaluate, identity
from trainer.failures import EnvironmentsDown, RecipeError
from trainer.recipe import Recipe
from trainer.tables import evaluation_table

pytestmark = pytest.mark.long

SPLIT = "rl"


@pytest.fixture(scope="module")
def untaught(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_policy(tmp_path_factory.mktemp("untaught"))


def short(
    shop: Shop, folder: Path, policy: Path | None, k: int = 2, how: dict[str, Any] | None = None, **grpo: Any
) -> dict[str, Any]:
    """`how`: what differs from the shop's recipe; `grpo`: what does in that section."""
    few = {**RECIPE["grpo"], "most_new_tokens": 8, "most_turns": 2, **grpo}
    recipe = Recipe.model_validate(RECIPE | {"grpo": few} | (how or {}))
    return evaluate(recipe, shop.rl, shop.home, policy, [SPLIT], k, folder)


def episodes(folder: Path) -> int:
    files = (folder / "episodes").glob("*/trajectories/*/*/*.jsonl")
    return sum(len(file.read_text().splitlines()) for file in files)


def test_an_endpoint_is_evaluated(
    shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    given = ["--recipe", recipe(tmp_path), "--data", shop.rl, "--home", shop.home, "--out", out]
    with clerk(items=[3, 5]) as (url, endpoint):
        monkeypatch.setenv("ENVFACTORY_LLM_BASE_URL", url)
        monkeypatch.setenv("ENVFACTORY_SOLVER_MODEL", MODEL)
        assert main([*map(str, ["evaluate", *given, "--endpoint", "--split", SPLIT, "--k", 3])]) == 0
    assert {body["temperature"] for body in endpoint.bodies} == {0.0, 1.0}
    assert json.loads(capsys.readouterr().out)["rl greedy pass@1"] == 0.5
    summary = json.loads((out / "results.json").read_text())["rl"]["sampled"]
    assert (summary["tasks"], summary["episodes"], summary["pass@3"]["mean"]) == (shop.tasks, 3 * shop.tasks, 0.5)
    assert summary["tokens"] is None, "this endpoint does not say which tokens it wrote"
    assert (Path(str(shop.home)) / "language").is_dir() and not (out / "language").exists(), (
        "paid as all of the home is"
    )
    assert "| rl | greedy | 8 | 1 | 50.0% (" in (out / "table.md").read_text()
    assert (out / "results.png").read_bytes().startswith(b"\x89PNG")


def test_without_a_policy_that_of_the_recipe_is_examined(
    shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The base, which everything else is compared with; whatever endpoint there is."""
    monkeypatch.setenv("ENVFACTORY_LLM_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("ENVFACTORY_SOLVER_MODEL", MODEL)
    how, out = recipe(tmp_path, grpo={"most_new_tokens": 4, "most_turns": 1}), tmp_path / "out"
    given = ["evaluate", "--recipe", how, "--data", shop.rl, "--home", shop.home, "--out", out, "--split", SPLIT]
    assert main([*map(str, [*given, "--k", 1])]) == 0
    assert f"episodes of {identity(tmp_path / 'base')}" in capsys.readouterr().err
    assert main([*map(str, [*given, "--endpoint", "--policy", tmp_path / "base"])]) == 2
    assert "Leave one of them out" in capsys.readouterr().err


def test_without_a_policy_and_an_endpoint_the_reference_policy_plays_and_is_named(shop: Shop, tmp_path: Path) -> None:
    said = list[str]()
    recipe = Recipe.model_validate(RECIPE)
    found = evaluate(recipe, shop.rl, shop.home, None, [SPLIT], 1, tmp_path, said.append)
    assert found["rl"]["greedy"]["pass@1"]["mean"] == found["rl"]["sampled"]["pass@1"]["mean"] == 1.0
    assert [line.endswith(f"{shop.tasks} new episodes of reference") for line in said] == [True, True]


def as_conversations(shop: Shop, folder: Path, tasks: int) -> Shop:
    """The shop with the first of its tasks brought up in conversations."""
    rows = [RlRow.model_validate_json(line) for line in shop.rl.read_text().splitlines()]
    rows[:tasks] = [row.model_copy(update={"setting": "conversation"}) for row in rows[:tasks]]
    path = folder / "conversations.jsonl"
    path.write_text("".join(f"{row.model_dump_json()}\n" for row in rows))
    return replace(shop, rl=path)


def test_who_plays_the_user_is_named_wherever_results_are(shop: Shop, tmp_path: Path) -> None:
    said, out = list[str](), tmp_path / "out"
    talking = as_conversations(shop, tmp_path, tasks=3)
    found = evaluate(Recipe.model_validate(RECIPE), talking.rl, shop.home, None, [SPLIT], 1, out, said.append)
    assert found["rl"]["greedy"]["user"] == "reference"
    assert [line.rpartition("; ")[2] for line in said if "(conversation)" in line] == 2 * [
        "reference, a script that understands nothing, plays the user"
    ]
    assert all("plays the user" not in line for line in said if "(single)" in line)
    assert "In conversations reference, a script that understands nothing, plays the user." in evaluation_table(found)
    lines = [json.loads(line) for line in (out / "tasks.jsonl").read_text().splitlines()]
    assert [line["user"] for line in lines if line["way"] == "greedy"].count("reference") == 3
    assert sum(line["user"] is None for line in lines if line["way"] == "greedy") == shop.tasks - 3
    assert compare(out, out)["rl"].tasks == shop.tasks


def test_another_user_makes_other_episodes(
    shop: Shop, tmp_path: Path, untaught: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    talking = as_conversations(shop, tmp_path, tasks=shop.tasks)
    person = PlayedEndpoint(always=says("I would like to order something."))
    with served(person.app()) as url:
        monkeypatch.setenv("ENVFACTORY_LLM_BASE_URL", url)
        for place, user in enumerate(("reference", MODEL), 1):
            monkeypatch.setenv("ENVFACTORY_USER_MODEL", user)
            found = short(talking, tmp_path / "out", untaught, k=1)
            assert found["rl"]["greedy"]["user"] == user
            assert episodes(tmp_path / "out") == place * 2 * shop.tasks


def test_the_judge_is_asked_where_the_reward_needs_one(
    shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with clerk() as (url, endpoint):
        monkeypatch.setenv("ENVFACTORY_LLM_BASE_URL", url)
        monkeypatch.setenv("ENVFACTORY_MODEL", MODEL)
        found = short(shop, tmp_path, None, k=1, reward={"weights": {"outcome": 1.0}, "strategy": "judge_only"})
        asked = sum("response_format" in body for body in endpoint.bodies)
    greedy = found["rl"]["greedy"]
    assert greedy["pass@1"]["mean"] == 1.0 and greedy["reward"]["mean"] == 0.0, (
        "the strict judge overrules the verifier"
    )
    assert shop.tasks <= asked <= 2 * shop.tasks, "what was judged once is not asked again"


def test_an_endpoint_that_is_down_is_not_held_against_anybody(
    shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with clerk() as (url, endpoint):
        monkeypatch.setenv("ENVFACTORY_LLM_BASE_URL", url)
        monkeypatch.setenv("ENVFACTORY_SOLVER_MODEL", MODEL)
        monkeypatch.setenv("ENVFACTORY_LLM_ATTEMPTS", "1")
        endpoint.stage.extend([fails(500)] * 2 * shop.tasks)
        with pytest.raises(EnvironmentsDown, match="Not one episode"):
            short(shop, tmp_path, None, k=1)
        assert not (tmp_path / "results.json").exists()
        found = short(shop, tmp_path, None, k=1)
    assert found["rl"]["greedy"]["pass@1"]["mean"] == 1.0, "episodes that failed around are played again"


def test_what_was_played_is_not_played_again(shop: Shop, tmp_path: Path, untaught: Path) -> None:
    first = short(shop, tmp_path, untaught)
    assert episodes(tmp_path) == 3 * shop.tasks, "once greedily, twice at the temperature"
    assert short(shop, tmp_path, untaught) == first
    assert episodes(tmp_path) == 3 * shop.tasks
    more = short(shop, tmp_path, untaught, k=3)
    assert episodes(tmp_path) == 4 * shop.tasks, "only the third try is new"
    assert more["rl"]["sampled"]["episodes"] == 3 * shop.tasks
    assert more["rl"]["sampled"]["tokens"] > 0


def test_who_is_offered_other_tools_is_not_taken_for_who_played(shop: Shop, tmp_path: Path, untaught: Path) -> None:
    short(shop, tmp_path / "out", untaught, k=1)
    rows = [RlRow.model_validate_json(line) for line in shop.rl.read_text().splitlines()]
    other = tmp_path / "rl.jsonl"
    fewer = rows[0].model_copy(update={"withheld": [*rows[0].withheld, "delete_everything"]})
    other.write_text("".join(f"{row.model_dump_json()}\n" for row in (fewer, *rows[1:])))
    with pytest.raises(RecipeError, match="1 offer other tools"):
        short(replace(shop, rl=other), tmp_path / "out", untaught, k=1)


def test_other_weights_are_another_policy(shop: Shop, tmp_path: Path, untaught: Path) -> None:
    other = save_policy(tmp_path / "other", seed=1)
    assert identity(other) != identity(untaught)
    short(shop, tmp_path, untaught, k=1)
    short(shop, tmp_path, other, k=1)
    assert episodes(tmp_path) == 4 * shop.tasks


def test_another_way_of_writing_or_rewarding_is_another_episode(shop: Shop, tmp_path: Path, untaught: Path) -> None:
    short(shop, tmp_path, untaught, k=1)
    thinking = RECIPE["policy"] | {"thinking": True}
    for place, how in enumerate(({"policy": thinking}, {"precision": "bfloat16"}), 2):
        short(shop, tmp_path, untaught, k=1, how=how)
        assert episodes(tmp_path) == place * 2 * shop.tasks
    short(shop, tmp_path, untaught, k=1, reward="env_factory")
    assert episodes(tmp_path) == 4 * 2 * shop.tasks


@pytest.mark.parametrize(("reward", "component"), [("verdict", "checks"), ("env_factory", "path_and_state")])
def test_episodes_earn_what_the_recipe_pays_for(
    shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reward: str, component: str
) -> None:
    with clerk() as (url, _):
        monkeypatch.setenv("ENVFACTORY_LLM_BASE_URL", url)
        monkeypatch.setenv("ENVFACTORY_SOLVER_MODEL", MODEL)
        short(shop, tmp_path, None, k=1, reward=reward)
    files = (tmp_path / "episodes").glob("*/trajectories/*/*/*.jsonl")
    earned = [json.loads(line)["trajectory"]["reward"] for file in files for line in file.read_text().splitlines()]
    assert len(earned) == 2 * shop.tasks
    assert {tuple(one["components"]) for one in earned} == {(component,)}


def test_tools_that_end_their_process_end_the_evaluation_as_environments_do(
    shop: Shop, tmp_path: Path, untaught: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, data = out_of_order(shop, tmp_path, LETHAL)
    given = ["evaluate", "--recipe", recipe(tmp_path), "--data", data, "--home", home, "--policy", untaught,
             "--out", tmp_path / "out", "--split", SPLIT, "--k", 1]  # fmt: skip
    assert main([*map(str, given)]) == 6
    assert "died 3 times in a row" in capsys.readouterr().err


def test_a_machine_that_starts_no_environment_is_worth_another_try(
    shop: Shop, tmp_path: Path, untaught: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    given = ["evaluate", "--recipe", recipe(tmp_path), "--data", shop.rl, "--home", shop.home, "--policy", untaught,
             "--out", tmp_path / "out", "--split", SPLIT, "--k", 1]  # fmt: skip
    assert main([*map(str, given)]) == 6
    assert json.loads((tmp_path / "out" / "failure.json").read_text())["status"] == 6
    assert capsys.readouterr().err.startswith("trainer: ")


def test_what_an_evaluation_needs_is_not_estimated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["evaluate", "--recipe", str(recipe(tmp_path)), "--dry-run"])
    assert "--dry-run" in capsys.readouterr().err


def test_policies_are_compared_task_by_task(
    shop: Shop, tmp_path: Path, untaught: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    short(shop, tmp_path / "before", untaught, k=1)
    with clerk() as (url, _):
        monkeypatch.setenv("ENVFACTORY_LLM_BASE_URL", url)
        monkeypatch.setenv("ENVFACTORY_SOLVER_MODEL", MODEL)
        short(shop, tmp_path / "after", None, k=1)
    assert main(["compare", str(tmp_path / "before"), str(tmp_path / "after")]) == 0
    assert "| rl | 8 | 0.0% | 100.0% | +100.0 (+100.0 to +100.0) points | 8 | 0 |" in capsys.readouterr().out


def test_what_cannot_be_compared_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(tmp_path), str(tmp_path)]) == 2
    assert "no evaluation in" in capsys.readouterr().err
    (tmp_path / "tasks.jsonl").write_text("")
    assert main(["compare", str(tmp_path), str(tmp_path)]) == 2
    assert "no task in common" in capsys.readouterr().err


def test_splits_that_are_not_there_are_refused(shop: Shop, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no whole task of held_out under the protocol native"):
        evaluate(Recipe.model_validate(RECIPE), shop.rl, shop.home, None, ["held_out"], 1, tmp_path)


def test_a_task_under_two_protocols_is_played_under_one(shop: Shop, tmp_path: Path, untaught: Path) -> None:
    rows = [RlRow.model_validate_json(line) for line in shop.rl.read_text().splitlines()]
    both = [*rows, *(row.model_copy(update={"protocol": "meta_tools"}) for row in rows)]
    data = tmp_path / "both.jsonl"
    data.write_text("".join(row.model_dump_json() + "\n" for row in both))
    found = evaluate(Recipe.model_validate(RECIPE), data, shop.home, untaught, [SPLIT], 1, tmp_path / "out")
    assert found["rl"]["greedy"]["episodes"] == shop.tasks


def test_told_to_stop_it_keeps_what_is_finished(shop: Shop, tmp_path: Path, untaught: Path) -> None:
    """Four hundred episodes: it is told in their middle, and goes on from there."""
    given = ["evaluate", "--recipe", recipe(tmp_path, grpo={"in_flight": 8, "most_new_tokens": 8}), "--data", shop.rl,
             "--home", shop.home, "--policy", untaught, "--out", tmp_path, "--split", SPLIT]  # fmt: skip
    with subprocess.Popen(command([*given, "--k", 400]), stderr=subprocess.PIPE, text=True, env=environment()) as run:
        assert run.stderr is not None
        next(line for line in run.stderr if line.startswith("greedy"))
        run.send_signal(signal.SIGTERM)
        assert "not played again" in run.stderr.read()
        assert run.wait(60) == 143
    before = episodes(tmp_path)
    assert before >= shop.tasks
    done = trainer(*given, "--k", 2)
    assert done.status == 0, done.complained
    assert "greedy: 8 tasks (single), 0 new episodes" in done.complained
