"""Rows for SFT out of trajectories, and rows for RL out of released tasks.

Belongs here: what a row shows and teaches. Does not: choosing trajectories (`building`), sharing out environments
(`splits`), and trainers' own formats (`trainer_formats`).

All messages and tools come from the renderer of the rollouts: a row shows what an agent is shown when it plays, to the
letter. Two things differ from a trajectory, and both are counted: failed calls are left out (`failed_calls`), and a row
of a whole episode shows all of its history, also where the agent saw a window of it.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import orjson

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.dataset import (
    ChatMessage,
    FileReference,
    LeftOut,
    PlannedCall,
    RlRow,
    RowForm,
    SftRow,
    Split,
    Trace,
    TrajectoryKey,
)
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.synthesis import Conversation, MadeTask
from envfactory_dagster.contracts.trajectory import Observation, Protocol, Step, ToolRequest, Trajectory
from envfactory_dagster.contracts.truth import RowChange, TracedStep
from envfactory_dagster.datasets.failed_calls import without_failed_calls
from envfactory_dagster.language.messages import Message
from envfactory_dagster.rollouts import prompts
from envfactory_dagster.rollouts.history import History, exchange, said
from envfactory_dagster.rollouts.reporting import finish_tool
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import Setting
from envfactory_dagster.rollouts.store import Key
from envfactory_dagster.rollouts.tools import offered
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.execution import run_calls
from envfactory_dagster.truth.rewards import RewardSettings
from envfactory_dagster.truth.withholding import beyond, tools_left

SETTLED = "That is settled."
"""What the assistant says at the end of a turn that nobody has played."""

_SHOWN_VERSION = 16
_CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Source:
    """A released environment, and what its split means for it."""

    bundle: Bundle
    tasks: dict[str, MadeTask]
    split: Split
    withheld: list[str] = field(default_factory=list)
    """Tools that are not there in this split."""
    turn_changes: Mapping[str, list[list[RowChange]]] = field(default_factory=dict)
    """Conversation → for each of its turns the rows that differ from the beginning once it is over."""

    def task(self, made: MadeTask, hidden: Iterable[str] = ()) -> Task:
        """As it is given here, also without the tools that are `hidden`."""
        withheld = list(dict.fromkeys([*made.task.withheld, *self.withheld, *hidden]))
        return made.task.model_copy(update={"withheld": withheld})

    def trace(self, made: MadeTask) -> Trace:
        return Trace(
            environment=self.bundle.key,
            bundle_version=self.bundle.version,
            task=made.task.id,
            state=made.task.state,
            kind=made.task.kind,
            source=made.source,
            parent=made.parent,
            difficulty=made.difficulty,
            split=self.split,
        )

    def name(self, *parts: object) -> str:
        return "/".join(map(str, (self.bundle.key, self.bundle.version[:_SHOWN_VERSION], *parts)))


def begun(
    bundle: Bundle,
    task: Task,
    protocol: Protocol,
    setting: Setting,
    opening: str,
    *,
    window: int | None = None,
    reports: bool = True,
) -> list[Message]:
    """What an agent is shown before it says anything."""
    system = prompts.for_agent(bundle, task, protocol, setting, window=window, reports=reports)
    return [{"role": "system", "content": system}, {"role": "user", "content": opening}]


def tools_of(bundle: Bundle, task: Task, protocol: Protocol, *, reports: bool = True) -> list[ChatMessage]:
    """Everything that is offered in the course of a task."""
    finish = finish_tool(bundle, bundle.answer_form(task.id)) if reports else None
    return offered(tools_left(bundle.tools_of("assistant"), task), protocol, finish)


def _about_tokens(messages: Sequence[Message], tools: Sequence[ChatMessage]) -> int:
    return (len(orjson.dumps(messages)) + len(orjson.dumps(tools))) // _CHARS_PER_TOKEN


# -- SFT ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SftSettings:
    """`thinking`: an episode with reasoning becomes a row for each step, every other one a single row."""

    by_step: Literal["thinking", "always", "never"] = "thinking"
    window: int | None = None
    """Of the rollouts: how many of the latest exchanges the agent was shown beside the first one; None: all."""
    form: RowForm = "report"


def sft_rows(
    source: Source, rollouts: Sequence[Rollout], settings: SftSettings, shortened: Collection[Key] = ()
) -> tuple[list[SftRow], list[LeftOut]]:
    """Of the rollouts those that can be learned from: verified, and whole without their failed calls. `shortened`:
    which of them are not as they were stored."""
    rows: list[SftRow] = []
    left_out: list[LeftOut] = []
    for rollout in rollouts:
        found = _rows_of(source, rollout, settings)
        if isinstance(found, LeftOut):
            left_out.append(found)
            continue
        was_shortened = Key.of(rollout) in shortened
        rows += [row.model_copy(update={"shortened": True}) for row in found] if was_shortened else found
    return rows, left_out


def _rows_of(source: Source, rollout: Rollout, settings: SftSettings) -> list[SftRow] | LeftOut:
    one = rollout.trajectory
    name = source.name(one.task, rollout.setting, one.protocol, one.model, one.seed)
    made = source.tasks.get(one.task)
    if made is None or one.bundle_version != source.bundle.version:
        return LeftOut(what=name, reason="its task is not in the release")
    if one.reward is None:
        return LeftOut(what=name, reason="it has no reward", detail=rollout.detail)
    if rollout.cause != "answered" or one.outcome != "completed":
        return LeftOut(what=name, reason="not a verified success", detail=f"{one.outcome}, ended by {rollout.cause}")
    if one.report is None:
        return LeftOut(what=name, reason="it ends without a report")
    task, reports = source.task(made, one.withheld), settings.form == "report"
    before = begun(
        source.bundle, task, one.protocol, rollout.setting, one.opening, window=settings.window, reports=reports
    )
    cleaned = without_failed_calls(one.steps, "\n".join(str(message["content"]) for message in before), task.kind)
    if cleaned is None:
        return LeftOut(what=name, reason="a failed call in it cannot be left out")
    steps = cleaned.steps if reports else in_words(cleaned.steps, one.report)
    by_step = settings.by_step == "always" or (settings.by_step == "thinking" and _thinks(one))
    tools = tools_of(source.bundle, task, one.protocol, reports=reports)
    if by_step:
        opened = rollout.setting == "single"
        shown = list(_by_step(before, steps, settings.window, tools, reports=reports, opened=opened))
    else:
        shown = [(None, _whole(before, steps), tools)]
    return [
        SftRow(
            id=name if step is None else f"{name}/step-{step}",
            trace=source.trace(made),
            trajectory=_key(rollout),
            step=step,
            form=settings.form,
            messages=[dict(message) for message in messages],
            tools=tools,
            tokens=_about_tokens(messages, tools),
            outcome=one.outcome,
            reward=one.reward.total,
            removed_calls=cleaned.removed,
        )
        for step, messages, tools in shown
    ]


def in_words(steps: Sequence[Step], report: Report) -> list[Step]:
    """The same steps without the report: the last of them tells the person what the report says. It stands for the
    text after which the report was asked for, which nobody has judged."""
    kept = [step.model_copy(update={"notice": ""}) for step in steps if not any(call.is_report for call in step.calls)]
    number = max((step.number + 1 for step in kept), default=0)
    if kept and not kept[-1].reply and not any(call.principal == "assistant" for call in kept[-1].calls):
        number = kept.pop().number
    return [*kept, Step(number=number, text=report.message)]


def _thinks(trajectory: Trajectory) -> bool:
    return any(step.reasoning for step in trajectory.steps)


def _key(rollout: Rollout) -> TrajectoryKey:
    one = rollout.trajectory
    return TrajectoryKey(setting=rollout.setting, protocol=one.protocol, model=one.model, seed=one.seed)


def _whole(before: Sequence[Message], steps: Sequence[Step]) -> list[Message]:
    return [*before, *(message for step in steps[:-1] for message in exchange(step)), said(steps[-1])]


Shown = tuple[int | None, list[Message], list[ChatMessage]]
"""A step, or None for all of them; the messages; the tools."""


def _by_step(
    before: Sequence[Message],
    steps: Sequence[Step],
    window: int | None,
    tools: list[ChatMessage],
    *,
    reports: bool,
    opened: bool,
) -> Iterator[Shown]:
    """For each step what the agent was shown, and what it wrote: with its reasoning, which no later step shows. The
    last of the tools takes the report, where there are `reports`; it is offered from the beginning (`opened`) or when
    the report is due, and then nothing else is."""
    history, due = History(list(before), window), False
    for step in steps:
        written = dict(said(step))
        if step.reasoning:
            written["reasoning_content"] = step.reasoning
        offered_now = tools[-1:] if due else tools if opened or not reports else tools[:-1]
        yield step.number, [*history.shown(with_talk=due), written], offered_now
        history.add(exchange(step))
        due = due or bool(step.notice)


# -- RL ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RlSettings:
    protocols: tuple[Protocol, ...] = ("native",)
    turns: bool = True
    """Whether the turns of conversations are rows too. They are given under the native protocol only."""
    reward: RewardSettings = field(default_factory=RewardSettings)
    most_tools: int | None = None
    """How many tools a row shows at most, see `truth.withholding.beyond`; None: all."""


async def with_turn_changes(runtime: Runtime, source: Source) -> Source:
    """With what each turn of its conversations changes, found by making the calls of the reference solutions."""
    talks = [made for made in source.tasks.values() if _has_turns(made)]
    try:
        found = {made.task.id: await _changes_by_turn(runtime, source.bundle, made) for made in talks}
    finally:
        runtime.retire(source.bundle)
    return replace(source, turn_changes=found)


async def _changes_by_turn(runtime: Runtime, bundle: Bundle, made: MadeTask) -> list[list[RowChange]]:
    assert made.conversation is not None
    found, done = [], 0
    for turn in made.conversation.turns:
        done += turn.calls
        run = await run_calls(runtime, bundle, made.task, made.solution.calls[:done], None)
        found.append(run.row_changes)
    return found


def rl_rows(source: Source, settings: RlSettings) -> tuple[list[RlRow], list[LeftOut]]:
    """Every task of the environment that can be done in its split, and the turns of its conversations."""
    rows: list[RlRow] = []
    left_out: list[LeftOut] = []
    for made in source.tasks.values():
        needed = sorted({call.tool for call in made.solution.calls} & set(source.withheld))
        if needed:
            what = f"{source.bundle.key}/{made.task.id}"
            left_out.append(
                LeftOut(what=what, reason="it needs tools that training has seen", detail=", ".join(needed))
            )
            continue
        rows += [_whole_task(source, made, protocol, settings) for protocol in settings.protocols]
        if settings.turns and "native" in settings.protocols:
            rows += _turns(source, made, settings)
    return rows, left_out


def _shown(source: Source, made: MadeTask, settings: RlSettings) -> Task:
    return source.task(made, beyond(settings.most_tools, source.bundle, source.task(made), made.solution))


def _whole_task(source: Source, made: MadeTask, protocol: Protocol, settings: RlSettings) -> RlRow:
    setting = made.setting
    opening = made.task.text if made.conversation is None else made.conversation.turns[0].request
    task, file = _shown(source, made, settings), f"verifiers/{made.task.id}.py"
    digest = hashlib.sha256(source.bundle.verifiers[made.task.id].encode()).hexdigest()
    messages = begun(source.bundle, task, protocol, setting, opening)
    tools = tools_of(source.bundle, task, protocol)
    return RlRow(
        id=source.name(made.task.id, setting, protocol),
        trace=source.trace(made),
        setting=setting,
        protocol=protocol,
        messages=[dict(message) for message in messages],
        tools=tools,
        tokens=_about_tokens(messages, tools),
        withheld=task.withheld,
        target_calls=[_planned(call) for call in made.solution.calls],
        target_changes=made.solution.changes,
        masked=made.masked,
        volatile=made.solution.volatile,
        relative=made.solution.relative,
        dictated=made.solution.dictated,
        answer_form=made.solution.form,
        verifier=FileReference(file=file, sha256=digest),
        reward=settings.reward.model_dump(mode="json"),
    )


def _turns(source: Source, made: MadeTask, settings: RlSettings) -> Iterator[RlRow]:
    """The turns that stand for themselves: they take calls, and nothing has to be asked first."""
    talk = made.conversation
    if talk is None or not _has_turns(made):
        return
    # A turn has no verifier and no report: only `path_and_state` can be computed, and a judge has no message to read.
    reward = settings.reward.model_copy(
        update={"strategy": "code_only", "weights": {"path_and_state": 1.0}, "message_words": False}
    )
    task, done, changes = _shown(source, made, settings), 0, source.turn_changes.get(made.task.id)
    tools = tools_of(source.bundle, task, "native", reports=False)
    for number, turn in enumerate(talk.turns):
        calls = made.solution.calls[: done + turn.calls]
        if turn.calls:
            messages = _so_far(source.bundle, task, talk, calls[:done], number)
            yield RlRow(
                id=source.name(made.task.id, "turn", number),
                trace=source.trace(made),
                setting="single",
                protocol="native",
                turn=number,
                messages=[dict(message) for message in messages],
                tools=tools,
                tokens=_about_tokens(messages, tools),
                withheld=task.withheld,
                prefix_calls=[_planned(call) for call in calls[:done]],
                target_calls=[_planned(call) for call in calls[done:]],
                target_changes=changes[number] if changes is not None else None,
                masked=made.masked,
                volatile=made.solution.volatile,
                relative=made.solution.relative,
                dictated=made.solution.dictated,
                verifier=None,
                reward=reward.model_dump(mode="json"),
            )
        done += turn.calls


def _has_turns(made: MadeTask) -> bool:
    """Whether its turns stand for themselves: in a plain conversation in which nothing has to be asked."""
    talk = made.conversation
    return talk is not None and len(talk.turns) > 1 and not talk.answers and talk.variant == "plain"


def _so_far(bundle: Bundle, task: Task, talk: Conversation, calls: Sequence[TracedStep], number: int) -> list[Message]:
    """The conversation up to the request of a turn, with the calls of the reference solution made in it."""
    shown = begun(bundle, task, "native", "single", talk.turns[0].request, reports=False)
    left = iter(enumerate(calls))
    for turn, following in zip(talk.turns[:number], talk.turns[1:], strict=False):
        for _, (place, call) in zip(range(turn.calls), left, strict=False):
            if call.principal == "assistant":
                shown += exchange(_as_step(place, call))
        shown += exchange(Step(number=len(calls), text=SETTLED, reply=following.request))
    return shown


def _as_step(place: int, call: TracedStep) -> Step:
    identity = f"call_{place}"
    request = ToolRequest(id=identity, name=call.tool, arguments=call.arguments, principal=call.principal)
    seen = Observation(call=identity, outcome=call.outcome, value=call.value, error=call.error)
    return Step(number=place, calls=[request], observations=[seen])


def _planned(call: TracedStep) -> PlannedCall:
    return PlannedCall(tool=call.tool, principal=call.principal, arguments=call.arguments)
