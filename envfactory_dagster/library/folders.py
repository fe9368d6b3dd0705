"""A world as a folder that a person can read and review: JSON, SQL and Python, each in files of its own.

    world.json         format, size, and the proposal and document that it was made from
    provenance.json    every part with its origin and its hash
    theme.json tasks.json tools.json
    schema.sql         the tables; where the state is files, in which file each lies, and what texts lie beside them
    documents.json     of a mined world: which documents it is mined from, whence they are, and under which terms
    documents/…        these documents as they were read, and their licence
    mining/R.NN.json   what was done in step NN of round R, 0 being the first; R.NN.py: the program that it ran
    states/NAME.json   the rows of a state, one row a line
    tools/NAME.py      the function behind a tool; NAME.json: the calls it was tried with, edges included
    solutions/TASK.py  a reference solution; TASK.json: its answer form; TASK.alternative_1.py: another right end
    verifiers/TASK.py
    programs/N.…       a task that takes a program: solution, verifier and words; families/N.NAME.…: a task family
    conversations/….json
    QUESTION.json      what was answered to any other question, part by part

Belongs here: writing such a folder and reading it, with every way in which it can be wrong told in words. Does not: how
answers are cut into parts (`parts`), or where they come from (`recording`).
"""

import hashlib
import re
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

import orjson
from pydantic import BaseModel, ValidationError

from envfactory_dagster.contracts.base import first_problem, found_in
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.mining import SnapshotIndex, WholeSnapshot
from envfactory_dagster.library.parts import WHOLE, Part, check_part
from envfactory_dagster.library.world import LibraryWorld, PartName, PartOrigin, WorldCard, WorldProvenance, part_hash
from envfactory_dagster.sources.snapshots import snapshot_of

M = TypeVar("M", bound=BaseModel)

WIDTH = 120
CARD, PROVENANCE = "world.json", "provenance.json"
SCHEMA_SQL = "schema.sql"
INDEX, DOCUMENTS = "documents.json", "documents"

_STEMS = {
    ("theme", WHOLE): "theme",
    ("task_set", WHOLE): "tasks",
    ("tool_spec", WHOLE): "tools",
    ("database_schema", WHOLE): "schema",
}
_FOLDERS = {
    "mining_step": "mining",
    "seed_rows": "states",
    "server_code": "tools",
    "reference_solution": "solutions",
    "verifier": "verifiers",
    "program_task": "programs",
    "task_families": "families",
    "conversation": "conversations",
}
"""Questions whose parts have files of their own."""
_CODE = {"source": "", "solution": ".solution", "verifier": ".verifier"}
"""Field of a part that holds Python → what is added to the name of its file."""
_ALTERNATIVES = "alternatives"
_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


# -- writing -----------------------------------------------------------------------------------------------------------


def write_world(world: LibraryWorld, folder: Path) -> bool:
    """Make the folder hold this world and nothing else. Says whether anything had to be changed."""
    wanted = dict(_files_of(world))
    there = (
        {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} if folder.is_dir() else set()
    )
    stale = there - wanted.keys()
    changed = {name: text for name, text in wanted.items() if not _holds(folder / name, text)}
    for name, text in changed.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    for name in stale:
        (folder / name).unlink()
    return bool(changed or stale)


def _holds(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode()


def _files_of(world: LibraryWorld) -> Iterator[tuple[str, str]]:
    yield CARD, readable_json(world.card.model_dump(mode="json"))
    yield PROVENANCE, readable_json(world.provenance.model_dump(mode="json", exclude_none=True))
    if world.documents is not None:
        yield INDEX, readable_json(world.documents.index.model_dump(mode="json"))
        for one in world.documents.index.files:
            yield _document_file(one.id), world.documents.texts[one.id]
    together: dict[str, dict[str, Part]] = {}
    for (schema, name), part in world.parts.items():
        stem = _stem(schema, name)
        if schema == "database_schema":
            yield SCHEMA_SQL, _schema_sql(part)
        elif stem is None:
            together.setdefault(schema, {})[name] = part
        else:
            yield from _files_of_part(stem, part)
    for schema, parts in together.items():
        yield f"{schema}.json", readable_json(parts)


def _files_of_part(stem: str, part: Part) -> Iterator[tuple[str, str]]:
    left = dict(part)
    for field, added in _CODE.items():
        if isinstance(left.get(field), str):
            yield f"{stem}{added}.py", left.pop(field) + "\n"
    if left.get(_ALTERNATIVES):
        for number, source in enumerate(left.pop(_ALTERNATIVES), 1):
            yield f"{stem}.alternative_{number}.py", source + "\n"
    if left or left == part:
        yield f"{stem}.json", readable_json(left)


def _document_file(document: str) -> str:
    path = PurePosixPath(document)
    if path.is_absolute() or str(path) != document or any(name.startswith(".") for name in path.parts):
        raise UsageError(f"The document {document!r} has a name that no file can have.")
    return f"{DOCUMENTS}/{document}"


def tidied(part: Part) -> Part:
    """A part as it can be written down: code without blank lines around it, statements without their semicolon."""
    tidy = dict(part)
    for field in _CODE:
        if isinstance(tidy.get(field), str):
            tidy[field] = tidy[field].strip()
    if isinstance(tidy.get(_ALTERNATIVES), list):
        tidy[_ALTERNATIVES] = [source.strip() for source in tidy[_ALTERNATIVES]]
    if isinstance(tidy.get("tables"), list) and all("ddl" in table for table in tidy["tables"]):
        tidy["tables"] = [
            {
                "name": table["name"],
                "ddl": _statement(table["ddl"]),
                "indexes": [_statement(index) for index in table.get("indexes", [])],
                "purpose": " ".join(table.get("purpose", "").split()),
            }
            | ({"file": table["file"]} if "file" in table else {})
            for table in tidy["tables"]
        ]
        if "documents" in tidy:
            tidy["documents"] = [one | {"purpose": " ".join(one["purpose"].split())} for one in tidy["documents"]]
    return tidy


def _statement(sql: str) -> str:
    return sql.strip().rstrip(";").strip()


def _schema_sql(part: Part) -> str:
    tables = (
        "".join(
            [
                f"-- table {table['name']}{_in_file(table)}: {table['purpose']}".rstrip() + "\n",
                *(f"{statement};\n" for statement in (table["ddl"], *table["indexes"])),
            ]
        )
        for table in part["tables"]
    )
    documents = (f"-- document {one['path']}: {one['purpose']}\n" for one in part.get("documents", []))
    return "\n".join([*tables, *documents])


def _in_file(table: Mapping[str, Any]) -> str:
    return f" in {table['file']}" if "file" in table else ""


def _stem(schema: str, part: str) -> str | None:
    """The beginning of the names of the files of a part, or None if it shares a file with the parts of its question."""
    if not _PLAIN_NAME.fullmatch(part) or not _PLAIN_NAME.fullmatch(schema):
        raise UsageError(f"The part {part!r} of {schema!r} has a name that no file can have.")
    if (schema, part) in _STEMS:
        return _STEMS[schema, part]
    return f"{_FOLDERS[schema]}/{part}" if schema in _FOLDERS else None


def readable_json(value: Any) -> str:
    """JSON for reading: whatever fits into a line stands in one."""
    return _written(value, "", 0) + "\n"


def _written(value: Any, indent: str, used: int) -> str:
    line = orjson.dumps(value).decode()
    if len(indent) + used + len(line) <= WIDTH or not value or not isinstance(value, dict | list):
        return line
    deeper = indent + " "
    if isinstance(value, list):
        items = [_written(item, deeper, 0) for item in value]
        opening, closing = "[", "]"
    else:
        names = {name: orjson.dumps(name).decode() + ": " for name in value}
        items = [names[name] + _written(item, deeper, len(names[name])) for name, item in value.items()]
        opening, closing = "{", "}"
    return f"{opening}\n{deeper}" + f",\n{deeper}".join(items) + f"\n{indent}{closing}"


# -- reading -----------------------------------------------------------------------------------------------------------


def read_card(folder: Path) -> WorldCard:
    return _parsed(WorldCard, folder / CARD)


def read_world(folder: Path) -> LibraryWorld:
    """The world in a folder. Raises UsageError when anything in it is missing, is changed, or is too much."""
    card, provenance = read_card(folder), _parsed(WorldProvenance, folder / PROVENANCE)
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    documents, read = _read_documents(folder, card)
    read |= {CARD, PROVENANCE}
    parts: dict[PartName, Part] = {}
    together: dict[str, dict[str, Part]] = {}
    for origin in provenance.parts:
        stem = _stem(origin.question, origin.part)
        if stem is None:
            name = f"{origin.question}.json"
            if name not in together:
                together[name] = _object(folder / name)
            if origin.part not in together[name]:
                raise UsageError(f"{folder / name} has lost the part {origin.part!r}, which {PROVENANCE} lists.")
            part, names = together[name].pop(origin.part), {name}
        else:
            part, names = _read_part(folder, files, origin, stem)
        _check(folder, origin, part, names)
        parts[origin.question, origin.part] = part
        read |= names
    for name, left in together.items():
        if left:
            raise UsageError(f"{folder / name}: {PROVENANCE} lists no part {min(left)!r} of it; take it away.")
    if unknown := sorted(files - read):
        raise UsageError(f"{folder / unknown[0]} belongs to no part that {PROVENANCE} lists; take it away.")
    return LibraryWorld(card, provenance, parts, documents)


def _read_documents(folder: Path, card: WorldCard) -> tuple[WholeSnapshot | None, set[str]]:
    """What a mined world is mined from. Returns it with the names of these files."""
    if not card.snapshot:
        return None, set()
    index = _parsed(SnapshotIndex, folder / INDEX)
    if snapshot_of(index.documents) != card.snapshot:
        raise UsageError(f"{folder / INDEX}: these are not the documents that {CARD} names. Take back the change.")
    texts = {}
    for one in index.files:
        texts[one.id] = _text(folder / _document_file(one.id))
        if hashlib.sha256(texts[one.id].encode()).hexdigest() != one.sha256:
            raise UsageError(
                f"{folder / _document_file(one.id)}: it is not what {INDEX} says it is; the file was edited. Take back "
                "the change: the world is mined from what stood there."
            )
    return WholeSnapshot(index=index, texts=texts), {INDEX, *(_document_file(one.id) for one in index.files)}


def _read_part(folder: Path, files: set[str], origin: PartOrigin, stem: str) -> tuple[Part, set[str]]:
    """Read a part that has files of its own. Returns it with the names of these files."""
    if origin.question == "database_schema":
        return _read_schema(_text(folder / SCHEMA_SQL)), {SCHEMA_SQL}
    code = {f"{stem}{added}.py": field for field, added in _CODE.items() if f"{stem}{added}.py" in files}
    others = sorted(
        (name for name in files if re.fullmatch(re.escape(stem) + r"\.alternative_\d+\.py", name)),
        key=lambda name: int(name.removesuffix(".py").rpartition("_")[2]),
    )
    part: Part = {}
    names = {*code, *others}
    if f"{stem}.json" in files or not names:
        part = _object(folder / f"{stem}.json")
        names.add(f"{stem}.json")
    part |= {field: _text(folder / name).removesuffix("\n") for name, field in code.items()}
    if others:
        part[_ALTERNATIVES] = [_text(folder / name).removesuffix("\n") for name in others]
    return part, names


_HEADING = re.compile(
    r"-- (?:table (?P<table>\w+)(?: in (?P<file>[^:]+))?|document (?P<document>[^:]+)):(?P<purpose>.*)"
)


def _read_schema(text: str) -> Part:
    tables: list[dict[str, Any]] = []
    documents: list[dict[str, str]] = []
    pending = ""
    for line in text.splitlines():
        heading = _HEADING.fullmatch(line)
        if heading and not pending.strip():
            purpose, pending = heading["purpose"].strip(), ""
            if heading["document"]:
                documents.append({"path": heading["document"], "purpose": purpose})
            else:
                tables.append({"name": heading["table"], "ddl": "", "indexes": [], "purpose": purpose})
                tables[-1] |= {"file": heading["file"]} if heading["file"] else {}
            continue
        pending += line + "\n"
        if tables and line.rstrip().endswith(";") and sqlite3.complete_statement(pending):
            statement, pending = _statement(pending), ""
            if tables[-1]["ddl"]:
                tables[-1]["indexes"].append(statement)
            else:
                tables[-1]["ddl"] = statement
    if pending.strip():  # no statement: it makes the part another one, which is told
        tables.append({"name": "", "ddl": pending})
    return {"tables": tables} | ({"documents": documents} if documents else {})


def _check(folder: Path, origin: PartOrigin, part: Part, names: set[str]) -> None:
    where = ", ".join(str(folder / name) for name in sorted(names))
    if part_hash(part) != origin.hash:
        raise UsageError(
            f"{where}: it is not what {PROVENANCE} says it is; a file was edited, added or lost. Take back the change, "
            "or record the world again: parts are answers of a model."
        )
    try:
        check_part(origin.question, part)
    except ValidationError as error:
        raise UsageError(f"{where}: {first_problem(error, 'the file')}") from error


def _parsed(model: type[M], path: Path) -> M:
    try:
        with found_in(path):
            return model.model_validate(_object(path))
    except ValidationError as error:
        raise UsageError(f"{path}: {first_problem(error, 'the file')}") from error


def _object(path: Path) -> dict[str, Any]:
    try:
        found = orjson.loads(_text(path))
    except orjson.JSONDecodeError as error:
        raise UsageError(f"{path} is no JSON: {error}") from error
    if not isinstance(found, Mapping):
        raise UsageError(f"{path} holds no JSON object.")
    return dict(found)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except FileNotFoundError as error:
        raise UsageError(f"{path} is missing.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from error
