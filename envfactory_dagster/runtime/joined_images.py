"""Several databases as one, in which every table and index bears the prefix of the database it comes from.

Belongs here: joining images. It is done in a sandboxed worker (`database_worker`), because the definitions were written
by a model and the rows by its tools. Does not: when databases are joined (`workspaces`, `workspace_session`).
"""

import re
from collections.abc import Mapping

import apsw

from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.runtime.copied_tables import copy_rows
from envfactory_dagster.runtime.facts.schema import bounded_database, only_definitions
from envfactory_dagster.runtime.images import PAGE_SIZE

_INDEX = re.compile(r"""(CREATE (?:UNIQUE )?INDEX )("(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|[^\s(]+)""", re.IGNORECASE)
_MADE_HERE = "type IN ('table', 'index') AND sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"


def joined(images: Mapping[str, bytes]) -> tuple[str, bytes]:
    """The schema and the database of all images, by prefix. The same images give the same bytes."""
    whole = bounded_database()
    whole.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    definitions: list[str] = []
    for prefix, image in images.items():
        part = bounded_database()
        part.deserialize("main", image)
        tables = _rename(part, prefix)
        here = _definitions(part, prefix)
        with only_definitions(whole):
            for definition in here:
                whole.execute(definition)
        definitions += here
        whole.execute("BEGIN")
        for table in tables:
            copy_rows(part, table, whole, table)
        whole.execute("COMMIT")
        part.close()
    whole.execute("VACUUM")
    return "".join(f"{one};\n" for one in definitions), whole.serialize("main")


def _rename(part: apsw.Connection, prefix: str) -> list[str]:
    """The tables under their new names. SQLite takes care of everything that refers to them."""
    others = [name for (name,) in part.execute("SELECT name FROM sqlite_schema WHERE type IN ('view', 'trigger')")]
    if others:
        raise EnvironmentFault(f"A database with views or triggers cannot be part of a workspace: {others[0]}.")
    names = list(part.execute(f"SELECT name FROM sqlite_schema WHERE type = 'table' AND {_MADE_HERE} ORDER BY rowid"))
    for (name,) in names:
        part.execute(f'ALTER TABLE "{name}" RENAME TO "{prefix}_{name}"')
    return [f"{prefix}_{name}" for (name,) in names]


def _definitions(part: apsw.Connection, prefix: str) -> list[str]:
    """Tables first, then their indexes."""
    rows = part.execute(f"SELECT name, sql FROM sqlite_schema WHERE {_MADE_HERE} ORDER BY type DESC, rowid")
    return [_INDEX.sub(rf'\g<1>"{prefix}_{name}"', sql, count=1) for name, sql in rows]
