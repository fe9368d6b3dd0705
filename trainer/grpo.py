"""GRPO over live environments: play groups, judge them, learn from each message in its own context.

Belongs here: the thin subclass of TRL's trainer, and the run around it. Does not: playing (`playing`), advantages and
samples (`groups`), tensors (`batches`).

TRL trains one sequence for each rollout. Here a rollout is expanded into its messages after the advantages of its group
are known, so that each is trained on exactly the tokens it was written after; only messages that were written after one
and the same growing text share a sample.
"""

import asyncio
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from transformers import PrinterCallback
from trl import GRPOConfig, GRPOTrainer
from trl.trainer.utils import use_adapter

from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.store.home import Home

from .batches import as_tensors
from .checkpoints import rates_kept
from .failures import Diverged
from .figures import figures, nothing_to_learn
from .groups import ROWS_AT_ONCE, samples
from .playing import Played, Surroundings, begun, play, rollout_settings
from .policies import LoadedPolicy
from .recipe import Grpo, Recipe, with_autocast
from .sampling import sampling_of
from .tasks import order_of_tasks
from .watching import check_finite, way_back

_Read = tuple[torch.Tensor, torch.Tensor | None, torch.Tensor | None]
"""Log-probabilities, entropies, and a loss that balances experts."""


class TurnTrainer(GRPOTrainer):  # type: ignore[misc]
    """TRL's trainer, with rollouts of our own and samples of their messages."""

    def __init__(
        self,
        *,
        policy: LoadedPolicy,
        recipe: Recipe,
        tasks: Sequence[Assignment],
        folder: Path,
        home: Home,
        ranks: Sequence[int] = (),
        **more: Any,
    ) -> None:
        """`ranks`: which tasks come before which; those of one rank, and all where there are none, are shuffled."""
        self._policy, self._recipe, self._tasks, self._folder, self._home = policy, recipe, tasks, folder, home
        self._loop = asyncio.Runner()
        self._running: Surroundings | None = None
        self._flat = self._read = 0
        order = [*islice(order_of_tasks(ranks or [0] * len(tasks), recipe.seed), _played_in(recipe.grpo))]
        super().__init__(
            model=policy.model,
            processing_class=policy.tokenizer,
            reward_funcs=[_never],
            args=_arguments(recipe, folder),
            train_dataset=Dataset.from_dict(rows_of(order, recipe.grpo.tasks)),
            **more,
        )
        self.remove_callback(PrinterCallback)  # the run has a reporter of its own

    def train(self, *arguments: Any, **more: Any) -> Any:
        surroundings = AsyncExitStack()
        try:
            self._running = self._loop.run(begun(surroundings, self._recipe, self._tasks, self._home))
            return super().train(*arguments, **more)
        finally:
            self._loop.run(surroundings.aclose())
            self._loop.close()

    def _load_optimizer_and_scheduler(self, checkpoint: str | None) -> None:
        with rates_kept(self.lr_scheduler):
            super()._load_optimizer_and_scheduler(checkpoint)

    def training_step(self, *given: Any, **more: Any) -> torch.Tensor:
        loss: torch.Tensor = super().training_step(*given, **more)
        check_finite("loss", float(loss), self.state.global_step + 1, Path(self.args.output_dir))
        return loss

    def keep(self, folder: Path) -> None:
        self._policy.save(folder)

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, torch.Tensor]:
        """Called by TRL for the rows of a batch, each task as often as its group is large."""
        grpo = self._recipe.grpo
        # Where there are fewer tasks than a batch wants, one is in it several times, and played once.
        played = self._played(*([self._tasks[place] for place in _places(inputs, of)] for of in ("task", "next")))
        # Weights of whole sequences are those of messages; joined ones would have one for an episode.
        made = samples(played.groups, grpo.scale, joined=grpo.importance == "token")
        self._read += sum(len(one.ids) for one in made)
        self._report(played, len(made))
        pad, parts = self._policy.renderer.pad, self.args.steps_per_generation
        tensors = as_tensors(made, pad, parts, self.accelerator.device)
        return tensors | self._reference(tensors)

    def _played(self, chosen: Sequence[Assignment], ahead: Sequence[Assignment]) -> Played:
        assert self._running is not None, "groups are played only while training runs"
        runtime, sessions, judge, person = self._running
        grpo, step = self._recipe.grpo, self.state.global_step
        try:
            playing = play(
                runtime,
                self._policy,
                sampling_of(grpo),
                rollout_settings(grpo, step),
                chosen,
                sessions,
                ahead=ahead,
                folder=self._folder / "rollouts" / f"{step:06d}-{secrets.token_hex(3)}",
                seed=self._recipe.seed * 1_000_003 + step * grpo.group,
                name=f"{self._recipe.name}@{step}",
                judge=judge,
                person=person,
            )
            return self._loop.run(playing)
        except Diverged as failure:
            raise Diverged(
                f"At step {step} the policy's logits are no numbers. {way_back(Path(self.args.output_dir))}"
            ) from failure

    def _get_per_token_logps_and_entropies(
        self, model: Any, input_ids: torch.Tensor, attention_mask: torch.Tensor, logits_to_keep: int, **more: Any
    ) -> _Read:
        """As TRL does it, but a few rows of like length at a time, without the padding that they do not need: episodes
        are of very different lengths."""
        read = super()._get_per_token_logps_and_entropies
        if more.get("compute_aux_loss"):
            found: _Read = read(model, input_ids, attention_mask, logits_to_keep, **more)
            return found
        order = attention_mask.sum(1).argsort()
        logprobs, entropies = [], []
        for rows in order.split(ROWS_AT_ONCE):
            used = attention_mask[rows].any(0).nonzero()
            begin, end = int(used[0]), int(used[-1]) + 1
            unused = attention_mask.size(1) - end
            of_rows, entropy, _ = read(
                model, input_ids[rows, begin:end], attention_mask[rows, begin:end], logits_to_keep - unused, **more
            )
            logprobs.append(torch.nn.functional.pad(of_rows, (0, unused)))
            entropies += [torch.nn.functional.pad(entropy, (0, unused))] if entropy is not None else []
        back = order.argsort()
        return torch.cat(logprobs)[back], torch.cat(entropies)[back] if entropies else None, None

    def _reference(self, tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        """The log-probabilities of the model that the policy must not stray from."""
        if self.beta == 0.0:
            return {}
        ids = torch.cat([tensors["prompt_ids"], tensors["completion_ids"]], dim=1)
        mask = torch.cat([tensors["prompt_mask"], tensors["completion_mask"]], dim=1)
        with torch.no_grad(), self._as_it_began() as model:
            logprobs, _, _ = self._get_per_token_logps_and_entropies(
                model, ids, mask, tensors["completion_ids"].size(1)
            )
        return {"ref_per_token_logps": logprobs}

    @contextmanager
    def _as_it_began(self) -> Iterator[Any]:
        """A model of its own; of an adapter the copy that TRL made of it before the first step."""
        if self.ref_model is not None:
            yield self.ref_model
            return
        model = self.accelerator.unwrap_model(self.model)
        with use_adapter(model, adapter_name="ref" if "ref" in model.peft_config else None):
            yield model

    def _report(self, played: Played, samples: int) -> None:
        """What TRL logs with its own figures; and the end of a run in which nothing differs."""
        for name, value in figures(played, rollout_settings(self._recipe.grpo).reward.weights).items():
            self._metrics["train"][name].append(value)
        self._metrics["train"]["samples"].append(float(samples))
        self._metrics["train"]["num_tokens"].append(float(self._read))
        self._flat = 0 if samples else self._flat + 1
        if self._flat >= self._recipe.grpo.patience:
            raise nothing_to_learn(f"In {self._flat} batches")


def _places(rows: Sequence[Mapping[str, Any]], of: str) -> list[int]:
    """Of their tasks, each once; after the last batch there is no next one."""
    return list(dict.fromkeys(int(row[of]) for row in rows if row[of] is not None))


def rows_of(order: Sequence[int], batch: int) -> dict[str, list[Any]]:
    """TRL wants a prompt in each row; only its task is looked at here, and the one at its place in the next batch."""
    return {"prompt": [""] * len(order), "task": [*order], "next": [*order[batch:], *[None] * len(order[:batch])]}


def _played_in(grpo: Grpo) -> int:
    """How many tasks all batches of a run have."""
    return -(-grpo.steps // grpo.updates) * grpo.tasks


def parts_of(grpo: Grpo) -> int:
    """Into how many micro-batches a batch is split: equal ones, and as many for each update."""
    rows = grpo.tasks * grpo.group
    return next(
        parts
        for parts in range(grpo.updates, rows + 1, grpo.updates)
        if rows % parts == 0 and rows // parts <= grpo.micro_batch
    )


def _arguments(recipe: Recipe, folder: Path) -> GRPOConfig:
    grpo = recipe.grpo
    parts = parts_of(grpo)
    cpu = not torch.cuda.is_available()
    return GRPOConfig(
        output_dir=str(folder / "checkpoints"),
        max_steps=grpo.steps,
        per_device_train_batch_size=grpo.tasks * grpo.group // parts,
        steps_per_generation=parts,
        gradient_accumulation_steps=parts // grpo.updates,
        num_generations=grpo.group,
        shuffle_dataset=False,  # the tasks are in their order already
        learning_rate=grpo.learning_rate,
        warmup_steps=grpo.warmup,
        lr_scheduler_type="linear" if grpo.schedule == "linear" else "constant_with_warmup",
        epsilon=grpo.clip_low,
        epsilon_high=grpo.clip_high,
        beta=grpo.kl,
        importance_sampling_level=grpo.importance,
        loss_type="dapo",
        temperature=grpo.temperature,
        max_completion_length=grpo.most_new_tokens,
        save_steps=recipe.save_every,
        save_total_limit=2,
        logging_steps=1,
        seed=recipe.seed,
        use_cpu=cpu,
        bf16=with_autocast(recipe, cpu=cpu),
        activation_checkpointing=not cpu,
        report_to=recipe.report_to,
        run_name=recipe.name,
        disable_tqdm=True,
    )


def _never(**given: Any) -> list[float]:
    """TRL asks for a function; rewards here come with the rollouts."""
    raise AssertionError("rewards are given by the verifiers of the environments")
