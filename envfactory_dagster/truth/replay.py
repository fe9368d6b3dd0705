"""Playing a recorded episode again: every observation, the final state and the verdict must come out the same.

Belongs here: what a recording claims, held against what happens. Does not: making the calls (`execution`), verdicts
(`verdicts`), and what an honest episode earns (`rewards`). What cannot be reproduced scores 0.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, get_args

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.contracts.trajectory import Observation, Step, Trajectory
from envfactory_dagster.contracts.truth import TracedStep, Verdict
from envfactory_dagster.runtime.reports import read_report
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.execution import Run, run_calls
from envfactory_dagster.truth.protocols import (
    CallRequest,
    FinishRequest,
    ListRequest,
    ProtocolTurn,
    UnreadableRequest,
    asked_to_report,
    listed,
    turns,
    unread,
)
from envfactory_dagster.truth.verdicts import UNREAD, TaskChecks, judge
from envfactory_dagster.truth.withholding import tools_left

Kind = Literal[
    "other_bundle",
    "out_of_order",
    "hallucinated_tool",
    "cut_arguments",
    "observation_differs",
    "report_differs",
    "state_differs",
    "verdict_differs",
]
"""The most telling first: what is found further up explains what is found further down."""

AGENT_FAULTS: frozenset[Kind] = frozenset(("hallucinated_tool", "cut_arguments"))
"""Mistakes that a true recording may hold: the agent made them, and was told."""

_ORDER: tuple[Kind, ...] = get_args(Kind)
_SHOWN = 200


@dataclass(frozen=True, slots=True)
class ReplayFinding:
    """One thing that is wrong with a recording. `step` counts the steps from 0 as they stand."""

    kind: Kind
    message: str
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of playing a recording again."""

    findings: list[ReplayFinding]
    observations: int
    """How many were compared."""
    state_hash: str | None
    """Of the database in the end; None when nothing was played."""
    verdict: Verdict | None
    """Of the run that was played, never of the recording; None when the task has no verifier."""

    @property
    def reproduced(self) -> bool:
        return all(finding.kind in AGENT_FAULTS for finding in self.findings)

    @property
    def outcome(self) -> Literal["reproduced"] | Kind:
        """The most telling thing that is wrong, or that nothing is."""
        return min((finding.kind for finding in self.findings), key=_ORDER.index, default="reproduced")


async def replay(runtime: Runtime, bundle: Bundle, trajectory: Trajectory) -> Replay:
    """Play the calls of a recording again in its environment, and judge what comes of it."""
    elsewhere = list(_elsewhere(bundle, trajectory))
    if elsewhere:
        return _unreproduced(elsewhere, 0, None)
    task = next(task for task in bundle.tasks if task.id == trajectory.task)
    task = task.model_copy(update={"withheld": [*task.withheld, *trajectory.withheld]})
    tools = tools_left(bundle.tools, task)
    found = list(turns(trajectory.steps, trajectory.protocol))
    played = [turn for turn in found if _was_made(turn)]
    run = await run_calls(runtime, bundle, task, [_step(turn) for turn in played], trajectory.report)
    findings = [
        *_out_of_order(trajectory),
        *_agent_faults(tools, found),
        *chain.from_iterable(_compare(turn, step) for turn, step in zip(played, run.calls, strict=True)),
        *_told_without_the_environment(tools, found),
        *_reported(bundle, trajectory, found),
    ]
    if run.state_hash != trajectory.state_hash:
        findings.append(ReplayFinding("state_differs", "The database does not end with the content that was recorded."))
    so_far = Replay(findings, sum(turn.observation is not None for turn in found), run.state_hash, None)
    if not so_far.reproduced:
        return _unreproduced(findings, so_far.observations, run.state_hash)
    return await _judged(runtime, bundle, task, run, trajectory, so_far)


def _elsewhere(bundle: Bundle, trajectory: Trajectory) -> Iterator[ReplayFinding]:
    """Why this recording is not of this environment."""
    if trajectory.environment != bundle.key:
        yield ReplayFinding("other_bundle", f"It was recorded in {trajectory.environment}; this is {bundle.key}.")
    elif trajectory.bundle_version != bundle.version:
        versions = f"{trajectory.bundle_version[:16]}; this is {bundle.version[:16]}"
        yield ReplayFinding("other_bundle", f"It was recorded in another version of {bundle.key}: {versions}.")
    else:
        task = next((task for task in bundle.tasks if task.id == trajectory.task), None)
        if task is None:
            yield ReplayFinding("other_bundle", f"{bundle.key} has no task {trajectory.task!r}.")
        elif task.state != trajectory.state:
            yield ReplayFinding(
                "other_bundle", f"{task.id} starts in the state {task.state!r}, not {trajectory.state!r}."
            )
        elif bundle.states[task.state].clock != trajectory.clock:
            yield ReplayFinding(
                "other_bundle", f"It is {bundle.states[task.state].clock} there, not {trajectory.clock}."
            )


def _was_made(turn: ProtocolTurn) -> bool:
    """Whether the call reached the environment. One that the machinery lost has changed nothing."""
    seen = turn.observation
    return isinstance(turn.asked, CallRequest) and seen is not None and seen.outcome != "infrastructure"


def _step(turn: ProtocolTurn) -> TracedStep:
    assert isinstance(turn.asked, CallRequest)
    return TracedStep(tool=turn.asked.tool, principal=turn.request.principal, arguments=turn.asked.arguments)


def _out_of_order(trajectory: Trajectory) -> Iterator[ReplayFinding]:
    """Steps that are missing, repeated or exchanged; observations that answer no call, or another one."""
    for index, step in enumerate(trajectory.steps):
        if step.number != index:
            yield ReplayFinding("out_of_order", f"The step in place {index} bears the number {step.number}.", index)
        asked = [request.id for request in step.calls]
        answered = [observation.call for observation in step.observations]
        if len(set(asked)) < len(asked):
            yield ReplayFinding("out_of_order", "Two of its calls have one id.", index)
        if answered != asked and not _was_cut_short(trajectory, step, asked, answered):
            message = f"Its calls are {', '.join(asked) or 'none'}; observed were {', '.join(answered) or 'none'}."
            yield ReplayFinding("out_of_order", message, index)


def _was_cut_short(trajectory: Trajectory, step: Step, asked: list[str], answered: list[str]) -> bool:
    """Whether this is the last step of an episode that ended while its calls were being made."""
    return step is trajectory.steps[-1] and trajectory.ending != "answered" and asked[: len(answered)] == answered


def _agent_faults(tools: Sequence[ToolDefinition], found: Sequence[ProtocolTurn]) -> Iterator[ReplayFinding]:
    known = {(tool.principal, tool.name) for tool in tools}
    for turn in found:
        if isinstance(turn.asked, UnreadableRequest):
            kind: Kind = "hallucinated_tool" if turn.asked.rule == "tool_name" else "cut_arguments"
            yield ReplayFinding(kind, f"{turn.asked.problem}.", turn.step)
        elif isinstance(turn.asked, CallRequest) and (turn.request.principal, turn.asked.tool) not in known:
            yield ReplayFinding("hallucinated_tool", f"There is no tool {turn.asked.tool!r}.", turn.step)


def _compare(turn: ProtocolTurn, step: TracedStep) -> Iterator[ReplayFinding]:
    seen = turn.observation
    assert seen is not None
    if (seen.outcome, seen.error) != (step.outcome, step.error) or not _same(seen.value, step.value):
        now = Observation(call=seen.call, outcome=step.outcome, value=step.value, error=step.error)
        message = f"{step.tool} was recorded to give {_told(seen)}; it gives {_told(now)}."
        yield ReplayFinding("observation_differs", message, turn.step)


def _told_without_the_environment(
    tools: Sequence[ToolDefinition], found: Sequence[ProtocolTurn]
) -> Iterator[ReplayFinding]:
    """What the agent was told where no call reached the environment: the tools there are, or that this is no call."""
    for turn in found:
        seen = turn.observation
        if seen is None:
            continue
        if isinstance(turn.asked, ListRequest):
            if seen.outcome != "ok" or not _same(seen.value, listed(tools)):
                yield ReplayFinding("observation_differs", "The list of tools is not the environment's.", turn.step)
        elif isinstance(turn.asked, UnreadableRequest) and (seen.outcome != "agent" or seen.value is not None):
            message = f"{turn.request.name} could not be called and was recorded to give {_told(seen)}."
            yield ReplayFinding("observation_differs", message, turn.step)


def _reported(bundle: Bundle, trajectory: Trajectory, found: Sequence[ProtocolTurn]) -> Iterator[ReplayFinding]:
    """Whether the report is the one that was taken from the agent, and nothing was taken that is none."""
    form, rules = bundle.answer_forms.get(trajectory.task), [rule.id for rule in bundle.theme.rules]
    if form is None:
        return
    taken = None
    for turn in found:
        if not isinstance(turn.asked, FinishRequest) or turn.observation is None or turn.observation.outcome != "ok":
            continue
        given = turn.asked.arguments
        taken = None if isinstance(given, str) else read_report(given, form, rules)
        if taken != trajectory.report:
            yield ReplayFinding("report_differs", "What was handed in is not the report of this episode.", turn.step)
    if taken is None and trajectory.report is not None and asked_to_report(trajectory):
        yield ReplayFinding("report_differs", "The report of this episode was never taken from its agent.")


async def _judged(
    runtime: Runtime, bundle: Bundle, task: Task, run: Run, trajectory: Trajectory, so_far: Replay
) -> Replay:
    source, form = bundle.verifiers.get(task.id), bundle.answer_forms.get(task.id)
    recorded = trajectory.verdict
    if source is None or form is None:
        return so_far
    if unread(trajectory):
        return Replay(so_far.findings, so_far.observations, so_far.state_hash, UNREAD)
    verdict = await judge(runtime, TaskChecks(task, source, form), run)
    if recorded is not None and recorded.score != verdict.score:
        message = f"A score of {recorded.score:g} was recorded; the verifier gives {verdict.score:g}."
        findings = [*so_far.findings, ReplayFinding("verdict_differs", message)]
        return _unreproduced(findings, so_far.observations, so_far.state_hash)
    return Replay(so_far.findings, so_far.observations, so_far.state_hash, verdict)


def _unreproduced(findings: list[ReplayFinding], observations: int, state_hash: str | None) -> Replay:
    reasons = [f"step {one.step}: {one.message}" if one.step is not None else one.message for one in findings]
    return Replay(findings, observations, state_hash, Verdict(score=0.0, reasons=reasons))


def _same(recorded: object, found: object) -> bool:
    return _text(recorded) == _text(found)


def _text(value: object) -> str:
    """As JSON. A recording may hold numbers that no hash of ours takes."""
    return json.dumps(value, sort_keys=True)


def _told(seen: Observation) -> str:
    text = _text(seen.value) if seen.outcome == "ok" else f"{seen.outcome}: {seen.error}"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
