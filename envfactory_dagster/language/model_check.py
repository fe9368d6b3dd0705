"""What the models of an endpoint can do, found out with a few tiny questions before anything large is asked.

Belongs here: the questions, and what their answers show. Does not: what a run would cost (`commands.estimates`).
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import orjson
from pydantic import BaseModel
from upath import UPath

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.errors import EnvFactoryError, UsageError
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Answer, AnswerUnusable, Caller, ChatAnswer, Role
from envfactory_dagster.language.settings import BUILT_IN_MODEL, LanguageSettings, is_reference
from envfactory_dagster.language.wire import AsgiApp

ASSET = "model_check"
ATTEMPTS = 2
SHORTER_LIMITS = (16_384, 8_192, 4_096, 2_048)
"""Tried one after the other where the endpoint refuses the limit that is set."""
_UNSEEN_TOKENS = 8
"""No tokenizer makes more tokens than there are bytes, but endpoints count a few around an answer."""
CHATTING = (Role.AUTHOR, Role.SOLVER, Role.USER, Role.JUDGE)

Reasoning = Literal["none seen", "shown", "hidden"]


class Spider(BaseModel):
    """The answer that a check asks a model for."""

    animal: str
    legs: int


_TOOL: dict[str, Json] = {
    "type": "function",
    "function": {
        "name": "find_book",
        "description": "Finds a book by its number.",
        "parameters": {
            "type": "object",
            "properties": {"number": {"type": "integer"}},
            "required": ["number"],
            "additionalProperties": False,
        },
    },
}


@dataclass(frozen=True, slots=True)
class ModelFindings:
    """What one model turned out to do, for all roles that it plays."""

    model: str
    roles: tuple[str, ...]
    problem: str = ""
    """Why it cannot be used; nothing else was found out then."""
    structure: str = ""
    """How it is asked for JSON: `json_schema`, or what the endpoint took instead."""
    structure_problem: str = ""
    """What was wrong with the structured answer; empty: it was of the shape asked for."""
    tools: bool = False
    tools_problem: str = ""
    tools_refused: bool = False
    """Whether a request with tools brings no answer at all; a solver makes no other."""
    streams: bool = False
    """Whether the endpoint takes a request to stream. Where it does not, one time limit holds for a whole answer."""
    reasoning: Reasoning = "none seen"
    longest_output: int = 0
    """The limit of an answer, in tokens, that the endpoint accepts; longer ones than are set were not tried."""
    shortened: bool = False
    """Whether it refuses the limit that is set, so that nothing would be answered."""

    @property
    def usable(self) -> bool:
        no_solver = self.tools_refused and Role.SOLVER in self.roles
        return not (self.problem or self.structure_problem or self.shortened or no_solver)


async def check_models(
    settings: LanguageSettings, home: Path | UPath, app: AsgiApp | None = None
) -> list[ModelFindings]:
    """Every distinct model, in the order of the roles, each of which must have one. The built-in one is not asked,
    and the reference policy is none."""
    roles: dict[str, list[Role]] = {}
    for role in CHATTING:
        if not is_reference(model := settings.model(role)):
            roles.setdefault(model, []).append(role)
    limits = settings.limits.model_copy(update={"attempts": min(ATTEMPTS, settings.limits.attempts)})
    patient = settings.model_copy(update={"limits": limits})
    found = [await _check(patient, home, app, model, played) for model, played in roles.items()]
    return [*found, await _check_embedder(patient, home, app)]


async def _check(
    settings: LanguageSettings, home: Path | UPath, app: AsgiApp | None, model: str, roles: list[Role]
) -> ModelFindings:
    findings = ModelFindings(model, tuple(roles))
    if model == BUILT_IN_MODEL:
        return replace(findings, structure="json_schema", tools=True, longest_output=settings.limits.max_output_tokens)
    configured = settings.limits.max_output_tokens
    for limit in (configured, *(shorter for shorter in SHORTER_LIMITS if shorter < configured)):
        limits = settings.limits.model_copy(update={"max_output_tokens": limit})
        try:
            async with Gateway(settings.model_copy(update={"limits": limits}), home, app) as gateway:
                return await _asked(
                    gateway,
                    roles[0],
                    ModelFindings(model, tuple(roles), longest_output=limit, shortened=limit != configured),
                )
        except UsageError as error:
            findings = replace(findings, problem=str(error))
            if "tokens" not in str(error):  # then a shorter answer would be refused too
                break
        except EnvFactoryError as error:
            findings = replace(findings, problem=str(error))
            break
    return findings


async def _asked(gateway: Gateway, role: Role, findings: ModelFindings) -> ModelFindings:
    caller, seed = Caller(ASSET, "", role), _fresh_seed()
    answer: Answer[Spider] | None = None
    problem = ""
    try:
        answer = await gateway.ask(
            caller=caller,
            schema_name="spider",
            answer=Spider,
            instructions="Say what animal the context asks about and how many legs it has.",
            context={"question": "How many legs does a spider have?"},
            seed=seed,
        )
    except AnswerUnusable as unusable:
        problem = unusable.problem
    findings = replace(
        findings, structure=gateway.structure(role), structure_problem=problem, streams=gateway.streams(role)
    )
    chat, tools_problem = await _with_a_tool(gateway, caller, seed)
    return replace(
        findings,
        tools=not tools_problem,
        tools_problem=tools_problem,
        tools_refused=chat is None,
        reasoning=_reasoning(answer, chat),
    )


async def _with_a_tool(gateway: Gateway, caller: Caller, seed: int) -> tuple[ChatAnswer | None, str]:
    question = "Use the tool find_book to find the book with the number 7."
    try:
        chat = await gateway.chat(
            caller=caller, messages=[{"role": "user", "content": question}], tools=[_TOOL], seed=seed
        )
    except (UsageError, AnswerUnusable) as refused:
        return None, str(refused)
    calls = chat.message.get("tool_calls")
    if not isinstance(calls, list) or not calls:
        return chat, "it answered without a call of the tool it was told to use"
    function = calls[0].get("function") if isinstance(calls[0], dict) else None
    given = function.get("arguments") if isinstance(function, dict) else None
    try:
        right = orjson.loads(given if isinstance(given, str) else "") == {"number": 7}
    except orjson.JSONDecodeError:
        right = False
    return chat, "" if right else "its call of the tool has other arguments than it was told to give"


def _reasoning(answer: Answer[Spider] | None, chat: ChatAnswer | None) -> Reasoning:
    message: Mapping[str, Any] = chat.message if chat is not None else {}
    text = answer.text if answer is not None else ""
    if message.get("reasoning_content") or message.get("reasoning") or "<think>" in f"{text}{message.get('content')}":
        return "shown"
    used = [(answer.usage.tokens_out, len(text.encode()))] if answer is not None else []
    if chat is not None:
        used.append((chat.usage.tokens_out, len(orjson.dumps(chat.message))))
    return "hidden" if any(tokens > seen + _UNSEEN_TOKENS for tokens, seen in used) else "none seen"


async def _check_embedder(settings: LanguageSettings, home: Path | UPath, app: AsgiApp | None) -> ModelFindings:
    findings = ModelFindings(settings.model(Role.EMBEDDER), (Role.EMBEDDER,))
    if findings.model == BUILT_IN_MODEL:
        return findings
    try:
        async with Gateway(settings, home, app) as gateway:
            await gateway.embed(
                caller=Caller(ASSET, "", Role.EMBEDDER), texts=[f"A spider, seen {_fresh_seed()} times."]
            )
    except EnvFactoryError as error:
        return replace(findings, problem=str(error))
    return findings


def _fresh_seed() -> int:
    """So that the endpoint answers, not the cache."""
    return time.time_ns() % 2**31
