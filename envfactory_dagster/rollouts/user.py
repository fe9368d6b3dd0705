"""The simulated user: knows what it was told, brings it up piece by piece, may use tools of its own, and stops.

Belongs here: one side of a conversation, and noticing when it is played badly. Does not: the words it is told
(`prompts`), or the agent's side (`episode`).
"""

import re
from dataclasses import dataclass, field, replace
from typing import Protocol

from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.trajectory import Observation, ToolRequest
from envfactory_dagster.language.messages import Message
from envfactory_dagster.rollouts import calls, prompts
from envfactory_dagster.rollouts.asking import next_message
from envfactory_dagster.rollouts.endings import End, Remark
from envfactory_dagster.rollouts.model import Model
from envfactory_dagster.rollouts.prompts import Brief
from envfactory_dagster.rollouts.reading import Said, as_message, read
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.tools import in_openai_form, tool_message
from envfactory_dagster.runtime.session import Callee
from envfactory_dagster.truth.withholding import tools_left

_MOST_TOOL_ROUNDS = 3
_SAME_AGAIN = 3
"""Equal messages in a row after which a user is going in circles."""
_NEARLY_ALL = 0.9
_WORD = re.compile(r"\w+")
_QUOTED = re.compile(r"[\"“][^\"“”]*[\"”]")
_READ_OUT = 8
"""So many words in a row as they were written, quotations aside, are read out."""
_FIGURE = re.compile(r"\b\w*\d[\w.:-]*\w|\d")


@dataclass(frozen=True, slots=True)
class Reply:
    """What the user said, and what it did before. `end`: where the conversation is over with it."""

    text: str = ""
    end: End | None = None
    requests: list[ToolRequest] = field(default_factory=list)
    observations: list[Observation] = field(default_factory=list)


class Person(Protocol):
    """Whoever is on the other side of a conversation."""

    @property
    def remarks(self) -> list[Remark]: ...

    async def reply(self, heard: str, step: int) -> Reply:
        """The answer to what the agent said; before the first step, the request with which it all begins."""


class SimulatedUser:
    """The person of one episode, played by a model."""

    def __init__(
        self, model: Model, brief: Brief, task: Task, session: Callee, settings: RolloutSettings, seed: int
    ) -> None:
        self._model, self._brief, self._task, self._session = model, brief, task, session
        self._settings, self._seed = settings, seed
        self._tools = [in_openai_form(tool) for tool in tools_left(session.tools("user"), task)]
        system: Message = {"role": "system", "content": prompts.for_user(brief)}
        self._heard: list[Message] = [system]
        self._said: list[str] = []
        self._told: list[str] = []
        self._written = _sequences(brief.written)
        self._figures = set(_FIGURE.findall(brief.everything))
        self.remarks: list[Remark] = []

    async def reply(self, heard: str, step: int) -> Reply:
        self._heard.append({"role": "user", "content": heard})
        self._told.append(heard)
        self._figures |= set(_FIGURE.findall(heard))
        requests: list[ToolRequest] = []
        observations: list[Observation] = []
        for _ in range(_MOST_TOOL_ROUNDS):
            said = await self._message(step, len(requests))
            if isinstance(said, End):
                return Reply("", said, requests, observations)
            if not said.calls and self._recites(said.text):
                said = await self._in_own_words(said, step, len(requests))
                if isinstance(said, End):
                    return Reply("", said, requests, observations)
            if not said.calls:
                return Reply(*self._spoken(said.text), requests, observations)
            seen = await calls.make(self._session, self._task, said.calls, "native")
            if isinstance(seen, End):
                return Reply("", seen, requests, observations)
            self._heard += [tool_message(one, what) for one, what in zip(said.calls, seen, strict=True)]
            self._figures |= {figure for what in seen for figure in _FIGURE.findall(str(what.value))}
            requests += said.calls
            observations += seen
        endless = End("user_loops", "the user calls one tool after the other and says nothing")
        return Reply("", endless, requests, observations)

    async def _message(self, step: int, made: int) -> Said | End:
        tools = self._tools if self._said else []
        answer = await next_message(self._model, self._heard, tools, self._seed, self._settings.user_seconds)
        if isinstance(answer, End):
            failed = answer.cause in ("model_timeout", "model_failed", "context_limit", "token_limit")
            return End("user_failed", answer.detail) if failed else answer
        said = read(answer, step, "user")
        # Calls of tools that were not offered are none: nothing may be done before the first word.
        made_now = said.calls if tools else []
        named = [call.model_copy(update={"id": f"user_{step}_{made + n}"}) for n, call in enumerate(made_now)]
        said = replace(said, calls=named, message=as_message(said.text, named))
        self._heard.append(said.message)
        return said

    async def _in_own_words(self, read_out: Said, step: int, made: int) -> Said | End:
        """The message once more. What was read out is forgotten, by the user as well; a user that says nothing else
        has said it."""
        place = len(self._heard)
        self._heard.append({"role": "user", "content": prompts.OWN_WORDS})
        said = await self._message(step, made)
        if isinstance(said, Said) and not said.calls and (not said.text or prompts.STOP in said.text):
            del self._heard[place:]
            return read_out
        del self._heard[place - 1 : place + 1]
        return said

    def _recites(self, text: str) -> bool:
        return bool(_sequences(text) & self._written)

    def _spoken(self, text: str) -> tuple[str, End | None]:
        if not text:
            return "", End("user_silent", "the user said nothing")
        spoken = text.replace(prompts.STOP, "").strip()
        if prompts.STOP in text:
            return spoken, End("answered")
        self._remark(spoken)
        self._said.append(spoken)
        if len(self._said) >= _SAME_AGAIN and len(set(self._said[-_SAME_AGAIN:])) == 1:
            return spoken, self._endless(f"the user said {_SAME_AGAIN} times in a row: {spoken[:120]}")
        if len(self._said) > self._settings.most_replies:
            return spoken, self._endless(f"the user had not stopped after {self._settings.most_replies} messages")
        return spoken, None

    def _endless(self, detail: str) -> End:
        """The agent's fault where it said the same again to it: nobody may talk its way out of an episode."""
        if self._told[-1] == self._told[-2]:
            return End("agent_loops", f"{detail}; the agent said again: {self._told[-1][:120]}")
        return End("user_loops", detail)

    def _remark(self, text: str) -> None:
        if not self._said and self._brief.has_parts and _is_nearly_all(text, self._brief.everything):
            self.remarks.append("user_reveals_everything")
        if "user_recites" not in self.remarks and self._recites(text):
            self.remarks.append("user_recites")
        if "user_invents" not in self.remarks and set(_FIGURE.findall(text)) - self._figures:
            self.remarks.append("user_invents")


def _is_nearly_all(text: str, everything: str) -> bool:
    """Whether the first message already holds the words of all there is to say."""
    words, wanted = _words(text), _words(everything)
    return len(words & wanted) >= _NEARLY_ALL * len(wanted)


def _sequences(text: str) -> set[tuple[str, ...]]:
    """All sequences of so many words that a text holds, of those that are not quoted."""
    stretches = [[word.lower() for word in _WORD.findall(piece)] for piece in _QUOTED.split(text)]
    return {
        tuple(words[begin : begin + _READ_OUT]) for words in stretches for begin in range(len(words) - _READ_OUT + 1)
    }


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}
