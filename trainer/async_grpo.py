"""GRPO beside a vLLM server: groups are played all the time, and learned from as they come.

Belongs here: everything that knows TRL's `AsyncGRPOTrainer`, which is experimental: its settings, what it needs, how
the server gets the weights, and the policy in the end. Does not: playing (`group_worker`).

TRL gives the server all weights over NCCL, for which vLLM must be importable here, or, where only an adapter is
trained and the server was started with `--enable-lora`, the adapter as a folder that both can read.
"""

import secrets
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from transformers import PrinterCallback
from trl.experimental.async_grpo import AsyncGRPOConfig, AsyncGRPOTrainer

from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.store.home import Home

from .checkpoints import rates_kept, step_of
from .failures import EnvironmentsDown, RecipeError
from .group_worker import GroupWorker
from .grpo import parts_of
from .policies import adapter_settings, keep_whole, load_renderer
from .processes import is_first, processes
from .recipe import Recipe, with_autocast
from .tasks import order_of_tasks
from .watching import check_finite

_STALE_AFTER_S = 86_400.0
"""TRL asks for a limit; whether anything is still played is known without one (`GroupWorker.check_health`)."""


class ServerTrainer(AsyncGRPOTrainer):  # type: ignore[misc]
    """TRL's trainer with groups of our own."""

    def __init__(
        self,
        *,
        recipe: Recipe,
        tasks: Sequence[Assignment],
        ranks: Sequence[int],
        folder: Path,
        home: Home,
        resumed: Path | None,
        **more: Any,
    ) -> None:
        _check(recipe)
        self._tokenizer, renderer = load_renderer(recipe.policy)
        done = step_of(resumed) if resumed is not None else 0
        worker = GroupWorker(
            recipe,
            renderer,
            _in_turn(tasks, ranks, recipe.seed),
            list(tasks),
            folder,
            home,
            enough=recipe.grpo.staleness * _samples_a_step(recipe),
            first=done * recipe.grpo.tasks // recipe.grpo.updates,
        )
        try:
            super().__init__(
                model=recipe.policy.base,
                args=_arguments(recipe, folder),
                train_dataset=Dataset.from_dict({"prompt": [""]}),  # TRL asks for one; tasks are the worker's
                processing_class=self._tokenizer,
                peft_config=adapter_settings(recipe.policy.lora) if recipe.policy.lora is not None else None,
                rollout_worker=worker,
                **more,
            )
        except (TimeoutError, OSError) as error:
            raise EnvironmentsDown(f"The vLLM server at {recipe.grpo.server} does not answer: {error}") from error
        except ValueError as error:
            raise RecipeError(f"TRL cannot train this policy beside a server: {error}") from error
        self.remove_callback(PrinterCallback)  # the run has a reporter of its own
        # A run that goes on must not give the server another adapter under a name that it knows.
        self._lora_name = f"policy-{secrets.token_hex(3)}"
        worker.adapter = self._lora_name if self._lora_sync else None
        self._ends = sorted(renderer.ends)

    def _load_optimizer_and_scheduler(self, checkpoint: str | None) -> None:
        with rates_kept(self.lr_scheduler):
            super()._load_optimizer_and_scheduler(checkpoint)

    def training_step(self, *given: Any, **more: Any) -> torch.Tensor:
        loss: torch.Tensor = super().training_step(*given, **more)
        check_finite("loss", float(loss), self.state.global_step + 1, Path(self.args.output_dir))
        return loss

    def keep(self, folder: Path) -> None:
        """The policy, or its adapter. All processes call it: each may hold a part of the weights."""
        new = folder.with_name(f"{folder.name}.new")
        self.accelerator.unwrap_model(self.model).generation_config.eos_token_id = self._ends
        self.save_model(str(new))
        if is_first():
            (new / "training_args.bin").unlink(missing_ok=True)
            keep_whole(new, folder)


def _check(recipe: Recipe) -> None:
    """Refuse at the start what would otherwise fail only when the first samples arrive."""
    if (Path(recipe.policy.base) / "adapter_config.json").is_file():
        raise RecipeError(
            f"{recipe.policy.base} is an adapter. A server needs a whole model to begin from: `python -m trainer merge "
            f"{recipe.policy.base} FOLDER` makes one. Start the server with FOLDER, and give it as the policy."
        )
    if missing := [name for name in ("kernels", "requests") if find_spec(name) is None]:
        raise RecipeError(
            f"Training beside a server needs {' and '.join(missing)}, which cannot be imported: pip install "
            f"{' '.join(missing)}. TRL fetches its attention for packed samples with `kernels`, for Hopper GPUs."
        )
    if not _answers(recipe.grpo.server or ""):
        raise EnvironmentsDown(f"The vLLM server at {recipe.grpo.server} does not answer: start it before the run.")
    if recipe.policy.lora is None and find_spec("vllm") is None:
        raise RecipeError(
            "vLLM cannot be imported here. TRL needs it to send all weights to the server; an adapter (`policy.lora`) "
            "needs a server started with `--enable-lora`, and no vLLM here."
        )


def _answers(server: str) -> bool:
    import requests

    try:
        return bool(requests.get(f"{server.rstrip('/')}/health", timeout=10).ok)
    except requests.RequestException:
        return False


def _in_turn(tasks: Sequence[Assignment], ranks: Sequence[int], seed: int) -> Iterator[Assignment]:
    return (tasks[place] for place in order_of_tasks(ranks, seed))


def _samples_a_step(recipe: Recipe) -> int:
    grpo = recipe.grpo
    return grpo.tasks * grpo.group // grpo.updates * processes()


def _arguments(recipe: Recipe, folder: Path) -> AsyncGRPOConfig:
    grpo, parts = recipe.grpo, parts_of(recipe.grpo)
    cpu = not torch.cuda.is_available()
    return AsyncGRPOConfig(
        output_dir=str(folder / "checkpoints"),
        max_steps=grpo.steps,
        per_device_train_batch_size=grpo.tasks * grpo.group // parts,
        gradient_accumulation_steps=parts // grpo.updates,
        token_budget=-1,  # so many samples at once as the recipe says
        dtype="bfloat16" if recipe.precision == "bfloat16" else "float32",
        num_generations=grpo.group,
        temperature=grpo.temperature,
        max_completion_length=grpo.most_new_tokens,
        vllm_server_base_url=grpo.server,
        max_staleness=grpo.staleness,
        heartbeat_stale_after_s=_STALE_AFTER_S,
        learning_rate=grpo.learning_rate,
        warmup_steps=grpo.warmup,
        lr_scheduler_type="linear" if grpo.schedule == "linear" else "constant_with_warmup",
        epsilon=grpo.clip_low,
        epsilon_high=grpo.clip_high,
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
