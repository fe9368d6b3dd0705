"""Supervised fine-tuning: learning the messages of good episodes, token by token.

Belongs here: the run around TRL's trainer, and the weight of what is only read. Does not: making examples
(`examples`), or playing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import torch
from datasets import Dataset
from torch.utils.data import DataLoader
from transformers import PrinterCallback, TrainerCallback
from trl import SFTConfig, SFTTrainer

from trainer.examples import Example, examples
from trainer.exercises import Exercises
from trainer.failures import RecipeError
from trainer.lookups import with_lookups
from trainer.optimizers import MuonAndAdam, rates_kept
from trainer.ordering import Batches
from trainer.policies import LoadedPolicy
from trainer.processes import processes
from trainer.recipe import Recipe
from trainer.rewording import reworded
from trainer.watching import check_finite

_SHORT = 1024
"""Tokens up to which plain attention is used on a CPU: where samples are padded it is faster than `sdpa`, and takes
memory by their square."""


@dataclass(frozen=True, slots=True)
class Examples:
    """What a run learns from, and what was too long for it."""

    dataset: Dataset
    """Exercises, then examples."""
    exercises: int
    left_out: int
    tokens: int
    learned: int


def prepare(policy: LoadedPolicy, recipe: Recipe, rows: Sequence[Mapping[str, Any]], *, fresh: bool) -> Examples:
    """`fresh`: the policy knows nothing yet, and begins with easy exercises."""
    sft = recipe.sft
    rows = [*rows, *reworded(rows, sft.reworded, recipe.seed)]
    made = list(examples(policy.renderer, shown(recipe, rows), sft.samples))
    if not made:
        raise RecipeError("In no row has the assistant written anything; there is nothing to learn.")
    kept = [one for one in made if len(one.ids) <= sft.longest]
    if not kept:
        raise RecipeError(
            f"All {len(made)} examples have more than {recipe.sft.longest} tokens (`sft.longest`); none is left."
        )
    first = _exercises(policy, recipe, rows, kept, fresh=fresh) if sft.exercises else []
    return Examples(
        Dataset.from_list([{"input_ids": one.ids, "labels": one.labels()} for one in (*first, *kept)]),
        len(first),
        len(made) - len(kept),
        sum(len(one.ids) for one in kept),
        sum(sum(one.learned) for one in kept),
    )


def shown(recipe: Recipe, rows: Iterable[Mapping[str, Any]], *, exercises: bool = False) -> Iterator[Mapping[str, Any]]:
    """The conversations as the policy is to learn them: with what is looked up in them, where the recipe says so."""
    yield from (with_lookups(row, kept=exercises) if recipe.sft.lookups else row for row in rows)


def _exercises(
    policy: LoadedPolicy, recipe: Recipe, rows: Sequence[Mapping[str, Any]], kept: Sequence[Example], *, fresh: bool
) -> list[Example]:
    """As many tokens of them as their share of the run is."""
    sft = recipe.sft
    tokens = fmean(len(one.ids) for one in kept)
    if sft.most_steps is None:
        wanted = sft.epochs * len(kept) * tokens * sft.exercises / (1 - sft.exercises)
    else:
        wanted = sft.most_steps * sft.accumulate * processes() * sft.batch * tokens * sft.exercises
    exercises, found, done = Exercises(rows, recipe.seed), list[Example](), 0
    while done < wanted:
        conversation = shown(recipe, [exercises.another(done / wanted if fresh else 1.0)], exercises=True)
        new = [one.cut(sft.longest) for one in examples(policy.renderer, conversation, "trajectories")]
        found += new
        done += sum(len(one.ids) for one in new)
    return found


class WeighingTrainer(SFTTrainer):  # type: ignore[misc]
    """TRL's trainer, in which tokens that are only read may count a little: a model from scratch learns to read."""

    def __init__(
        self, *, optimizer: str, prompt_weight: float, exercises: int, first: float, epochs: float, **more: Any
    ) -> None:
        self._optimizer = optimizer
        self._prompt_weight = prompt_weight
        self._exercises, self._first = exercises, first
        self._epochs = epochs
        if prompt_weight:
            # The weighed loss is the mean of a batch. Of models that could count for themselves, transformers takes it
            # for divided by the number of batches of a step already.
            self.loss_is_scaled_for_ga = False
        super().__init__(**more)

    def get_train_dataloader(self) -> DataLoader[Any]:
        data = self._remove_unused_columns(self.train_dataset, description="training")
        lengths = [len(ids) for ids in data["input_ids"]]
        batches = Batches(
            lengths,
            self._exercises,
            self._first,
            tokens=self.args.train_batch_size * fmean(lengths[self._exercises :]),
            epochs=self._epochs,
            most=self.args.max_steps * self.args.gradient_accumulation_steps * self.args.world_size
            if self.args.max_steps > 0
            else None,
            seed=self.args.seed,
        )
        loader: DataLoader[Any] = DataLoader(data, batch_sampler=batches, collate_fn=self.data_collator)
        prepared: DataLoader[Any] = self.accelerator.prepare(loader)
        return prepared

    def create_optimizer(self, *given: Any, **more: Any) -> torch.optim.Optimizer:
        if self._optimizer == "muon":
            self.optimizer = MuonAndAdam(self.model.named_parameters(), self.args.learning_rate)
            return self.optimizer
        made: torch.optim.Optimizer = super().create_optimizer(*given, **more)
        return made

    def _load_optimizer_and_scheduler(self, checkpoint: str | None) -> None:
        with rates_kept(self.lr_scheduler):
            super()._load_optimizer_and_scheduler(checkpoint)

    def training_step(self, *given: Any, **more: Any) -> torch.Tensor:
        loss: torch.Tensor = super().training_step(*given, **more)
        check_finite("loss", float(loss), self.state.global_step + 1, Path(self.args.output_dir))
        return loss

    def compute_loss(
        self, model: Any, inputs: dict[str, Any], return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        if self._prompt_weight == 0.0:
            return super().compute_loss(model, inputs, return_outputs, num_items_in_batch)
        weights = torch.where(inputs.pop("labels") >= 0, 1.0, self._prompt_weight) * inputs["attention_mask"]
        outputs = model(**inputs)
        loss = weighed_loss(outputs.logits, inputs["input_ids"], weights)
        return (loss, outputs) if return_outputs else loss


def weighed_loss(logits: torch.Tensor, ids: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """The mean cross-entropy of the tokens, each with its weight."""
    flat = torch.nn.functional.cross_entropy(
        logits[:, :-1].flatten(0, 1).float(), ids[:, 1:].flatten(), reduction="none"
    )
    counted = weights[:, 1:].flatten()
    return (flat * counted).sum() / counted.sum().clamp(min=1.0)


def train(
    policy: LoadedPolicy,
    recipe: Recipe,
    rows: Sequence[Mapping[str, Any]],
    folder: Path,
    callbacks: Sequence[TrainerCallback] = (),
    resume: str | None = None,
    *,
    fresh: bool,
) -> Examples:
    """Train the policy in place; checkpoints and the result lie in `folder`."""
    if recipe.sft.packing and "conv" in (getattr(policy.model.config, "layer_types", None) or ()):
        raise RecipeError(
            "`sft.packing` is not for this policy: its convolutions would mix the samples that are packed."
        )
    if recipe.precision == "mixed" and recipe.sft.longest <= _SHORT and not torch.cuda.is_available():
        policy.model.set_attn_implementation("eager")
    made = prepare(policy, recipe, rows, fresh=fresh)
    trainer = WeighingTrainer(
        optimizer=recipe.sft.optimizer,
        prompt_weight=recipe.sft.prompt_weight,
        exercises=made.exercises,
        first=0.5 if fresh else 0.0,
        epochs=recipe.sft.epochs,
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
        num_train_epochs=1,  # the order goes through the examples as often as the recipe says
        max_steps=sft.most_steps or -1,
        per_device_train_batch_size=sft.batch,
        gradient_accumulation_steps=sft.accumulate,
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
