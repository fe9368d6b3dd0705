"""Policies: a model with its tokenizer, loaded and saved together.

Belongs here: bringing both into memory and telling plainly why that failed. Does not: training (`sft`, `grpo`), or
what a policy writes (`sampling`).
"""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .failures import RecipeError
from .processes import is_first
from .recipe import Lora, Policy
from .rendering import Renderer, chat_template

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


ADAPTER = "default"
"""What the one that is trained is called."""
_OF_PEFT = {"rank": "r", "alpha": "lora_alpha", "dropout": "lora_dropout"}
"""What a recipe says of an adapter, as PEFT calls it."""


@dataclass(frozen=True, slots=True)
class LoadedPolicy:
    model: "PreTrainedModel"
    tokenizer: "PreTrainedTokenizerBase"
    renderer: Renderer

    @property
    def parameters(self) -> int:
        return sum(weights.numel() for weights in self.model.parameters())

    def save(self, folder: Path) -> None:
        """Every file whole or not at all: a disk may be full, and a machine may fail."""
        if not is_first():
            return
        new = folder.with_name(f"{folder.name}.new")
        shutil.rmtree(new, ignore_errors=True)
        self._save(new)
        keep_whole(new, folder)

    def _save(self, folder: Path) -> None:
        # Beside the adapter that is trained there may be a copy of it as it began, which GRPO compares it with.
        adapted: dict[str, Any] = {"selected_adapters": [ADAPTER]} if hasattr(self.model, "peft_config") else {}
        self.model.save_pretrained(folder, **adapted)
        self.tokenizer.save_pretrained(folder)


def keep_whole(new: Path, folder: Path) -> None:
    """Moves what was written in `new` into `folder`, file by file."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in new.iterdir():
        if path.is_dir():
            shutil.rmtree(folder / path.name, ignore_errors=True)
        path.replace(folder / path.name)
    new.rmdir()


def load_renderer(policy: Policy) -> "tuple[PreTrainedTokenizerBase, Renderer]":
    """The tokenizer, and what renders with it; without any weights."""
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(policy.base)
    except (OSError, ValueError, KeyError) as error:
        raise RecipeError(f"{policy.base} is no policy that can be loaded: {error}") from error
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    if policy.chat_template is not None:
        tokenizer.chat_template = chat_template(policy.chat_template)
    return tokenizer, Renderer(tokenizer, thinking=policy.thinking)


def load(policy: Policy, precision: str = "float32") -> LoadedPolicy:
    """The policy as it is there. Nothing is downloaded for a base that is a folder. With `lora`, a folder that holds an
    adapter is gone on with; a model gets a new one."""
    import torch
    from safetensors import SafetensorError
    from transformers import AutoModelForCausalLM
    from transformers.utils import logging

    logging.disable_progress_bar()
    dtype = torch.bfloat16 if precision == "bfloat16" else torch.float32
    try:
        adapter = _known_adapter(policy)
        model, weights = AutoModelForCausalLM.from_pretrained(
            adapter.base_model_name_or_path if adapter else policy.base, dtype=dtype, output_loading_info=True
        )
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        raise RecipeError(f"{policy.base} is no policy that can be loaded: {error}") from error
    wrong = sorted([*weights["missing_keys"], *weights["unexpected_keys"]])
    if wrong:
        raise RecipeError(
            f"The weights in {policy.base} are of another architecture than its config.json says: {len(wrong)} of them "
            f"are missing or unknown, the first is {wrong[0]}."
        )
    tokenizer, renderer = load_renderer(policy)
    if len(tokenizer) > model.get_input_embeddings().num_embeddings:
        known = model.get_input_embeddings().num_embeddings
        raise RecipeError(f"The tokenizer of {policy.base} knows {len(tokenizer)} tokens, its model {known}.")
    trained = _gone_on_with(model, policy.base) if adapter else _adapted(model, policy.lora)
    if model.generation_config is not None:  # whoever serves the policy is to stop where it stops here
        model.generation_config.eos_token_id = sorted(renderer.ends)
    return LoadedPolicy(trained, tokenizer, renderer)


def check_checkpoint(model: "PreTrainedModel", folder: Path) -> None:
    """That a checkpoint of a run is one of this model: what does not fit, or is not in it, would be passed over without
    a word."""
    from safetensors import safe_open

    own = {_as_saved(name): list(weights.shape) for name, weights in model.state_dict().items()}
    there = dict[str, list[int]]()
    for path in sorted(folder.glob("*model*.safetensors")):
        with safe_open(path, "pt") as file:
            there |= {name: file.get_slice(name).get_shape() for name in file.keys()}  # noqa: SIM118 - no dictionary
    for name in [*there, *sorted(_saved(model) - there.keys())]:
        if there.get(name) != own.get(name):
            raise RecipeError(
                f"The checkpoint {folder} is of another model: of {name} it has {_told(there.get(name))}, this model "
                f"{_told(own.get(name))}. Begin anew in another folder, or resume with the policy of the first run."
            )


def _as_saved(name: str) -> str:
    """An adapter is saved without its name."""
    return name.replace(f".{ADAPTER}.", ".")


def _saved(model: "PreTrainedModel") -> set[str]:
    """What a checkpoint has of this model: only the adapter, where there is one; weights that are tied only once."""
    names: set[str] = set(model.state_dict())
    if hasattr(model, "peft_config"):
        return {_as_saved(name) for name in names if f".{ADAPTER}." in name}
    return names - set(model.all_tied_weights_keys)


def _told(shape: list[int] | None) -> str:
    return "no weights" if shape is None else f"weights of the shape {shape}"


def _known_adapter(policy: Policy) -> Any:
    """What is told about the adapter that a policy with `lora` begins from, if it begins from one."""
    if policy.lora is None or not (Path(policy.base) / "adapter_config.json").is_file():
        return None
    from peft import PeftConfig

    found = PeftConfig.from_pretrained(policy.base)
    differ = [
        f"`{name}` {there} there and {value} in the recipe"
        for name, value in policy.lora.model_dump().items()
        if (there := getattr(found, _OF_PEFT[name], None)) != value
    ]
    if differ:
        raise RecipeError(
            f"{policy.base} is an adapter with {', '.join(differ)} (`policy.lora`): an adapter is gone on with as it "
            "is."
        )
    return found


def _gone_on_with(model: "PreTrainedModel", folder: str) -> Any:
    from peft import PeftModel

    return PeftModel.from_pretrained(model, folder, adapter_name=ADAPTER, is_trainable=True)


def _adapted(model: "PreTrainedModel", lora: Lora | None) -> Any:
    if lora is None:
        return model
    from peft import get_peft_model

    return get_peft_model(model, adapter_settings(lora))


def adapter_settings(lora: Lora) -> Any:
    from peft import LoraConfig

    return LoraConfig(
        r=lora.rank,
        lora_alpha=lora.alpha,
        lora_dropout=lora.dropout,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )


def merge(adapter: Path, out: Path) -> None:
    """Writes the model that an adapter comes to, with its tokenizer."""
    from peft import AutoPeftModelForCausalLM

    if not (adapter / "adapter_config.json").is_file():
        raise RecipeError(f"{adapter} is no adapter: it has no adapter_config.json.")
    if out.exists() and any(out.iterdir()):
        raise RecipeError(f"{out} is not empty: give a folder that is new.")
    tokenizer, renderer = load_renderer(Policy(base=str(adapter)))
    whole = AutoPeftModelForCausalLM.from_pretrained(adapter).merge_and_unload()
    whole.generation_config.eos_token_id = sorted(renderer.ends)
    LoadedPolicy(whole, tokenizer, renderer).save(out)
