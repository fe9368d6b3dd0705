"""Whether the goal of a task is reached, told without its verifier.

Belongs here: a second reading of the author's intent, in code of its own: it compares the rows of two databases, asks
the goals' queries, and reads the report. Does not: anything a verifier's program or the gate says (`truth`).

How independent it is: the queries, the facts and the changes a step may leave behind are the author's, the same that
verifiers are rendered from, and the order of the fields in which the facts are told; how changes are found, what counts
as allowed, and what a report says is written here.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import apsw

from benchmarks.truth_ground import Made
from envfactory_dagster.contracts.database import Cell
from envfactory_dagster.contracts.reports import AnswerField, Report, ReportOutcome
from envfactory_dagster.contracts.truth import RowChange
from envfactory_dagster.language.embedded.tables import columns_of, table_name
from envfactory_dagster.language.embedded.tasks import Part
from envfactory_dagster.language.embedded.text import fill

Row = dict[str, Cell]
Tables = dict[str, dict[tuple[Cell, ...], Row]]
"""Table → its rows by primary key."""
_NUMBER = re.compile(r"(?<![\w.-])-?\d+(?:\.\d+)?(?![\w-]|\.\d)")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}(T[\d:]+)?")


@dataclass(frozen=True, slots=True)
class Wish:
    """A goal: a query whose `n` must be so much in the end."""

    name: str
    sql: str
    values: Mapping[str, Cell]
    equals: int


@dataclass(frozen=True, slots=True)
class Statement:
    """Something the report must say: a query whose `value` it is, at the start."""

    name: str
    sql: str
    values: Mapping[str, Cell]


@dataclass(frozen=True, slots=True)
class Allowance:
    table: str
    kind: str
    most: int
    columns: frozenset[str]
    ids: tuple[int, ...] | None


class GoalPredicate:
    """For one task of one environment."""

    def __init__(self, made: Made, task: str) -> None:
        draft = made.drafts[task]
        self.is_refusal = draft.task.kind == "refusal"
        self._image = made.bundle.states[draft.task.state].image
        self._keys = {name: table.primary_key for name, table in made.schema.tables.items() if not table.is_view}
        self.before = self.tables(self._image)
        self.wishes = [
            Wish(f"{part.ask.name}.{goal.name}", *_query(part, goal.sql), goal.equals)
            for part in draft.parts
            for goal in part.step.goals
        ]
        self.statements = [
            Statement(f"{part.ask.name}.{fact.name}", *_query(part, fact.sql))
            for part in draft.parts
            for fact in part.step.facts
        ]
        self.outcome: ReportOutcome = "refused" if draft.task.rule else "done"
        self.rule = draft.task.rule
        self.fields = made.solutions[task].form.fields
        """Of the statements, in their order."""
        self._allowances = [allowance for part in draft.parts for allowance in _allowances(made, part)]
        self.wanted = [self._value(statement) for statement in self.statements]

    def missing(self, final: bytes, report: Report | None) -> list[str]:
        """Everything that speaks against it."""
        found = [wish.name for wish in self.wishes if not self.reached(wish, final)]
        return [*found, *self._unsaid(report), *self.damage(self.changes(final))]

    def _unsaid(self, report: Report | None) -> list[str]:
        if report is None:
            return ["reports nothing"]
        found = [] if report.outcome == self.outcome else [f"reports it as {report.outcome}"]
        found += [] if report.reason == self.rule else [f"gives {report.reason} as reason"]
        told = zip(self.fields, self.statements, self.wanted, strict=True)
        return found + [f"does not tell {s.name}" for field, s, v in told if not tells(field, report, v)]

    def reached(self, wish: Wish, final: bytes) -> bool:
        rows = _ask(final, wish.sql, wish.values)
        return bool(rows) and rows[0]["n"] == wish.equals

    def damage(self, changes: list[RowChange]) -> list[str]:
        """Changes that no step asks for."""
        left = Counter[Allowance]()
        return [f"changes {c.table} {c.key}" for c in changes if not self._is_allowed(c, left)]

    def _is_allowed(self, change: RowChange, used: Counter[Allowance]) -> bool:
        kind = "created" if change.before is None else "deleted" if change.after is None else "changed"
        for allowance in self._allowances:
            if (allowance.table, allowance.kind) != (change.table, kind) or used[allowance] == allowance.most:
                continue
            if allowance.ids is not None and (change.before or {}).get("id") not in allowance.ids:
                continue
            if kind == "changed" and not _columns(change) <= allowance.columns:
                continue
            used[allowance] += 1
            return True
        return False

    def changes(self, final: bytes) -> list[RowChange]:
        after = self.tables(final)
        return [
            RowChange(table=table, key=list(key), before=rows.get(key), after=after[table].get(key))
            for table, rows in self.before.items()
            for key in [*rows, *(key for key in after[table] if key not in rows)]
            if rows.get(key) != after[table].get(key)
        ]

    def tables(self, image: bytes) -> Tables:
        found: Tables = {}
        for table, names in self._keys.items():
            rows = _ask(image, f'SELECT * FROM "{table}"', {})
            found[table] = {tuple(row[name] for name in names): row for row in rows}
        return found

    def _value(self, statement: Statement) -> Cell:
        rows = _ask(self._image, statement.sql, statement.values)
        return rows[0]["value"] if rows else None


def said(answer: str | None, value: Cell) -> bool:
    """Whether the answer says a value: a number among its numbers, a text among its words."""
    if value is None or answer is None:
        return False
    if isinstance(value, int | float):
        numbers = _NUMBER.findall(_DAY.sub(" ", re.sub(r"(?<=\d),(?=\d{3})", "", answer)))
        return any(abs(float(number) - value) < 0.005 for number in numbers)
    return re.search(rf"(?<![^\W_]){re.escape(str(value).casefold())}(?![^\W_])", answer.casefold()) is not None


def tells(field: AnswerField, report: Report, value: Cell) -> bool:
    """Whether a report answers this field with a value, and with nothing else. Of money a bare number may be either."""
    given = report.answers.get(field.name)
    if value is None or given is None or isinstance(given, list | dict):
        return False
    if not isinstance(value, int | float):
        return str(given).casefold().strip(" .“”") == value.casefold()
    number = float(str(given)) if _NUMBER.fullmatch(str(given)) else None
    wanted = (value, value / 100) if field.type == "money" else (value,)
    return number is not None and any(abs(number - one) < 0.005 for one in wanted)


def _columns(change: RowChange) -> set[str]:
    before, after = change.before or {}, change.after or {}
    return {name for name in before if before[name] != after[name]}


def _query(part: Part, template: str) -> tuple[str, dict[str, Cell]]:
    sql = fill(template, part.binding.words, part.binding.flags)
    named = set(re.findall(r":([a-z_]+)", sql))
    return sql, {name: value for name, value in part.step.values.items() if name in named}


def _allowances(made: Made, part: Part) -> Iterator[Allowance]:
    for allow in part.step.allows:
        module, role = part.binding.owners[allow.role]
        owner = made.plan.binding(module)
        entity = next(entity for entity in owner.entities() if entity.role == role)
        columns = frozenset(column.name for column in columns_of(owner, entity) if column.key in allow.columns)
        table = table_name(owner, role)
        for kind, most in (("created", allow.created), ("changed", allow.changed), ("deleted", allow.deleted)):
            if most:
                yield Allowance(table, kind, most, columns, None if kind == "created" else allow.ids)


def _ask(image: bytes, sql: str, values: Mapping[str, Cell]) -> list[Row]:
    connection = apsw.Connection(":memory:")
    try:
        connection.deserialize("main", image)
        cursor = connection.execute(sql, values)
        rows = cursor.fetchall()
        names = [column[0] for column in connection.execute(sql, values).get_description()] if rows else []
        return [dict(zip(names, row, strict=True)) for row in rows]
    finally:
        connection.close()
