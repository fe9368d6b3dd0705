"""A true recording is reproduced; whatever was changed in it is named, and scores nothing."""

from collections.abc import Callable
from typing import Any

import pytest
import pytest_asyncio

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.trajectory import Observation, Protocol, Step, ToolRequest, Trajectory
from envfactory_dagster.contracts.truth import Verdict
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.execution import Run
from envfactory_dagster.truth.replay import Kind, Replay, replay
from tests.support.reports import report
from tests.truth.episodes import recorded, says, step


@pytest.fixture
def move(huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run]) -> Trajectory:
    """A stay moved by a week: reads, then writes, then an answer."""
    return recorded(huts, tasks["dodge_the_storm"], gold["dodge_the_storm"])


@pytest_asyncio.fixture
async def untouched(runtime: Runtime, huts: Bundle) -> str:
    """The hash of the state that stay is moved in, before anything is done."""
    async with await runtime.open(huts) as session:
        return await session.state_hash()


def kinds(found: Replay) -> set[Kind]:
    return {finding.kind for finding in found.findings}


def with_steps(trajectory: Trajectory, steps: list[Step], **changes: Any) -> Trajectory:
    """Other steps, numbered as they stand."""
    numbered = [one.model_copy(update={"number": number}) for number, one in enumerate(steps)]
    return trajectory.model_copy(update={"steps": numbered, **changes})


def changed(step: Step, **changes: Any) -> Step:
    """The step with something else in its only observation."""
    return step.model_copy(update={"observations": [step.observations[0].model_copy(update=changes)]})


@pytest.mark.parametrize("protocol", ["native", "meta_tools"])
@pytest.mark.parametrize("task", ["dodge_the_storm", "accounts_of_2026", "nephew_alone", "arrival_on_skis"])
async def test_what_happened_is_reproduced_and_judged(
    runtime: Runtime, huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run], task: str, protocol: Protocol
) -> None:
    found = await replay(runtime, huts, recorded(huts, tasks[task], gold[task], protocol))
    assert (found.outcome, found.findings) == ("reproduced", [])
    assert found.verdict is not None and found.verdict.score == 1.0


async def test_the_way_through_json_changes_nothing(runtime: Runtime, huts: Bundle, move: Trajectory) -> None:
    again = Trajectory.model_validate_json(move.model_dump_json())
    assert (await replay(runtime, huts, again)).reproduced


TAMPERED: dict[str, tuple[Kind, Callable[[Trajectory], Trajectory]]] = {
    "another value": (
        "observation_differs",
        lambda t: with_steps(t, [changed(t.steps[0], value={"bookings": []}), *t.steps[1:]]),
    ),
    "a failure instead of a success": (
        "observation_differs",
        lambda t: with_steps(t, [changed(t.steps[0], outcome="agent", value=None, error="no"), *t.steps[1:]]),
    ),
    "a number no database takes": (
        "observation_differs",
        lambda t: with_steps(t, [changed(t.steps[0], value={"n": 10**40}), *t.steps[1:]]),
    ),
    "another final state": ("state_differs", lambda t: t.model_copy(update={"state_hash": "0" * 64})),
    "a call left out": ("state_differs", lambda t: with_steps(t, [*t.steps[:-2], t.steps[-1]])),
    "steps exchanged": (
        "out_of_order",
        lambda t: t.model_copy(update={"steps": [t.steps[1], t.steps[0], *t.steps[2:]]}),
    ),
    "a step missing": ("out_of_order", lambda t: t.model_copy(update={"steps": t.steps[1:]})),
    "steps exchanged and numbered anew": (
        "observation_differs",
        lambda t: with_steps(t, [*t.steps[:3], *reversed(t.steps[3:-1]), t.steps[-1]]),
    ),
    "an observation of another call": (
        "out_of_order",
        lambda t: with_steps(t, [changed(t.steps[0], call="b"), *t.steps[1:]]),
    ),
    "a call without its observation": (
        "out_of_order",
        lambda t: with_steps(t, [t.steps[0].model_copy(update={"observations": []}), *t.steps[1:]]),
    ),
    "a tool that was never there": (
        "hallucinated_tool",
        lambda t: with_steps(t, [step("grant_wish", {"wish": "sun"}, value={"granted": True}), *t.steps]),
    ),
    "a cut call that succeeded": (
        "cut_arguments",
        lambda t: with_steps(t, [step("get_weather", '{"hut_id": 4, "first_', value={"reports": []}), *t.steps]),
    ),
    "another environment": ("other_bundle", lambda t: t.model_copy(update={"environment": "alpine-inns"})),
    "another version": ("other_bundle", lambda t: t.model_copy(update={"bundle_version": "f" * 64})),
    "a task that is not there": ("other_bundle", lambda t: t.model_copy(update={"task": "win_the_lottery"})),
    "another start": ("other_bundle", lambda t: t.model_copy(update={"state": "winter"})),
    "another time": ("other_bundle", lambda t: t.model_copy(update={"clock": "2020-01-01T00:00:00"})),
    "another report": (
        "report_differs",
        lambda t: t.model_copy(update={"report": report("impossible", "It cannot be done.")}),
    ),
    "a report left out": ("report_differs", lambda t: t.model_copy(update={"report": None})),
    "a report that was never taken": (
        "report_differs",
        lambda t: with_steps(t, [*t.steps[:-1], changed(t.steps[-1], outcome="agent", value=None, error="no")]),
    ),
    "a report that was asked for and never handed in": (
        "report_differs",
        lambda t: with_steps(t, [*t.steps[:-1], says("Done.").model_copy(update={"notice": "Now hand it in."})]),
    ),
    "another score": ("verdict_differs", lambda t: t.model_copy(update={"verdict": Verdict(score=0.25)})),
}


@pytest.mark.parametrize("deed", TAMPERED)
async def test_tampering_is_named_and_pays_nothing(runtime: Runtime, huts: Bundle, move: Trajectory, deed: str) -> None:
    expected, tamper = TAMPERED[deed]
    found = await replay(runtime, huts, tamper(move))
    assert found.outcome == expected
    assert not found.reproduced
    assert found.verdict is not None
    assert found.verdict.score == 0.0
    assert len(found.verdict.reasons) == len(found.findings) > 0


async def test_mistakes_that_really_happened_are_named_and_reproduced(
    runtime: Runtime, huts: Bundle, move: Trajectory
) -> None:
    async with await runtime.open(huts) as session:
        refused = await session.call("grant_wish", {})
    mistakes = [
        step("grant_wish", {}, "agent", error=refused.error),
        step("get_weather", '{"hut_id": 4, "first_', "agent", error="this is no JSON"),
    ]
    found = await replay(runtime, huts, with_steps(move, [*mistakes, *move.steps]))
    assert found.reproduced
    assert found.outcome == "hallucinated_tool"
    assert kinds(found) == {"hallucinated_tool", "cut_arguments"}


async def test_the_list_of_tools_is_compared_too(
    runtime: Runtime, huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run]
) -> None:
    told = recorded(huts, tasks["nephew_alone"], gold["nephew_alone"], "meta_tools")
    fewer = changed(told.steps[0], value={"tools": []})
    assert kinds(await replay(runtime, huts, with_steps(told, [fewer, *told.steps[1:]]))) == {"observation_differs"}


async def test_several_calls_of_one_step_are_answered_in_their_order(
    runtime: Runtime, huts: Bundle, move: Trajectory
) -> None:
    def joined(first: Step, second: Step, *, swapped: bool) -> Step:
        requests = [first.calls[0], second.calls[0].model_copy(update={"id": "b"})]
        seen = [first.observations[0], second.observations[0].model_copy(update={"call": "b"})]
        return Step(number=0, calls=requests, observations=seen[::-1] if swapped else seen)

    for swapped in (False, True):
        both = with_steps(move, [joined(*move.steps[:2], swapped=swapped), *move.steps[2:]])
        assert (await replay(runtime, huts, both)).outcome == ("out_of_order" if swapped else "reproduced")


async def test_two_calls_with_one_id_cannot_be_told_apart(runtime: Runtime, huts: Bundle, move: Trajectory) -> None:
    first = move.steps[0]
    twice = first.model_copy(update={"calls": first.calls * 2, "observations": first.observations * 2})
    assert (await replay(runtime, huts, with_steps(move, [twice, *move.steps[1:]]))).outcome == "out_of_order"


async def test_an_episode_that_was_stopped_may_end_in_the_middle_of_a_step(
    runtime: Runtime, huts: Bundle, move: Trajectory, untouched: str
) -> None:
    unanswered = Step(number=0, calls=[ToolRequest(id="z", name="list_bookings", arguments={})])
    stopped = with_steps(move, [move.steps[0], unanswered], ending="stopped", state_hash=untouched)
    found = await replay(runtime, huts, stopped)
    assert found.reproduced
    assert found.verdict is not None and found.verdict.score == 0.0
    foreign = Observation(call="y", outcome="ok", value={"bookings": []})
    mixed_up = unanswered.model_copy(update={"observations": [foreign]})
    stopped = with_steps(move, [move.steps[0], mixed_up], ending="stopped", state_hash=untouched)
    assert (await replay(runtime, huts, stopped)).outcome == "out_of_order"


async def test_a_call_that_the_machinery_lost_has_changed_nothing(
    runtime: Runtime, huts: Bundle, move: Trajectory
) -> None:
    lost = Step(
        number=0,
        calls=[ToolRequest(id="z", name="cancel_booking", arguments={"booking_code": "BK-00041"})],
        observations=[Observation(call="z", outcome="infrastructure", error="its processes kept ending")],
    )
    assert (await replay(runtime, huts, with_steps(move, [lost, *move.steps]))).reproduced


async def test_text_of_who_was_never_asked_for_a_report_is_unread_until_somebody_has_read_it(
    runtime: Runtime, huts: Bundle, move: Trajectory
) -> None:
    told = with_steps(move, [*move.steps[:-1], says("I moved your stay by a week.")], report=None)
    found = await replay(runtime, huts, told)
    assert found.reproduced
    assert found.verdict is not None and found.verdict.message == "unread"
    read = await replay(runtime, huts, told.model_copy(update={"report": move.report}))
    assert read.reproduced
    assert read.verdict is not None and (read.verdict.score, read.verdict.message) == (1.0, "values_only")


async def test_reports_that_were_sent_back_are_no_calls(runtime: Runtime, huts: Bundle, move: Trajectory) -> None:
    refused = changed(move.steps[-1], outcome="agent", value=None, error="arguments.reason: …")
    assert (await replay(runtime, huts, with_steps(move, [refused, *move.steps]))).outcome == "reproduced"


async def test_an_empty_episode_is_reproduced_and_scores_nothing(
    runtime: Runtime, huts: Bundle, move: Trajectory, untouched: str
) -> None:
    found = await replay(runtime, huts, with_steps(move, [says("")], state_hash=untouched, report=None))
    assert found.reproduced
    assert found.verdict is not None and found.verdict.score == 0.0
