"""What a verifier sees, how its checks are run, and what their signals come to. Python's standard library only.

Belongs here: `world`, running every check of one verifier over one case, and the score. The text is part of every
bundle's `judge.py`, so that a verdict there is the verdict here. Does not: opening databases, processes and their
limits (`verifier_worker`, `standalone_judge`).

No score comes about by accident: a check that raises, hangs or returns anything but True or False makes it 0.
"""

import marshal
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import CodeType
from typing import Any, NamedTuple, Protocol

from envfactory_dagster.runtime.answer_values import readings, same_answer, same_text
from envfactory_dagster.runtime.facade import SAFE_BUILTINS, describe
from envfactory_dagster.runtime.table_contents import Contents, Row, differences

MOST_CHECKS = 50
GOAL, GUARD = "goal_", "guard_"
MESSAGE_CHECK = "guard_message_agrees_with_report"


class CheckedDatabase(Protocol):
    """One end of the story: the database before or after, for queries only."""

    def query(self, sql: str, params: Any = ()) -> list[Row]: ...

    def one(self, sql: str, params: Any = ()) -> Row | None: ...

    def limit_passed(self) -> str:
        """Which limit a query ran into since this was last asked; empty: none."""
        ...


class ReportShown:
    """The report as checks see it: its answers only through `says`, which compares as the field's type demands."""

    __slots__ = ("_answers", "_fields", "outcome", "reason")

    def __init__(self, report: Mapping[str, Any] | None, fields: list[dict[str, Any]]) -> None:
        self.outcome: str | None = report["outcome"] if report else None
        self.reason: str | None = report["reason"] if report else None
        self._answers: Mapping[str, Any] = report["answers"] if report else {}
        self._fields = {field["name"]: field for field in fields}

    def says(self, field: str, value: object) -> bool:
        """Whether this answer is this value; None: that nothing is given there. Money is in cents."""
        if field not in self._fields:
            raise LookupError(f"the answer form has no field {field!r}; it has: {', '.join(self._fields) or 'none'}")
        one = self._fields[field]
        for part in value if one.get("many") and isinstance(value, list | tuple) else [value]:
            if part is not None and not readings({**one, "many": False}, part):
                raise ValueError(f"{part!r} is no value that the field {field!r} of type {one['type']} could have")
        return self.outcome is not None and same_answer(one, value, self._answers.get(field))


class World:
    """What one check of a verifier is shown."""

    same_text = staticmethod(same_text)

    def __init__(self, case: "JudgedCase", changes: list[Row], trajectory: list[Any]) -> None:
        self.initial = case.initial
        self.final = case.final
        self.report = case.report
        self.changes = changes
        self.trajectory = trajectory


class JudgedCase:
    """What is to be judged. Every check is shown a world of its own: what one of them overwrites, no other sees."""

    def __init__(
        self,
        databases: tuple[CheckedDatabase, CheckedDatabase],
        contents: tuple[Contents, Contents],
        report: Mapping[str, Any] | None,
        fields: list[dict[str, Any]],
        trajectory: list[Any],
    ) -> None:
        self.initial, self.final = databases
        self._reported = marshal.dumps((dict(report) if report else None, fields))
        self._lists = differences(*contents), trajectory
        self._copied = marshal.dumps(self._lists)

    @property
    def report(self) -> ReportShown:
        return ReportShown(*marshal.loads(self._reported))

    def world(self) -> World:
        return World(self, *marshal.loads(self._copied))

    def limits_passed(self) -> str:
        """The limit that a query ran into since this was last asked; empty: none."""
        passed = self.initial.limit_passed(), self.final.limit_passed()
        return passed[0] or passed[1]

    def shows(self, world: World) -> bool:
        """Whether a world is still as it was made."""
        databases = world.initial is self.initial and world.final is self.final
        own = self.report
        reported = (world.report.outcome, world.report.reason) == (own.outcome, own.reason)
        return databases and reported and (world.changes, world.trajectory) == self._lists


@lru_cache(maxsize=1)
def _compiled(source: str) -> CodeType:
    """Code is immutable: all that the cases of a process share of a verifier."""
    return compile(source, "tools.py", "exec", dont_inherit=True)


def run_checks(source: str, case: JudgedCase) -> list[list[Any]]:
    """Every check by itself: one that fails does not hide the others. Gives its name, what it returned, and what is
    wrong with it."""
    namespace: dict[str, Any] = {"__builtins__": dict(SAFE_BUILTINS), "__name__": "verifier"}
    exec(_compiled(source), namespace)
    names = [name for name, found in namespace.items() if name.startswith((GOAL, GUARD)) and callable(found)]
    if not names:
        raise LookupError("the verifier defines no check called goal_… or guard_…")
    if len(names) > MOST_CHECKS:
        raise LookupError(f"the verifier defines {len(names)} checks; at most {MOST_CHECKS} are run")
    return [[name, *_check(namespace[name], case)] for name in names]


def describe_in_verifier(failure: BaseException) -> str:
    return describe(failure).replace("tools.py", "verifier")


def _check(check: Callable[[World], object], case: JudgedCase) -> tuple[object, str | None]:
    """What a check returned, or what is wrong with it."""
    case.limits_passed()  # by an earlier check
    value, wrong = _tried(check, case)
    if passed := case.limits_passed():  # whatever the check made of the exception
        return None, passed
    return value, wrong


def _tried(check: Callable[[World], object], case: JudgedCase) -> tuple[object, str | None]:
    world = case.world()
    try:
        value = check(world)
        if not case.shows(world):
            return None, "changed what it was shown"
    except BaseException as failure:  # noqa: BLE001 - a check may raise anything
        return None, describe_in_verifier(failure)
    if type(value) not in (bool, int, str, type(None)):
        return None, f"returned {describe_value(value)}"
    return value, None


def describe_value(value: object) -> str:
    return f"the number {value}" if type(value) is float else f"a {type(value).__name__}"


class Signalled(Protocol):
    """What a check said: its name, what it returned, and what is wrong with it."""

    @property
    def name(self) -> str: ...

    @property
    def value(self) -> object: ...

    @property
    def error(self) -> str | None: ...


class Weighed(NamedTuple):
    score: float
    reasons: list[str]
    decided: bool
    """Whether there was a report, and every check said yes or no."""


def weigh(signals: Sequence[Signalled], contradicted: Sequence[str], *, reported: bool) -> Weighed:
    """Guards × the mean of the goals. Whoever reports nothing has earned nothing, whatever the checks say; one guard
    belongs to every task: what the person is told does not contradict the report."""
    defects = [defect for signal in signals if (defect := defect_of(signal))]
    goals = [signal for signal in signals if signal.name.startswith(GOAL)]
    if not goals:
        defects.append("The verifier has no goal.")
    if not reported:
        defects.append("There is no report.")
    if defects:
        return Weighed(0.0, defects, decided=False)
    missed = [signal.name for signal in signals if signal.value is not True]
    missed += [MESSAGE_CHECK] if contradicted else []
    guarded = all(name.startswith(GOAL) for name in missed)
    score = sum(signal.value is True for signal in goals) / len(goals) if guarded else 0.0
    return Weighed(score, [_missed(name) for name in missed] + list(contradicted), decided=True)


def defect_of(signal: Signalled) -> str | None:
    """Why a check said neither yes nor no; None when it did."""
    if signal.error is not None:
        return f"{signal.name}: {signal.error}."
    if not isinstance(signal.value, bool):
        return f"{signal.name}: returned {signal.value!r}, neither True nor False."
    return None


def _missed(name: str) -> str:
    kind = "goal not reached" if name.startswith(GOAL) else "guard broken"
    return f"{kind}: {name.removeprefix(GOAL).removeprefix(GUARD).replace('_', ' ')}"
