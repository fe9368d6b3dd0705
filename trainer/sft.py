"""Supervised fine-tuning: learning the messages of good episodes, token by token.

Belongs here: the run around TRL's trainer. Does not: making examples (`examples`), or playing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from transformers import PrinterCallback, TrainerCallback
from trl import SFTConfig, SFTTrainer

from trainer.checkpoints import rates_kept
from trainer.examples import examples
from trainer.failures import RecipeError
from trainer.policies import LoadedPolicy
from trainer.recipe import Recipe
from trainer.watching import check_finite


@dataclass(frozen=True, slots=True)
class Examples:
    """What a run learns from, and what was too long for it."""

    dataset: Dataset
    left_out: int
    tokens: int
    learned: int


def prepare(policy: LoadedPolicy, recipe: Recipe, rows: Sequence[Mapping[str, Any]]) -> Examples:
    made = list(examples(policy.renderer, rows, recipe.sft.samples))
    if not made:
        raise RecipeError("In no row has the assistant written anything; there is nothing to learn.")
    kept = [one for one in made if len(one.ids) <= recipe.sft.longest]
    if not kept:
        raise RecipeError(
            f"All {len(made)} examples have more than {recipe.sft.longest} tokens (`sft.longest`); none is left."
        )
    return Examples(
        Dataset.from_list([{"input_ids": one.ids, "labels": one.labels()} for one in kept]),
        len(made) - len(kept),
        sum(len(one.ids) for one in kept),
        sum(sum(one.learned) for one in kept),
    )


class ExampleTrainer(SFTTrainer):  # type: ignore[misc]
    """TRL's trainer, which ends when the loss is no number and goes on with the learning rates of its own recipe."""

    def _load_optimizer_and_scheduler(self, checkpoint: str | None) -> None:
        with rates_kept(self.lr_scheduler):
            super()._load_optimizer_and_scheduler(checkpoint)

    def training_step(self, *given: Any, **more: Any) -> torch.Tensor:
        loss: torch.Tensor = super().training_step(*given, **more)
        check_finite("loss", float(loss), self.state.global_step + 1, Path(self.args.output_dir))
        return loss


def train(
    policy: LoadedPolicy,
    recipe: Recipe,
    rows: Sequence[Mapping[str, Any]],
    folder: Path,
    callbacks: Sequence[TrainerCallback] = (),
    resume: str | None = None,
) -> Examples:
    """Train the policy in place; checkpoints and the result lie in `folder`."""
    if recipe.sft.packing and "conv" in (getattr(policy.model.config, "layer_types", None) or ()):
        raise RecipeError(
            "`sft.packing` is not for this policy: its convolutions would mix the samples that are packed."
        )
    made = prepare(policy, recipe, rows)
    trainer = ExampleTrainer(
        model=policy.model,
        processing_class=policy.tokenizer,
        args=_arguments(recipe, folder),
        train_dataset=made.dataset,
        callbacks=list(callbacks),
    )
    trainer.remove_callback(PrinterCallback)  # the run has a reporter of its own
    trainer.train(resume_from_checkpoint=resume)
    policy.save(folder / "policy")
    return made


def _arguments(recipe: Recipe, folder: Path) -> SFTConfig:
    sft = recipe.sft
    cpu = not torch.cuda.is_available()
    return SFTConfig(
        output_dir=str(folder / "checkpoints"),
        num_train_epochs=sft.epochs,
        max_steps=sft.most_steps or -1,
        per_device_train_batch_size=sft.batch,
        gradient_accumulation_steps=sft.accumulate,
        train_sampling_strategy="random" if sft.packing else "group_by_length",  # what is packed is of one length
        learning_rate=sft.learning_rate,
        warmup_steps=sft.warmup,
        lr_scheduler_type="cosine",
        max_length=sft.longest,
        packing=sft.packing,
        save_steps=recipe.save_every,
        save_total_limit=2,
        logging_steps=recipe.log_every,
        seed=recipe.seed,
        use_cpu=cpu,
        bf16=recipe.precision == "mixed" or (recipe.precision == "bfloat16" and not cpu),
        activation_checkpointing=not cpu,
        report_to=[],
        disable_tqdm=True,
    )
