"""What a miner may do, done.

Belongs here: each action, and what the miner is shown of what came of it. Does not: which action comes next (`miner`).
"""

import json
from collections.abc import Mapping, Sequence

from pydantic import TypeAdapter, ValidationError

from envfactory_dagster.authoring.mining.collecting import Collecting, NotTaken
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.calls import CallResult
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.mining import MinedRecord, Span
from envfactory_dagster.contracts.mining_requests import (
    Action,
    Drop,
    Finish,
    Open,
    RunPython,
    Search,
    ShowTable,
    TakeRows,
    Write,
)
from envfactory_dagster.contracts.tools import Principal, ToolDefinition
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.sources.parsing import UnreadableFile
from envfactory_dagster.sources.shelf import Shelf
from envfactory_dagster.sources.tables import FoundTable

SEEN_CHARS = 6_000
LINES_SHOWN, LINE_CHARS = 80, 400
ROWS_SHOWN = 15
MOST_GIVEN_CHARS = 1_000_000
"""The most text that one program may be given."""

_RECORDS = TypeAdapter(list[MinedRecord])


class Actions:
    """Carries out what a miner decides, over documents that it can only read."""

    def __init__(self, shelf: Shelf, collecting: Collecting, runtime: Runtime, most_opened: int) -> None:
        self._shelf = shelf
        self._collecting = collecting
        self._runtime = runtime
        self._most_opened = most_opened
        self._opened: set[str] = set()

    async def do(self, action: Action) -> str:
        """What came of it, for the miner to read. Raises NotTaken where nothing did."""
        try:
            match action:
                case Search():
                    seen = self._search(action.query)
                case Open():
                    seen = self._read(action.document, action.line)
                case ShowTable():
                    seen = self._table(action.document, action.table, action.row)
                case TakeRows():
                    seen = self._take_rows(action)
                case RunPython():
                    seen = await self._run(action)
                case Write():
                    seen = self._collecting.add(action.collection, action.records)
                case Drop():
                    seen = self._collecting.drop(action.collection)
                case Finish():
                    seen = ""
        except UnreadableFile as problem:
            raise NotTaken(f"The document {problem}.") from None
        return seen if len(seen) <= SEEN_CHARS else f"{seen[:SEEN_CHARS]}\n… cut here"

    def _search(self, query: str) -> str:
        hits = self._shelf.search(query)
        lines = [f"{hit.document}, line {hit.line}: {hit.snippet}" for hit in hits]
        return "\n".join(lines) or "Nothing was found."

    def _open(self, document: str) -> None:
        if document not in self._shelf.documents:
            raise NotTaken(f"There is no document {document[:200]!r}.")
        if len(self._opened | {document}) > self._most_opened:
            raise NotTaken(f"{self._most_opened} documents were opened, and no more may be.")
        self._opened.add(document)

    def _read(self, document: str, line: int) -> str:
        self._open(document)
        lines = self._shelf.lines(document)
        tables = len(self._shelf.tables(document))
        shown = lines[line - 1 : line - 1 + LINES_SHOWN]
        numbered = [f"{number}: {text[:LINE_CHARS]}" for number, text in enumerate(shown, line)]
        return "\n".join([f"{document}: {len(lines)} lines, {tables} tables", *numbered])

    def _found(self, document: str, number: int) -> FoundTable:
        self._open(document)
        tables = self._shelf.tables(document)
        if number > len(tables):
            raise NotTaken(f"{document} has {len(tables)} tables, none with the number {number}.")
        return tables[number - 1]

    def _table(self, document: str, number: int, row: int) -> str:
        table = self._found(document, number)
        shown = table.rows[row - 1 : row - 1 + ROWS_SHOWN]
        lines = [f"{n}: {json.dumps(cells, ensure_ascii=False)[:LINE_CHARS]}" for n, cells in enumerate(shown, row)]
        head = json.dumps(table.columns, ensure_ascii=False)
        return "\n".join([f"{document}, table {number} {table.title}: {len(table.rows)} rows", head, *lines])

    def _take_rows(self, action: TakeRows) -> str:
        table = self._found(action.document, action.table)
        if unknown := [column for column in action.columns.values() if column not in table.columns]:
            raise NotTaken(f"The table has no column {unknown[0]!r}; it has {', '.join(table.columns)}.")
        places = {field: table.columns.index(column) for field, column in action.columns.items()}
        records = [
            MinedRecord(
                values={field: _cell(row[place]) for field, place in places.items()},
                sources=[Span(document=action.document, table=action.table, first=number, last=number)],
            )
            for number, row in enumerate(table.rows, 1)
        ]
        return self._collecting.add(action.collection, records)

    async def _run(self, action: RunPython) -> str:
        result = await self._runtime.run_program(_DocumentTools(self), action.source)
        if result.error is not None:
            raise NotTaken(f"The program failed: {result.error[:SEEN_CHARS]}")
        if action.collection is None:
            answer = json.dumps(result.answer, ensure_ascii=False)
            return f"It returned {answer}" + (f"\nIt printed {result.printed}" if result.printed else "")
        try:
            records = _RECORDS.validate_python(result.answer)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"]))
            raise NotTaken(
                f"It must return a list of records with `values` and `sources`: {where} {first['msg']}"
            ) from None
        return self._collecting.add(action.collection, records)

    def give(self, tool: str, arguments: Mapping[str, Json]) -> Json:
        """What a program asks for. Raises NotTaken, Unreadable."""
        document, number = str(arguments.get("document", "")), arguments.get("table", 1)
        match tool:
            case "lines":
                self._open(document)
                return list[Json](self._shelf.lines(document))
            case "rows":
                table = self._found(document, number if isinstance(number, int) and number > 0 else 1)
                return [dict[str, Json](zip(table.columns, row, strict=True)) for row in table.rows]
            case "records":
                named = {one.name: one for one in self._collecting.collections}
                name = str(arguments.get("collection", ""))
                if name not in named:
                    raise NotTaken(f"there is no collection {name!r}")
                return [dict[str, Json](record.values) for record in named[name].records]
        raise NotTaken("the tools are lines(document=…), rows(document=…, table=1) and records(collection=…)")


def _cell(value: object) -> str | int | float | None:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if value is None or isinstance(value, str | int | float) else str(value)


class _DocumentTools:
    """What a miner's program can call: it is given values, and reaches nothing else."""

    def __init__(self, actions: Actions) -> None:
        self._actions = actions

    def tools(self, principal: Principal) -> Sequence[ToolDefinition]:
        return []

    async def call(self, tool: str, arguments: Mapping[str, Json], *, principal: Principal) -> CallResult:
        try:
            given = self._actions.give(tool, arguments)
        except (NotTaken, UnreadableFile, UsageError) as problem:
            return CallResult("agent", error=str(problem))
        if len(json.dumps(given)) > MOST_GIVEN_CHARS:
            return CallResult("agent", error=f"that has more than {MOST_GIVEN_CHARS:,} characters")
        return CallResult("ok", given)
