"""Whoever writes the next message of an episode: a model behind the gateway, or anything of the same shape.

Belongs here: the one question the loop asks, and asking it of the gateway. Does not: reading the answer (`reading`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, ChatAnswer, Message

Tools = Sequence[Mapping[str, Json]]
"""Tools in the OpenAI form."""


class Model(Protocol):
    """Answers a conversation with its next message. Equal questions with equal seeds may get equal answers."""

    @property
    def name(self) -> str: ...

    async def answer(self, messages: Sequence[Message], tools: Tools, seed: int) -> ChatAnswer: ...


@dataclass(frozen=True, slots=True)
class GatewayModel:
    """A model of the gateway in one role, on the account of one asset."""

    gateway: Gateway
    caller: Caller
    name: str
    temperature: float | None = None
    token_ids: bool = False
    top_p: float | None = None
    top_k: int | None = None

    async def answer(self, messages: Sequence[Message], tools: Tools, seed: int) -> ChatAnswer:
        return await self.gateway.chat(
            caller=self.caller,
            messages=messages,
            tools=tools,
            seed=seed,
            temperature=self.temperature,
            top_p=self.top_p,
            top_k=self.top_k,
            logprobs=self.token_ids,
        )
