"""The questions that come with the catalogue: one file each below `queries/`, named after what it shows.

Belongs here: finding them. Does not: asking them (`opening`).

A file is a comment and one statement. The first line of the comment says what the answer shows; the rest which figure
of which paper it corresponds to, and what differs.
"""

from dataclasses import dataclass
from functools import cache
from importlib import resources

from envfactory_dagster.contracts.errors import UsageError

_SUFFIX = ".sql"


@dataclass(frozen=True, slots=True)
class Query:
    name: str
    shows: str
    sql: str


@cache
def queries() -> dict[str, Query]:
    """Every shipped query by name, in alphabetical order."""
    folder = resources.files(__package__).joinpath("queries")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(_SUFFIX)), key=lambda file: file.name)
    found = [_query(file.name.removesuffix(_SUFFIX), file.read_text(encoding="utf-8")) for file in files]
    return {query.name: query for query in found}


def find_query(name: str) -> Query:
    query = queries().get(name)
    if query is None:
        raise UsageError(f"there is no query {name!r}; there are: {', '.join(queries())}")
    return query


def _query(name: str, sql: str) -> Query:
    return Query(name, sql.splitlines()[0].removeprefix("--").strip(), sql)
