"""Databases under schemas that a model wrote, made in sandboxed workers.

A CHECK constraint or a CREATE TABLE … AS SELECT can take all memory and all time there is, so none is run in this
process. Belongs here: what can be asked of such a worker. Does not: how a worker does it (`images`).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from pydantic import TypeAdapter, ValidationError

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle, State
from envfactory_dagster.contracts.database import Cell, SeedRows, TableRows
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.file_layout import FileHints, FilesLayout
from envfactory_dagster.contracts.tools import GivenRow
from envfactory_dagster.runtime import object_state
from envfactory_dagster.runtime.database_link import DatabaseWorker
from envfactory_dagster.runtime.runtime import Runtime

T = TypeVar("T")

_STATEMENTS = TypeAdapter(list[tuple[int, str]])
_ROWS = TypeAdapter(list[tuple[str, str]])
_TEXT = TypeAdapter(str)


async def build_image(runtime: Runtime, schema_sql: str, rows: Sequence[TableRows]) -> bytes:
    """Create the tables, insert the rows and return the database file. The same input gives the same bytes.

    Whatever the database refuses, and whatever takes too much time or memory, raises `EnvironmentFault`.
    """
    return (await runtime.work_on_database("build", [schema_sql, [table.model_dump() for table in rows]]))[1]


async def build_states(runtime: Runtime, schema_sql: str, seed: SeedRows) -> dict[str, State]:
    """The image of every initial state, by its name."""
    return {
        state.name: State(await build_image(runtime, schema_sql, state.tables), state.clock) for state in seed.states
    }


_OBJECT_ROWS = TypeAdapter(dict[str, str])


async def build_object_state(
    runtime: Runtime, tools_source: str, published: Mapping[str, str], given: Json, clock: str
) -> State:
    """The initial state that published code makes of what it is given."""
    rows = _of_form(_OBJECT_ROWS, await runtime.start_object(tools_source, published, given, clock))
    table = TableRows(
        table=object_state.TABLE,
        columns=list(object_state.COLUMNS),
        rows=[[path, value] for path, value in rows.items()],
    )
    return State(await build_image(runtime, object_state.SCHEMA, [table]), clock)


class _LaidOut(NamedTuple):
    layout: FilesLayout
    schema_sql: str


_LAID_OUT = TypeAdapter(_LaidOut)
StateFiles = Mapping[str, Mapping[str, bytes]]
"""By state and path."""


async def lay_out_files(runtime: Runtime, states: StateFiles, hints: FileHints) -> tuple[FilesLayout, str]:
    """What the files of all states have in common, and the tables they become. What is wrong with one raises
    `EnvironmentFault`."""
    sizes: Json = {name: {path: len(data) for path, data in files.items()} for name, files in states.items()}
    blob = b"".join(data for files in states.values() for data in files.values())
    _, said = await runtime.work_on_database("lay out files", [hints.model_dump(), sizes], blob)
    laid_out = _of_form(_LAID_OUT, json.loads(said))
    return laid_out.layout, laid_out.schema_sql


async def build_files_state(
    runtime: Runtime, schema_sql: str, layout: FilesLayout, files: Mapping[str, bytes], clock: str
) -> State:
    """The initial state that these files make. The same files give the same bytes."""
    sizes: Json = {path: len(data) for path, data in files.items()}
    given: Json = [schema_sql, layout.model_dump(), sizes]
    return State((await runtime.work_on_database("build files", given, b"".join(files.values())))[1], clock)


class FileState(NamedTuple):
    """An initial state as files."""

    clock: str
    files: Mapping[str, bytes]


_FILES = TypeAdapter(dict[str, str])


async def files_of_rows(
    runtime: Runtime, schema_sql: str, layout: FilesLayout, rows: Sequence[TableRows]
) -> dict[str, bytes]:
    """The files of a state that somebody wrote as rows. What no file can hold raises `EnvironmentFault`."""
    given: Json = [schema_sql, layout.model_dump(), [table.model_dump() for table in rows]]
    _, said = await runtime.work_on_database("write files", given)
    return {path: text.encode() for path, text in _of_form(_FILES, json.loads(said)).items()}


async def with_files(runtime: Runtime, bundle: Bundle, states: Mapping[str, FileState], hints: FileHints) -> Bundle:
    """The bundle with these files as its states."""
    files = {name: dict(state.files) for name, state in states.items()}
    layout, schema_sql = await lay_out_files(runtime, files, hints)
    return await with_files_laid_out(runtime, bundle, schema_sql, layout, states)


async def with_files_laid_out(
    runtime: Runtime, bundle: Bundle, schema_sql: str, layout: FilesLayout, states: Mapping[str, FileState]
) -> Bundle:
    """The same where the tables and the layout of the files are known."""
    files = {name: dict(state.files) for name, state in states.items()}
    made = {
        name: await build_files_state(runtime, schema_sql, layout, state.files, state.clock)
        for name, state in states.items()
    }
    return replace(
        bundle, storage="files", layout=layout, schema_sql=schema_sql, seed_sql="", states=made, state_files=files
    )


async def check_files(runtime: Runtime, bundle: Bundle) -> None:
    """Whether the databases of a bundle are those that its files make; `EnvironmentFault` names the state that is not.
    Such a folder would show one world to people and another to sessions. A state that a task has to itself is made from
    the database of another one, and has no files."""
    if bundle.layout is None:
        return
    for name, state in bundle.shared_states.items():
        files = bundle.state_files.get(name, {})
        made = await build_files_state(runtime, bundle.schema_sql, bundle.layout, files, state.clock)
        if made.image != state.image:
            raise EnvironmentFault(f"The database of the state {name!r} of {bundle.key} is not what its files make.")


async def with_rows_given(runtime: Runtime, image: bytes, given: Sequence[GivenRow]) -> bytes:
    """The image with these rows changed. What the database refuses, or does not have, raises `EnvironmentFault`."""
    return (await runtime.work_on_database("give rows", [row.model_dump() for row in given], image))[1]


async def with_rows_added(worker: DatabaseWorker, image: bytes, rows: Sequence[TableRows]) -> bytes:
    """The image with these rows beside its own, which they may refer to. What the database refuses raises
    `EnvironmentFault`."""
    return (await worker.do("add rows", [table.model_dump() for table in rows], image))[1]


async def with_statement(worker: DatabaseWorker, image: bytes, statement: str, values: Sequence[Cell]) -> bytes | None:
    """The image after one statement that writes rows; None when a constraint does not allow it."""
    is_allowed, changed = await worker.do("run statement", [statement, list(values)], image)
    return changed if is_allowed is True else None


async def joined(runtime: Runtime, images: Mapping[str, bytes]) -> tuple[str, bytes]:
    """The schema and the database of all images, in which every table bears the prefix of its image."""
    schema_sql, image = await runtime.join_images(images)
    return _of_form(_TEXT, schema_sql), image


async def refused_statements(runtime: Runtime, statements: Sequence[tuple[str, str]]) -> list[tuple[int, str]]:
    """Which of these definitions, each with the name of its table, cannot be created in their order, and why."""
    said, _ = await runtime.work_on_database("refused statements", [list(pair) for pair in statements])
    return _of_form(_STATEMENTS, said)


async def refused_rows(runtime: Runtime, schema_sql: str, rows: Sequence[TableRows]) -> list[tuple[str, str]]:
    """What is wrong with each row that the database does not take, and the row."""
    said, _ = await runtime.work_on_database("refused rows", [schema_sql, [table.model_dump() for table in rows]])
    return _of_form(_ROWS, said)


def _of_form(form: TypeAdapter[T], said: object) -> T:
    try:
        return form.validate_python(said)
    except ValidationError as error:
        raise EnvironmentFault("The database cannot be made: its worker answered in no known form.") from error
