"""What a recipe needs before it is started: memory and time, by rules of thumb that are written down here.

Belongs here: arithmetic. Does not: the size of a model (`shapes`), or measuring anything.

Memory is that of one process, which holds the whole policy. Weights, gradients and Adam's two moments take four bytes
a parameter each, two where the recipe's `precision` is bfloat16; an adapter has gradients and moments only for itself,
in full precision. On a GPU `mixed` keeps copies of the weights in bfloat16, and several processes copies of the
gradients. With `kl` GRPO has the policy a second time as it began; an adapter it can do without.

On top comes what one micro-batch takes. On a GPU, with checkpointing, that is the hidden units of each token and layer,
and all that one layer works with, for a few samples at a time; on a CPU, without, all that all layers work with. Or it
is what playing takes, if that is more (keys and values of the episodes in flight, and one layer); with a server that
is taken on GPUs of its own.

A training step costs six operations a parameter and token, playing two more, a reference another two; a GPU is counted
as doing 40 % of 400 trillion a second, a core of a CPU 20 billion. Playing token by token is slower than that: how
much, only a run can tell.
"""

import os
from dataclasses import dataclass

from .groups import ROWS_AT_ONCE
from .recipe import Recipe
from .shapes import Shape, shape_of

_GPU_PER_SECOND = 0.4 * 400e12
_LORA_SHARE = 0.0005
"""For each rank, of the parameters it adapts."""
_TOKENS_A_SAMPLE = 0.4
"""Of the longest that is allowed, an ordinary sample has so much."""
_TURNS = 7
"""Messages of an ordinary episode."""
_CORE_PER_SECOND = 20e9
_INSIDE_A_LAYER = 17
"""Numbers a layer works with, for each token and hidden unit."""
_ADAM = 4
"""A weight, its gradient and two moments."""


@dataclass(frozen=True, slots=True)
class Estimate:
    parameters: int
    read_from_its_files: bool
    memory_gb: float
    """Of each GPU, or of each process."""
    seconds_a_step: float
    hours: float
    machine: str


def estimate_grpo(recipe: Recipe, machines: int = 1) -> Estimate:
    """On so many GPUs, each with a process, and each process with the recipe's batch; on this CPU, where there are
    none."""
    grpo, shape, size = recipe.grpo, shape_of(recipe.policy), _bytes_a_number(recipe)
    tokens, messages = grpo.longest * _TOKENS_A_SAMPLE, min(_TURNS, grpo.most_turns or _TURNS)
    in_flight = min(grpo.in_flight, grpo.tasks * grpo.group) * tokens
    joined = grpo.importance == "token" and grpo.window is None  # the messages of an episode are read together
    at_once = grpo.micro_batch * tokens * (1 if joined else messages)
    learning = _activations(recipe, shape, at_once, ROWS_AT_ONCE * tokens, machines)
    playing = in_flight * (size * shape.layers * shape.keys_and_values + _inside_a_layer(recipe, shape, machines))
    reference = size * shape.parameters if grpo.kl and not recipe.policy.lora else 0.0
    memory = _weights(recipe, shape, machines) + reference + max(learning, playing if grpo.server is None else 0.0)
    step = grpo.tasks * grpo.group * messages * tokens / grpo.updates
    return _estimate(shape, memory, step, grpo.steps, 10 if grpo.kl else 8, machines)


def estimate_sft(recipe: Recipe, examples: int, machines: int = 1) -> Estimate:
    """On so many GPUs, each with a process, and each process with the recipe's batch; on this CPU, where there are
    none."""
    sft, shape = recipe.sft, shape_of(recipe.policy)
    batch = sft.batch * sft.longest * _TOKENS_A_SAMPLE
    samples = examples * sft.epochs
    steps = sft.most_steps or max(1, int(samples / (sft.batch * sft.accumulate * max(machines, 1))))
    memory = _weights(recipe, shape, machines) + _activations(recipe, shape, batch, batch, machines)
    return _estimate(shape, memory, batch * sft.accumulate, steps, 6, machines)


def _estimate(
    shape: Shape, memory: float, tokens_a_process: float, steps: int, operations: int, machines: int
) -> Estimate:
    """Processes work side by side: more of them learn from more tokens in the same time."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    speed = _GPU_PER_SECOND if machines else cores * _CORE_PER_SECOND
    seconds = operations * shape.parameters * tokens_a_process / speed
    machine = f"{machines} GPU{'s' if machines > 1 else ''}" if machines else f"this CPU ({cores} cores), no GPU"
    return Estimate(shape.parameters, shape.is_known, memory / 1e9, seconds, seconds * steps / 3600, machine)


def _bytes_a_number(recipe: Recipe) -> int:
    return 2 if recipe.precision == "bfloat16" else 4


def _weights(recipe: Recipe, shape: Shape, machines: int) -> float:
    parameters, size, lora = shape.parameters, _bytes_a_number(recipe), recipe.policy.lora
    copies = 2 * parameters if recipe.precision == "mixed" and machines else 0.0
    numbers = _ADAM + (1 if machines > 1 else 0)
    if lora:
        return size * parameters + copies + numbers * 4 * _LORA_SHARE * lora.rank * parameters
    return numbers * size * parameters + copies


def _activations(recipe: Recipe, shape: Shape, tokens_at_once: float, tokens_in_a_layer: float, machines: int) -> float:
    """What flows from layer to layer is as exact as the weights."""
    inside = _inside_a_layer(recipe, shape, machines)
    if not machines:
        return tokens_at_once * shape.layers * inside
    between = _bytes_a_number(recipe) * shape.layers * shape.width
    return tokens_at_once * between + min(tokens_at_once, tokens_in_a_layer) * inside


def _inside_a_layer(recipe: Recipe, shape: Shape, machines: int) -> float:
    """Bytes a token."""
    exact = recipe.precision == "float32" or (recipe.precision == "mixed" and not machines)
    return (4 if exact else 2) * _INSIDE_A_LAYER * shape.width
