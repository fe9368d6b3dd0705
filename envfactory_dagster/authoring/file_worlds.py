"""Worlds whose state is files: what authors are told about them beside the usual, and what only they can get wrong.

Such a world is authored as tables and rows, and each table is the records of one file. Belongs here: the words for it,
and the gates of tables, rows and documents as files. Does not: the usual words and gates (the stages), and how rows
become files (`runtime.file_tables`).
"""

import re
from collections.abc import Iterator, Sequence

from envfactory_dagster.contracts.database import DatabaseSchema, DocumentFile, Table, TableInFile, TableRows
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.file_layout import DOCUMENTS, DOCUMENTS_TABLE, problem_of_paths
from envfactory_dagster.contracts.file_paths import format_of, path_problem
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.runtime import databases, file_tables
from envfactory_dagster.runtime.facts import Schema, load_schema
from envfactory_dagster.runtime.file_images import RECORD_FORMATS
from envfactory_dagster.runtime.runtime import Runtime

FOR_SCHEMA = """
This service has no database: it keeps its records in files, and its tools read and write these. Each of your tables is
the list of records in one file, each row a record, each column a field. Beside what is said above
- every table has `file`, the path of its file: `data/members.json`, `loans/2026.csv`. The ending says how it is
  written: json, jsonl, csv, tsv or yaml, whichever such a service would use for these records; not the same for all.
- The primary key of every table is one column, INTEGER or TEXT: a table that links two others has an `id` of its own.
- No DEFAULT, since a record says all of its fields; no comments in the SQL, no WITHOUT ROWID. In csv and tsv files
  every TEXT column is NOT NULL: an empty cell is an empty text there.
- `documents` are one to six texts that such a service keeps beside its records: house rules, a price list, a notice.
  Each has a `path` that ends in md, txt or html, and a `purpose`: what it says, in a sentence. Tools read them and
  never write them. Their text is written later; no table of yours is called `documents`.
"""

FOR_ROWS = """
The table `documents` holds texts of the service: a row for every path that its purpose names, and no other. `text` is
what stands in that file, of the form that its ending says, as such a service writes for people: several paragraphs or
lists, line by line. It says what the rules and the rows say, in its own words and with the same figures, and nothing
that contradicts them.
"""

FOR_TOOLS = """
This service keeps its records in files: the first line of every table says in which one. The table `documents` holds
its texts, which no tool writes: one tool finds documents, by words or as a list, and one reads a document; their
descriptions say so. All other tools speak of records and their ids as usual, and of no files.
"""

METHODS = """\
- Records and documents lie in files. The first line of a table's `ddl` names its file, `( -- "data/loans.csv"`; each
  row is a record, a dict with a field for each column. `env.files.records(path, {"status": "open"})` gives the list of
  records with these values, all without the second argument; `env.files.get(path, key)` the record with this primary
  key or None; `env.files.count(path, {…})` how many; `env.files.append(path, record)` adds a record and gives its key;
  `env.files.update(path, key, {…})` and `env.files.remove(path, key)` say whether there was such a record. Of the texts
  in `documents`, `env.files.paths("docs/*")` gives the paths that fit, `env.files.exists(path)` whether there is one,
  `env.files.read_text(path)` the text, `env.files.search(words)` the lines with these words: a list of `path`, `line`,
  `text`. `env.new_id("ORD")` gives a new code; `env.now` is the time, `2026-03-02T09:00:00`, `env.user_id` the user,
  and `raise env.Error("…")` refuses.
"""

THE_FILES = """\
The files
- There is no database and no SQL, and no `open`. Every path of a table and every name of a field is written out where
  it is used, never built, kept in a constant or handed to a helper: what the tool reads and writes is read off that.
- What has to be equal is the second argument of `records` or `count`; all else, ranges and words too, is compared in
  Python. An optional filter is `wanted is None or record["day"] == wanted`. Lists are sorted by what leaves nothing to
  chance: `sorted(found, key=lambda one: (one["day"], one["id"]))`.
- Where many records refer to others, read these once, `{one["id"]: one for one in env.files.records(…)}`.
- No clock and no random function: use `env.now`. Days are compared with days, moments with moments: `at[:10]` is the
  day of a moment.
- `append` is given a dict that is written out, with every field: None for what is not known, no `id` where that is a
  number that is made. `update` is given a dict of the fields that change, and the key of the record. Several records
  are changed one by one, in a loop over those that `records` gave.
- Nothing else looks after the records: what the tables forbid (`CHECK`, `UNIQUE`, a reference to nothing) is an error.
"""

_TEXTS = ("md", "txt", "html")
_LITERAL = re.compile(r"'(?:[^']|'')*'")
_ROW_NUMBERS = frozenset({"rowid", "oid"})


# -- tables ------------------------------------------------------------------------------------------------------------


def plain(tables: Sequence[TableInFile]) -> list[Table]:
    """The tables by themselves."""
    return [Table(**table.model_dump(exclude={"file"})) for table in tables]


def problems_of_tables(tables: Sequence[TableInFile], documents: Sequence[DocumentFile]) -> list[Problem]:
    """Everything that keeps these tables from being files. Whether they are good tables is for others to say."""
    paths = [*(table.file for table in tables), *(document.path for document in documents)]
    problems = [*_of_the_paths(tables, documents)]
    if not problems and (problem := problem_of_paths(paths)):
        problems.append(_problem(f"{problem[0].upper()}{problem[1:]}."))
    if unfit := [*_of_the_form(tables)]:
        return problems + unfit
    try:
        return [*problems, *_of_the_keys_and_columns(load_schema(DatabaseSchema(tables=plain(tables)).sql()), tables)]
    except (EnvironmentFault, ValueError):
        return problems  # no database either, which others say


def filed(tables: Sequence[TableInFile], documents: Sequence[DocumentFile]) -> DatabaseSchema:
    """The tables with their files in their definitions, and the table of the documents."""
    definitions = {table.name: file_tables.in_file(table.ddl, table.file) or table.ddl for table in tables}
    made = [table.model_copy(update={"ddl": definitions[table.name]}) for table in plain(tables)]
    purpose = " ".join(f"{document.path}: {document.purpose.rstrip('.')}." for document in documents)
    made.append(Table(name=DOCUMENTS, ddl=DOCUMENTS_TABLE, purpose=f"Texts that people read. {purpose}"))
    return DatabaseSchema(tables=made, documents=list(documents))


def _of_the_paths(tables: Sequence[TableInFile], documents: Sequence[DocumentFile]) -> Iterator[Problem]:
    for table in tables:
        if problem := path_problem(table.file):
            yield _problem(f"The file of {table.name}: {problem}.")
        elif format_of(table.file) not in RECORD_FORMATS:
            endings = ", ".join(RECORD_FORMATS)
            yield _problem(f"The file of {table.name}, {table.file}, holds no records; its ending is one of {endings}.")
    for document in documents:
        if problem := path_problem(document.path):
            yield _problem(f"A document: {problem}.")
        elif format_of(document.path) not in _TEXTS:
            yield _problem(f"{document.path} is no text; the path of a document ends in {', '.join(_TEXTS)}.")
    named = [*(table.file for table in tables), *(document.path for document in documents)]
    for path in sorted({path for path in named if named.count(path) > 1}):
        yield _problem(f"{path} is named twice; a file is one table, or one document.")


def _of_the_form(tables: Sequence[TableInFile]) -> Iterator[Problem]:
    for table in tables:
        if table.name == DOCUMENTS:
            yield _problem(f"The table {DOCUMENTS} is there already; call yours otherwise.")
        if file_tables.in_file(table.ddl, table.file) is None:
            yield _problem(f"{table.name}: write it as CREATE TABLE {table.name} (…) STRICT.", table.ddl)
        if re.search(r"--|/\*", _LITERAL.sub("", table.ddl)):
            yield _problem(f"{table.name}: leave comments out of its SQL.", table.ddl)


def _of_the_keys_and_columns(schema: Schema, tables: Sequence[TableInFile]) -> Iterator[Problem]:
    for one in tables:
        table, is_of_cells = schema.tables[one.name], format_of(one.file) in ("csv", "tsv")
        types = {column.name: column.type.upper() for column in table.columns}
        if len(table.primary_key) != 1 or types[table.primary_key[0]] not in ("INTEGER", "TEXT"):
            yield _problem(
                f"{one.name}: records in a file have one key, an INTEGER or TEXT column of its own.", one.ddl
            )
        if re.search(r"\bWITHOUT\s+ROWID\b", one.ddl, re.IGNORECASE):
            yield _problem(f"{one.name}: leave out WITHOUT ROWID, since a file has an order.", one.ddl)
        for column in table.columns:
            where = f"{one.name}.{column.name}"
            if column.default is not None:
                yield _problem(f"{where}: leave out its DEFAULT; a record in a file says all of its fields.")
            if column.name in _ROW_NUMBERS:
                yield _problem(f"{where}: call it otherwise.")
            may_be_null = not (column.not_null or column.primary_key)
            if is_of_cells and may_be_null and column.type.upper() == "TEXT":
                said = f"it may be NULL, which {one.file} could not tell from an empty text"
                yield _problem(f"{where}: {said}. Make it NOT NULL, or keep the records in json, jsonl or yaml.")


# -- rows --------------------------------------------------------------------------------------------------------------


async def problems_of_rows(runtime: Runtime, schema: DatabaseSchema, rows: Sequence[TableRows]) -> list[Problem]:
    """Everything that keeps rows, which the tables take, from being files."""
    problems = [*_of_the_documents(schema, rows)]
    if problems:
        return problems
    layout = file_tables.layout_of_tables(load_schema(schema.sql()))
    try:
        await databases.files_of_rows(runtime, schema.sql(), layout, rows)
    except EnvironmentFault as fault:
        return [_problem_of_rows(f"These rows cannot be files: {fault}")]
    return []


def _of_the_documents(schema: DatabaseSchema, rows: Sequence[TableRows]) -> Iterator[Problem]:
    given = {
        cells.get("path"): cells.get("text")
        for table in rows
        if table.table == DOCUMENTS
        for cells in (dict(zip(table.columns, row, strict=True)) for row in table.rows)
    }
    paths = {document.path for document in schema.documents}
    for path in sorted(paths - given.keys()):
        yield _problem_of_rows(f"The document {path} is missing: give a row of {DOCUMENTS} with its path and text.")
    for path in sorted(map(str, given.keys() - paths)):
        yield _problem_of_rows(f"There is no document {path!r}; there are {', '.join(sorted(paths))}.")
    for path in sorted(path for path in paths & given.keys() if not str(given[path]).strip()):
        yield _problem_of_rows(f"The document {path} is empty.")


def _problem(message: str, snippet: str = "") -> Problem:
    return Problem(fault="schema", message=message, snippet=snippet)


def _problem_of_rows(message: str) -> Problem:
    return Problem(fault="rows", message=message)
