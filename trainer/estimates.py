"""What a recipe needs before it is started: memory and time, by rules of thumb that are written down here.

Belongs here: arithmetic. Does not: measuring anything.

Memory is that of one process, which holds the whole policy. Weights, gradients and Adam's two moments take four bytes
a parameter each, two where the recipe's `precision` is bfloat16; an adapter has gradients and moments only for itself,
in full precision. `mixed` keeps copies of the weights in bfloat16, and several processes copies of the gradients. With
`kl` GRPO has the policy a second time as it began; an adapter it can do without.

On top comes what one micro-batch takes, with checkpointing (the hidden units of each token and layer, and all that one
layer works with, for a few samples at a time), or what playing takes, if that is more (keys and values of the episodes
in flight, and one layer).

A training step costs six operations a parameter and token, playing two more, a reference another two; a GPU is counted
as doing 40 % of 400 trillion a second. Playing token by token is slower than that: how much, only a
run can tell.
"""

from dataclasses import dataclass

from trainer.failures import RecipeError
from trainer.groups import ROWS_AT_ONCE
from trainer.recipe import Recipe

_GPU_PER_SECOND = 0.4 * 400e12
_LORA_SHARE = 0.0005
"""For each rank, of the parameters it adapts."""
_TOKENS_A_SAMPLE = 0.4
"""Of the longest that is allowed, an ordinary sample has so much."""
_TURNS = 7
"""Messages of an ordinary episode."""
_WIDTH_OF_BILLION = 2_048
_LAYERS = 32
_KEYS_AND_VALUES = 2 * 1_024
"""Numbers a token and layer keeps for the tokens after it: eight heads of 128."""
_INSIDE_A_LAYER = 17
"""Numbers a layer works with, for each token and hidden unit."""
_ADAM = 4
"""A weight, its gradient and two moments."""


@dataclass(frozen=True, slots=True)
class Estimate:
    parameters: int
    memory_gb: float
    """Of each GPU, or of each process."""
    seconds_a_step: float
    hours: float
    machine: str


@dataclass(frozen=True, slots=True)
class _Shape:
    layers: int
    width: float
    keys_and_values: float


def parameters_of(recipe: Recipe) -> int:
    policy = recipe.policy
    if policy.parameters is None:
        raise RecipeError(
            f"How many parameters {policy.base} has is not known here: say it in `policy.parameters`, in billions."
        )
    return round(policy.parameters * 1e9)


def estimate_grpo(recipe: Recipe, machines: int = 1) -> Estimate:
    """On so many GPUs, each with a process, and each process with the recipe's batch."""
    grpo, shape, size = recipe.grpo, _shape(recipe), _bytes_a_number(recipe)
    tokens, messages = grpo.longest * _TOKENS_A_SAMPLE, min(_TURNS, grpo.most_turns or _TURNS)
    in_flight = min(grpo.in_flight, grpo.tasks * grpo.group) * tokens
    learning = _activations(recipe, grpo.micro_batch * messages * tokens, ROWS_AT_ONCE * tokens)
    playing = in_flight * (size * shape.layers * shape.keys_and_values + _inside_a_layer(recipe))
    reference = size * parameters_of(recipe) if grpo.kl and not recipe.policy.lora else 0.0
    memory = _weights(recipe, machines) + reference + max(learning, playing)
    step = grpo.tasks * grpo.group * messages * tokens / grpo.updates
    return _estimate(recipe, memory, step, grpo.steps, 10 if grpo.kl else 8, machines)


def estimate_sft(recipe: Recipe, examples: int, machines: int = 1) -> Estimate:
    """On so many GPUs, each with a process, and each process with the recipe's batch."""
    sft = recipe.sft
    batch = sft.batch * sft.longest * _TOKENS_A_SAMPLE
    samples = examples * sft.epochs
    steps = sft.most_steps or max(1, int(samples / (sft.batch * sft.accumulate * machines)))
    memory = _weights(recipe, machines) + _activations(recipe, batch, batch)
    return _estimate(recipe, memory, batch * sft.accumulate, steps, 6, machines)


def _estimate(
    recipe: Recipe, memory: float, tokens_a_process: float, steps: int, operations: int, machines: int
) -> Estimate:
    """Processes work side by side: more of them learn from more tokens in the same time."""
    parameters = parameters_of(recipe)
    seconds = operations * parameters * tokens_a_process / _GPU_PER_SECOND
    machine = f"{machines} GPU{'s' if machines > 1 else ''}"
    return Estimate(parameters, memory / 1e9, seconds, seconds * steps / 3600, machine)


def _shape(recipe: Recipe) -> _Shape:
    width = _WIDTH_OF_BILLION * max(1.0, (parameters_of(recipe) / 1e9) ** 0.33)
    return _Shape(_LAYERS, width, _KEYS_AND_VALUES)


def _bytes_a_number(recipe: Recipe) -> int:
    return 2 if recipe.precision == "bfloat16" else 4


def _weights(recipe: Recipe, machines: int) -> float:
    parameters, size, lora = parameters_of(recipe), _bytes_a_number(recipe), recipe.policy.lora
    copies = 2 * parameters if recipe.precision == "mixed" else 0.0
    numbers = _ADAM + (1 if machines > 1 else 0)
    if lora:
        return size * parameters + copies + numbers * 4 * _LORA_SHARE * lora.rank * parameters
    return numbers * size * parameters + copies


def _activations(recipe: Recipe, tokens_at_once: float, tokens_in_a_layer: float) -> float:
    """What flows from layer to layer is as exact as the weights."""
    shape = _shape(recipe)
    between = _bytes_a_number(recipe) * shape.layers * shape.width
    return tokens_at_once * between + min(tokens_at_once, tokens_in_a_layer) * _inside_a_layer(recipe)


def _inside_a_layer(recipe: Recipe) -> float:
    """Bytes a token."""
    return (4 if recipe.precision == "float32" else 2) * _INSIDE_A_LAYER * _shape(recipe).width
