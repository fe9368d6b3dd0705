"""Supervised fine-tuning: learning the messages of good episodes, token by token.

Belongs here: the run around TRL's trainer. Does not: making examples (`examples`, `preparing`), or playing.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from transformers import PrinterCallback, TrainerCallback
from trl import SFTConfig, SFTTrainer

from .checkpoints import rates_kept
from .failures import RecipeError
from .policies import LoadedPolicy
from .preparing import Examples
from .recipe import Recipe, with_autocast
from .watching import check_finite


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
    made: Examples,
    folder: Path,
    callbacks: Sequence[TrainerCallback] = (),
    resume: str | None = None,
) -> None:
    """Train the policy in place; checkpoints and the result lie in `folder`."""
    if recipe.sft.packing and "conv" in (getattr(policy.model.config, "layer_types", None) or ()):
        raise RecipeError(
            "`sft.packing` is not for this policy: its convolutions would mix the samples that are packed."
        )
    trainer = ExampleTrainer(
        model=policy.model,
        processing_class=policy.tokenizer,
        args=_arguments(recipe, folder, evaluates=made.held_out is not None),
        train_dataset=made.dataset,
        eval_dataset=made.held_out,
        callbacks=list(callbacks),
    )
    trainer.remove_callback(PrinterCallback)  # the run has a reporter of its own
    trainer.train(resume_from_checkpoint=resume)
    policy.save(folder / "policy")


def _arguments(recipe: Recipe, folder: Path, *, evaluates: bool) -> SFTConfig:
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
        logging_first_step=True,
        eval_strategy="steps" if evaluates else "no",
        eval_steps=sft.evaluate_every,
        per_device_eval_batch_size=sft.batch,
        seed=recipe.seed,
        use_cpu=cpu,
        bf16=with_autocast(recipe, cpu=cpu),
        activation_checkpointing=not cpu,
        report_to=recipe.report_to,
        run_name=recipe.name,
        disable_tqdm=True,
    )
