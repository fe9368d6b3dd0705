"""The reference policy: plays the reference solution it is given, and makes mistakes of named kinds when told to.

Belongs here: the names such a policy goes by, and its messages. Does not: what it does (`script`), what it does wrong
(`mistakes`), the person it speaks with (`scripted_person`), and models (`model`).

It is no model: it reads nothing of what it is shown, and proves no words. It shows that a solution can be played under
either protocol and in either setting, and makes episodes of known outcome for whatever reads them.

The simulated learner is the reference policy with mistakes that are planted, and made fewer by counting tasks. It shows
that tasks reach whom they are meant for. Nothing is learned, and no difference between two of them is a gain.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Self, get_args

import orjson

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.domain import TaskKind
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.finish_tool import finish_name
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, ChatAnswer, ChatChoice, Message, Usage
from envfactory_dagster.language.settings import SIMULATED_LEARNER, is_reference, is_simulated_learner
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.mistakes import MISTAKES
from envfactory_dagster.rollouts.model import GatewayModel, Model, Tools
from envfactory_dagster.rollouts.script import Act, HandIn, Say, script_of
from envfactory_dagster.rollouts.settings import Setting
from envfactory_dagster.truth.protocols import CALL_TOOL, LIST_TOOLS

HALVED_BY = 12
_UNTAUGHT = 0.5
"""The competence of a simulated learner whose name says none."""


@dataclass(frozen=True, slots=True)
class ReferencePolicy:
    """`reference`, or `reference:competence=0.8,mistakes=wrong_entity+stops_early`."""

    name: str
    competence: float = 1.0
    """The probability that an episode is played without a mistake. In any other one is made, and the task is failed."""
    mistakes: Sequence[str] = tuple(MISTAKES)
    """The kinds that are drawn from."""

    @classmethod
    def of_name(cls, name: str) -> Self:
        given = _settings(name, ("competence", "mistakes"))
        return cls(name, _share(name, given.get("competence", "1")), _mistakes(name, given))

    def for_task(self, assignment: Assignment, setting: Setting, seed: int) -> Model:
        """Who plays one episode. Equal tasks with equal seeds are played alike; who is more competent makes a part of
        the mistakes, in the same episodes."""
        rng = Random(f"{assignment.bundle.key} {assignment.task.id} {seed}")
        script = script_of(assignment, setting)
        acts = script.acts
        if rng.random() >= self.competence_for(assignment.task.kind):
            acts = MISTAKES[rng.choice(self.mistakes)](assignment, script, rng)
        return _Player(self.name, acts, finish_name({tool.name for tool in assignment.bundle.tools}))

    def competence_for(self, kind: TaskKind) -> float:
        return self.competence


@dataclass(frozen=True, slots=True)
class SimulatedLearner(ReferencePolicy):
    """`simulated_learner`, or `simulated_learner:competence=0.4,mistakes=stops_early,given=action.12+information.3`: of
    every kind of task, how many it was given to practise. With each `HALVED_BY` of a kind it makes half the mistakes in
    tasks of that kind. The name is all there is of it."""

    given: Mapping[TaskKind, int] = field(default_factory=dict)

    @classmethod
    def of_name(cls, name: str) -> Self:
        settings = _settings(name, ("competence", "mistakes", "given"))
        competence = _share(name, settings.get("competence", str(_UNTAUGHT)))
        return cls(name, competence, _mistakes(name, settings), _given(name, settings.get("given", "")))

    def competence_for(self, kind: TaskKind) -> float:
        return 1 - (1 - self.competence) * math.exp2(-self.given.get(kind, 0) / HALVED_BY)

    def after(self, kinds: Iterable[TaskKind]) -> "SimulatedLearner":
        """The one that was given tasks of these kinds as well."""
        given = Counter(self.given) + Counter(kinds)
        said = "+".join(f"{kind}.{count}" for kind, count in sorted(given.items()))
        settings = [f"competence={self.competence:g}", f"mistakes={'+'.join(self.mistakes)}", f"given={said}"]
        return SimulatedLearner.of_name(f"{SIMULATED_LEARNER}:{','.join(settings if given else settings[:2])}")


@dataclass(slots=True)
class _Player:
    """Says the acts of one episode, one in a message, and the last one over again when there is none left."""

    name: str
    acts: Sequence[Act]
    finish: str
    _done: int = 0
    _has_listed: bool = False

    async def answer(self, messages: Sequence[Message], tools: Tools, seed: int) -> ChatAnswer:
        message = self._message({_name(tool) for tool in tools})
        choice = ChatChoice(message, "tool_calls" if "tool_calls" in message else "stop", None, None)
        return ChatAnswer((choice,), None, Usage(), False, self.name)

    def _message(self, offered: set[str]) -> dict[str, Json]:
        through_meta_tools = {LIST_TOOLS, CALL_TOOL} <= offered
        if through_meta_tools and not self._has_listed:
            self._has_listed = True
            return self._calling(LIST_TOOLS, {})
        act = self._next(offered)
        if isinstance(act, Say):
            return {"role": "assistant", "content": act.text}
        if isinstance(act, HandIn):
            return self._calling(self.finish, act.report.model_dump(mode="json"))
        if through_meta_tools:
            return self._calling(CALL_TOOL, {"tool_name": act.tool, "arguments": act.arguments})
        return self._calling(act.tool, act.arguments)

    def _next(self, offered: set[str]) -> Act:
        if offered == {self.finish}:
            return self.acts[-1]
        act = self.acts[min(self._done, len(self.acts) - 1)]
        if isinstance(act, HandIn) and self.finish not in offered:  # the person has not stopped yet
            return next(said for said in reversed(self.acts) if isinstance(said, Say))
        self._done += 1
        return act

    def _calling(self, tool: str, arguments: dict[str, Json] | str) -> dict[str, Json]:
        written = arguments if isinstance(arguments, str) else orjson.dumps(arguments).decode()
        call: dict[str, Json] = {
            "id": f"call_{self._done}",
            "type": "function",
            "function": {"name": tool, "arguments": written},
        }
        return {"role": "assistant", "content": "", "tool_calls": [call]}


Player = Model | ReferencePolicy


def player(gateway: Gateway, caller: Caller, name: str, temperature: float | None, token_ids: bool) -> Player:
    """The policy of this name: the reference policy, a variant of it, or a model of the gateway."""
    if is_simulated_learner(name):
        return SimulatedLearner.of_name(name)
    if is_reference(name):
        return ReferencePolicy.of_name(name)
    return GatewayModel(gateway, caller, name, temperature, token_ids)


def _settings(name: str, known: Collection[str]) -> dict[str, str]:
    given: dict[str, str] = {}
    for setting in filter(None, name.partition(":")[2].split(",")):
        key, _, value = setting.strip().partition("=")
        given[key] = value
    if unknown := given.keys() - set(known):
        *others, last = known
        raise UsageError(f"{name!r}: {min(unknown)!r} cannot be set; {', '.join(others)} and {last} can.")
    return given


def _mistakes(name: str, given: Mapping[str, str]) -> tuple[str, ...]:
    mistakes = given.get("mistakes", "+".join(MISTAKES)).split("+")
    if strange := [kind for kind in mistakes if kind not in MISTAKES]:
        raise UsageError(f"{name!r}: {strange[0]!r} is no mistake; there are: {', '.join(MISTAKES)}.")
    return tuple(mistakes)


def _given(name: str, said: str) -> dict[TaskKind, int]:
    known: dict[str, TaskKind] = {kind: kind for kind in get_args(TaskKind)}
    given: dict[TaskKind, int] = {}
    for one in filter(None, said.split("+")):
        kind, _, count = one.partition(".")
        if kind not in known or not count.isdecimal():
            raise UsageError(f"{name!r}: {one!r} is no count of tasks, such as action.12; kinds: {', '.join(known)}.")
        given[known[kind]] = int(count)
    return given


def _share(name: str, given: str) -> float:
    try:
        share = float(given)
    except ValueError as error:
        raise UsageError(f"{name!r}: the competence is no number.") from error
    if not 0.0 <= share <= 1.0:
        raise UsageError(f"{name!r}: the competence is not between 0 and 1.")
    return share


def _name(tool: Mapping[str, Json]) -> str:
    function = tool["function"]
    return str(function["name"]) if isinstance(function, dict) else ""
