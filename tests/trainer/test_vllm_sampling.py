"""vLLM in place of transformers: who asks for it and cannot have it is told; where it is installed, it writes as the
policy would, with the weights of the moment."""

import importlib.util
import math
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from transformers import Qwen3Config, Qwen3ForCausalLM

from tests.trainer.qwen import qwen_tokenizer
from trainer.failures import Diverged, RecipeError
from trainer.policies import LoadedPolicy, load
from trainer.recipe import Recipe
from trainer.sampling import Sampling, generate
from trainer.vllm_sampling import named_weights, vllm_cannot_write, writer

INSTALLED = importlib.util.find_spec("vllm") is not None
SHAPE = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2, "head_dim": 32}
PROMPTS = [([40 + n] * (3 + 5 * n), n) for n in range(4)]


def policy_in(folder: Path, *, lora: bool = False, tied: bool = True) -> tuple[LoadedPolicy, Recipe]:
    """A policy in Qwen3's architecture, and a recipe that has vLLM write."""
    tokenizer = qwen_tokenizer()
    shape: dict[str, Any] = SHAPE | {"vocab_size": len(tokenizer), "num_key_value_heads": 1}
    shape |= {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id, "bos_token_id": None}
    torch.manual_seed(3)
    model = Qwen3ForCausalLM(Qwen3Config(**shape, max_position_embeddings=256, tie_word_embeddings=tied))
    with torch.no_grad():
        for weights in model.parameters():
            weights.normal_(0.0, 0.2)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    given = {"base": str(folder)} | ({"lora": {"rank": 4}} if lora else {})
    grpo = {"vllm": True, "vllm_memory": 0.1, "longest": 128, "in_flight": 8}
    recipe = Recipe.model_validate({"name": "small", "policy": given, "grpo": grpo, "precision": "float32"})
    policy = load(recipe.policy, recipe.precision)
    with torch.no_grad():
        for name, weights in policy.model.named_parameters():
            if ".lora_" in name:  # one that is new adds nothing
                weights.normal_(0.0, 0.1)
    return policy, recipe


def test_what_is_not_installed_cannot_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    policy, recipe = policy_in(tmp_path)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(RecipeError, match=r"vLLM is not installed. Leave it out"):
        writer(policy, recipe, tmp_path / "vllm")


def test_transformers_writes_unless_vllm_is_asked_for(tmp_path: Path) -> None:
    policy, recipe = policy_in(tmp_path)
    grpo = recipe.grpo.model_copy(update={"vllm": False})
    assert writer(policy, recipe.model_copy(update={"grpo": grpo}), tmp_path / "vllm") is None


@pytest.mark.parametrize("tied", [True, False])
def test_embeddings_are_given_as_a_checkpoint_that_does_not_tie_them_names_them(tmp_path: Path, tied: bool) -> None:
    policy, _ = policy_in(tmp_path, tied=tied)
    given = dict(named_weights(policy.model))
    assert given.keys() == policy.model.state_dict().keys()
    assert torch.equal(given["lm_head.weight"], given["model.embed_tokens.weight"]) == tied


class OtherEngine:
    """Says of every token that it was as likely as this; or that it cannot."""

    def __init__(self, logprob: float | Exception) -> None:
        self._logprob = logprob

    def collective_rpc(self, *given: Any, **more: Any) -> None: ...

    def reset_prefix_cache(self) -> bool:
        return True

    def generate(self, prompts: Any, *given: Any, **more: Any) -> list[Any]:
        if isinstance(self._logprob, Exception):
            raise self._logprob
        said = [(token, SimpleNamespace(logprob=self._logprob)) for token in (40, 41)]
        one = SimpleNamespace(token_ids=[40, 41], logprobs=[dict([token]) for token in said])
        return [SimpleNamespace(outputs=[one]) for _ in prompts]


def with_engine(logprob: float | Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """vLLM, as far as it is asked for here, with an engine that has other weights than it was given."""
    vllm = SimpleNamespace(__version__="0", SamplingParams=dict, LLM=lambda **given: OtherEngine(logprob))
    monkeypatch.setitem(sys.modules, "vllm", vllm)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: vllm)


def test_an_engine_that_writes_otherwise_than_the_policy_is_not_played_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy, recipe = policy_in(tmp_path)
    for logprob, failure, said in ((0.0, RecipeError, r"differ by \d+\.\d\d"), (math.nan, Diverged, "no numbers")):
        with_engine(logprob, monkeypatch)
        writes = writer(policy, recipe, tmp_path / "vllm")
        assert writes is not None
        with pytest.raises(failure, match=said):
            writes.take(policy.model)


@pytest.mark.parametrize("lora", [False, True])
def test_weights_that_an_engine_refuses_are_a_matter_of_the_recipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lora: bool
) -> None:
    policy, recipe = policy_in(tmp_path / "base", lora=lora)
    with_engine(ValueError("no such modules."), monkeypatch)
    if lora:
        request = SimpleNamespace(LoRARequest=lambda *given: given)
        monkeypatch.setitem(sys.modules, "vllm.lora.request", request)
    writes = writer(policy, recipe, tmp_path / "vllm")
    assert writes is not None
    with pytest.raises(RecipeError, match=r"does not take the policy's weights: no such modules\. Leave"):
        writes.take(policy.model)


def test_what_vllm_cannot_write_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    policy, recipe = policy_in(tmp_path)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: True)
    assert vllm_cannot_write(policy, recipe) is None
    longer = recipe.model_copy(update={"grpo": recipe.grpo.model_copy(update={"longest": 257})})
    assert vllm_cannot_write(policy, longer) == "the policy knows 256 positions, and `grpo.longest` is 257"
    monkeypatch.setenv("WORLD_SIZE", "2")
    assert "alone" in str(vllm_cannot_write(policy, recipe))


@pytest.mark.skipif(not INSTALLED, reason="vLLM is not installed")
@pytest.mark.parametrize("lora", [False, True])
def test_it_writes_as_the_policy_would_with_the_weights_of_the_moment(tmp_path: Path, lora: bool) -> None:
    policy, recipe = policy_in(tmp_path / "base", lora=lora)
    writes = writer(policy, recipe, tmp_path / "vllm")
    assert writes is not None
    for factor in (1.0, 0.8):
        with torch.no_grad():
            for weights in filter(lambda one: one.requires_grad, policy.model.parameters()):
                weights.mul_(factor)
        writes.take(policy.model)
        for temperature in (0.0, 0.7):
            sampling = Sampling(temperature, most_new_tokens=40, longest=50)
            found = writes.write(PROMPTS, sampling)
            assert found == writes.write(PROMPTS, sampling), "from the same seeds the same"
            own = generate(policy, PROMPTS, sampling)
            if temperature == 0.0:
                assert [one.ids for one in found] == [one.ids for one in own]
            for (prompt, _), one in zip(PROMPTS, found, strict=True):
                assert len(one.ids) <= min(40, 50 - len(prompt))
                assert one.ended == (one.ids[-1] in policy.renderer.ends)
                with torch.no_grad():
                    logits = policy.model(torch.tensor([prompt + one.ids])).logits[0, len(prompt) - 1 : -1]
                read = torch.log_softmax(logits.float() / (temperature or 1.0), dim=-1)
                expected = read.gather(1, torch.tensor(one.ids)[:, None])[:, 0]
                if temperature:
                    assert one.logprobs == pytest.approx(expected.tolist(), abs=1e-4)
