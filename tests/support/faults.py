"""A model that misbehaves on purpose: which answers go wrong, how, and whether an error report makes them right.

A fault is drawn per answer, from a hash of profile, context, seed and the number of error reports. Belongs here:
drawing, faults of transport and wording, and the list of what was injected. Does not: faults of artifacts
(`mutations`), or the right answers, which the model behind it gives.
"""

import asyncio
import copy
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import httpx2
import orjson
from fastapi import FastAPI, Request, Response
from fastapi.responses import StreamingResponse

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.language.built_in.conversation import ParsedQuestion, read_question
from envfactory_dagster.language.wire import AsgiApp
from tests.support.mutations import MUTATIONS, mutate
from tests.support.rng import rng_of

TRANSPORT = ("http_429", "http_500", "timeout", "slow_body")
WORDING = ("invalid_json", "prose_around_json", "truncated", "refusal")
_REFUSAL = "I'm sorry, but I can't help with that request."


@dataclass(frozen=True, slots=True)
class Profile:
    """How often and how this model misbehaves."""

    faults: float = 0.0
    """Share of first answers that get one fault."""
    repair: float = 0.7
    """Of the answers to an error report, the share that is right; the others have a fault again."""
    seed: int = 0
    only: str = ""
    """Kinds to draw from, joined by `+`; empty: all."""
    timeout: float = 120.0
    """Seconds that a fault `timeout` keeps its caller waiting."""
    slow: float = 0.05
    """Seconds between the pieces of a slow body."""


@dataclass(frozen=True, slots=True)
class Injected:
    """One fault as it was served; benchmarks read these, no gate does."""

    schema: str
    theme: str
    kind: str
    detail: str
    error_reports: int


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back to the caller."""

    text: str
    status: int = 200
    finish_reason: str = "stop"
    retry_after: int | None = None
    delay: float = 0.0
    slow: float = 0.0


class FaultyModel:
    """An OpenAI-compatible app in front of another one, whose right answers it turns into faulty ones."""

    def __init__(self, right: AsgiApp, profile: Profile) -> None:
        self._right = httpx2.AsyncClient(transport=httpx2.ASGITransport(app=right), base_url="http://right")
        self._profile = profile
        self._struck: Counter[str] = Counter()
        self.injected: list[Injected] = []

    def app(self) -> FastAPI:
        app = FastAPI(title="faulty", version=content_hash(asdict(self._profile))[:12])

        @app.post("/v1/chat/completions")
        async def chat(request: Request) -> Response:
            body = await request.json()
            question = read_question(body["messages"])
            answered = await self._right.post("/v1/chat/completions", json=_asked_once(body))
            if answered.status_code != 200:
                return Response(answered.content, answered.status_code, media_type="application/json")
            completion = answered.json()
            right = orjson.loads(completion["choices"][0]["message"]["content"])
            return await _response(completion, self._reply(question, int(body.get("seed", 0)), right))

        return app

    def _reply(self, question: ParsedQuestion, seed: int, correct: Mapping[str, Any]) -> Reply:
        profile = self._profile
        right = Reply(orjson.dumps(correct).decode())
        identity = content_hash([question.schema, question.context])
        draw = rng_of("fault", profile.seed, seed, identity, question.error_reports)
        if draw.random() >= _share_faulty(profile, question):
            return right
        kinds = [
            kind for kind in (*TRANSPORT, *WORDING, *MUTATIONS) if not profile.only or kind in profile.only.split("+")
        ]
        draw.shuffle(kinds)
        for kind in kinds:
            faulty = self._faulty(kind, profile, question, identity, seed, correct, right)
            if faulty is not None:
                reply, detail = faulty
                if reply != right:
                    self._record(question, kind, detail)
                return reply
        return right

    def _faulty(
        self,
        kind: str,
        profile: Profile,
        question: ParsedQuestion,
        identity: str,
        seed: int,
        correct: Mapping[str, Any],
        right: Reply,
    ) -> tuple[Reply, str] | None:
        """The faulty reply and what is wrong with it; None when this kind cannot happen to this answer."""
        rng = rng_of(kind, profile.seed, seed, identity)
        if kind in TRANSPORT:
            return self._transport(kind, profile, f"{identity} {seed}", right)
        if kind in WORDING:
            return _worded(kind, right, rng.uniform(0.3, 0.9)), kind.replace("_", " ")
        mutated = mutate(kind, question.schema, question.context, correct, rng)
        return None if mutated is None else (Reply(orjson.dumps(mutated.answer).decode()), mutated.detail)

    def _transport(self, kind: str, profile: Profile, request: str, right: Reply) -> tuple[Reply, str]:
        """A failure on the way. Trying again is what mends it, with the probability of a repair."""
        tries = self._struck[request]
        if any(rng_of("retry", profile.seed, request, n).random() < profile.repair for n in range(1, tries + 1)):
            return right, ""
        self._struck[request] += 1
        replies = {
            "http_429": Reply("rate limit reached, try again shortly", 429, retry_after=0),
            "http_500": Reply("the server had an error", 500),
            "timeout": replace(right, delay=profile.timeout),
            "slow_body": replace(right, slow=profile.slow),
        }
        return replies[kind], f"try {tries + 1}"

    def _record(self, question: ParsedQuestion, kind: str, detail: str) -> None:
        context = question.context
        theme = str(context.get("key") or (context.get("theme") or {}).get("key", ""))
        self.injected.append(Injected(question.schema, theme, kind, detail, question.error_reports))


def _share_faulty(profile: Profile, question: ParsedQuestion) -> float:
    """Nothing is remembered between requests: who is shown an error report was wrong before."""
    if not profile.faults or not question.error_reports:
        return profile.faults
    return 1 - profile.repair


def _worded(kind: str, right: Reply, share: float) -> Reply:
    """The right answer, badly put."""
    text = right.text
    cut = text[: max(1, int(len(text) * share))]
    return {
        "invalid_json": replace(right, text=text.replace('":', '" ', 1) + ","),
        "prose_around_json": replace(right, text=f"Sure! Here is what you asked for:\n\n{text}\n\nLet me know!"),
        "truncated": replace(right, text=cut, finish_reason="length"),
        "refusal": replace(right, text=_REFUSAL),
    }[kind]


def _asked_once(body: Mapping[str, Any]) -> dict[str, Any]:
    """The question without the answers that were sent back: the model behind knows one answer, the right one."""
    return {**copy.deepcopy(dict(body)), "messages": body["messages"][:2], "stream": False}


async def _response(completion: dict[str, Any], reply: Reply) -> Response:
    await asyncio.sleep(reply.delay)
    if reply.status != 200:
        headers = {"Retry-After": str(reply.retry_after)} if reply.retry_after is not None else {}
        error = {"message": reply.text, "type": "server_error", "code": None, "param": None}
        return Response(orjson.dumps({"error": error}), reply.status, headers, media_type="application/json")
    choice = completion["choices"][0] | {"finish_reason": reply.finish_reason}
    choice["message"] = {"role": "assistant", "content": reply.text}
    body = orjson.dumps(completion | {"choices": [choice]})
    if reply.slow:
        return StreamingResponse(_slowly(body, reply.slow), media_type="application/json")
    return Response(body, media_type="application/json")


async def _slowly(body: bytes, pause: float) -> AsyncIterator[bytes]:
    step = max(1, len(body) // 10)
    for start in range(0, len(body), step):
        await asyncio.sleep(pause)
        yield body[start : start + step]
