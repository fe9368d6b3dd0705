"""The gateway: the only way to a model, for every room and every role.

Belongs here: the three questions one can ask (a structured answer, a chat, embeddings) and the life of what they
share. Does not: what happens between a question and its answer (`exchange`).
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from pydantic import BaseModel
from upath import UPath

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.pool import Subject
from envfactory_dagster.contracts.records import Spent
from envfactory_dagster.language import structured
from envfactory_dagster.language.books import BookEntry, Books, LocalBooks
from envfactory_dagster.language.budget import Allowance
from envfactory_dagster.language.cache import request_key
from envfactory_dagster.language.dialect import Dialect
from envfactory_dagster.language.exchange import Answered, Exchange, Request
from envfactory_dagster.language.ledger import LedgerRow
from envfactory_dagster.language.local_embedder import BuiltInEmbedder, InProcessEmbedder, LocalEmbedder
from envfactory_dagster.language.messages import (
    Answer,
    AnswerUnusable,
    Caller,
    ChatAnswer,
    Message,
    Role,
)
from envfactory_dagster.language.questions import AskedQuestion
from envfactory_dagster.language.replies import Completion, TokenCounts, Vectors, unpack
from envfactory_dagster.language.settings import BUILT_IN_MODEL, LanguageSettings, local_embedder
from envfactory_dagster.language.wire import AsgiApp, Endpoint
from envfactory_dagster.store.objects import Objects

M = TypeVar("M", bound=BaseModel)

CHAT = "/chat/completions"
EMBEDDINGS = "/embeddings"
TEXTS_PER_REQUEST = 128
_FRESH_SEEDS = 10_000
"""Larger than any seed that a question is asked with."""

STREAMED: Mapping[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}
"""How an answer is sent, which is no part of what decides it: it is not in the key of the cache."""


class Gateway:
    """Talks to the models of one home. Use as `async with Gateway(settings, home) as gateway`.

    Leaving waits for the requests on the wire, because they are paid for; calls that still wait are told.
    `home`: a folder, or a URL of an object store.
    `app`: an ASGI app to speak to in this process. Without it, and without a base URL, that is the built-in model.
    `keeps_temperature`: an endpoint that refuses a temperature is not asked without it: that is a UsageError.
    """

    def __init__(
        self,
        settings: LanguageSettings,
        home: Path | UPath,
        app: AsgiApp | None = None,
        keeps_temperature: bool = False,
    ) -> None:
        self._settings = settings
        self._home = home
        self._app = app
        self._first = Dialect(keeps_temperature=keeps_temperature)
        self._fresh: dict[tuple[str, str], int] = {}
        self._subjects: dict[str, Subject] = {}
        self._embedder = _embedder(settings)

    def structure(self, role: Role) -> str:
        """How the model of a role is asked for JSON: by its schema, as the endpoint turned out to accept it."""
        return self._exchange.dialect(self._settings.model(role)).structure

    def streams(self, role: Role) -> bool:
        """Whether the model of a role is asked to stream its answers: over the wire, unless it turned out to refuse."""
        return self._endpoint.streams and "stream" not in self._exchange.dialect(self._settings.model(role)).left_out

    def spent(self, asset: str, partition: str) -> Spent:
        """What was spent there since the gateway opened."""
        return self._exchange.books.spent(asset, partition)

    def use_fresh_seeds(self, asset: str, partition: str, number: int) -> None:
        """Later questions of this asset and partition get other seeds, so that the cache answers none of them. A number
        names the set of seeds; 0 stands for the seeds as given."""
        self._fresh[asset, partition] = number

    def about(self, partition: str, subject: Subject) -> None:
        """Later questions of this partition name this environment, and so do their rows in the ledger."""
        self._subjects[partition] = subject

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            books = await stack.enter_async_context(_books(self._home / "language", self._settings))
            app = _built_in_app() if self._app is None and self._settings.base_url is None else self._app
            self._endpoint = Endpoint(self._settings, app)
            stack.push_async_callback(self._endpoint.close)
            self._exchange = Exchange(self._settings, self._endpoint, books, self._first)
            stack.push_async_callback(self._exchange.close)
            self._stack = stack.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def ask(
        self,
        *,
        caller: Caller,
        schema_name: str,
        answer: type[M],
        instructions: str,
        context: Mapping[str, Json],
        conversation: Sequence[Message] = (),
        seed: int = 0,
        temperature: float | None = None,
    ) -> Answer[M]:
        """A structured answer. Raises AnswerUnusable when the model's text is not one.

        `conversation` holds earlier attempts (the assistant's text) and the reports of what was wrong with each (the
        user's), in the order they were made.
        """
        subject = self._subjects.get(caller.partition)
        if subject is not None:
            context = {"subject": subject.model_dump(mode="json"), **context}
        messages = structured.question(
            schema_name=schema_name,
            answer=answer,
            instructions=instructions,
            context=context,
            conversation=conversation,
        )
        wish = {
            "messages": messages,
            "response_format": structured.response_format(schema_name, answer),
            **_sampling(seed + _FRESH_SEEDS * self._fresh.get((caller.asset, caller.partition), 0), temperature),
        }
        asked = AskedQuestion(schema_name, instructions, context, again=bool(conversation))
        answered, model = await self._complete(caller, "ask", schema_name, wish, n=1, asked=asked)
        return _structured_answer(answered, answer, model)

    async def chat(
        self,
        *,
        caller: Caller,
        messages: Sequence[Message],
        tools: Sequence[Mapping[str, Json]] = (),
        seed: int = 0,
        temperature: float | None = None,
        top_p: float | None = None,
        top_k: int | None = None,
        n: int = 1,
        logprobs: bool = False,
    ) -> ChatAnswer:
        """The model's next message, with native tool calls. `tools` are in the OpenAI form, which has no `top_k`: vLLM
        and SGLang know it.

        With `logprobs`, token ids and log probabilities are asked for, and given where the endpoint has them.
        """
        wish: dict[str, Any] = {
            "messages": [dict(message) for message in messages],
            **({"tools": [dict(tool) for tool in tools]} if tools else {}),
            **({"n": n} if n > 1 else {}),
            **({"logprobs": True, "return_token_ids": True} if logprobs else {}),
            **_sampling(seed, temperature, top_p, top_k),
        }
        answered, model = await self._complete(caller, "chat", "", wish, n)
        ids = answered.reply.prompt_token_ids
        return ChatAnswer(
            choices=tuple(choice.choice() for choice in answered.reply.choices),
            prompt_token_ids=tuple(ids) if ids is not None else None,
            usage=answered.usage,
            cached=answered.cached,
            model=model,
        )

    async def embed(self, *, caller: Caller, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text, in single precision. Only texts never embedded before are sent."""
        model = self._settings.model(Role.EMBEDDER)
        source = self._embedder.source if self._embedder else self._endpoint.name
        keys = {text: request_key(source, EMBEDDINGS, {"model": model, "input": text}) for text in texts}
        found = await self._exchange.books.answers(list(keys.values()))
        known = {text: found[key] for text, key in keys.items() if key in found}
        missing = [text for text in keys if text not in known]
        if keys and not missing:
            await self._exchange.book_cached(BookEntry(LedgerRow.of(caller, "embed", "", source, model)), finish="")
        embed = self._embed_here if self._embedder else self._embed_there
        batches = [missing[i : i + TEXTS_PER_REQUEST] for i in range(0, len(missing), TEXTS_PER_REQUEST)]
        for batch in batches:
            known |= await embed(caller, model, {text: keys[text] for text in batch})
        return [unpack(known[text]) for text in texts]

    async def _embed_there(self, caller: Caller, model: str, keys: Mapping[str, str]) -> dict[str, bytes]:
        """By the endpoint."""
        wish = {"model": model, "input": list(keys), "encoding_format": "float"}

        async def recall() -> Vectors | None:
            known = await self._exchange.books.answers(list(keys.values()))
            return Vectors([known[key] for key in keys.values()], usage=None) if len(known) == len(keys) else None

        request = Request(
            row=LedgerRow.of(caller, "embed", "", self._endpoint.name, model),
            path=EMBEDDINGS,
            wish=wish,
            most_tokens_out=0,
            key=request_key(self._endpoint.name, EMBEDDINGS, wish),
            recall=recall,
            read=partial(Vectors.parse, texts=len(keys)),
            keep=lambda reply: dict(zip(keys.values(), reply.vectors, strict=True)),
        )
        answered = await self._exchange.answer(request)
        return dict(zip(keys, answered.reply.vectors, strict=True))

    async def _embed_here(self, caller: Caller, model: str, keys: Mapping[str, str]) -> dict[str, bytes]:
        """By a model in this process, which costs nothing."""
        assert self._embedder is not None
        started = time.perf_counter()
        vectors = await self._embedder.encode(list(keys))
        row = LedgerRow.of(caller, "embed", "", self._embedder.source, model)
        row = replace(row, seconds=time.perf_counter() - started)
        await self._exchange.book_free(BookEntry(row, dict(zip(keys.values(), vectors, strict=True))))
        return dict(zip(keys, vectors, strict=True))

    async def _complete(
        self,
        caller: Caller,
        kind: str,
        schema_name: str,
        wish: Mapping[str, Any],
        n: int,
        asked: AskedQuestion | None = None,
    ) -> tuple[Answered[Completion], str]:
        """The completion, and the model that made it."""
        model = self._settings.model(caller.role)
        most = self._settings.limits.max_output_tokens
        wish = {"model": model, **wish, "max_tokens": most}
        # An answer may have been kept that was asked for without the temperature.
        kept = {"keeps_temperature": True} if self._first.keeps_temperature and "temperature" in wish else {}
        key = request_key(self._endpoint.name, CHAT, wish | kept)

        async def recall() -> Completion | None:
            known = await self._exchange.books.answers([key])
            return Completion.parse(known[key]) if known else None

        # Token ids are needed for every token, and servers lose some of them in streams.
        streamed = self._endpoint.streams and n == 1 and "return_token_ids" not in wish
        request = Request(
            row=LedgerRow.of(
                caller, kind, schema_name, self._endpoint.name, model, self._subjects.get(caller.partition)
            ),
            path=CHAT,
            wish={**wish, **STREAMED} if streamed else wish,
            most_tokens_out=most * n,
            key=key,
            recall=recall,
            read=Completion.parse,
            keep=lambda reply: {key: reply.body},
            asked=asked,
        )
        return await self._exchange.answer(request), model


def _books(folder: Path | UPath, settings: LanguageSettings) -> Books:
    allowance = Allowance(settings.budget)
    if isinstance(folder, Path):
        return LocalBooks(folder, allowance)
    from envfactory_dagster.language.shared_books import SharedBooks

    return SharedBooks(Objects(folder), allowance)


def _embedder(settings: LanguageSettings) -> InProcessEmbedder | None:
    """None: the endpoint embeds. Without an endpoint that is the built-in model, which has an embedder of its own."""
    model = settings.model(Role.EMBEDDER)
    if name := local_embedder(model):
        return LocalEmbedder(name)
    return BuiltInEmbedder() if settings.base_url is not None and model == BUILT_IN_MODEL else None


def _sampling(
    seed: int, temperature: float | None, top_p: float | None = None, top_k: int | None = None
) -> dict[str, Any]:
    given = {"temperature": temperature, "top_p": top_p, "top_k": top_k}
    return {"seed": seed, **{name: value for name, value in given.items() if value is not None}}


def _structured_answer(answered: Answered[Completion], answer: type[M], model: str) -> Answer[M]:
    choice = answered.reply.choices[0]
    unusable = partial(AnswerUnusable, text=choice.text, usage=answered.usage, cached=answered.cached, model=model)
    if choice.refusal or choice.finish_reason == "content_filter":
        raise unusable(problem=f"The model refused to answer: {choice.refusal or 'stopped by a content filter'}")
    if choice.finish_reason == "length":
        raise unusable(problem=_cut_off(answered.reply.usage))
    if not choice.text.strip():
        raise unusable(problem="The answer was empty.")
    try:
        value = structured.read(choice.text, answer)
    except structured.UnreadableAnswer as error:
        raise unusable(problem=str(error)) from None
    return Answer(value=value, text=choice.text, usage=answered.usage, cached=answered.cached, model=model)


def _cut_off(counts: TokenCounts | None) -> str:
    if counts is None or not counts.reasoning_tokens:
        return "The answer was cut off at the length limit. Answer more briefly."
    return (
        f"The answer was cut off at the length limit: {counts.reasoning_tokens} of its {counts.tokens_out} tokens were "
        "reasoning. Think and answer more briefly. (ENVFACTORY_LLM_MAX_OUTPUT_TOKENS sets the limit.)"
    )


def _built_in_app() -> AsgiApp:
    from envfactory_dagster.language.built_in.app import create_app

    app: AsgiApp = create_app()
    return app
