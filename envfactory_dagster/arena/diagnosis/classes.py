"""The class of a failed episode, worked out from what was called, changed and reported. No model is asked.

Belongs here: deciding on one class, and where it is to be seen. Does not: comparing changes (`deeds`), and counting
(`tables`).

The first class that fits is the one: a call that cannot work and was never made good comes before what is missing for
want of it, and what was done before what was said of it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from envfactory_dagster.arena.diagnosis.deeds import Deeds, deeds, misdirected, misplaced
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.diagnosis import FailureClass
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.contracts.trajectory import Step
from envfactory_dagster.contracts.truth import RowChange, TracedStep
from envfactory_dagster.rollouts.endings import Cause
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.runtime.facts.schema import Schema
from envfactory_dagster.runtime.json_schema import compile_schema
from envfactory_dagster.truth.messages import contradictions
from envfactory_dagster.truth.protocols import CallRequest, FinishRequest, ProtocolTurn, UnreadableRequest, turns
from envfactory_dagster.truth.reports import wrong_answers

_LIMITS: frozenset[Cause] = frozenset(("step_limit", "token_limit", "context_limit"))
_MANY_QUESTIONS = 3
"""Questions an episode may ask beyond the turns and answers of its conversation; more of them are over-asking."""


@dataclass(frozen=True, slots=True)
class Classified:
    failure: FailureClass
    step: int
    detail: str
    tools: tuple[str, ...] = ()


def classified(bundle: Bundle, made: MadeTask, rollout: Rollout, changes: Sequence[RowChange]) -> Classified:
    """Of an episode that its agent failed. `changes`: every row that it left otherwise than it was."""
    return next(_Episode(bundle, made, rollout, changes).findings())


@dataclass(frozen=True)
class _Episode:
    bundle: Bundle
    made: MadeTask
    rollout: Rollout
    changes: Sequence[RowChange]

    def findings(self) -> Iterator[Classified]:
        yield from self._calls_that_cannot_work()
        yield from self._ends_without_a_report()
        yield from self._deeds()
        yield from self._words()
        yield Classified("other", self._last, "; ".join(self._reasons))

    # -- calls that never reached anything -----------------------------------------------------------------------------

    def _calls_that_cannot_work(self) -> Iterator[Classified]:
        if self._is_made_good:
            return
        for turn in self._turns:
            if isinstance(turn.asked, UnreadableRequest):
                kind: FailureClass = "hallucinated_tool" if turn.asked.rule == "tool_name" else "bad_arguments"
                if kind == "hallucinated_tool" or not self._called_after(turn, turn.request.name):
                    yield Classified(kind, turn.step, turn.asked.problem, (turn.request.name,))
            elif isinstance(turn.asked, CallRequest):
                name = turn.asked.tool
                if name not in self._schemas:
                    yield Classified("hallucinated_tool", turn.step, f"there is no tool {name}", (name,))
                elif (problem := self._problem(turn)) and not self._called_after(turn, name):
                    yield Classified("bad_arguments", turn.step, problem, (name,))

    def _problem(self, turn: ProtocolTurn) -> str | None:
        assert isinstance(turn.asked, CallRequest)
        return compile_schema(self._schemas[turn.asked.tool])(turn.asked.arguments)

    def _called_after(self, turn: ProtocolTurn, tool: str) -> bool:
        """Whether the tool was called rightly later on."""
        later = self._turns[self._turns.index(turn) + 1 :]
        return any(
            isinstance(one.asked, CallRequest) and one.asked.tool == tool and not self._problem(one) for one in later
        )

    @property
    def _is_made_good(self) -> bool:
        """Whether everything that the reference solution tries to write was tried, and the outcome is the right one:
        whatever call could not work is not what the episode was failed for."""
        tried = [call.tool for call in self._made]
        missing = [call.tool for call in self._gold_tries if tried.count(call.tool) < self._times(call.tool)]
        report = self.rollout.trajectory.report
        return not missing and report is not None and report.outcome == self.made.solution.report.outcome

    def _times(self, tool: str) -> int:
        return sum(call.tool == tool for call in self._gold_tries)

    # -- ends without a word -------------------------------------------------------------------------------------------

    def _ends_without_a_report(self) -> Iterator[Classified]:
        cause, detail = self.rollout.cause, self.rollout.detail
        asked = [number for number, step in enumerate(self._steps) if not step.calls and "?" in step.text]
        conversation = self.made.conversation
        due = len(conversation.turns) + len(conversation.answers) if conversation is not None else 0
        report = self.rollout.trajectory.report
        if asked and (report is None or len(asked) > due + _MANY_QUESTIONS):
            yield Classified("over_asking", asked[0], f"asks {len(asked)} times: {self._steps[asked[-1]].text[:80]}")
        if cause == "agent_loops":
            yield Classified("loops", self._last, detail)
        if cause in _LIMITS:
            yield Classified("step_limit", self._last, detail)
        if cause == "format":
            yield Classified("format", self._last, detail)
        if report is None:
            yield Classified("no_report", self._last, detail)

    # -- what was done -------------------------------------------------------------------------------------------------

    def _deeds(self) -> Iterator[Classified]:
        found, gold = self._found, self.made.solution
        if gold.report.outcome in ("refused", "impossible") and found.extra:
            yield self._about(found, "forbidden_done" if gold.report.outcome == "refused" else "extra_write")
        if (wrong := misplaced(found, self._schema)) is not None:
            yield self._about(found, wrong)
        if found.missing:
            yield from self._missing(found)
        if found.extra:
            yield self._about(found, "extra_write")

    def _missing(self, found: Deeds) -> Iterator[Classified]:
        """Tried at something else, left out at the end, or left out in between."""
        left_out = self._left_out(self._gold_writes)
        for number, call in self._surplus_writes:
            if (wrong := misdirected(call, left_out)) is not None:
                shown = f"{call.tool} {call.arguments}: {call.error or 'done'}"
                yield Classified(wrong, number, shown, (call.tool,))
        tools = tuple(call.tool for call in left_out)
        detail = f"not written: {'; '.join(write.text for write in found.missing[:3])}"
        tail = self._gold_writes[len(self._gold_writes) - len(left_out) :]
        kind: FailureClass = "stopped_early" if left_out == tail else "missing_write"
        report = self.rollout.trajectory.report
        if report is not None and report.outcome != "done":
            kind = "refused_wrongly" if not self._left_out(self._gold_reads) else "stopped_early"
        yield Classified(kind, self._last, detail, tools)

    def _about(self, found: Deeds, kind: FailureClass) -> Classified:
        wrote = [number for number, call in self._numbered if call.tool in self._writing and call.outcome == "ok"]
        tools = tuple(dict.fromkeys(call.tool for call in self._made if call.tool in self._writing))
        return Classified(kind, wrote[-1] if wrote else self._last, found.extra[0].text, tools)

    # -- what was said -------------------------------------------------------------------------------------------------

    def _words(self) -> Iterator[Classified]:
        report, gold = self.rollout.trajectory.report, self.made.solution
        if report is None:
            return
        tools = tuple(dict.fromkeys(call.tool for call in gold.calls))
        if report.outcome != gold.report.outcome:
            said = f"reports {report.outcome}, {gold.report.outcome} was right"
            if report.outcome == "done":
                yield Classified("not_refused", self._last, said, tools)
            left_out = self._left_out(self._gold_reads)
            declined: FailureClass = "refused_wrongly" if gold.report.outcome == "done" else "wrong_reason"
            kind: FailureClass = "stopped_early" if left_out else declined
            yield Classified(kind, self._last, said, tuple(call.tool for call in left_out) or tools)
        if report.reason != gold.report.reason:
            yield Classified("wrong_reason", self._last, f"names {report.reason}, not {gold.report.reason}", tools)
        if wrong := wrong_answers(gold.form, gold.report.answers, report):
            empty = all(report.answers.get(name) in (None, []) for name in wrong)
            detail = "; ".join(
                f"{name} is {report.answers.get(name)!r}, not {gold.report.answers.get(name)!r}" for name in wrong
            )
            yield Classified("answer_missing" if empty else "answer_wrong", self._last, detail, tools)
        if said_otherwise := contradictions(report, gold.form, self.made.task.text, self._made):
            yield Classified("message_wrong", self._last, "; ".join(said_otherwise), tools)

    # -- what there is to look at --------------------------------------------------------------------------------------

    @cached_property
    def _steps(self) -> Sequence[Step]:
        return self.rollout.trajectory.steps

    @property
    def _last(self) -> int:
        return max(0, len(self._steps) - 1)

    @property
    def _reasons(self) -> list[str]:
        verdict = self.rollout.trajectory.verdict
        return verdict.reasons if verdict is not None else []

    @cached_property
    def _turns(self) -> list[ProtocolTurn]:
        """What the agent asked for, but for its reports."""
        trajectory = self.rollout.trajectory
        found = turns(trajectory.steps, trajectory.protocol)
        return [
            one for one in found if one.request.principal == "assistant" and not isinstance(one.asked, FinishRequest)
        ]

    @cached_property
    def _numbered(self) -> list[tuple[int, TracedStep]]:
        """The agent's calls that could work, with their steps."""
        found = []
        for turn in self._turns:
            if (
                isinstance(turn.asked, CallRequest)
                and turn.asked.tool in self._schemas
                and turn.observation is not None
            ):
                seen = turn.observation
                call = TracedStep(
                    tool=turn.asked.tool, arguments=turn.asked.arguments, outcome=seen.outcome, value=seen.value,
                    error=seen.error,
                )  # fmt: skip
                found.append((turn.step, call))
        return found

    @cached_property
    def _made(self) -> list[TracedStep]:
        return [call for _, call in self._numbered if not compile_schema(self._schemas[call.tool])(call.arguments)]

    @cached_property
    def _surplus_writes(self) -> list[tuple[int, TracedStep]]:
        """Calls that were to write, beyond those of the reference solution."""
        wanted = [(call.tool, call.arguments) for call in self._gold_tries]
        found = []
        for number, call in self._numbered:
            if (call.tool, call.arguments) in wanted:
                wanted.remove((call.tool, call.arguments))
            elif call.tool in self._writing:
                found.append((number, call))
        return found

    @cached_property
    def _schemas(self) -> dict[str, dict[str, Json]]:
        return {tool.name: tool.inputSchema for tool in self.bundle.tools_of("assistant")}

    @cached_property
    def _writing(self) -> set[str]:
        return {tool.name for tool in self.bundle.tools_of("assistant") if not tool.annotations.readOnlyHint}

    @cached_property
    def _gold_tries(self) -> list[TracedStep]:
        """With those that are refused: whether a limit has passed shows in no other way."""
        return [one for one in self.made.solution.calls if one.tool in self._writing]

    @cached_property
    def _gold_writes(self) -> list[TracedStep]:
        return [one for one in self.made.solution.calls if one.outcome == "ok" and one.tool in self._writing]

    @cached_property
    def _gold_reads(self) -> list[TracedStep]:
        calls = self.made.solution.calls
        return [one for one in calls if one.tool in self._schemas and one not in self._gold_writes]

    def _left_out(self, wanted: Sequence[TracedStep]) -> list[TracedStep]:
        """Those of the reference solution's calls that were not made."""
        done = [(call.tool, call.arguments) for call in self._made]
        left = []
        for call in wanted:
            if (call.tool, call.arguments) in done:
                done.remove((call.tool, call.arguments))
            else:
                left.append(call)
        return left

    @cached_property
    def _schema(self) -> Schema:
        return load_schema(self.bundle.schema_sql)

    @cached_property
    def _found(self) -> Deeds:
        clock = self.bundle.states[self.made.task.state].clock
        return deeds(self.made.solution, self.changes, self._schema, clock)
