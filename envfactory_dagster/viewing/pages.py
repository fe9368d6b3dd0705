"""What the pages show, put together for the templates.

Belongs here: episodes call by call, facts of environments and tasks in figures and words. Does not: finding them
(`gathering`), markup (`templates`), and which page goes where (`site`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from envfactory_dagster.contracts.domain import INITIAL_STATE, Task
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.records import Spent, StageRecord
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.contracts.tools import Principal
from envfactory_dagster.contracts.trajectory import Observation, Step, Trajectory
from envfactory_dagster.contracts.truth import RowChange, Strength
from envfactory_dagster.language.prices import cost_in_words
from envfactory_dagster.runtime.checks import GOAL, GUARD
from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.truth.protocols import CallRequest, FinishRequest, ListRequest, ProtocolTurn, turns
from envfactory_dagster.viewing.diagram import Diagram, diagram
from envfactory_dagster.viewing.gathering import SiteEpisode, SiteWorld, by_model, of_models, outcomes, pass_rate
from envfactory_dagster.viewing.rows import RowsChanged, calls_made
from envfactory_dagster.viewing.text import beginning, one_line, pretty

_LONGEST_VALUE = 20_000
_LONGEST_COMPARED = 240


# -- episodes ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShownCall:
    tool: str
    by: Principal
    arguments: str
    outcome: str
    answer: str
    """The answer, or the error."""
    note: str = ""
    is_report: bool = False
    rows: Sequence[RowChange] = ()


@dataclass(frozen=True, slots=True)
class ShownStep:
    number: int
    reasoning: str
    text: str
    calls: list[ShownCall]
    reply: str
    notice: str
    seconds: float | None


@dataclass(frozen=True, slots=True)
class ShownEpisode:
    episode: SiteEpisode
    steps: list[ShownStep]
    rows: RowsChanged

    @property
    def name(self) -> str:
        return self.episode.name

    @property
    def trajectory(self) -> Trajectory:
        return self.episode.rollout.trajectory

    @property
    def label(self) -> str:
        """What tells it from other episodes of its task."""
        one, rollout = self.trajectory, self.episode.rollout
        more = [self.episode.part, "" if rollout.setting == "single" else rollout.setting]
        more += ["" if one.protocol == "native" else one.protocol]
        return ", ".join([one.model, f"seed {one.seed}", *filter(None, more)])

    @property
    def failed_calls(self) -> int:
        return sum(call.outcome != "ok" for step in self.steps for call in step.calls)


def shown_episode(episode: SiteEpisode, rows: RowsChanged) -> ShownEpisode:
    one = episode.rollout.trajectory
    changed = dict(zip(calls_made(one), rows.by_call, strict=False))
    by_step: dict[int, list[ShownCall]] = {}
    for number, turn in enumerate(turns(one.steps, one.protocol)):
        by_step.setdefault(turn.step, []).append(_shown_call(turn, changed.get(number, [])))
    steps = [_shown_step(index, step, by_step.get(index, [])) for index, step in enumerate(one.steps)]
    return ShownEpisode(episode, steps, rows)


def _shown_step(index: int, step: Step, calls: list[ShownCall]) -> ShownStep:
    seconds = step.timing.model_s + step.timing.tools_s if step.timing else None
    return ShownStep(index + 1, step.reasoning, step.text, calls, step.reply, step.notice, seconds)


def _shown_call(turn: ProtocolTurn, rows: Sequence[RowChange]) -> ShownCall:
    request, seen = turn.request, turn.observation
    tool, given = request.name, request.arguments
    if isinstance(turn.asked, CallRequest):
        tool, given = turn.asked.tool, turn.asked.arguments
    elif isinstance(turn.asked, FinishRequest):
        given = turn.asked.arguments
    outcome = seen.outcome if seen else "unanswered"
    answer = "the tools of this environment" if isinstance(turn.asked, ListRequest) else _answer(seen)
    return ShownCall(
        tool=tool,
        by=request.principal,
        arguments=given if isinstance(given, str) else pretty(given) if given else "",
        outcome=outcome,
        answer=answer,
        note=(seen.note or "") if seen else "",
        is_report=isinstance(turn.asked, FinishRequest),
        rows=rows,
    )


def _answer(seen: Observation | None) -> str:
    if seen is None:
        return "the episode ended before there was an answer"
    text = pretty(seen.value) if seen.outcome == "ok" else seen.error or ""
    if len(text) <= _LONGEST_VALUE:
        return text
    return f"{text[:_LONGEST_VALUE]}\n… {len(text) - _LONGEST_VALUE:,} more characters are not shown"


def row_in_words(change: RowChange) -> str:
    key = ", ".join(map(str, change.key))
    if change.before is None:
        filled = {name: value for name, value in (change.after or {}).items() if value is not None}
        return f"{change.table} {key}: new, {one_line(filled)}"
    if change.after is None:
        return f"{change.table} {key}: deleted"
    cells = [
        f"{name} {one_line(value)} → {one_line(change.after.get(name))}"
        for name, value in change.before.items()
        if value != change.after.get(name)
    ]
    return f"{change.table} {key}: {'; '.join(cells)}"


def compared(one: ShownEpisode) -> dict[str, Any]:
    """An episode as little as it takes to compare it with another."""
    trajectory = one.trajectory
    return {
        "name": one.name,
        "label": one.label,
        "outcome": trajectory.outcome or "unread",
        "score": trajectory.verdict.score if trajectory.verdict else None,
        "calls": [_compared_call(call) for step in one.steps for call in step.calls if not call.is_report],
        "report": _compared_report(trajectory.report) if trajectory.report else None,
        "reasons": trajectory.verdict.reasons if trajectory.verdict else [],
    }


def _compared_call(call: ShownCall) -> list[Any]:
    rows = [beginning(row_in_words(change), _LONGEST_COMPARED) for change in call.rows]
    return [call.tool, call.arguments, call.outcome, beginning(call.answer, _LONGEST_COMPARED), rows]


def _compared_report(report: Report) -> list[tuple[str, str]]:
    by_rule = f", by the rule {report.reason}" if report.reason else ""
    answers = [(name.replace("_", " "), one_line(value)) for name, value in report.answers.items()]
    return [("outcome", report.outcome + by_rule), *answers, ("message", report.message)]


def compared_reference(made: MadeTask, rows: RowsChanged) -> dict[str, Any]:
    """The reference solution in the same form."""
    solution = made.solution
    by_call = [*rows.by_call, *([] for _ in solution.calls)]
    calls = [
        ShownCall(
            tool=call.tool,
            by=call.principal,
            arguments=pretty(call.arguments) if call.arguments else "",
            outcome=call.outcome,
            answer=pretty(call.value) if call.outcome == "ok" else call.error or "",
            rows=changed,
        )
        for call, changed in zip(solution.calls, by_call, strict=False)
    ]
    return {
        "name": "reference",
        "label": "the reference solution",
        "outcome": "completed",
        "score": 1.0,
        "calls": [_compared_call(call) for call in calls],
        "report": _compared_report(solution.report),
        "reasons": [],
    }


def check_in_words(name: str) -> str:
    return name.replace(GOAL, "", 1).replace(GUARD, "", 1).replace("_", " ")


# -- tasks -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShownTask:
    task: Task
    made: MadeTask | None
    episodes: list[ShownEpisode]
    strength: Strength

    @property
    def pass_rate(self) -> float | None:
        """Of language models."""
        return pass_rate(outcomes(of_models([one.episode for one in self.episodes])))


def shown_tasks(world: SiteWorld, episodes: Sequence[ShownEpisode]) -> list[ShownTask]:
    made = world.made
    played: dict[str, list[ShownEpisode]] = {}
    for one in episodes:
        played.setdefault(one.trajectory.task, []).append(one)
    return [
        ShownTask(
            task,
            made.get(task.id),
            played.get(task.id, []),
            Strength.of([made[task.id].verifier.gate] if task.id in made else []),
        )
        for task in world.bundle.tasks
    ]


# -- environments ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    type: str
    required: bool
    description: str


def parameters(schema: Mapping[str, Any]) -> list[Parameter]:
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, dict):
        return []
    needed = required if isinstance(required, list) else []
    return [
        Parameter(str(name), _type(one), name in needed, str(one.get("description", "")))
        for name, one in properties.items()
        if isinstance(one, dict)
    ]


def _type(schema: Mapping[str, Any]) -> str:
    if isinstance(schema.get("enum"), list):
        return " | ".join(map(one_line, schema["enum"]))
    named = schema.get("type", "anything")
    if named == "array" and isinstance(schema.get("items"), dict):
        return f"list of {_type(schema['items'])}"
    return " or ".join(map(str, named)) if isinstance(named, list) else str(named)


@dataclass(frozen=True, slots=True)
class StageLine:
    stage: str
    status: str
    reason: str
    attempts: int
    calls: int
    tokens: int
    cost: str
    version: str


@dataclass(frozen=True, slots=True)
class Player:
    """One model in one environment."""

    model: str
    episodes: int
    pass_rate: float | None
    outcomes: Mapping[str, int]


def players(episodes: Sequence[SiteEpisode]) -> list[Player]:
    found = {model: outcomes(played) for model, played in by_model(episodes).items()}
    return [Player(model, counts.total(), pass_rate(counts), counts) for model, counts in found.items()]


@dataclass(frozen=True, slots=True)
class WorldFacts:
    """What stands on the card of an environment beside what is in its bundle."""

    world: SiteWorld
    tasks: list[ShownTask]
    tables: int
    rows: int | None
    """In the initial state; None where nobody kept count."""
    drawing: Diagram | None
    strength: Strength
    stages: list[StageLine]
    cost: str
    players: list[Player]
    given_up: dict[str, list[str]] = field(default_factory=dict)
    """Reason → tasks."""


def facts_of(world: SiteWorld, tasks: list[ShownTask]) -> WorldFacts:
    try:
        schema = load_schema(world.bundle.schema_sql)
    except EnvironmentFault:
        schema = None
    given_up: dict[str, list[str]] = {}
    for one in world.dropped:
        given_up.setdefault(f"{one.stage}: {one.reason}", []).append(one.task)
    return WorldFacts(
        world=world,
        tasks=tasks,
        tables=sum(not table.is_view for table in schema.tables.values()) if schema else 0,
        rows=_rows(world.records),
        drawing=diagram(schema) if schema else None,
        strength=Strength.of([one.made.verifier.gate for one in tasks if one.made]),
        stages=[_stage_line(record) for record in world.records],
        cost=cost_in_words(Spent.together(record.spending for record in world.records)),
        players=players(world.episodes),
        given_up=given_up,
    )


def _stage_line(record: StageRecord) -> StageLine:
    spent = record.spending
    return StageLine(
        stage=record.stage,
        status=record.status,
        reason=record.reason,
        attempts=len(record.attempts),
        calls=spent.calls,
        tokens=spent.tokens_in + spent.tokens_out,
        cost=cost_in_words(spent),
        version=record.version[:12],
    )


def _rows(records: Sequence[StageRecord]) -> int | None:
    built = next((one.artifact for one in records if one.stage == "environment" and one.artifact), None)
    return None if built is None else built.get("rows", {}).get(INITIAL_STATE)
