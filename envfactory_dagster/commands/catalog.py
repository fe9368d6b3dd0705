"""`envfactory catalog`: questions about everything that was made, answered from the files of the home.

Belongs here: the command, the shell, and showing answers. Does not: views and queries (`catalogue`).
"""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer

from envfactory_dagster.commands.options import AsJson
from envfactory_dagster.commands.terminal import say
from envfactory_dagster.contracts.errors import EnvFactoryError, UsageError

if TYPE_CHECKING:
    from envfactory_dagster.catalogue.opening import Catalogue, QueryResult
    from envfactory_dagster.commands.console import Console

Show = Callable[["QueryResult"], None]
ReadLine = Callable[[str], str]

_PROMPT, _GOES_ON = "catalog> ", "    ...> "
_WELCOME = "Ask in SQL, ending with `;`. Also: .tables, .queries, .query NAME, .quit"
_MOST_ROWS = 200
_LONGEST_CELL = 200


def catalog(
    sql: Annotated[str | None, typer.Argument(metavar="SQL", help="A question, such as 'FROM environments'.")] = None,
    query: Annotated[str | None, typer.Option(metavar="NAME", help="Ask a question that comes with it.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the views, and the questions that come with it.")] = False,
    as_json: AsJson = False,
) -> None:
    """Ask about environments, tasks, gates, costs and episodes in SQL. Without a question: a shell."""
    from envfactory_dagster.catalogue.opening import open_catalogue
    from envfactory_dagster.catalogue.shipped import find_query
    from envfactory_dagster.store.home import Home

    if sum((sql is not None, query is not None, list_)) > 1:
        raise UsageError("SQL, --query and --list exclude each other")
    show: Show = _show_as_json if as_json else _show
    with open_catalogue(Home.resolve()) as catalogue:
        if list_:
            _list(catalogue, as_json)
        elif query is not None:
            show(catalogue.ask(find_query(query).sql))
        elif sql is not None:
            show(catalogue.ask(sql))
        elif sys.stdin.isatty():
            import readline  # noqa: F401  # gives input() a history and keys to edit with

            say(_WELCOME)
            converse(catalogue, input, show)
        else:
            for answer in catalogue.ask_all(sys.stdin.read()):
                show(answer)


def converse(catalogue: "Catalogue", read_line: ReadLine, show: Show) -> None:
    """Answer questions until there are no more. A question that cannot be answered ends nothing."""
    asked: list[str] = []
    while True:
        try:
            line = read_line(_GOES_ON if asked else _PROMPT).strip()
            if not asked and line.startswith("."):
                if line in (".quit", ".exit"):
                    return
                _obey(catalogue, line, show)
                continue
            asked += [line] if line else []
            if line.endswith(";"):
                question, asked = "\n".join(asked), []
                for answer in catalogue.ask_all(question):
                    show(answer)
        except EnvFactoryError as failure:
            say(failure, file=sys.stderr)
        except KeyboardInterrupt:
            asked = []
            say()
        except EOFError:
            say()
            return


def _obey(catalogue: "Catalogue", line: str, show: Show) -> None:
    from envfactory_dagster.catalogue.shipped import find_query, queries

    match line.split():
        case [".tables"]:
            _print_meanings(catalogue.views())
        case [".queries"]:
            _print_meanings({query.name: query.shows for query in queries().values()})
        case [".query", name]:
            show(catalogue.ask(find_query(name).sql))
        case _:
            say(_WELCOME)


def _list(catalogue: "Catalogue", as_json: bool) -> None:
    from envfactory_dagster.catalogue.shipped import queries

    views, shipped = catalogue.views(), {query.name: query.shows for query in queries().values()}
    if as_json:
        say(orjson.dumps({"views": views, "queries": shipped}).decode())
        return
    say("Views")
    _print_meanings(views)
    say("\nQuestions that come with it: envfactory catalog --query NAME")
    _print_meanings(shipped)


def _print_meanings(meanings: dict[str, str]) -> None:
    from rich.table import Table

    from envfactory_dagster.commands.console import Console

    table = Table(box=None, pad_edge=False, show_header=False)
    for name, meaning in meanings.items():
        table.add_row(name, meaning)
    Console().print(table, markup=False, highlight=False)


def _show_as_json(answer: "QueryResult") -> None:
    say(orjson.dumps({"columns": answer.columns, "rows": answer.records()}, default=_plain).decode())


def _plain(value: Any) -> float | str:
    """Decimals are numbers, everything else that JSON does not know is text."""
    from decimal import Decimal

    return float(value) if isinstance(value, Decimal) else str(value)


def _show(answer: "QueryResult") -> None:
    from envfactory_dagster.commands.console import Console

    console = Console()
    rows = [[_cell(value) for value in row] for row in answer.rows[:_MOST_ROWS]]
    # Where the names of the columns take more than a line, every row becomes a block of lines.
    if len("  ".join(answer.columns)) > console.width:
        _print_blocks(console, answer.columns, rows)
    else:
        _print_table(console, answer, rows)
    if not rows:
        say("no rows")
    elif len(rows) < len(answer.rows):
        say(f"{len(rows)} of {len(answer.rows)} rows; --json prints all of them, LIMIT and OFFSET choose others")


def _print_table(console: "Console", answer: "QueryResult", rows: list[list[str]]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for place, column in enumerate(answer.columns):
        numbers = all(isinstance(row[place], int | float) for row in answer.rows[:_MOST_ROWS] if row[place] is not None)
        table.add_column(Text(column), justify="right" if rows and numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)


def _print_blocks(console: "Console", columns: list[str], rows: list[list[str]]) -> None:
    for number, row in enumerate(rows, start=1):
        console.print(f"-- {number}", markup=False, highlight=False)
        for column, cell in zip(columns, row, strict=True):
            console.print(f"{column}: {cell}", markup=False, highlight=False, soft_wrap=True)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    text = f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return text if len(text) <= _LONGEST_CELL else f"{text[:_LONGEST_CELL]}…"
