"""The bodies that endpoints answer with, as far as we read them.

Belongs here: the shape of good answers and what they say about themselves. Does not: bad answers (`wire`).
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)

from envfactory_dagster.language.messages import ChatChoice


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


_Count = Annotated[int, Field(ge=0, le=1_000_000_000)]


class PromptTokens(_Reply):
    cached_tokens: _Count | None = None


class CompletionTokens(_Reply):
    reasoning_tokens: _Count | None = None


class TokenCounts(_Reply):
    prompt_tokens: Annotated[_Count, Field(ge=1)]
    """Nothing is asked without any: an endpoint that says 0 does not count."""
    completion_tokens: _Count = 0
    total_tokens: _Count | None = None
    prompt_tokens_details: PromptTokens | None = None
    completion_tokens_details: CompletionTokens | None = None

    @model_validator(mode="after")
    def _cached_tokens_are_prompt_tokens(self) -> Self:
        if self.cached_tokens > self.prompt_tokens:
            raise ValueError(f"{self.cached_tokens} of {self.prompt_tokens} prompt tokens cannot be cached")
        return self

    @property
    def tokens_out(self) -> int:
        """All that was written. Some endpoints count hidden reasoning in the total alone."""
        return max(self.completion_tokens, (self.total_tokens or 0) - self.prompt_tokens)

    @property
    def reasoning_tokens(self) -> int:
        """Those of `tokens_out` that are no part of the answer, as far as the endpoint tells."""
        told = self.completion_tokens_details.reasoning_tokens if self.completion_tokens_details else None
        return min(told, self.tokens_out) if told is not None else self.tokens_out - self.completion_tokens

    @property
    def cached_tokens(self) -> int:
        return (self.prompt_tokens_details.cached_tokens or 0) if self.prompt_tokens_details else 0

    @classmethod
    def most(cls, bytes_sent: int, bytes_received: int) -> "TokenCounts":
        """For an endpoint that does not count: no tokenizer makes more tokens than there are bytes."""
        return cls(prompt_tokens=bytes_sent, completion_tokens=bytes_received)


def _believable(value: Any, read: ValidatorFunctionWrapHandler) -> TokenCounts | None:
    """Counts that cannot be true are none: they must neither lower what was spent nor lose a good answer."""
    try:
        counts: TokenCounts | None = read(value)
        return counts
    except ValidationError:
        return None


_ReportedUsage = Annotated[TokenCounts | None, WrapValidator(_believable)]


class TokenLogprob(_Reply):
    logprob: float


class Logprobs(_Reply):
    content: list[TokenLogprob] | None = None


_WRITTEN = ("content", "refusal", "tool_calls", "reasoning_content", "reasoning")
"""The parts of a message that a model writes."""


class Continuation(_Reply):
    message: dict[str, Any]
    finish_reason: str | None = None
    logprobs: Logprobs | None = None
    token_ids: list[int] | None = None

    @property
    def text(self) -> str:
        """The message's text; some servers send it in parts."""
        content = self.message.get("content") or ""
        if isinstance(content, list):
            return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
        return str(content)

    @property
    def refusal(self) -> str | None:
        said = self.message.get("refusal")
        return str(said) if said else None

    @property
    def says_anything(self) -> bool:
        return any(self.message.get(part) for part in _WRITTEN)

    def choice(self) -> ChatChoice:
        logprobs = self.logprobs.content if self.logprobs else None
        return ChatChoice(
            message=self.message,
            finish_reason=self.finish_reason,
            token_ids=tuple(self.token_ids) if self.token_ids is not None else None,
            logprobs=tuple(token.logprob for token in logprobs) if logprobs is not None else None,
        )


class Completion(_Reply):
    """The body of `/chat/completions`."""

    choices: list[Continuation] = Field(min_length=1)
    usage: _ReportedUsage = None
    prompt_token_ids: list[int] | None = None
    body: bytes = b""
    """The whole of it, as it is cached."""

    @classmethod
    def parse(cls, body: bytes) -> "Completion":
        reply = cls.model_validate_json(body)
        is_counted = (
            reply.usage is None or reply.usage.tokens_out > 0 or not any(c.says_anything for c in reply.choices)
        )
        return reply.model_copy(update={"body": body, "usage": reply.usage if is_counted else None})

    @property
    def finish(self) -> str:
        return self.choices[0].finish_reason or ""


class _Bill(_Reply):
    usage: TokenCounts


def billed(body: bytes) -> TokenCounts | None:
    """What a body that is no answer says was used; None if it does not say."""
    try:
        return _Bill.model_validate_json(body).usage
    except ValidationError:
        return None


class _Vector(_Reply):
    index: int
    embedding: list[float] = Field(min_length=1)


class _Embeddings(_Reply):
    data: list[_Vector]
    usage: _ReportedUsage = None


@dataclass(frozen=True, slots=True)
class Vectors:
    """The body of `/embeddings`: one vector for each text, packed as it is cached."""

    vectors: list[bytes]
    usage: TokenCounts | None
    finish: str = ""

    @classmethod
    def parse(cls, body: bytes, texts: int) -> "Vectors":
        reply = _Embeddings.model_validate_json(body)
        data = sorted(reply.data, key=lambda vector: vector.index)
        if [vector.index for vector in data] != list(range(texts)):
            raise ValueError(f"{texts} texts were sent, {len(data)} vectors came back")
        return cls([pack(vector.embedding) for vector in data], reply.usage)


def pack(vector: Sequence[float]) -> bytes:
    """In single precision, a fifth of the size of JSON. Fresh vectors are packed too, and so equal cached ones."""
    return array("f", vector).tobytes()


def unpack(packed: bytes) -> list[float]:
    return array("f", packed).tolist()
