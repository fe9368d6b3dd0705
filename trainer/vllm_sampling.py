"""vLLM in place of transformers for what a policy writes while it plays, where it is installed.

Belongs here: whether it is to write, its engine in this process, giving it the policy's weights, and what it wrote in
the form of `sampling`. Does not: collecting questions into batches (`sampling`), playing (`playing`).

Every batch is played with the weights as they are by then. The engine has a copy of its own, and whether that copy
writes as the policy would is tried each time: an architecture that names its weights otherwise would go unnoticed.
"""

import importlib.util
import math
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from trainer.failures import Diverged, RecipeError
from trainer.policies import LoadedPolicy
from trainer.processes import processes
from trainer.recipe import Recipe
from trainer.sampling import Sampling, Written, drawn_from

_SETTINGS = {
    "VLLM_ENABLE_V1_MULTIPROCESSING": "0",  # the engine in this process: weights are handed over, not sent
    "VLLM_LOGGING_LEVEL": "WARNING",
    "VLLM_LOGGING_STREAM": "ext://sys.stderr",  # stdout is for results
    "VLLM_NO_USAGE_STATS": "1",  # a training run tells nobody about itself
}
_TRIED = 16
"""Tokens that are written to try a copy of the weights."""
_ROUNDING = 0.25
"""By so much their log-probabilities may differ in the mean. Rounding to bfloat16 is a tenth of that."""


def writer(policy: LoadedPolicy, recipe: Recipe, folder: Path) -> "VllmWriter | None":
    """None where transformers is to write. `folder`: where the engine finds what the model looks like."""
    wanted = recipe.grpo.vllm
    if wanted is False:
        return None
    why_not = _why_not(policy)
    if wanted is None:
        return VllmWriter(policy, recipe, folder) if torch.cuda.is_available() and why_not is None else None
    if why_not is not None:
        raise RecipeError(f"`grpo.vllm` is true, but {why_not}. Leave it out, and transformers writes.")
    return VllmWriter(policy, recipe, folder)


def _why_not(policy: LoadedPolicy) -> str | None:
    if importlib.util.find_spec("vllm") is None:
        return "vLLM is not installed"
    if "conv" in (getattr(policy.model.config, "layer_types", None) or ()):
        return "vLLM does not know convolutions as policies from scratch have them"
    return "it writes for a process that trains alone" if processes() > 1 else None


class VllmWriter:
    """Writes messages for `sampling.PolicyModel`, as `sampling.generate` does."""

    def __init__(self, policy: LoadedPolicy, recipe: Recipe, folder: Path) -> None:
        for name, value in _SETTINGS.items():
            os.environ.setdefault(name, value)
        import vllm

        grpo, on_gpu = recipe.grpo, torch.cuda.is_available()
        in_bfloat16 = recipe.precision == "bfloat16" or (recipe.precision == "mixed" and on_gpu)
        self.version: str = vllm.__version__
        self._end, self._parameters = policy.renderer.end, vllm.SamplingParams
        config = policy.model.config.to_dict() | {"tie_word_embeddings": False}  # see `named_weights`
        type(policy.model.config).from_dict(config).save_pretrained(folder)
        self._engine = vllm.LLM(
            model=str(folder),
            load_format="dummy",
            skip_tokenizer_init=True,
            dtype="bfloat16" if in_bfloat16 else "float32",
            max_model_len=min(grpo.longest, policy.model.config.max_position_embeddings),
            max_num_seqs=grpo.in_flight,
            gpu_memory_utilization=grpo.vllm_memory,
            logprobs_mode="processed_logprobs",  # with which tokens are drawn, at their temperature
            enforce_eager=not on_gpu,
            seed=recipe.seed,
        )

    def take(self, model: Any) -> None:
        """From here on it writes with these weights."""
        self._engine.collective_rpc("reload_weights", kwargs={"weights_iterator": named_weights(model)})
        self._engine.reset_prefix_cache()
        self._try(model)

    def write(self, batch: Sequence[tuple[list[int], int]], sampling: Sampling) -> list[Written]:
        """One message for each prompt and seed."""
        asked = [
            self._parameters(
                temperature=sampling.temperature,
                max_tokens=min(sampling.most_new_tokens, sampling.longest - len(prompt)),
                seed=drawn_from(prompt, seed),
                logprobs=0,
                ignore_eos=True,
                stop_token_ids=[self._end],
                detokenize=False,
            )
            for prompt, seed in batch
        ]
        found = self._engine.generate([{"prompt_token_ids": prompt} for prompt, _ in batch], asked, use_tqdm=False)
        return [self._written(one.outputs[0]) for one in found]

    def _written(self, output: Any) -> Written:
        ids = list(output.token_ids)
        logprobs = [told[token].logprob for token, told in zip(ids, output.logprobs, strict=True)]
        if any(map(math.isnan, logprobs)):
            raise Diverged("The policy's logits are no numbers any more; go back to a checkpoint from before.")
        return Written(ids, logprobs, ids[-1] == self._end)

    def _try(self, model: Any) -> None:
        prompt = [self._end] * 2
        (written,) = self.write([(prompt, 0)], Sampling(1.0, _TRIED, len(prompt) + _TRIED))
        with torch.no_grad():
            ids = torch.tensor([prompt + written.ids], device=next(model.parameters()).device)
            read = torch.log_softmax(model(input_ids=ids).logits[0, len(prompt) - 1 : -1].float(), dim=-1)
        own = read.gather(1, ids[0, len(prompt) :, None])[:, 0].tolist()
        if any(map(math.isnan, own)):
            raise Diverged("The policy's logits are no numbers any more; go back to a checkpoint from before.")
        differs = sum(abs(one - other) for one, other in zip(own, written.logprobs, strict=True)) / len(own)
        if not differs <= _ROUNDING:
            raise RecipeError(
                f"vLLM {self.version} does not write as the policy would: log-probabilities differ by {differs:.2f} in "
                "the mean. Say `vllm: false` in the recipe's section `grpo`, and transformers writes."
            )


def named_weights(model: Any) -> Iterator[tuple[str, torch.Tensor]]:
    """As a checkpoint names them, with what an adapter adds. Embeddings that are tied are given twice: an engine that
    ties them itself may keep the old ones on one side when it gets new ones."""
    for name, weights in model.named_parameters():
        if ".lora_" in name:
            continue
        adapted, _, kind = name.partition(".base_layer.")
        if kind == "weight":
            layer = model.get_submodule(adapted)
            added = sum(layer.get_delta_weight(adapter) for adapter in layer.active_adapters)
            yield f"{_as_saved(adapted)}.weight", weights.data + added.to(weights.dtype)
        else:
            yield _as_saved(name.replace(".base_layer.", ".")), weights.data
    if model.config.tie_word_embeddings:
        yield "lm_head.weight", model.get_output_embeddings().weight.data


def _as_saved(name: str) -> str:
    return name.removeprefix("base_model.model.")
