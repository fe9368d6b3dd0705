"""Worlds whose state is files: what only their tables, rows and documents can get wrong.

Such a world is authored as tables and rows, and each table is the records of one file. Belongs here: the gates of
these as files. Does not: what authors are told of files (`file_words`), the gates of all worlds (the stages), and how
rows become files (`runtime.file_tables`).
"""

import re
from collections.abc import Iterator, Sequence

from envfactory_dagster.authoring import file_words
from envfactory_dagster.contracts.database import DatabaseSchema, DocumentFile, Table, TableInFile, TableRows
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.file_layout import DOCUMENTS, DOCUMENTS_TABLE, problem_of_paths
from envfactory_dagster.contracts.file_paths import format_of, path_problem
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.runtime import databases, file_tables
from envfactory_dagster.runtime.facts import Schema, load_schema
from envfactory_dagster.runtime.file_images import RECORD_FORMATS
from envfactory_dagster.runtime.runtime import Runtime

FOLDER_OF_DOCUMENTS = "docs/"
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
    return DatabaseSchema(tables=made, documents=list(documents), words=file_words.WORDS)


def _of_the_paths(tables: Sequence[TableInFile], documents: Sequence[DocumentFile]) -> Iterator[Problem]:
    for table in tables:
        if problem := path_problem(table.file):
            yield _problem(f"The file of {table.name}: {problem}.")
        elif table.file.startswith(FOLDER_OF_DOCUMENTS):
            yield _problem(f"The file of {table.name}, {table.file}: no records lie beside the documents.")
        elif format_of(table.file) not in RECORD_FORMATS:
            endings = ", ".join(RECORD_FORMATS)
            yield _problem(f"The file of {table.name}, {table.file}, holds no records; its ending is one of {endings}.")
    for document in documents:
        if problem := path_problem(document.path):
            yield _problem(f"A document: {problem}.")
        elif not document.path.startswith(FOLDER_OF_DOCUMENTS):
            yield _problem(f"{document.path}: documents lie in the folder {FOLDER_OF_DOCUMENTS}.")
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
        if one.name not in schema.tables:
            continue  # its definition is of another one, which others say
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
