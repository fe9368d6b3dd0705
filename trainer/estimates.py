"""What a recipe needs before it is started: memory and time, by rules of thumb that are written down here.

Belongs here: arithmetic. Does not: measuring anything.

Weights and gradients take two bytes a parameter in bfloat16, Adam's two moments and the full-precision copy twelve; an
adapter has gradients and moments only for itself. Activations are those of one micro-batch with checkpointing: two
bytes for each token, layer and hidden unit. A training step costs six operations a parameter and token, and two more
for playing; a GPU is counted as doing 40 % of 400 trillion a second, a core 20 billion.
"""

from dataclasses import dataclass

from trainer.recipe import Recipe, Scratch

_GPU_PER_SECOND = 0.4 * 400e12
_CORE_PER_SECOND = 20e9
_LORA_SHARE = 0.01
_TOKENS_A_SAMPLE = 0.4
"""Of the longest that is allowed, an ordinary sample has so much."""
_TURNS = 7
"""Messages of an ordinary episode."""
_WIDTH_OF_BILLION = 2_048
_LAYERS = 32


@dataclass(frozen=True, slots=True)
class Estimate:
    parameters: float
    memory_gb: float
    seconds_a_step: float
    hours: float
    machine: str


def parameters_of(recipe: Recipe) -> float:
    scratch = recipe.policy.scratch
    return _of_scratch(scratch) if scratch else (recipe.policy.parameters or 0.0) * 1e9


def _of_scratch(scratch: Scratch) -> float:
    square = scratch.hidden * scratch.hidden
    attention = scratch.layers // 2 * square * (2 + 2 * scratch.key_value_heads / scratch.heads)
    convolutions = (scratch.layers - scratch.layers // 2) * square * 4
    feedforward = scratch.layers * 3 * scratch.hidden * scratch.feedforward
    return scratch.vocabulary * scratch.hidden + attention + convolutions + feedforward


def estimate_grpo(recipe: Recipe, machines: int = 1) -> Estimate:
    grpo = recipe.grpo
    tokens = grpo.longest * _TOKENS_A_SAMPLE
    samples = grpo.tasks * grpo.group * min(_TURNS, grpo.most_turns)
    return _estimate(
        recipe, grpo.micro_batch * tokens * min(_TURNS, grpo.most_turns), samples * tokens, grpo.steps, 8, machines
    )


def estimate_sft(recipe: Recipe, examples: int, machines: int = 1) -> Estimate:
    sft = recipe.sft
    tokens = sft.longest * _TOKENS_A_SAMPLE
    samples = examples * (1 + sft.reworded) * sft.epochs / (1 - sft.exercises)
    steps = sft.most_steps or max(1, int(samples / (sft.batch * sft.accumulate * machines)))
    return _estimate(recipe, sft.batch * tokens, sft.batch * sft.accumulate * machines * tokens, steps, 6, machines)


def _estimate(
    recipe: Recipe, tokens_at_once: float, tokens_a_step: float, steps: int, operations: int, machines: int
) -> Estimate:
    parameters = parameters_of(recipe)
    trained = parameters * (_LORA_SHARE if recipe.policy.lora else 1.0)
    scratch = recipe.policy.scratch
    width = scratch.hidden if scratch else _WIDTH_OF_BILLION * max(1.0, (parameters / 1e9) ** 0.33)
    layers = scratch.layers if scratch else _LAYERS
    memory = 2 * parameters + 14 * trained + 2 * tokens_at_once * layers * width
    on_gpu = recipe.policy.scratch is None
    seconds = operations * parameters * tokens_a_step / ((_GPU_PER_SECOND if on_gpu else _CORE_PER_SECOND) * machines)
    machine = (
        f"{machines} GPU{'s' if machines > 1 else ''}" if on_gpu else f"{machines} core{'s' if machines > 1 else ''}"
    )
    return Estimate(parameters, memory / 1e9, seconds, seconds * steps / 3600, machine)
