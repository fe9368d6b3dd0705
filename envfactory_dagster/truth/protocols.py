"""Reading a trajectory's requests: which call of the environment each one stands for, under its protocol.

Belongs here: the two meta-tools, telling reports from calls, and what became of every request. Does not: whether a
request was allowed (`format_rules`), or making the calls (`execution`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import orjson

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.contracts.trajectory import Observation, Protocol, Step, ToolRequest, Trajectory
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.runtime.session import not_json

LIST_TOOLS = "list_tools"
CALL_TOOL = "call_tool"
META_TOOLS = (LIST_TOOLS, CALL_TOOL)


@dataclass(frozen=True, slots=True)
class ListRequest:
    """A request for the list of tools."""


@dataclass(frozen=True, slots=True)
class FinishRequest:
    """A request that hands in the report: no call of the environment."""

    arguments: dict[str, Json] | str
    """The text as it stands where that is no JSON object."""


@dataclass(frozen=True, slots=True)
class CallRequest:
    """A request for one tool of the environment."""

    tool: str
    arguments: dict[str, Json]


@dataclass(frozen=True, slots=True)
class UnreadableRequest:
    """A request that asks for nothing one could do: it never reaches the environment."""

    rule: str
    """`tool_name` or `arguments`: which of the two is not there to be read."""
    problem: str


Asked = ListRequest | CallRequest | FinishRequest | UnreadableRequest


def asked(request: ToolRequest, protocol: Protocol) -> Asked:
    """What a request asks for. The tool it names need not exist."""
    if request.is_report:
        return _handed_in(request)
    if isinstance(request.arguments, str):
        return UnreadableRequest(
            "arguments", f"the arguments of {request.name} are no JSON object: {request.arguments[:80]}"
        )
    if protocol != "meta_tools" or request.principal == "user":
        return CallRequest(request.name, request.arguments)
    if request.name == LIST_TOOLS:
        return ListRequest()
    if request.name == CALL_TOOL:
        return _inner(request.arguments)
    return UnreadableRequest("tool_name", f"there is no tool {request.name!r} but {' and '.join(META_TOOLS)}")


def with_reports_marked(requests: Sequence[ToolRequest], finish: str, protocol: Protocol) -> list[ToolRequest]:
    """The requests of one message, with a mark on those that hand in a report by the tool of this name."""
    return [
        request.model_copy(update={"is_report": True}) if _names(request, finish, protocol) else request
        for request in requests
    ]


def _names(request: ToolRequest, finish: str, protocol: Protocol) -> bool:
    if request.principal != "assistant":
        return False
    if request.name == CALL_TOOL and protocol == "meta_tools" and isinstance(request.arguments, dict):
        return request.arguments.get("tool_name") == finish
    return request.name == finish


def _handed_in(request: ToolRequest) -> FinishRequest:
    if request.name != CALL_TOOL or isinstance(request.arguments, str):
        return FinishRequest(request.arguments)
    inner = _inner(request.arguments)
    return FinishRequest(
        inner.arguments if isinstance(inner, CallRequest) else orjson.dumps(request.arguments).decode()
    )


def _inner(arguments: dict[str, Json]) -> CallRequest | UnreadableRequest:
    """The call inside a `call_tool`. Its arguments may be an object, or the text of one."""
    tool, given = arguments.get("tool_name"), arguments.get("arguments", {})
    if not isinstance(tool, str) or arguments.keys() - {"tool_name", "arguments"}:
        return UnreadableRequest("arguments", f"{CALL_TOOL} takes a tool_name and its arguments, nothing else")
    if isinstance(given, str):
        try:
            given = orjson.loads(given)
        except orjson.JSONDecodeError:
            given = None
    if not isinstance(given, dict) or not_json(given, "arguments") is not None:
        return UnreadableRequest("arguments", f"the arguments for {tool} are no JSON object")
    return CallRequest(tool, given)


def listed(tools: Sequence[ToolDefinition]) -> Json:
    """What `list_tools` shows an agent."""
    return {"tools": [tool.mcp() for tool in tools if tool.principal == "assistant"]}


@dataclass(frozen=True, slots=True)
class ProtocolTurn:
    """One request of a step, what it asks for, and what was observed for it."""

    step: int
    request: ToolRequest
    asked: Asked
    observation: Observation | None


def turns(steps: Sequence[Step], protocol: Protocol) -> Iterator[ProtocolTurn]:
    """Every request in order. Steps are counted from 0 as they stand, whatever number they bear."""
    for index, step in enumerate(steps):
        seen = {observation.call: observation for observation in step.observations}
        for request in step.calls:
            yield ProtocolTurn(index, request, asked(request, protocol), seen.get(request.id))


def traced(trajectory: Trajectory) -> list[TracedStep]:
    """The calls that reached the environment, with what was observed. A call without an observation is none."""
    return [
        TracedStep(
            tool=turn.asked.tool,
            principal=turn.request.principal,
            arguments=turn.asked.arguments,
            outcome=turn.observation.outcome,
            value=turn.observation.value,
            error=turn.observation.error,
        )
        for turn in turns(trajectory.steps, trajectory.protocol)
        if isinstance(turn.asked, CallRequest) and turn.observation is not None
    ]


def asked_to_report(trajectory: Trajectory) -> bool:
    """Whether the agent tried to hand in a report, or was told to."""
    return any(step.notice or any(request.is_report for request in step.calls) for step in trajectory.steps)


def unread(trajectory: Trajectory) -> bool:
    """Whether the person was told something at the end, and the agent never knew of reports: then what it said has to
    be read before anything can be said of it."""
    if trajectory.report is not None or trajectory.ending != "answered":
        return False
    return bool(trajectory.answer) and not asked_to_report(trajectory)
