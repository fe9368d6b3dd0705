"""Reading source folders: every kind gives short texts, and no file, however odd, takes others with it."""

import json
import os
from pathlib import Path
from typing import get_args

import pytest

from envfactory_dagster.authoring.discovery.source_folders import (
    FOLDERS,
    KINDS,
    LARGEST_BYTES,
    SAMPLES,
    SUFFIXES,
    source_folders,
)
from envfactory_dagster.authoring.discovery.source_formats import EXCERPT_CHARS, READERS
from envfactory_dagster.authoring.discovery.sources import SourceEntry, UnreadableEntry, read_sources
from envfactory_dagster.contracts.domain import ThemeOrigin
from envfactory_dagster.contracts.sources import DocumentKind, FolderKind
from envfactory_dagster.store.home import Home

GOOD_API = {"openapi": "3.1.0", "info": {"title": "Ferry"}, "paths": {"/trips": {"get": {"summary": "List trips"}}}}
GOOD_SERVER = {"name": "ferry", "tools": [{"name": "book_trip", "inputSchema": {"properties": {"trip_id": {}}}}]}

GOOD: dict[FolderKind, str] = {
    "name_seed": "Tide mill, Crafts",
    "mcp_spec": json.dumps(GOOD_SERVER),
    "tool_docs": json.dumps(GOOD_API),
    "prd": "# Ferry\nPeople book trips.",
    "task_set": '{"task": "Book a boat."}',
}
FILES = [(kind, suffix) for kind in KINDS for suffix in SUFFIXES[kind]]
"""Every kind, with every ending that its files may have."""


def read(kind: FolderKind, folder: Path) -> tuple[list[str], list[str]]:
    """Texts of the entries, and what is said of the unreadable ones."""
    found = list(read_sources(kind, folder))
    texts = [entry.excerpt.text for entry in found if isinstance(entry, SourceEntry)]
    return texts, [entry.rejection.detail for entry in found if isinstance(entry, UnreadableEntry)]


def test_every_kind_has_a_folder_endings_and_a_reader_and_all_but_a_name_make_a_document() -> None:
    assert list(FOLDERS) == list(SUFFIXES) == list(READERS) == list(KINDS)
    assert set(get_args(DocumentKind)) == set(KINDS) - {"name_seed"} | {"none", "data", "typed"}
    assert set(get_args(DocumentKind)) - {"none", "typed"} <= set(get_args(ThemeOrigin))


@pytest.mark.parametrize("kind", KINDS)
def test_all_samples_can_be_read_and_are_short(kind: FolderKind) -> None:
    texts, problems = read(kind, SAMPLES / FOLDERS[kind])
    assert problems == []
    assert len(texts) >= 10
    assert max(map(len, texts)) <= EXCERPT_CHARS + 10


def test_there_are_more_than_a_hundred_samples_and_no_two_are_the_same() -> None:
    entries = [entry for kind in KINDS for entry in read_sources(kind, SAMPLES / FOLDERS[kind])]
    assert len(entries) > 100
    assert len({entry.id for entry in entries}) == len(entries)


def test_a_folder_of_the_user_stands_in_for_the_samples(home: Home) -> None:
    own = Path(str(home.root)) / "sources" / "prds"
    own.mkdir(parents=True)
    folders = source_folders(home)
    assert folders["prd"] == own
    assert folders["mcp_spec"] == SAMPLES / "mcp_specs"


def test_an_openapi_document_becomes_its_title_operations_and_things(tmp_path: Path) -> None:
    api = GOOD_API | {"components": {"schemas": {"Trip": {}, "Deck": {}}}}
    (tmp_path / "ferry.json").write_text(json.dumps(api))
    assert read("tool_docs", tmp_path) == (["title: Ferry\n- GET /trips: List trips\nthings: Trip, Deck"], [])


def test_an_mcp_server_becomes_its_tools_with_what_they_want(tmp_path: Path) -> None:
    (tmp_path / "ferry.json").write_text(json.dumps(GOOD_SERVER))
    texts, _ = read("mcp_spec", tmp_path)
    assert texts == ["name: ferry\n- book_trip(trip_id): "]


def test_names_are_read_from_csv_with_quotes_and_from_plain_lines(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('name,category\n"Costumes, wigs and masks",Events\n')
    (tmp_path / "b.txt").write_text("# mine\nTide mill\n\n")
    assert read("name_seed", tmp_path)[0] == ["name: Costumes, wigs and masks\ncategory: Events", "name: Tide mill"]


def test_schemas_that_hold_each_other_are_fine_but_references_that_end_nowhere_are_not(tmp_path: Path) -> None:
    node = {"type": "object", "properties": {"parent": {"$ref": "#/components/schemas/Node"}}}
    tree = GOOD_API | {"components": {"schemas": {"Node": node}}}
    circle = {"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}}
    (tmp_path / "circle.json").write_text(json.dumps(GOOD_API | {"components": {"schemas": circle}}))
    (tmp_path / "tree.json").write_text(json.dumps(tree))
    texts, problems = read("tool_docs", tmp_path)
    assert len(texts) == 1
    assert "in a circle" in problems[0]


ODD_FILES: dict[str, tuple[bytes, str]] = {
    "broken.json": (b'{"openapi": ', "not valid JSON"),
    "broken.yaml": (b"paths: [unclosed\n  - x: {", "not valid YAML"),
    "bomb.yaml": (b"a: &a [*a]\n", "no paths"),
    "deep.yaml": (b"[" * 50_000, "not valid YAML"),
    "deep.json": (b"[" * 50_000, "not valid JSON"),
    "binary.json": (b"\x00\x01\x02PK", "is binary"),
    "latin.json": ("{'title': 'Fähre'}".encode("latin-1"), "not UTF-8"),
    "empty.yaml": (b" \n", "is empty"),
    "other.json": (b'{"hello": 1}', "no paths"),
    "notes.docx": (b"PK", "unknown ending"),
    "program": (b"#!/bin/sh", "unknown ending"),
}


@pytest.mark.parametrize("name", ODD_FILES)
def test_an_odd_file_is_told_of_in_a_sentence_and_loses_nothing_else(tmp_path: Path, name: str) -> None:
    data, said = ODD_FILES[name]
    (tmp_path / name).write_bytes(data)
    (tmp_path / "zz-good.json").write_text(json.dumps(GOOD_API))
    texts, problems = read("tool_docs", tmp_path)
    assert len(texts) == 1
    assert len(problems) == 1
    assert said in problems[0] and problems[0].startswith(f"tool_docs/{name} ")


NOT_TEXT: dict[str, tuple[bytes, str]] = {
    "binary": (b"\x00\x01\x02PK", "is binary, not text"),
    "latin": ("Fähre".encode("latin-1"), "is not UTF-8 text"),
    "empty": (b" \n", "is empty"),
}


@pytest.mark.parametrize(("kind", "suffix"), FILES)
@pytest.mark.parametrize("name", NOT_TEXT)
def test_what_is_no_text_is_told_of_whatever_the_folder_holds(
    tmp_path: Path, kind: FolderKind, suffix: str, name: str
) -> None:
    data, said = NOT_TEXT[name]
    (tmp_path / f"{name}{suffix}").write_bytes(data)
    (tmp_path / f"zz-good{SUFFIXES[kind][0]}").write_text(GOOD[kind])
    texts, (problem,) = read(kind, tmp_path)
    assert len(texts) == 1
    assert problem.startswith(f"{FOLDERS[kind]}/{name}{suffix} {said}")


@pytest.mark.parametrize(("kind", "suffix"), FILES)
def test_a_file_of_fifty_megabytes_is_refused_by_its_size(tmp_path: Path, kind: FolderKind, suffix: str) -> None:
    with (tmp_path / f"huge{suffix}").open("wb") as huge:
        huge.write(GOOD[kind].encode())
        huge.truncate(50_000_000)
    (tmp_path / f"zz-good{suffix}").write_text(GOOD[kind])
    texts, problems = read(kind, tmp_path)
    assert len(texts) == 1
    assert problems == [
        f"{FOLDERS[kind]}/huge{suffix} has 50.0 MB; at most {LARGEST_BYTES // 1_000_000} MB are read, so split it"
    ]


@pytest.mark.parametrize("kind", ["mcp_spec", "task_set"])
def test_json_that_is_nested_too_deeply_is_told_of(tmp_path: Path, kind: FolderKind) -> None:
    (tmp_path / f"deep{SUFFIXES[kind][0]}").write_bytes(b"[" * 50_000)
    texts, (problem,) = read(kind, tmp_path)
    assert texts == []
    assert "is not valid JSON" in problem


def test_a_schema_of_an_mcp_server_that_refers_to_itself_does_no_harm(tmp_path: Path) -> None:
    """Only API documents have their references followed; the other kinds have none, or none that are followed."""
    crew = {"$ref": "#/$defs/crew"}
    schema = {"$defs": {"crew": crew}, "properties": {"crew": crew, "trip_id": {}}}
    (tmp_path / "ferry.json").write_text(
        json.dumps({"name": "ferry", "tools": [{"name": "book", "inputSchema": schema}]})
    )
    assert read("mcp_spec", tmp_path) == (["name: ferry\n- book(crew, trip_id): "], [])


def test_an_alias_within_itself_does_no_harm_in_a_document_that_has_paths(tmp_path: Path) -> None:
    (tmp_path / "ferry.yaml").write_text(
        "info: {title: Ferry}\npaths: &p\n  /trips: {get: {summary: List}}\n  /again: *p\n"
    )
    (text,), problems = read("tool_docs", tmp_path)
    assert text.startswith("title: Ferry\n- GET /trips: List\n")
    assert problems == []


def test_links_are_followed_within_the_folder_only(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    outside.mkdir()
    folder.mkdir()
    (outside / "secret.json").write_text(json.dumps(GOOD_API))
    (folder / "real.json").write_text(json.dumps(GOOD_API))
    (folder / "away.json").symlink_to(outside / "secret.json")
    (folder / "away").symlink_to(outside)
    (folder / "dangling.json").symlink_to(folder / "gone.json")
    (folder / "loop.json").symlink_to(folder / "loop.json")
    texts, problems = read("tool_docs", folder)
    assert len(texts) == 1
    assert sum("outside its folder" in problem for problem in problems) == 2
    assert sum("cannot be opened" in problem for problem in problems) == 2


def test_a_pipe_does_not_make_reading_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    assert "not a regular file" in read("mcp_spec", tmp_path)[1][0]


def test_one_bad_line_of_a_task_set_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    (tmp_path / "tasks.jsonl").write_text('{"task": "Book a boat."}\n{"task": \n{"id": 3}\n"Sell a boat."\n')
    texts, problems = read("task_set", tmp_path)
    assert texts == ["task: Book a boat.", "task: Sell a boat."]
    assert "line 2 is not valid JSON" in problems[0]
    assert "line 3 holds no task" in problems[1]


def test_an_entry_is_known_by_its_content_wherever_it_lies(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Ferry\nPeople book trips.")
    before = [entry.id for entry in read_sources("prd", tmp_path)]
    (tmp_path / "a.md").rename(tmp_path / "b.md")
    assert [entry.id for entry in read_sources("prd", tmp_path)] == before
    (tmp_path / "b.md").write_text("# Ferry\nPeople book trips and cabins.")
    assert [entry.id for entry in read_sources("prd", tmp_path)] != before
