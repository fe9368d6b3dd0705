"""The six rules of form an agent's steps must keep: thought, tool names, arguments, protocol, use of tools, server.

Belongs here: finding the first step that breaks one, during an episode or after it. Does not: what a breach costs
(`rewards`). Handing in a report breaks none, whatever is wrong with it: its agent is told, and may hand in another.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.contracts.trajectory import Protocol, Step
from envfactory_dagster.contracts.truth import ReferenceSolution
from envfactory_dagster.runtime.json_schema import SchemaError, compile_schema
from envfactory_dagster.truth.protocols import (
    CallRequest,
    FinishRequest,
    ListRequest,
    ProtocolTurn,
    UnreadableRequest,
    turns,
)

Rule = Literal["reasoning", "tool_name", "arguments", "protocol", "interaction", "server"]

_NATIVE: tuple[Rule, ...] = ("tool_name", "arguments", "interaction", "server")
RULES: dict[Protocol, tuple[Rule, ...]] = {
    "native": _NATIVE,
    "compact": _NATIVE,
    "meta_tools": ("reasoning", "tool_name", "arguments", "protocol", "interaction", "server"),
}
"""All there are. Without the meta-tools there is no list to be fetched first."""
FORGIVING: dict[Protocol, tuple[Rule, ...]] = {
    protocol: tuple(rule for rule in rules if rule not in ("tool_name", "arguments"))
    for protocol, rules in RULES.items()
}
"""A call of no tool, or with wrong arguments, comes back as an error that the agent sees, and the episode goes on."""


@dataclass(frozen=True, slots=True)
class Breach:
    """The first step that broke a rule. A breach of `server` is the environment's fault, of any other the agent's."""

    step: int
    rule: Rule
    message: str

    @property
    def of_agent(self) -> bool:
        return self.rule != "server"


def must_call(task: Task, gold: ReferenceSolution | None) -> bool:
    """Whether an agent that answers in several turns owes a successful call: not where it has to decline or need not
    look anything up, and not where the reference solution needs none either."""
    if task.kind not in ("action", "information"):
        return False
    return gold is None or any(call.outcome == "ok" for call in gold.calls)


class FormatRules:
    """The rules for one environment under one protocol. Schemas are compiled once, on their first use."""

    def __init__(
        self, tools: Sequence[ToolDefinition], protocol: Protocol, rules: Sequence[Rule] | None = None
    ) -> None:
        self._protocol = protocol
        self._rules = frozenset(RULES[protocol] if rules is None else rules)
        self._tools = {(tool.principal, tool.name): tool for tool in tools}
        self._checks: dict[str, Callable[[object], str | None]] = {}

    def breach(self, steps: Sequence[Step], *, finished: bool, must_call: bool) -> Breach | None:
        """The first breach of these steps. While an episode goes on, `finished` is False: what only its end can show
        is left open. Whoever was told to hand in the report owes nothing else any more."""
        due = next((number for number, step in enumerate(steps, 1) if step.notice), len(steps))
        steps = steps[:due]
        found = list(turns(steps, self._protocol))
        for index, step in enumerate(steps):
            before = sum(1 for turn in found if turn.step < index)
            here = [turn for turn in found if turn.step == index]
            breach = self._thought(index, step) or self._requests(found, before, here)
            if breach is not None:
                return breach
        return self._use_of_tools(steps, found) if finished and must_call else None

    def _thought(self, index: int, step: Step) -> Breach | None:
        """Many endpoints keep a model's thoughts to themselves. Only where every token that was sampled is known is it
        known, too, that there were none."""
        free = bool(step.calls) and all(one.principal == "user" or one.is_report for one in step.calls)
        if free or step.tokens is None or step.reasoning.strip():
            return None
        return self._breach(index, "reasoning", "it says nothing of what the agent thought")

    def _requests(self, found: Sequence[ProtocolTurn], before: int, here: Sequence[ProtocolTurn]) -> Breach | None:
        for position, turn in enumerate(here, before):
            if turn.request.principal == "user" or isinstance(turn.asked, FinishRequest):
                continue  # the simulated user's calls and the agent's reports are no calls of the agent
            breach = (
                self._protocol_kept(found[:position], turn) or self._well_formed(turn) or self._server_answered(turn)
            )
            if breach is not None:
                return breach
        return None

    def _protocol_kept(self, earlier: Sequence[ProtocolTurn], turn: ProtocolTurn) -> Breach | None:
        if self._protocol != "meta_tools":
            return None
        has_listed = any(isinstance(one.asked, ListRequest) for one in earlier)
        if isinstance(turn.asked, ListRequest) and has_listed:
            return self._breach(turn.step, "protocol", "it lists the tools a second time")
        if not isinstance(turn.asked, ListRequest) and not has_listed:
            return self._breach(turn.step, "protocol", f"it calls {turn.request.name} before listing the tools")
        return None

    def _well_formed(self, turn: ProtocolTurn) -> Breach | None:
        if isinstance(turn.asked, UnreadableRequest):
            rule: Rule = "tool_name" if turn.asked.rule == "tool_name" else "arguments"
            return self._breach(turn.step, rule, turn.asked.problem)
        if not isinstance(turn.asked, CallRequest):
            return None
        tool = self._tools.get((turn.request.principal, turn.asked.tool))
        if tool is None:
            return self._breach(turn.step, "tool_name", f"there is no tool {turn.asked.tool!r}")
        problem = self._check(tool)(turn.asked.arguments)
        return None if problem is None else self._breach(turn.step, "arguments", f"{tool.name}: {problem}")

    def _server_answered(self, turn: ProtocolTurn) -> Breach | None:
        seen = turn.observation
        if seen is None:
            return self._breach(turn.step, "server", f"{turn.request.name} was never answered")
        if seen.outcome in ("environment", "infrastructure"):
            return self._breach(turn.step, "server", f"{turn.request.name} failed: {seen.error}")
        return None

    def _use_of_tools(self, steps: Sequence[Step], found: Sequence[ProtocolTurn]) -> Breach | None:
        succeeded = any(
            isinstance(turn.asked, CallRequest) and turn.observation is not None and turn.observation.outcome == "ok"
            for turn in found
        )
        at_work = [number for number, step in enumerate(steps) if not any(one.is_report for one in step.calls)]
        if len(steps) < 2 or not at_work or succeeded:
            return None
        return self._breach(at_work[-1], "interaction", "it ends an episode in which no call succeeded")

    def _breach(self, step: int, rule: Rule, problem: str) -> Breach | None:
        if rule not in self._rules:
            return None
        return Breach(step, rule, f"step {step} breaks the rule {rule}: {problem}")

    def _check(self, tool: ToolDefinition) -> Callable[[object], str | None]:
        if tool.name not in self._checks:
            try:
                self._checks[tool.name] = compile_schema(tool.inputSchema)
            except SchemaError as error:
                raise EnvironmentFault(f"The input schema of {tool.name} is not usable: {error}") from error
        return self._checks[tool.name]
