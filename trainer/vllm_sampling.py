"""vLLM in place of transformers for what a policy writes while it plays, where the recipe says so.

Belongs here: whether it can write, its engine in this process, giving it the policy's weights, and what it wrote in the
form of `sampling`. Does not: collecting questions into batches (`sampling`), playing (`playing`).

Every batch is played with the weights as they are by then. The engine has a copy of its own: of all weights, or of the
base and, beside it, of the adapter that is trained. Whether that copy writes as the policy would is tried each time: an
architecture that names its weights otherwise would go unnoticed.
"""

import importlib.util
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from trainer.failures import Diverged, RecipeError
from trainer.policies import ADAPTER, LoadedPolicy
from trainer.processes import processes
from trainer.recipe import Recipe
from trainer.sampling import Sampling, Written, drawn_from
from trainer.vllm_settings import settle_vllm

_TRIED = 16
"""Tokens that are written to try a copy of the weights."""
_ROUNDING = 0.25
"""By so much their log-probabilities may differ in the mean."""
_LEAST_RANK = 8
"""vLLM makes room for adapters of powers of two, from here on."""


def writer(policy: LoadedPolicy, recipe: Recipe, folder: Path) -> "VllmWriter | None":
    """None where transformers is to write. `folder`: for what the engine reads from a disk."""
    if not recipe.grpo.vllm:
        return None
    why_not = vllm_cannot_write(policy, recipe)
    if why_not is not None:
        raise RecipeError(f"`grpo.vllm` is true, but {why_not}. Leave it out, and transformers writes.")
    return VllmWriter(policy, recipe, folder)


def vllm_cannot_write(policy: LoadedPolicy, recipe: Recipe) -> str | None:
    """Why not; None where it can."""
    config, longest = policy.model.config, recipe.grpo.longest
    known = getattr(config, "max_position_embeddings", 0)
    if importlib.util.find_spec("vllm") is None:
        return "vLLM is not installed"
    if known < longest:
        return f"the policy knows {known} positions, and `grpo.longest` is {longest}"
    return "it writes for a process that trains alone" if processes() > 1 else None


class VllmWriter:
    """Writes messages for `sampling.PolicyModel`, as `sampling.generate` does."""

    def __init__(self, policy: LoadedPolicy, recipe: Recipe, folder: Path) -> None:
        settle_vllm()
        import vllm

        grpo, on_gpu = recipe.grpo, torch.cuda.is_available()
        in_bfloat16 = recipe.precision == "bfloat16" or (recipe.precision == "mixed" and on_gpu)
        self.version: str = vllm.__version__
        self._ends, self._folder = sorted(policy.renderer.ends), folder
        self._parameters = vllm.SamplingParams
        self._adapter: Any = None
        self._taken = 0
        try:
            self._engine = vllm.LLM(
                **_copy_of(policy, recipe, folder),
                skip_tokenizer_init=True,
                dtype="bfloat16" if in_bfloat16 else "float32",
                max_model_len=grpo.longest,
                max_num_seqs=grpo.in_flight,
                gpu_memory_utilization=grpo.vllm_memory,
                logprobs_mode="processed_logprobs",  # with which tokens are drawn, at their temperature
                enforce_eager=not on_gpu,
                seed=recipe.seed,
            )
        except ValueError as error:  # too little memory, or a model that it does not know
            raise RecipeError(
                f"vLLM {self.version} does not start: {error} Change `grpo.vllm_memory`, or leave `grpo.vllm` out, and "
                "transformers writes."
            ) from error

    def take(self, model: Any) -> None:
        """From here on it writes with these weights."""
        self._taken += 1
        prompt = self._ends[:1] * 2
        try:
            if hasattr(model, "peft_config"):
                self._take_adapter(model)
            else:
                self._take_weights(model)
            if not self._engine.reset_prefix_cache():
                raise RuntimeError("vLLM still holds what it read with earlier weights.")
            # An adapter is read when something is written with it.
            (written,) = self._write([(prompt, self._taken)], Sampling(1.0, _TRIED, len(prompt) + _TRIED), stop=[])
        except (ValueError, KeyError, TypeError) as error:  # names that it does not know, or a version without it
            raise RecipeError(
                f"vLLM {self.version} does not take the policy's weights: {error} Leave `grpo.vllm` out, and "
                "transformers writes."
            ) from error
        self._compare(_read(model, prompt, written.ids), written)

    def write(self, batch: Sequence[tuple[list[int], int]], sampling: Sampling) -> list[Written]:
        """One message for each prompt and seed."""
        return self._write(batch, sampling, stop=self._ends)

    def _take_adapter(self, model: Any) -> None:
        from vllm.lora.request import LoRARequest

        model.save_pretrained(self._folder / "adapter", selected_adapters=[ADAPTER])
        self._adapter = LoRARequest(f"adapter-{self._taken}", self._taken, str(self._folder / "adapter"))

    def _take_weights(self, model: Any) -> None:
        with torch.no_grad():
            self._engine.collective_rpc("reload_weights", kwargs={"weights_iterator": named_weights(model)})

    def _write(self, batch: Sequence[tuple[list[int], int]], sampling: Sampling, stop: list[int]) -> list[Written]:
        asked = [
            self._parameters(
                temperature=sampling.temperature,
                max_tokens=min(sampling.most_new_tokens, sampling.longest - len(prompt)),
                seed=drawn_from(prompt, seed),
                logprobs=0,
                ignore_eos=True,
                stop_token_ids=stop,
                detokenize=False,
            )
            for prompt, seed in batch
        ]
        prompts = [{"prompt_token_ids": prompt} for prompt, _ in batch]
        found = self._engine.generate(prompts, asked, lora_request=self._adapter, use_tqdm=False)
        return [self._written(one.outputs[0]) for one in found]

    def _written(self, output: Any) -> Written:
        ids = list(output.token_ids)
        logprobs = [told[token].logprob for token, told in zip(ids, output.logprobs, strict=True)]
        if any(map(math.isnan, logprobs)):
            raise Diverged("The policy's logits are no numbers any more; go back to a checkpoint from before.")
        return Written(ids, logprobs, ids[-1] in self._ends)

    def _compare(self, own: list[float], written: Written) -> None:
        if any(map(math.isnan, own)):
            raise Diverged("The policy's logits are no numbers any more; go back to a checkpoint from before.")
        differs = sum(abs(one - other) for one, other in zip(own, written.logprobs, strict=True)) / len(own)
        if not differs <= _ROUNDING:
            raise RecipeError(
                f"vLLM {self.version} does not write as the policy would: log-probabilities differ by {differs:.2f} in "
                "the mean. Leave `grpo.vllm` out, and transformers writes."
            )


def _copy_of(policy: LoadedPolicy, recipe: Recipe, folder: Path) -> dict[str, Any]:
    """What the engine is told of the model. Of an adapter the base stays as it is on the disk; all other weights come
    later."""
    if recipe.policy.lora is not None:
        base = policy.model.peft_config[ADAPTER].base_model_name_or_path
        room = max(_LEAST_RANK, 1 << (recipe.policy.lora.rank - 1).bit_length())
        return {"model": base, "enable_lora": True, "max_loras": 1, "max_lora_rank": room}
    config = policy.model.config.to_dict() | {"tie_word_embeddings": False}  # see `named_weights`
    type(policy.model.config).from_dict(config).save_pretrained(folder)
    return {"model": str(folder), "load_format": "dummy"}


def named_weights(model: Any) -> Iterator[tuple[str, torch.Tensor]]:
    """All weights by name. Embeddings that are tied are given twice: an engine that ties them itself may keep the old
    ones on one side when it gets new ones."""
    yield from ((name, weights.data) for name, weights in model.named_parameters())
    if model.config.tie_word_embeddings:
        yield "lm_head.weight", model.get_output_embeddings().weight.data


def _read(model: Any, prompt: list[int], written: list[int]) -> list[float]:
    """The log-probabilities that the policy itself gives these tokens."""
    was_training = model.training
    model.eval()  # nothing is left out at random, as nothing is when it writes
    try:
        with torch.no_grad():
            ids = torch.tensor([prompt + written], device=next(model.parameters()).device)
            logits = model(input_ids=ids).logits[0, len(prompt) - 1 : -1]
        read = torch.log_softmax(logits.float(), dim=-1).gather(1, ids[0, len(prompt) :, None])
        found: list[float] = read[:, 0].tolist()
        return found
    finally:
        model.train(was_training)
