"""A recipe: everything that decides what a training run does, as one file.

Belongs here: the schema that recipe files, tests and assets share. Does not: the recipes (`trainer/recipes`), or
following them (`sft`, `grpo`).
"""

from pathlib import Path
from typing import Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from envfactory_dagster.contracts.trajectory import Protocol
from envfactory_dagster.truth.rewards import RewardSettings

from .failures import RecipeError


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Lora(_Part):
    rank: int = 16
    alpha: int = 32
    dropout: float = 0.0


class Policy(_Part):
    """What is trained: a model with weights."""

    base: str
    """A folder, or a name that transformers finds."""
    lora: Lora | None = None
    chat_template: str | None = None
    """A file, or `hermes`, which is shipped (`trainer/templates`): in place of the tokenizer's own, where that shows no
    tools, or its calls do not read back."""
    thinking: bool = False
    """Whether the policy writes its reasoning before each message. It is never shown again."""
    parameters: float | None = Field(default=None, gt=0)
    """In billions, for estimates where the weights are not at hand."""


class Sft(_Part):
    epochs: float = Field(default=2.0, gt=0)
    most_steps: int | None = Field(default=None, ge=1)
    batch: int = Field(default=8, ge=1)
    accumulate: int = Field(default=1, ge=1)
    learning_rate: float = Field(default=1e-5, gt=0)
    warmup: float = Field(default=0.03, ge=0, le=1)
    longest: int = Field(default=8_192, ge=16)
    """Tokens of a message and all that it was written after. Messages with more are left out, and counted: of a message
    that is cut one learns that it does not end."""
    least_kept: float = Field(default=0.5, ge=0, le=1)
    """Where a smaller share of the messages is left, the run does not begin."""
    held_out: float = Field(default=0.0, ge=0, lt=1)
    """The share of tasks whose examples are not learned: the loss on them is told."""
    evaluate_every: int = Field(default=50, ge=1)
    """Steps after which that is done."""
    packing: bool = False


class Grpo(_Part):
    tasks: int = Field(default=8, ge=1)
    """Tasks of a batch of one process; each is played by a group. Where there are fewer, a batch has all of them."""
    fresh: int = Field(default=0, ge=0)
    """So many fresh tasks of every environment that has task families, beside those of the dataset. They are drawn
    once, before the first batch, with the run's seed."""
    group: int = Field(default=8, ge=2)
    steps: int = Field(default=200, ge=1)
    """Optimizer steps of the run; each batch makes `updates` of them."""
    updates: int = Field(default=1, ge=1)
    """Optimizer steps that the samples of one batch are split into."""
    micro_batch: int = Field(default=8, ge=1)
    """Samples that go through the model at once."""
    learning_rate: float = Field(default=1e-6, gt=0)
    warmup: float = Field(default=0.0, ge=0, le=1)
    schedule: Literal["constant", "linear"] = "constant"
    """Of the learning rate after the warm-up: it stays, or comes down to nothing over `steps`."""
    clip_low: float = Field(default=0.2, gt=0)
    clip_high: float = Field(default=0.28, gt=0)
    kl: float = Field(default=0.0, ge=0)
    importance: Literal["token", "sequence"] = "token"
    scale: Literal["group", "batch", "none"] = "group"
    """By what deviation advantages are divided."""
    window: int | None = Field(default=None, ge=1)
    """How many of the latest exchanges the policy is shown; None: all of them."""
    protocol: Protocol = "native"
    temperature: float = Field(default=1.0, gt=0)
    top_p: float = Field(default=1.0, gt=0, le=1)
    """Of the likeliest tokens those that come to so much together are drawn from."""
    top_k: int | None = Field(default=None, ge=1)
    """So many of the likeliest tokens are drawn from; None: all."""
    most_turns: int | None = Field(default=None, ge=1)
    """Messages of the policy; None: three for each call of the reference solution, and 20 at least."""
    most_new_tokens: int = Field(default=512, ge=1)
    """Of one message."""
    longest: int = Field(default=8_192, ge=16)
    """Of a sample: its context and its message."""
    in_flight: int = Field(default=64, ge=1)
    """Episodes that are played at once; who writes for them keeps what they have read in memory."""
    server: str | None = None
    """The address of a vLLM server, such as `http://localhost:8000`, that writes what is played while the policy
    learns. None: one process plays a batch and then learns from it."""
    staleness: int = Field(default=4, ge=1)
    """With a server: samples that were begun with weights more than so many steps old are dropped."""
    reward: Literal["verdict", "agent_world_model", "env_factory"] | RewardSettings = "agent_world_model"
    """A name, or reward settings. `verdict` is the component `checks`, `agent_world_model` is `outcome`, and
    `env_factory` is `path_and_state`. Schedules (`alpha`, `gamma`) follow the optimizer step; an evaluation uses their
    final value. The model of the role `judge`, where one is set, reads messages, and decides what the reward needs a
    judge for."""
    turns: bool = False
    """Whether the turns of conversations are played one by one, each from where the reference solution had come, in
    place of whole conversations. They have no verifier: the reward is path and state alone."""
    easiest_first: bool = False
    """Tasks of lower levels before those of higher ones, each time through; a file given as `--curriculum` has an order
    of its own."""
    patience: int = Field(default=20, ge=1)
    """After so many batches without a difference in reward the run ends: there is nothing to learn from."""

    @model_validator(mode="after")
    def _updates_are_alike(self) -> Self:
        if self.tasks * self.group % self.updates:
            raise ValueError(
                f"a batch of {self.tasks} x {self.group} episodes cannot be split into {self.updates} equal `updates`"
            )
        return self

    @model_validator(mode="after")
    def _server_can_do_it(self) -> Self:
        """TRL's asynchronous loss weights tokens, and knows no second model."""
        cannot = {"kl": self.kl > 0, "importance: sequence": self.importance == "sequence"}
        if self.server is not None and (named := [name for name, asked in cannot.items() if asked]):
            raise ValueError(f"with `server` there is no {' and no '.join(f'`{name}`' for name in named)}")
        return self


class Recipe(_Part):
    """One run. Sections that a command does not need are not looked at."""

    name: str
    policy: Policy
    sft: Sft = Sft()
    grpo: Grpo = Grpo()
    seed: int = 0
    report_to: list[str] = []
    """Whom figures are sent to beside the run's own folder: `wandb`, `tensorboard`, or what else transformers knows."""
    save_every: int = Field(default=50, ge=1)
    log_every: int = Field(default=10, ge=1)
    precision: Literal["float32", "mixed", "bfloat16"] = "mixed"
    """`mixed`: weights in float32, and what is computed with them in bfloat16 where that is faster, on a GPU.
    An evaluation computes in float32 then: on a GPU the policy writes a little otherwise there than GRPO has it play.
    `bfloat16`: the weights as well. That is for those of which only an adapter is trained, which stays in float32: in
    weights of this precision small steps are rounded away."""

    @classmethod
    def read(cls, path: Path) -> "Recipe":
        try:
            return cls.model_validate(yaml.safe_load(path.read_text()))
        except (OSError, yaml.YAMLError, UnicodeDecodeError) as error:
            raise RecipeError(f"The recipe {path} cannot be read: {error}") from error
        except ValidationError as error:
            wrong = "; ".join(f"{'.'.join(map(str, one['loc'])) or 'recipe'}: {one['msg']}" for one in error.errors())
            raise RecipeError(f"The recipe {path} is not one: {wrong}.") from error


def with_autocast(recipe: Recipe, *, cpu: bool) -> bool:
    """Whether a training computes under autocast to bfloat16, playing included. On a CPU that only makes it slower and
    less exact. Weights that are in bfloat16 are computed with as they are, there too."""
    return recipe.precision != "float32" and not cpu
