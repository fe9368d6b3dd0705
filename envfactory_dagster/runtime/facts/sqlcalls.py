"""One call of env with SQL: values meet placeholders, and rows come back.

Belongs here: what a bound statement does with the abstract values given to it. Does not: judging the statement
itself (`binding.py`) and walking Python (`dataflow.py`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from envfactory_dagster.runtime.facts.binding import BoundStatement
from envfactory_dagster.runtime.facts.flow import Flow, either, made_of, only
from envfactory_dagster.runtime.facts.module import SqlCall
from envfactory_dagster.runtime.facts.results import CodeProblem, ColumnRef, ParameterUse
from envfactory_dagster.runtime.facts.values import CONSTANT, UNKNOWN, Record, Sequence, Value

FRESH = "@new"
"""Sources that begin like this are ids made by `env.new_id`; what they mean shows when they are inserted."""


@dataclass(slots=True)
class ToolTrace:
    """What was seen while following one tool."""

    uses: set[ParameterUse] = field(default_factory=set)
    fresh: dict[str, set[ColumnRef]] = field(default_factory=dict)
    problems: set[CodeProblem] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)


def answer(
    call: SqlCall, statement: BoundStatement, given: Value | None, function: str, trace: ToolTrace
) -> tuple[Value, dict[str, Value]]:
    """What the call returns, and the fields of its rows (empty where it returns no rows)."""
    for rule, sentence in _misfits(statement, given):
        trace.problems.add(CodeProblem(call.line_of(None), rule, sentence, " ".join(call.sql.split()), function))
    bound = _bound_values(statement, given)
    for use in _uses(statement, bound):
        if not use.source.startswith(FRESH):
            trace.uses.add(use)
        elif use.use == "value" and use.exact:
            trace.fresh.setdefault(use.source, set()).add(use.column)
    if call.method in ("query", "one"):
        return UNKNOWN, _row_fields(statement, bound)
    if call.method == "insert":
        column = statement.rowid_column
        return (Value(only(ColumnRef(statement.target, column))) if column else UNKNOWN), {}
    return CONSTANT, {}


def _misfits(statement: BoundStatement, given: Value | None) -> Iterator[tuple[str, str]]:
    """How surely the parameters do not fit the placeholders; nothing where they are not known exactly."""
    wanted = len(statement.placeholders)
    named = ", ".join(f":{name}" for name in statement.placeholders)
    listed = _only_sequence(given)
    mapped = _only_record(given)
    if given is None and wanted:
        yield "wrong-parameter-count", f"The statement takes {wanted} parameter(s) and the call gives none."
    elif listed is not None and listed.items is not None:
        if wanted and not statement.positional:
            yield (
                "wrong-parameter-count",
                f"The placeholders are {named}, so the parameters must be a dict.",
            )
        elif len(listed.items) != wanted:
            yield (
                "wrong-parameter-count",
                f"The statement takes {wanted} parameter(s) and the call gives {len(listed.items)}.",
            )
    elif mapped is not None and wanted:
        if statement.positional:
            yield "wrong-parameter-count", f"The placeholders are `?`, so the parameters must be a list of {wanted}."
        elif missing := [name for name in statement.placeholders if name not in mapped.fields]:
            names = ", ".join(f":{name}" for name in missing)
            yield "missing-parameter", f"The statement needs {names}, which the call does not give."


def _only_sequence(value: Value | None) -> Sequence | None:
    certain = value is not None and value.known and len(value.objects) == 1 and not value.flow.origins
    return value.sequences[0] if value and certain and value.sequences else None


def _only_record(value: Value | None) -> Record | None:
    certain = value is not None and value.known and len(value.objects) == 1 and not value.flow.origins
    return value.records[0] if value and certain and value.records and value.records[0].closed else None


def _bound_values(statement: BoundStatement, given: Value | None) -> dict[str, Value]:
    listed, mapped = _only_sequence(given), _only_record(given)
    if listed is not None and listed.items is not None and statement.positional:
        return dict(zip(statement.placeholders, listed.items, strict=False))
    return dict(mapped.fields) if mapped is not None else {}


def _uses(statement: BoundStatement, bound: dict[str, Value]) -> Iterator[ParameterUse]:
    for use in statement.lineage.uses if statement.lineage else ():
        value = _value_of(use.placeholder, bound)
        for source in value.flow.definite_sources if value.known else ():
            yield ParameterUse(source, use.column, use.use, use.operator, use.exact and value.flow.exact)


def _value_of(placeholder: str, bound: dict[str, Value]) -> Value:
    """The value of `name`, or a member of it for `name[]`, which json_each made of it."""
    value = bound.get(placeholder.removesuffix("[]"), UNKNOWN)
    return value.member() if placeholder.endswith("[]") else value


def _row_fields(statement: BoundStatement, bound: dict[str, Value]) -> dict[str, Value]:
    if statement.lineage is None:
        return dict.fromkeys(statement.fields, UNKNOWN)
    fields: dict[str, Value] = {}
    for name, flow in zip(statement.fields, statement.lineage.results, strict=True):
        fields[name] = _substituted(flow, bound)  # of two columns with one name, the row keeps the later
    return fields


def _substituted(flow: Flow, bound: dict[str, Value]) -> Value:
    """The flow of a result column, placeholders replaced by what was bound to them."""
    values = [_value_of(source, bound) for source in sorted(flow.sources)]
    if not all(value.known and not value.objects for value in values):
        return UNKNOWN
    parts = [only(column) for column in sorted(flow.columns)] + [value.flow for value in values]
    return Value(either(parts) if flow.exact else made_of(parts))
