"""Writing a verifier from what a reference solution did and reported: mechanically, one check for each thing.

Belongs here: from changed rows and answers to the source of a verifier. Does not: trying it (`tasks.proving`), and
finding where an answer stands in the database.

A created row is known by its content and by the created rows it refers to, never by the number or code it was given; a
changed or deleted one by its key. What the mask calls volatile counts only as filled or empty. All else must be as it
was. An answer is computed from the start where a query is given; a field that is not due has to be left empty.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from envfactory_dagster.contracts.database import Cell
from envfactory_dagster.contracts.truth import ReferenceSolution, RowChange
from envfactory_dagster.runtime.facts import ColumnRef, Schema
from envfactory_dagster.truth.changesets import FILLED, Mask, Shapes


@dataclass(frozen=True, slots=True)
class AnswerSource:
    """Where the answer of a field stands in the database at the start: in the column `value` of a query's row."""

    field: str
    query: str
    parameters: tuple[Cell, ...] = ()


def write_verifier(gold: ReferenceSolution, schema: Schema, clock: str, facts: Sequence[AnswerSource] = ()) -> str:
    """The source of a verifier for what `gold` did at the time `clock`, and for what it reported."""
    rows = _Rows(gold, schema, clock)
    told = [*_answers(gold, facts), *_outcome(gold)]
    checks = [*rows.created(), *rows.updated(), *rows.deleted(), *told, rows.guard()]
    functions = [*rows.finders(), *checks]
    return "\n\n".join([_head(functions), *functions])


def _head(functions: Sequence[str]) -> str:
    """The helpers that the functions use."""
    used = "\n".join(functions)
    helpers = [text for name, text in _HELPERS.items() if f"{name}(" in used]
    imports = "import re\n" if "re." in used else ""
    return "\n\n".join(filter(None, [imports, *helpers]))


def _check(name: str, purpose: str, *lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f'def {name}(world) -> bool:\n    """{purpose}"""\n{body}'


# -- rows --------------------------------------------------------------------------------------------------------------


class _Rows:
    """The changes of a solution, as checks."""

    def __init__(self, gold: ReferenceSolution, schema: Schema, clock: str) -> None:
        self._schema = schema
        self._changes = gold.changes
        self._shapes = Shapes(gold.changes, schema, clock, Mask(Mask.of(gold).volatile))
        self._dictated = Mask.of(gold).dictated
        self._new = [change for change in gold.changes if change.before is None]
        self._finders: dict[tuple[str, tuple[str, ...]], str] = {}
        """By table and conditions; in an order in which each uses only those before it."""
        self._found_by: dict[int, str] = {}
        self._in_work: set[int] = set()
        self._alike = Counter(self._finder(change) for change in self._new)

    def finders(self) -> Iterator[str]:
        for (table, conditions), name in self._finders.items():
            tests = "".join(f"        {'and' if n else 'if'} {test}\n" for n, test in enumerate(conditions))
            rows = f"        row\n        for row in _created(world, {table!r})\n{tests}"
            yield f"def {name}(world):\n    return [\n{rows}    ]\n"

    def created(self) -> Iterator[str]:
        """Rows of the same content are counted together."""
        for (table, _), name in self._finders.items():
            count = self._alike[name]
            yield _check(
                f"goal_adds{name.removeprefix('_new')}",
                f"Has {count} new row{'s' * (count > 1)} in {table} with what was asked for.",
                f"return len({name}(world)) == {count}",
            )

    def updated(self) -> Iterator[str]:
        for number, change in enumerate(self._of_kind("update"), 1):
            tests = [
                self._condition(change, column)
                for column, value in (change.after or {}).items()
                if value != (change.before or {})[column]
                and self._shapes.of(ColumnRef(change.table, column), value).fixed != FILLED
            ]
            if tests:
                yield _check(
                    f"goal_changes_{_identifier(change.table)}_{number}",
                    f"Has changed the row of {change.table} that was meant to what was asked for.",
                    f"row = world.final.one({self._by_key(change)!r}, {change.key!r})",
                    f"return row is not None and {' and '.join(tests)}",
                )

    def deleted(self) -> Iterator[str]:
        for number, change in enumerate(self._of_kind("delete"), 1):
            yield _check(
                f"goal_removes_{_identifier(change.table)}_{number}",
                f"Has removed the row of {change.table} that was meant.",
                f"return world.final.one({self._by_key(change)!r}, {change.key!r}) is None",
            )

    def guard(self) -> str:
        if not self._changes:
            return _check("guard_changes_nothing", "Left every row as it was.", "return world.changes == []")
        new = dict(Counter(change.table for change in self._new))
        touched = {
            (change.table, *change.key): None
            if change.after is None
            else [c for c in change.after if change.after[c] != (change.before or {})[c]]
            for change in self._changes
            if change.before is not None
        }
        return _check(
            "guard_changes_nothing_else",
            "Touched no other row, and no other column of these rows.",
            f"return _only(world, {new!r}, {touched!r})",
        )

    # -- one row ------------------------------------------------------------------------------------------------------

    def _of_kind(self, kind: Literal["update", "delete"]) -> list[RowChange]:
        known = [change for change in self._changes if change.before is not None]
        return [change for change in known if (change.after is None) == (kind == "delete")]

    def _by_key(self, change: RowChange) -> str:
        keys = self._schema.tables[change.table].primary_key or ("rowid",)
        return f'SELECT * FROM "{change.table}" WHERE ' + " AND ".join(f'"{key}" IS ?' for key in keys)

    def _finder(self, change: RowChange) -> str:
        """The function that finds new rows like this one."""
        if id(change) not in self._found_by:
            self._in_work.add(id(change))
            table = self._schema.tables[change.table]
            counted = [c.name for c in table.columns if not c.generated and not self._is_number(change, c.name)]
            key = change.table, tuple(self._condition(change, column) for column in counted)
            same = sum(table == change.table for table, _ in self._finders) + 1
            name = f"_new_{_identifier(change.table)}" + (f"_{same}" if same > 1 else "")
            self._found_by[id(change)] = self._finders.setdefault(key, name)
            self._in_work.discard(id(change))
        return self._found_by[id(change)]

    def _condition(self, change: RowChange, column: str) -> str:
        value = (change.after or {})[column]
        shape = self._shapes.of(ColumnRef(change.table, column), value)
        cell = f"row[{column!r}]"
        if value is None:
            return f"{cell} is None"
        parent = self._parent(change, column)
        if shape.fixed == FILLED or (parent is not None and id(parent[0]) in self._in_work):
            return f"{cell} is not None"
        if parent is not None:
            return f"{cell} in [new[{parent[1]!r}] for new in {self._finder(parent[0])}(world)]"
        if isinstance(shape.fixed, tuple) and isinstance(value, str):
            return f"re.fullmatch({_with_codes(value, shape.fixed)!r}, {cell}) is not None"
        if ColumnRef(change.table, column) in self._dictated and isinstance(value, str):
            return f"world.same_text({cell}, {value!r})"
        if isinstance(value, float):
            return f"abs({cell} - {value!r}) < 0.000001"
        return f"{cell} == {value!r}"

    def _is_number(self, change: RowChange, column: str) -> bool:
        """Whether it is the number that the database gave the new row."""
        table = self._schema.tables[change.table]
        return column == table.rowid_column and not any(column in key.columns for key in table.foreign_keys)

    def _parent(self, change: RowChange, column: str) -> tuple[RowChange, str] | None:
        """The new row that a cell refers to by its number, and the column of that number."""
        value = (change.after or {}).get(column)
        for key in self._schema.tables[change.table].foreign_keys:
            if key.columns == (column,) and value is not None:
                target = key.parent_columns[0]
                for other in self._new:
                    if other.table == key.parent and (other.after or {})[target] == value:
                        return (other, target) if self._is_number(other, target) else None
        return None


def _with_codes(text: str, pieces: tuple[object, ...]) -> str:
    """A pattern of the text in which the codes that the run made up may have any number."""
    pattern = ""
    for piece in pieces:
        if isinstance(piece, str):
            pattern += re.escape(piece)
            text = text[len(piece) :]
        else:
            code = re.match(r"[\w-]+?-\d{5}", text)
            taken = code[0] if code else text
            pattern += re.escape(taken[:-5]) + r"\d+"
            text = text[len(taken) :]
    return pattern


def _identifier(words: str) -> str:
    return re.sub(r"\W+", "_", words.lower()).strip("_")


# -- the report --------------------------------------------------------------------------------------------------------


def _answers(gold: ReferenceSolution, facts: Sequence[AnswerSource]) -> Iterator[str]:
    """A goal for every field that is answered, and a guard for every one that is not due: leaving it empty is nothing
    to be rewarded for."""
    known = {fact.field: fact for fact in facts}
    for field in gold.form.fields:
        value, fact = gold.report.answers.get(field.name), known.get(field.name)
        plain = re.sub(r'["\\\s]+', " ", field.description).strip(" .")
        plain = plain[:1].lower() + plain[1:]
        if value is None:
            lines = [f"return world.report.outcome is None or world.report.says({field.name!r}, None)"]
            yield _check(f"guard_leaves_out_{field.name}", f"Does not say {plain}.", *lines)
        elif fact is None:
            lines = [f"return world.report.says({field.name!r}, {value!r})"]
            yield _check(f"goal_says_{field.name}", f"Says {plain}.", *lines)
        else:
            lines = [
                f"row = world.initial.one({fact.query!r}, {list(fact.parameters)!r})",
                f'return row is not None and world.report.says({field.name!r}, row["value"])',
            ]
            yield _check(f"goal_says_{field.name}", f"Says {plain}.", *lines)


def _outcome(gold: ReferenceSolution) -> Iterator[str]:
    """A guard: whoever reports another outcome, or another rule, earns nothing. Where nothing can be done, the outcome
    is the goal as well."""
    outcome, reason = gold.report.outcome, gold.report.reason
    right, words = f"world.report.outcome == {outcome!r}", outcome.replace("_", " ")
    if reason is not None:
        right, words = f"{right} and world.report.reason == {reason!r}", f"{words}, and by which rule"
    if outcome != "done":
        yield _check("goal_reports_the_outcome", f"Reports that it is {words}.", f"return {right}")
    lines = [f"return world.report.outcome is None or ({right})"]
    yield _check("guard_reports_nothing_else", "Reports no other outcome.", *lines)


_HELPERS = {
    "_created": """\
def _created(world, table):
    return [change["after"] for change in world.changes if change["table"] == table and change["before"] is None]
""",
    "_only": '''\
def _only(world, new, touched):
    """Whether no more rows are new than these, and no other rows and columns changed than these."""
    added = {}
    for change in world.changes:
        table, before, after = change["table"], change["before"], change["after"]
        place = (table, *change["key"])
        if before is None:
            added[table] = added.get(table, 0) + 1
        elif place not in touched or (after is None) != (touched[place] is None):
            return False
        elif after is not None and any(before[c] != after[c] and c not in touched[place] for c in after):
            return False
    return all(count <= new.get(table, 0) for table, count in added.items())
''',
}
