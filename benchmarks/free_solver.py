"""A solver that never sees a reference solution: it tries the tools until the goal is reached.

Belongs here: looking around, making up calls from what was read and what the task says, and putting together those
that bring a goal nearer. Does not: the goal (`goal_predicate`), or judging what it did (`truth`).

How independent it is: it knows the tools' schemas, what they return and the words of the task, and a predicate tells
it whether it is warmer or colder, and which of what it read was asked for. It is shown no program, no call and no
verifier, and makes its reports itself. Its ways are its own; which ends count as reached is the predicate's to say, and
so is bound to the author's intent: where that is wrong, both are.
"""

import copy
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import Any

from benchmarks.goal_predicate import GoalPredicate, said
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.calls import CallResult
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import Report, ReportOutcome
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.contracts.truth import RowChange, TracedStep
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.session import Session

_READS_OF_A_TOOL, _CALLS_OF_A_TOOL = 12, 96
_VALUES_OF_A_PARAMETER, _TEXTS_OF_A_PARAMETER = 10, 24
_MOST_ACCEPTED = 40
_DEEPEST = 3
_BEAM = 4
_WORD = re.compile(r"[a-z0-9]{3,}")
_QUOTED = re.compile(r"[\"“]([^\"“”]+)[\"”]")
_DAY = re.compile(
    r"\b(\d{1,2}) (January|February|March|April|May|June|July|August|September|October|November|December) (\d{4})"
)
_ISO_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_TIME = re.compile(r"\b\d{2}:\d{2}\b")
_NAME = re.compile(r"[A-Z][\w'’-]*(?: (?:[A-Z0-9][\w'’-]*|of|and|the|for|de|von))*(?: [a-z]+){0,2}")
_CLAUSE = re.compile(r"[,:;.](?=\s|$)| with | of | to | for ")
_AMOUNT = re.compile(r"(?<![\w+.-])-?\d{1,7}(?:\.\d+)?(?![\w-])")
_ADDRESS = re.compile(r"\d+ (?:[A-Z]\w+ ?)+(?:, (?:[A-Z]\w+ ?)+)?\b")
_CODE = re.compile(r"\+?[\w.@-]*\d[\w.@-]*|\S+@\S+")

_ENDINGS = (("ies", "y"), ("ies", "ie"), ("es", ""), ("people", "person"), ("s", ""))

Arguments = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Way:
    """Calls that were found to reach the goal, and what to report."""

    calls: list[TracedStep]
    report: Report


@dataclass(frozen=True, slots=True)
class Found:
    """Ways to the goal, and ends that fall short of it."""

    reached: list[Way]
    short: list[Way]


@dataclass
class Seen:
    """What was read: values by the name of the parameter they would fit, with the words they stood among."""

    values: dict[str, dict[Json, list[str]]] = field(default_factory=dict)
    facts: list[tuple[str, Json, TracedStep]] = field(default_factory=list)
    """Name, value, and the call that told it."""

    def take(self, step: TracedStep) -> None:
        self._walk(step.value, step.tool, step)

    def _walk(self, value: Any, name: str, step: TracedStep) -> None:
        if isinstance(value, dict):
            words = " ".join(str(v) for v in value.values() if isinstance(v, str | int | float))
            for key, inner in value.items():
                if isinstance(inner, int | str) and not isinstance(inner, bool):
                    for own in [f"{one}_id" for one in _singulars(name)] if key == "id" else [key]:
                        self.values.setdefault(own, {}).setdefault(inner, []).append(words)
                self._walk(inner, name if key == "id" else key, step)
        elif isinstance(value, list):
            rows = [inner for inner in value if isinstance(inner, dict)]
            self.facts.append((f"number of {name}", len(value), step))
            for key in rows[0] if rows else ():
                numbers = [row[key] for row in rows if isinstance(row.get(key), int | float)]
                if len(numbers) == len(rows):
                    self.facts.append((f"sum of {key}", sum(numbers), step))
            for inner in value:
                self._walk(inner, name, step)
        elif isinstance(value, str | int | float) and not isinstance(value, bool):
            self.facts.append((name, value, step))


async def solve(runtime: Runtime, bundle: Bundle, task: Task, predicate: GoalPredicate, seed: int) -> Found:
    solver = _Solver(runtime, bundle, task, predicate, Random(f"{task.id} {seed}"))
    async with await runtime.open(bundle, state=task.state) as session:
        return await solver.solve(session)


@dataclass(frozen=True, slots=True)
class _Advance:
    """Calls that change nothing they should not, and the wishes they fulfil."""

    calls: tuple[TracedStep, ...]
    fulfils: frozenset[str]


class _Solver:
    def __init__(self, runtime: Runtime, bundle: Bundle, task: Task, predicate: GoalPredicate, random: Random) -> None:
        self._runtime = runtime
        self._predicate = predicate
        self._random = random
        self._reading = [tool for tool in bundle.tools if tool.annotations.readOnlyHint]
        self._writing = [tool for tool in bundle.tools if not tool.annotations.readOnlyHint]
        self._rules = bundle.theme.rules
        self._said = _Said(task.text, bundle.states[task.state].clock)
        self._refused: list[TracedStep] = []

    async def solve(self, session: Session) -> Found:
        seen = await self._look_around(session)
        told, sources = self._tell(seen)
        if self._predicate.is_refusal:
            return await self._refuse(session, seen, told, sources)
        if self._predicate.statements and told is None:
            return Found([], [])
        report = self._report(told or [])
        if not self._predicate.wishes:
            short = [Way(sources, self._report(told[:-1]))] if told else []
            return Found([Way(sources, report)] if told else [], short)
        advances = await self._advances(session, seen)
        return self._put_together(advances, sources, report)

    # -- reading ------------------------------------------------------------------------------------------------------

    async def _look_around(self, session: Session) -> Seen:
        """First what needs no arguments, then with what was found; several times, because what is found leads on."""
        seen, asked = Seen(), set[str]()
        for _ in range(3):
            for tool in self._reading:
                wanted = []
                for arguments in itertools.islice(self._calls_of(tool, seen), _READS_OF_A_TOOL):
                    key = f"{tool.name} {sorted(arguments.items())}"
                    if key not in asked:
                        asked.add(key)
                        wanted.append(arguments)
                for step in await _make(session, tool, wanted):
                    if step.outcome == "ok":
                        seen.take(step)
        return seen

    def _report(self, told: Sequence[Json], rule: str | None = None) -> Report:
        """What was found out, field by field as far as it goes; `rule`: what forbids the rest."""
        names = [field.name for field in self._predicate.fields]
        answers = dict.fromkeys(names) | dict(zip(names, told, strict=False))
        outcome: ReportOutcome = "done" if rule is None else "refused"
        return Report(outcome=outcome, answers=answers, reason=rule, message="I have finished.")

    def _rule_of(self, step: TracedStep) -> str | None:
        """The rule that says most of what the service said when it refused a call."""
        words = set(_WORD.findall((step.error or "").lower()))
        by_likeness = {rule.id: len(words & set(_WORD.findall(rule.text.lower()))) for rule in self._rules}
        return max(by_likeness, key=by_likeness.__getitem__, default=None)

    def _tell(self, seen: Seen) -> tuple[list[Json] | None, list[TracedStep]]:
        """What was read of everything that is to be told; None when something was not found."""
        pieces, sources = list[Json](), []
        for wanted in self._predicate.wanted:
            found = next(
                ((name, value, step) for name, value, step in seen.facts if said(f"it is {value}", wanted)), None
            )
            if found is None:
                return None, []
            pieces.append(found[1])
            sources.append(found[2])
        return pieces, sources

    # -- refusing -----------------------------------------------------------------------------------------------------

    async def _refuse(self, session: Session, seen: Seen, told: list[Json] | None, sources: list[TracedStep]) -> Found:
        """Try, and name the rule that the service seems to speak of."""
        if told is None:
            return Found([], [])
        await self._advances(session, seen, deepest=1)
        ways: dict[str, Way] = {}
        for step in sorted(self._refused, key=lambda step: -self._said.likeness(step.tool)):
            rule = self._rule_of(step)
            if rule == self._predicate.rule and (step.error or "") not in ways:
                ways[step.error or ""] = Way([*sources, step], self._report(told, rule))
        short = [Way(way.calls, self._report(told)) for way in ways.values()][:1]
        return Found(list(ways.values())[:2], short)

    # -- acting -------------------------------------------------------------------------------------------------------

    async def _advances(self, session: Session, seen: Seen, deepest: int = _DEEPEST) -> list[_Advance]:
        """Single calls that fulfil a wish; for wishes that no single call fulfils, several in a row."""
        found: list[_Advance] = []
        beam: list[tuple[TracedStep, ...]] = [()]
        for depth in range(deepest):
            steps: list[_Advance] = []
            for before in beam:
                steps += await self._next(session, seen, before, first=depth == 0)
            found += [step for step in steps if step.fulfils]
            done = {wish for step in found for wish in step.fulfils}
            if done >= {wish.name for wish in self._predicate.wishes}:
                break
            idle = [step.calls for step in steps if not step.fulfils]
            idle.sort(key=lambda calls: -self._said.likeness(calls[-1].tool))
            beam = idle[:_BEAM]
        return found

    async def _next(self, session: Session, seen: Seen, before: tuple[TracedStep, ...], first: bool) -> list[_Advance]:
        """What one more call can do."""
        here = Seen(copy.deepcopy(seen.values))
        for step in before:
            here.take(step)
        found = []
        for tool in self._writing:
            waiting = list(itertools.islice(self._calls_of(tool, here), _CALLS_OF_A_TOOL))
            for _ in range(_MOST_ACCEPTED):
                steps = await self._until_accepted(session, before, tool, waiting)
                self._refused += [step for step, _ in steps if first and step.outcome == "agent"]
                waiting = waiting[len(steps) :]
                found += [advance for _, advance in steps if advance is not None]
                if not waiting:
                    break
        return found

    async def _until_accepted(
        self, session: Session, before: tuple[TracedStep, ...], tool: ToolDefinition, waiting: list[Arguments]
    ) -> list[tuple[TracedStep, _Advance | None]]:
        """Calls from one place, up to and with the first that is not refused. Refused ones leave everything as it is,
        so they share a session."""
        fork = await self._after(session, before)
        try:
            made: list[tuple[TracedStep, _Advance | None]] = []
            for arguments in waiting:
                [step] = await _make(fork, tool, [arguments])
                accepted = step.outcome == "ok"
                made.append((step, await self._advance(fork, (*before, step)) if accepted else None))
                if accepted:
                    break
            return made
        finally:
            await fork.close()

    async def _advance(self, session: Session, calls: tuple[TracedStep, ...]) -> _Advance | None:
        """What these calls came to; None when they changed nothing, or what nobody asked for."""
        rows = [RowChange.model_validate(_as_json(change)) for change in await session.changes()]
        if not rows or self._predicate.damage(rows):
            return None
        final = await session.snapshot()
        done = [wish.name for wish in self._predicate.wishes if self._predicate.reached(wish, final)]
        return _Advance(calls, frozenset(done))

    async def _after(self, session: Session, calls: tuple[TracedStep, ...]) -> Session:
        fork = await self._runtime.fork(session)
        for step in calls:
            await fork.call(step.tool, step.arguments, principal=step.principal)
        return fork

    def _put_together(self, advances: Sequence[_Advance], sources: list[TracedStep], report: Report) -> Found:
        """For every wish a way, in the order of the task and with others in the other."""
        wishes = [wish.name for wish in self._predicate.wishes]
        if {wish for advance in advances for wish in advance.fulfils} < set(wishes):
            return Found([], [Way([*sources, *advance.calls], report) for advance in advances][:1])
        ways = []
        for order in (wishes, wishes[::-1], wishes):
            calls: list[TracedStep] = []
            done: set[str] = set()
            for wish in order:
                if wish not in done:
                    fitting = [advance for advance in advances if wish in advance.fulfils]
                    shortest = [a for a in fitting if len(a.calls) == len(fitting[0].calls)]
                    chosen = self._random.choice(shortest)
                    calls += chosen.calls
                    done |= chosen.fulfils
            ways.append(Way([*sources, *calls], report))
        last = ways[0].calls[-1:]
        return Found(ways, [Way([call for call in ways[0].calls if call not in last], report)])

    # -- making up calls ----------------------------------------------------------------------------------------------

    def _calls_of(self, tool: ToolDefinition, seen: Seen) -> Iterator[Arguments]:
        """Arguments that might do, the likeliest first."""
        properties = tool.inputSchema.get("properties", {})
        required = list(tool.inputSchema.get("required", []))
        fitting = {name: self._values(name, schema, seen) for name, schema in properties.items()}
        if not all(fitting[name] for name in required):
            return
        optional = [name for name in properties if name not in required and fitting[name]]
        yield from self._products(required, fitting)
        for name in optional:
            yield from itertools.islice(self._products([*required, name], fitting), _CALLS_OF_A_TOOL // 4)
        if len(optional) > 1:
            yield from itertools.islice(self._products([*required, *optional], fitting), _CALLS_OF_A_TOOL // 4)

    def _products(self, names: Sequence[str], fitting: Mapping[str, Sequence[Json]]) -> Iterator[Arguments]:
        """All combinations, those of likely values before those with an unlikely one."""
        places = itertools.product(*(range(len(fitting[name])) for name in names))
        for chosen in sorted(itertools.islice(places, 4_000), key=sum):
            yield {name: fitting[name][place] for name, place in zip(names, chosen, strict=True)}

    def _values(self, name: str, schema: Mapping[str, Any], seen: Seen) -> list[Json]:
        kinds = schema.get("type", "string")
        kind = kinds if isinstance(kinds, str) else kinds[0]
        if kind == "array":
            return [[value] for value in self._values(_singulars(name)[0], schema.get("items", {}), seen)]
        if kind == "boolean":
            return [True, False]
        if members := [member for member in schema.get("enum", []) if member is not None]:
            return sorted(members, key=lambda member: -self._said.likeness(str(member)))
        known = seen.values.get(name, {})
        ranked = sorted(known, key=lambda value: -max(map(self._said.likeness, known[value])))
        if name.endswith("_id") or (kind == "string" and name.endswith("code")):
            return ranked[:_VALUES_OF_A_PARAMETER]
        fits = re.compile(schema.get("pattern", "")).search
        if kind in ("integer", "number"):
            least, most = schema.get("minimum"), schema.get("maximum")
            if least is not None and most is not None and most - least < _VALUES_OF_A_PARAMETER:
                return list(range(least, most + 1))
            numbers = [number for number in self._said.numbers if number >= schema.get("minimum", number)]
            return [number for number in numbers if kind == "number" or number == int(number)]
        texts: list[Json] = [text for text in self._said.texts(bool(schema.get("pattern"))) if fits(text)]
        return texts[:_TEXTS_OF_A_PARAMETER]


class _Said:
    """The words of a task, taken apart."""

    def __init__(self, text: str, clock: str) -> None:
        self._words = set(_WORD.findall(text.lower()))
        days = [datetime.strptime(" ".join(found), "%d %B %Y").date().isoformat() for found in _DAY.findall(text)]
        self._days = list(dict.fromkeys([*days, *_ISO_DAY.findall(text)]))
        self._moments = [f"{day}T{time}:00" for day in self._days for time in _TIME.findall(text)]
        self._today = clock[:10]
        clauses = [clause.strip() for clause in _CLAUSE.split(text)]
        self._phrases = list(
            dict.fromkeys(
                [*_QUOTED.findall(text), *_ADDRESS.findall(text), *_CODE.findall(text), *clauses, *_names(text)]
            )
        )
        plain = _TIME.sub(" ", _DAY.sub(" ", text))
        amounts = _AMOUNT.findall(plain)
        numbers = [float(amount) for amount in amounts]
        scaled = [round(float(amount) * 100) for amount in amounts if "." in amount]
        whole = [int(number) if number == int(number) else number for number in numbers]
        self.numbers: list[int | float] = list(dict.fromkeys([*whole, *scaled])) or [1]

    def texts(self, in_a_pattern: bool) -> list[str]:
        moments = [*self._days, *self._moments, self._today]
        return moments + self._phrases if in_a_pattern else self._phrases

    def likeness(self, words: str) -> float:
        mine = set(_WORD.findall(words.lower().replace("_", " ")))
        dated = sum(day in words for day in self._days) + sum(moment in words for moment in self._moments)
        return len(mine & self._words) / (len(mine) or 1) + len(mine & self._words) + 2 * dated


def _names(text: str) -> Iterator[str]:
    """Names as they may stand in a text: with and without the words that follow them in small letters."""
    for match in _NAME.finditer(text):
        words = match[0].split(" ")
        for start in range(min(2, len(words))):
            for end in range(len(words), start, -1):
                yield " ".join(words[start:end]).rstrip(".,;")


def _singulars(name: str) -> list[str]:
    """What one of these may be called."""
    return [re.sub(rf"{ending}$", one, name) for ending, one in _ENDINGS if name.endswith(ending)] or [name]


async def _make(session: Session, tool: ToolDefinition, wanted: Sequence[Arguments]) -> list[TracedStep]:
    results = await session.call_many([(tool.name, arguments) for arguments in wanted], principal=tool.principal)
    return [_step(tool, arguments, result) for arguments, result in zip(wanted, results, strict=True)]


def _step(tool: ToolDefinition, arguments: Arguments, result: CallResult) -> TracedStep:
    return TracedStep(
        tool=tool.name,
        principal=tool.principal,
        arguments=arguments,
        outcome=result.outcome,
        value=result.value,
        error=result.error,
    )


def _as_json(change: Any) -> dict[str, Any]:
    return {"table": change.table, "key": list(change.key), "before": change.before, "after": change.after}
