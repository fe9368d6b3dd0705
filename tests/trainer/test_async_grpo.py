"""GRPO beside a server: TRL's own asynchronous trainer, real episodes, and a server that really loads each adapter."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml

import tests.support
from tests.trainer.shop import Shop
from tests.trainer.training import environment, recipe, steps, trainer
from trainer.__main__ import main
from trainer.policies import load
from trainer.recipe import Policy

pytestmark = pytest.mark.long

KERNELS = str(Path(tests.support.__file__).parent / "cpu_kernels")


@pytest.fixture(scope="module")
def server(taught: Path) -> Iterator[str]:
    words = [sys.executable, "-m", "tests.support.vllm_server", str(taught / "policy")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment()) as running:
        assert running.stdout is not None
        yield json.loads(running.stdout.readline())["url"]
        running.kill()


def with_server(folder: Path, taught: Path, server: str, **changed: Any) -> Path:
    how = recipe(
        folder, grpo={"server": server, "tasks": 2, "group": 4, "micro_batch": 4, "steps": 3, "in_flight": 8} | changed
    )
    whole = yaml.safe_load(how.read_text()) | {"save_every": 2}
    how.write_text(yaml.safe_dump(whole | {"policy": {"base": str(taught / "policy"), "lora": {"rank": 4}}}))
    return how


def run(shop: Shop, how: Path, out: Path, *more: object) -> "subprocess.CompletedProcess[str]":
    given = ("grpo", "--recipe", how, "--data", shop.rl, "--home", shop.home, "--out", out, *more)
    words = [sys.executable, "-m", "tests.support.trainer_without_gpu", *map(str, given)]
    return subprocess.run(words, capture_output=True, text=True, timeout=240, env=environment())


def test_groups_are_played_while_others_are_learned_from(shop: Shop, taught: Path, server: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    how = with_server(tmp_path, taught, server, temperature=1.5, scale="batch")
    done = run(shop, how, out)
    assert done.returncode == 0, done.stderr
    told = [step for step in steps(out) if "loss" in step]
    assert [step["step"] for step in told] == [1, 2, 3]
    # A step during which no group ended has no reward of its own: its samples were counted when their groups ended.
    assert 0 < told[0]["groups_that_differ"] <= 1 and -1 <= told[0]["reward"] <= 1
    # What the server wrote with the first weights is what the trainer reads with them.
    assert told[0]["ratio"] == pytest.approx(1, abs=1e-3)
    asked = httpx2.get(f"{server}/asked").json()
    assert len(asked) > 1 and all(name.startswith("policy-") for name in asked), "newer weights write later messages"
    episodes = list((out / "rollouts").glob("*/trajectories/tiny-shop/*/*.jsonl"))
    assert len(episodes) >= 3, "of each group on its own"
    assert load(Policy(base=str(out / "policy"))).parameters > 0
    assert json.loads((out / "result.json").read_text())["steps"] == 3

    longer = yaml.safe_load(how.read_text())
    longer["grpo"]["steps"] = 4
    how.write_text(yaml.safe_dump(longer))
    again = run(shop, how, out, "--resume")
    assert again.returncode == 0, again.stderr
    assert [step["step"] for step in steps(out) if "loss" in step] == [1, 2, 3, 4]


def test_an_adapter_becomes_a_whole_model(taught: Path, shop: Shop, tmp_path: Path) -> None:
    how = recipe(tmp_path, sft={"epochs": 1, "most_steps": 1})
    whole = yaml.safe_load(how.read_text())
    how.write_text(yaml.safe_dump(whole | {"policy": {"base": str(taught / "policy"), "lora": {"rank": 4}}}))
    ended = trainer("sft", "--recipe", how, "--data", shop.sft, "--out", tmp_path / "sft")
    assert ended.status == 0, ended.complained
    assert main(["merge", str(tmp_path / "sft" / "policy"), str(tmp_path / "whole")]) == 0
    merged = load(Policy(base=str(tmp_path / "whole")))
    assert merged.parameters == load(Policy(base=str(taught / "policy"))).parameters
    assert main(["merge", str(tmp_path / "sft" / "policy"), str(tmp_path / "whole")]) == 2, "it is there already"
    assert main(["merge", str(taught / "policy"), str(tmp_path / "other")]) == 2, "it is no adapter"


def test_what_cannot_be_trained_beside_a_server_is_refused_at_the_start(
    shop: Shop,
    taught: Path,
    server: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    nowhere = "http://127.0.0.1:9"
    given = ["--data", str(shop.rl), "--home", str(shop.home), "--out", str(tmp_path / "out")]

    def refused(how: Path) -> str:
        assert main(["grpo", "--recipe", str(how), *given]) == 2
        return capsys.readouterr().err

    for changed, said in (
        ({"kl": 0.1}, "with `server` there is no `kl`"),
        ({"importance": "sequence", "kl": 0.1}, "no `kl` and no `importance: sequence`"),
    ):
        assert said in refused(with_server(tmp_path, taught, nowhere, **changed))
    how = with_server(tmp_path, taught, nowhere)
    assert "pip install kernels" in refused(how)
    monkeypatch.syspath_prepend(KERNELS)
    whole = yaml.safe_load(how.read_text())
    alone = {"policy": {"base": str(taught / "policy")}, "grpo": whole["grpo"] | {"server": server}}
    how.write_text(yaml.safe_dump(whole | alone))
    assert "vLLM cannot be imported here" in refused(how)
    monkeypatch.setenv("ACCELERATE_USE_DEEPSPEED", "true")
    assert "DeepSpeed is not supported here" in refused(how)
    monkeypatch.delenv("ACCELERATE_USE_DEEPSPEED")
    monkeypatch.setenv("ACCELERATE_USE_FSDP", "true")
    sft = ["sft", "--recipe", str(recipe(tmp_path)), "--data", str(shop.sft), "--out", str(tmp_path / "out")]
    assert main(sft) == 2
    assert "FSDP is not supported here: every process holds the whole policy" in capsys.readouterr().err
    monkeypatch.setenv("WORLD_SIZE", "2")
    assert "one process plays and learns" in refused(recipe(tmp_path))


def test_without_its_server_a_run_does_not_begin(shop: Shop, taught: Path, tmp_path: Path) -> None:
    done = run(shop, with_server(tmp_path, taught, "http://127.0.0.1:9"), tmp_path / "out")
    assert done.returncode == 6 and "start it before the run" in done.stderr


def test_a_server_that_ends_ends_the_run(shop: Shop, taught: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "tests.support.vllm_server", str(taught / "policy"), "--ends-after", "6"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment()) as running:
        assert running.stdout is not None
        url = json.loads(running.stdout.readline())["url"]
        done = run(shop, with_server(tmp_path, taught, url), tmp_path / "out")
        running.kill()
    assert done.returncode == 6, done.stderr
    assert "does not write" in done.stderr
