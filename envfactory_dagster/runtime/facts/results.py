"""What the facts are: plain, frozen, JSON-able answers (`dataclasses.asdict` of any of them can be dumped).

Belongs here: the types `analyze_tools` and `screen_tools` give back. Does not: how a fact is found, and the schema
types (`schema.py`).
"""

from dataclasses import dataclass
from typing import Literal

USER = "@user"
"""The source name of `env.user_id`."""
NOW = "@now"
"""The source name of `env.now`."""

StatementKind = Literal["select", "insert", "update", "delete"]
WriteKind = Literal["insert", "update", "delete"]
Use = Literal["filter", "value", "check"]


@dataclass(frozen=True, slots=True, order=True)
class ColumnRef:
    """One column of one table, spelled as the schema spells it."""

    table: str
    column: str

    def __str__(self) -> str:
        return f"{self.table}.{self.column}"


@dataclass(frozen=True, slots=True, order=True)
class CodeProblem:
    """Something the author of a tool module has to repair; `sentence` says what and how."""

    line: int
    rule: str
    sentence: str
    snippet: str = ""
    function: str = ""


PYTHON_SYNTAX = "python-syntax"
"""The rule of a source that is not parsed."""


@dataclass(frozen=True, slots=True, order=True)
class TableWrite:
    """Rows of `table` may be inserted, updated or deleted.

    `columns` are the ones given a value (none for a delete). `indirect` means that the statement does not name the
    table for this: a trigger, a cascading foreign key or a REPLACE does it.
    """

    table: str
    kind: WriteKind
    columns: tuple[str, ...]
    indirect: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """One literal SQL statement and what it touches, views resolved to their tables and triggers included.

    `traced` is False where SQLite accepts the statement but its lineage could not be followed.
    """

    line: int
    function: str
    method: str
    kind: StatementKind
    sql: str
    reads: dict[str, tuple[str, ...]]
    writes: tuple[TableWrite, ...]
    traced: bool


@dataclass(frozen=True, slots=True, order=True)
class ParameterUse:
    """Where the value of a parameter goes.

    `source` is a tool parameter, a part of one (`items[].product_id`), or `@user` / `@now`. `use` is `filter` (rows
    are chosen by it), `value` (it is stored) or `check` (Python compares it with a column that was read). `operator`
    is `=`, `!=`, `in`, `not in`, `like`, `not like`, `range`; for values `insert` or `update`. `exact` means that
    the very value arrives, not something computed from it.
    """

    source: str
    column: ColumnRef
    use: Use
    operator: str
    exact: bool


@dataclass(frozen=True, slots=True, order=True)
class OutputField:
    """Where one field of a tool's result comes from; a field nothing is known about has no entry.

    `path` looks like `items[].price`. `columns` are the columns and `parameters` the sources it is made from;
    `exact` means that it is one of those values unchanged.
    """

    path: str
    columns: tuple[ColumnRef, ...]
    parameters: tuple[str, ...]
    exact: bool


@dataclass(frozen=True, slots=True)
class ToolParameter:
    """One keyword parameter as the signature states it, under its name in the schema."""

    name: str
    annotation: str
    required: bool


@dataclass(frozen=True, slots=True)
class ToolFact:
    """Everything known about one tool, helpers it calls included."""

    name: str
    line: int
    parameters: tuple[ToolParameter, ...]
    helpers: tuple[str, ...]
    statements: tuple[Statement, ...]
    reads: dict[str, tuple[str, ...]]
    writes: tuple[TableWrite, ...]
    uses: tuple[ParameterUse, ...]
    outputs: tuple[OutputField, ...]

    def filters(self, source: str) -> tuple[ColumnRef, ...]:
        """The columns that `source` chooses rows by, by equality or membership."""
        chosen = {use.column for use in self.uses if use.source in (source, f"{source}[]") and _selects(use)}
        return tuple(sorted(chosen))

    def own_row_columns(self) -> tuple[ColumnRef, ...]:
        """The columns held against `env.user_id`, in SQL or in Python: how the tool knows the user's own rows."""
        held = {use.column for use in self.uses if use.source == USER and use.use != "value"}
        return tuple(sorted(held))


def _selects(use: ParameterUse) -> bool:
    return use.use == "filter" and use.operator in ("=", "in")


@dataclass(frozen=True, slots=True)
class ToolFacts:
    """The facts of a tool module, and everything that is wrong with its SQL."""

    tools: dict[str, ToolFact]
    problems: tuple[CodeProblem, ...]
