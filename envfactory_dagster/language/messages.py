"""The words other rooms use to talk to models: who asks, what comes back, and how an answer can be unusable.

Belongs here: types without behaviour. Does not: how a question is written (`structured`), paid for (`exchange`) or
sent (`wire`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.errors import EnvFactoryError

T = TypeVar("T")

Message = Mapping[str, Json]
"""One chat message in the OpenAI form: `role`, `content`, and for tools `tool_calls` or `tool_call_id`."""


class Role(StrEnum):
    """What a model is used as. Each role has its own model setting."""

    AUTHOR = "author"
    SOLVER = "solver"
    USER = "user"
    JUDGE = "judge"
    EMBEDDER = "embedder"


@dataclass(frozen=True, slots=True)
class Caller:
    """On whose account a call goes: written into every row of the ledger."""

    asset: str
    partition: str
    role: Role


@dataclass(frozen=True, slots=True)
class Usage:
    """What this call used and cost. An answer from the cache used nothing. A cost of None: the price is unknown."""

    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    cost_usd: float | None = 0.0


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A structured answer: the validated value, and the text it was read from."""

    value: T
    text: str
    usage: Usage
    cached: bool
    model: str


@dataclass(frozen=True, slots=True)
class ChatChoice:
    """One of the `n` continuations of a chat. The message is the endpoint's own object, untouched."""

    message: dict[str, Json]
    finish_reason: str | None
    token_ids: tuple[int, ...] | None
    logprobs: tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """What a rollout needs of a chat completion. Token ids are None where the endpoint does not return them."""

    choices: tuple[ChatChoice, ...]
    prompt_token_ids: tuple[int, ...] | None
    usage: Usage
    cached: bool
    model: str

    @property
    def message(self) -> dict[str, Json]:
        return self.choices[0].message


class AnswerUnusable(EnvFactoryError):
    """The model answered, but not with what it owed: unreadable, of another shape, cut off, refused.

    `problem` is written for the model: a self-correction loop shows it `text` (what it said) and `problem`.
    """

    def __init__(self, *, text: str, problem: str, usage: Usage, cached: bool, model: str, final: bool = False) -> None:
        super().__init__(problem)
        self.final = final
        """Whether the endpoint says itself that it has no other answer, so that asking again is for nothing."""
        self.text = text
        self.problem = problem
        self.usage = usage
        self.cached = cached
        self.model = model
