"""Supervised fine-tuning: learning the messages of good episodes, token by token.

Belongs here: the run around TRL's trainer. Does not: making examples (`examples`), or playing.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import torch
from datasets import Dataset
from transformers import PrinterCallback, TrainerCallback
from trl import SFTConfig, SFTTrainer

from trainer.checkpoints import rates_kept
from trainer.examples import Example, examples
from trainer.failures import RecipeError
from trainer.policies import LoadedPolicy
from trainer.recipe import Recipe, with_autocast
from trainer.watching import check_finite


@dataclass(frozen=True, slots=True)
class Examples:
    """What a run learns from, and what it does not."""

    dataset: Dataset
    held_out: Dataset | None
    """Examples of tasks that are kept apart, on which the loss is told."""
    dropped: dict[str, int]
    """Why → how many examples; rows that cannot be rendered count once."""
    tokens: int
    learned: int

    @property
    def told(self) -> str:
        kept, dropped = len(self.dataset) + len(self.held_out or ()), sum(self.dropped.values())
        reasons = "".join(f" {count} dropped: {why}." for why, count in self.dropped.items())
        apart = f" {len(self.held_out)} are held out." if self.held_out is not None else ""
        tokens = f"{self.tokens:,} tokens are read, {self.learned:,} of them learned."
        return f"{kept} of {kept + dropped} examples are kept.{reasons}{apart} {tokens}"


def prepare(policy: LoadedPolicy, recipe: Recipe, rows: Sequence[Mapping[str, Any]]) -> Examples:
    made, dropped = list[tuple[bool, Example]](), Counter[str]()
    for row in rows:
        try:
            found = list(examples(policy.renderer, [row], recipe.sft.samples))
        except RecipeError as error:
            dropped[str(error).rstrip(".")] += 1
            continue
        fit = [one for one in found if len(one.ids) <= recipe.sft.longest]
        if len(fit) < len(found):
            dropped[f"more than {recipe.sft.longest} tokens (`sft.longest`)"] += len(found) - len(fit)
        made += [(_is_held_out(row, recipe), one) for one in fit]
    if not made and not dropped:
        raise RecipeError("In no row has the assistant written anything; there is nothing to learn.")
    learned, apart = ([one for held, one in made if held is which] for which in (False, True))
    prepared = Examples(
        _dataset(learned),
        _dataset(apart) if apart else None,
        dict(dropped),
        sum(len(one.ids) for one in learned),
        sum(sum(one.learned) for one in learned),
    )
    if not learned or len(made) < recipe.sft.least_kept * (len(made) + dropped.total()):
        raise RecipeError(f"Too few examples are left to learn from (`sft.least_kept`). {prepared.told}")
    return prepared


def _is_held_out(row: Mapping[str, Any], recipe: Recipe) -> bool:
    """All examples of a task, or none."""
    trace = row.get("trace") or {}
    task = f"{trace.get('environment')} {trace.get('task')}" if trace else str(row["messages"][1:2])
    return Random(f"{recipe.seed} {task}").random() < recipe.sft.held_out


def _dataset(made: Sequence[Example]) -> Dataset:
    return Dataset.from_list([{"input_ids": one.ids, "labels": one.labels()} for one in made])


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
