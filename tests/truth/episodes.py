"""Recorded episodes for the tests: of the tiny shop, call by call, and of the alpine huts, from what a program did."""

from typing import Any

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.calls import Outcome
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.tools import Principal
from envfactory_dagster.contracts.trajectory import Observation, Protocol, Step, ToolRequest, Trajectory
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.runtime.reports import TAKEN
from envfactory_dagster.truth.execution import Run
from envfactory_dagster.truth.protocols import listed


def step(
    tool: str,
    arguments: dict[str, Json] | str | None = None,
    outcome: Outcome = "ok",
    *,
    value: Json = None,
    error: str | None = None,
    principal: Principal = "assistant",
    reasoning: str = "",
) -> Step:
    """A step of one call; its number is set by `episode`."""
    request = ToolRequest(id="a", name=tool, arguments={} if arguments is None else arguments, principal=principal)
    seen = Observation(call="a", outcome=outcome, value=value, error=error)
    return Step(number=0, reasoning=reasoning, calls=[request], observations=[seen])


def hands_in(report: Report) -> Step:
    """A step that hands in this report; it was taken."""
    request = ToolRequest(id="a", name="finish", arguments=report.model_dump(mode="json"), is_report=True)
    return Step(number=0, calls=[request], observations=[Observation(call="a", outcome="ok", value=TAKEN)])


def says(text: str, reasoning: str = "") -> Step:
    return Step(number=0, reasoning=reasoning, text=text)


def episode(*steps: Step, protocol: Protocol = "native", **changes: Any) -> Trajectory:
    """An episode in the tiny shop that its agent ended, with the report that it handed in."""
    handed_in = [one for one in steps if one.observations and one.calls[0].is_report]
    taken = [one.calls[0].arguments for one in handed_in if one.observations[0].outcome == "ok"]
    given = {
        "environment": "tiny-shop",
        "bundle_version": "v1",
        "task": "buy",
        "state": "initial",
        "clock": "2026-03-02T09:00:00",
        "protocol": protocol,
        "model": "test",
        "seed": 0,
        "steps": [one.model_copy(update={"number": number}) for number, one in enumerate(steps)],
        "ending": "answered",
        "report": taken[-1] if taken else None,
        "state_hash": "0" * 64,
    }
    return Trajectory.model_validate(given | changes)


def recorded(bundle: Bundle, task: Task, run: Run, protocol: Protocol = "native") -> Trajectory:
    """What the run would look like, had an agent made its calls one by one."""
    steps = [_through_meta_tools(call) if protocol == "meta_tools" else _native(call) for call in run.calls]
    if protocol == "meta_tools":
        steps.insert(0, step("list_tools", value=listed(bundle.tools), reasoning="What is there?"))
    return episode(
        *steps,
        says("", "Nothing.") if run.report is None else hands_in(run.report),
        protocol=protocol,
        environment=bundle.key,
        bundle_version=bundle.version,
        task=task.id,
        state=run.state,
        clock=run.clock,
        state_hash=run.state_hash,
    )


def _native(call: TracedStep) -> Step:
    return step(call.tool, call.arguments, call.outcome, value=call.value, error=call.error, principal=call.principal)


def _through_meta_tools(call: TracedStep) -> Step:
    if call.principal == "user":
        return _native(call)
    wrapped: dict[str, Json] = {"tool_name": call.tool, "arguments": call.arguments}
    return step("call_tool", wrapped, call.outcome, value=call.value, error=call.error, reasoning="Next.")
