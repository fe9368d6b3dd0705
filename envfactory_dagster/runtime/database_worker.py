"""The worker that builds and changes database images under schemas that a model wrote, one request after the other.

Belongs here: the requests there are, and what all of them may take. Does not: how an image is built (`images`).
"""

import json
from collections.abc import Callable
from typing import Any

import apsw

from envfactory_dagster.contracts.database import TableRows
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.file_layout import FileHints, FilesLayout
from envfactory_dagster.contracts.tools import GivenRow
from envfactory_dagster.runtime import ends, file_images, file_tables, images
from envfactory_dagster.runtime.frames import Channel
from envfactory_dagster.runtime.joined_images import joined

MOST_MEMORY_BYTES = 268_435_456
"""What SQLite may take, so that a statement which wants more is refused, and not the whole worker ended."""
MOST_IMAGE_BYTES = 67_108_864
MOST_FAULT_CHARS = 600
"""What is wrong, in a frame that is bounded in bytes."""

Deed = Callable[[Any, bytes], tuple[Any, bytes]]


def _build(given: Any, _: bytes) -> tuple[None, bytes]:
    schema_sql, rows = given
    return None, images.build_image(schema_sql, _tables(rows))


def _give_rows(given: Any, image: bytes) -> tuple[None, bytes]:
    return None, images.with_rows_given(image, [GivenRow.model_validate(row) for row in given])


def _add_rows(given: Any, image: bytes) -> tuple[None, bytes]:
    return None, images.with_rows_added(image, _tables(given))


def _run_statement(given: Any, image: bytes) -> tuple[bool, bytes]:
    statement, values = given
    changed = images.with_statement(image, statement, values)
    return changed is not None, changed or b""


def _refuse_statements(given: Any, _: bytes) -> tuple[Any, bytes]:
    return images.refused_statements(given), b""


def _refuse_rows(given: Any, _: bytes) -> tuple[Any, bytes]:
    schema_sql, rows = given
    return images.refused_rows(schema_sql, _tables(rows)), b""


def _join(given: Any, images: bytes) -> tuple[str, bytes]:
    parts, start = dict[str, bytes](), 0
    for prefix, size in given:
        parts[prefix] = images[start : (start := start + size)]
    return joined(parts)


def _compare(given: Any, images: bytes) -> tuple[Any, bytes]:
    told, size = given
    return ends.compare(told, images[:size], images[size:]), b""


def _lay_out_files(given: Any, blob: bytes) -> tuple[Any, bytes]:
    hints, sizes = given
    layout = file_images.layout_of(_files_of_states(sizes, blob), FileHints.model_validate(hints))
    return None, json.dumps([layout.model_dump(), file_images.schema_of_files(layout)]).encode()


def _build_files(given: Any, blob: bytes) -> tuple[None, bytes]:
    schema_sql, layout, sizes = given
    [files] = _files_of_states({"state": sizes}, blob).values()
    return None, file_images.build_files(schema_sql, FilesLayout.model_validate(layout), files)


def _write_files(given: Any, _: bytes) -> tuple[Any, bytes]:
    schema_sql, layout, rows = given
    files = file_tables.files_of_rows(schema_sql, FilesLayout.model_validate(layout), _tables(rows))
    return None, json.dumps(files).encode()


def _files_of_states(sizes: dict[str, dict[str, int]], blob: bytes) -> dict[str, dict[str, bytes]]:
    found: dict[str, dict[str, bytes]] = {}
    offset = 0
    for state, files in sizes.items():
        found[state] = {}
        for path, size in files.items():
            found[state][path] = blob[offset : offset + size]
            offset += size
    return found


DEEDS: dict[str, Deed] = {
    "build": _build,
    "give rows": _give_rows,
    "add rows": _add_rows,
    "run statement": _run_statement,
    "join": _join,
    "compare": _compare,
    "refused statements": _refuse_statements,
    "refused rows": _refuse_rows,
    "lay out files": _lay_out_files,
    "build files": _build_files,
    "write files": _write_files,
}


def serve(channel: Channel) -> None:
    apsw.hard_heap_limit(MOST_MEMORY_BYTES)
    while (frame := channel.receive()) is not None and _answer(channel, *frame):
        continue


def _answer(channel: Channel, request: Any, blob: bytes) -> bool:
    """Whether it did what it was asked; a worker that could not ends."""
    deed, size = request
    try:
        answer, image = DEEDS[deed](json.loads(blob[:size]), blob[size:])
        if len(image) > MOST_IMAGE_BYTES:
            raise EnvironmentFault(f"The database takes {len(image)} bytes; it may take {MOST_IMAGE_BYTES}.")
        channel.send(["ok", answer], image)
        return True
    except EnvironmentFault as fault:
        channel.send(["error", str(fault)[:MOST_FAULT_CHARS]])
    except (apsw.NoMemError, MemoryError):
        channel.send(["error", "The database needs more memory than it may take."])
    except (apsw.Error, ValueError) as error:
        channel.send(["error", f"The database cannot be made or read: {error}"[:MOST_FAULT_CHARS]])
    return False


def _tables(rows: Any) -> list[TableRows]:
    return [TableRows.model_validate(table) for table in rows]
