"""Policies in folders: what is none is refused with a sentence, and what is written there is whole."""

import errno
import json
from pathlib import Path
from typing import Any

import pytest

from tests.trainer.shop import Shop
from tests.trainer.training import fails, recipe
from trainer.policies import LoadedPolicy


def test_a_folder_that_is_no_policy(shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--data", shop.rl, "--home", shop.home, "--policy", tmp_path, "--out", tmp_path)
    status, complained = fails(capsys, "grpo", "--recipe", recipe(tmp_path), *given)
    assert (status, "no policy that can be loaded" in complained) == (2, True), complained


def test_weights_of_another_architecture(
    shop: Shop, policy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = json.loads((policy / "config.json").read_text())
    (policy / "config.json").write_text(
        json.dumps(config | {"model_type": "llama", "architectures": ["LlamaForCausalLM"]})
    )
    given = ("--data", shop.rl, "--home", shop.home, "--policy", policy, "--out", tmp_path / "out")
    status, complained = fails(capsys, "grpo", "--recipe", recipe(tmp_path), *given)
    assert (status, "of another architecture" in complained) == (2, True), complained


def test_weights_that_are_torn(shop: Shop, policy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    weights = policy / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    given = ("--data", shop.rl, "--home", shop.home, "--policy", policy, "--out", tmp_path / "out")
    status, complained = fails(capsys, "grpo", "--recipe", recipe(tmp_path), *given)
    assert (status, "no policy that can be loaded" in complained) == (2, True), complained


def test_a_policy_that_cannot_be_written_leaves_the_one_before(
    untaught: LoadedPolicy, policy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(folder: Path, **given: Any) -> None:
        (folder / "model.safetensors").parent.mkdir(parents=True, exist_ok=True)
        (folder / "model.safetensors").write_bytes(b"a part of it")
        raise OSError(errno.ENOSPC, "No space left on device")

    before = (policy / "model.safetensors").read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(untaught.model, "save_pretrained", full)
        with pytest.raises(OSError, match="No space"):
            untaught.save(policy)
    assert (policy / "model.safetensors").read_bytes() == before
    untaught.save(policy)
    assert {path.name for path in policy.parent.iterdir()} == {"policy"}, "nothing half written is left"


def test_a_tokenizer_that_does_not_show_tools(
    shop: Shop, policy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (policy / "chat_template.jinja").write_text("{% for message in messages %}{{ message.content }}{% endfor %}")
    given = ("--data", shop.rl, "--home", shop.home, "--policy", policy, "--out", tmp_path / "out")
    status, complained = fails(capsys, "grpo", "--recipe", recipe(tmp_path), *given)
    assert (status, "does not show tools" in complained) == (2, True), complained
