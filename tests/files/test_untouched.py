"""A file that nobody touches is returned byte for byte, and a record that nobody touches keeps its text."""

import csv
import io
import json
import re
import sqlite3
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.file_layout import FileHints
from envfactory_dagster.runtime.env_files import SessionFiles
from envfactory_dagster.runtime.file_images import build_files, layout_of, schema_of_files
from envfactory_dagster.runtime.standalone import StandardDatabase

WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
NAMES = st.sampled_from(
    ["id", "name", "from", "userId", "Journal reference", "ID2", "größe", "rowid", "select", "a-b", "é", 'a"b', "a;--"]
)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-(10**20), 10**20), st.floats(allow_nan=False,
                    allow_infinity=False), WORDS)  # fmt: skip
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3))
RECORDS = st.dictionaries(NAMES | WORDS, VALUES, max_size=5)
SPACE = st.text(" \t\r\n", max_size=3)
DUMPS = st.sampled_from([
    {"indent": 2}, {"indent": "\t", "ensure_ascii": False}, {"separators": (",", ":")}, {"ensure_ascii": False}, {}
])  # fmt: skip


def files(content: dict[str, bytes], hints: dict[str, Any] | None = None) -> SessionFiles:
    """The files of a session that has just begun."""
    layout = layout_of({"initial": content}, FileHints.model_validate(hints or {}))
    connection = sqlite3.connect(":memory:")
    connection.deserialize(build_files(schema_of_files(layout), layout, content))
    database = StandardDatabase(connection)
    database.begin(read_only=False)
    return SessionFiles(database, {"layout": layout.model_dump_json()}, lambda: None)


def files_unless(refused: str, *given: Any) -> SessionFiles | None:
    """None where the file is refused for such a reason: what other writers spell in ways that are not read."""
    try:
        return files(*given)
    except EnvironmentFault as fault:
        if re.search(refused, str(fault)):
            return None
        raise


def same(path: str, text: str, hints: dict[str, Any] | None = None) -> SessionFiles:
    held = files({path: text.encode()}, hints)
    assert held.read_text(path) == text
    return held


@settings(deadline=None)
@given(
    value=st.lists(RECORDS | SCALARS, max_size=5) | st.dictionaries(WORDS, RECORDS | SCALARS, max_size=4),
    how=DUMPS,
    before=SPACE,
    after=SPACE,
)
def test_json(value: Any, how: dict[str, Any], before: str, after: str) -> None:
    held = same("a.json", before + json.dumps(value, **how) + after)
    assert held.read_data("a.json") == value


@settings(deadline=None)
@given(
    values=st.lists(RECORDS | SCALARS, max_size=5),
    end=st.sampled_from(["\n", "\r\n", "\n\n", "\n  "]),
    mark=st.booleans(),
)
def test_json_lines(values: list[Any], end: str, mark: bool) -> None:
    text = ("\ufeff" if mark else "") + end.join(json.dumps(value, ensure_ascii=False) for value in values)
    assert same("a.jsonl", text).read_data("a.jsonl") == values


@settings(deadline=None)
@given(header=st.lists(NAMES, min_size=1, max_size=5, unique=True), data=st.data(),
       end=st.sampled_from(["\n", "\r\n"]), quoting=st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
       form=st.sampled_from(["csv", "tsv"]), closed=st.booleans())  # fmt: skip
def test_tables(header: list[str], data: st.DataObject, end: str, quoting: Any, form: str, closed: bool) -> None:
    cells = (
        WORDS.map(lambda word: word.replace("\r", ""))
        | st.integers().map(str)
        | st.sampled_from(["1.50", "007", "-0", "1e5", ""])
    )
    rows = data.draw(st.lists(st.lists(cells, min_size=len(header), max_size=len(header)), max_size=5))
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter="," if form == "csv" else "\t", lineterminator=end, quoting=quoting)
    writer.writerow(header)
    writer.writerows(rows)
    text = buffer.getvalue() if closed else buffer.getvalue().removesuffix(end)
    held = same(f"a.{form}", text)
    assert held.count(f"a.{form}") == len(rows)


@settings(deadline=None, max_examples=60)
@given(value=st.lists(RECORDS, min_size=1, max_size=4) | st.dictionaries(WORDS, RECORDS, min_size=1, max_size=4),
       width=st.sampled_from([20, 80]), comment=st.sampled_from(["", "# first\n\n"]))  # fmt: skip
def test_yaml(value: Any, width: int, comment: str) -> None:
    text = comment + yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=width)
    held = files_unless("tags|no YAML|aliases|block|half a character", {"a.yaml": text.encode()})
    assert held is None or held.read_text("a.yaml") == text


@settings(deadline=None)
@given(text=WORDS, form=st.sampled_from(["md", "txt", "html", "tex", "sql"]))
def test_documents(text: str, form: str) -> None:
    path = f"notes/a.{form}"
    assert files({path: text.encode()}).read_text(path) == text


@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "tsv", "yaml"])
def test_one_record_changes_and_the_others_keep_their_text(form: str) -> None:
    texts = {
        "json": '[\n    {"id" : 1, "n":"a"},\n\n    {"id":2,   "n":"b"}\n]\n',
        "jsonl": '{"id" : 1, "n":"a"}\n\n{"id":2,   "n":"b"}\n',
        "csv": 'id,n\r\n1,"a"\r\n"2",b\r\n',
        "tsv": "id\tn\n1\ta\n2\tb\n",
        "yaml": "# one\n-   id: 1\n    n: 'a'\n# two\n- {id: 2, n: b}\n",
    }
    path = f"a.{form}"
    held = files({path: texts[form].encode()})
    assert held.update(path, 2, {"n": "c"})
    changed = held.read_text(path)
    kept = texts[form][: texts[form].rindex("2" if form != "csv" else '"2"')].rstrip('{"id: ')
    assert changed.startswith(kept)
    assert held.update(path, 2, {"n": "b"})
    assert held.read_text(path) == texts[form]
    again = files({path: changed.encode()})
    assert again.records(path) == [{"id": 1, "n": "a"}, {"id": 2, "n": "c"}]


@pytest.mark.parametrize(
    ("form", "filled", "nothing"),
    [
        ("json", '[\n  {"id": 1}\n]\n', "[]\n"),
        ("jsonl", '{"id": 1}\n', ""),
        ("csv", "id\n1\n", "id\n"),
        ("tsv", "id\n1\n", "id"),
        ("yaml", "# all\n- id: 1\n# end\n", "[]\n"),
        ("yaml", "  - id: 1", "[] # none"),
    ],
)
def test_a_file_is_emptied_and_filled(form: str, filled: str, nothing: str) -> None:
    path = f"a.{form}"
    hints = {"files": {path: {"fields": {"id": "integer"}, "key": "id"}}}
    held = files({path: filled.encode()}, hints)
    held.remove(path, 1)
    emptied = files({path: held.read_text(path).encode()}, hints)
    assert emptied.records(path) == []
    emptied.append(path, {"id": 3})
    assert files({path: emptied.read_text(path).encode()}, hints).records(path) == [{"id": 3}]
    assert same(path, nothing, hints).records(path) == []
    begun = files({path: nothing.encode()}, hints)
    begun.append(path, {"id": 5})
    begun.append(path, {"id": 6})
    assert files({path: begun.read_text(path).encode()}, hints).records(path) == [{"id": 5}, {"id": 6}]
    held.append(path, {"id": 1})
    assert held.read_text(path) == filled


@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "tsv", "yaml"])
def test_rows_that_never_were_a_file_are_written_as_one(form: str) -> None:
    """As in the trials of tools, which make databases of their own."""
    content = {f"a.{form}": {"json": b"[]", "jsonl": b"", "csv": b"id,n\n", "tsv": b"id\tn\n", "yaml": b"[]\n"}[form]}
    fields = {"id": "integer", "n": "text"}
    layout = layout_of({"initial": content}, FileHints.model_validate({"files": {f"a.{form}": {"fields": fields}}}))
    connection = sqlite3.connect(":memory:")
    connection.executescript(schema_of_files(layout))
    database = StandardDatabase(connection)
    database.begin(read_only=False)
    held = SessionFiles(database, {"layout": layout.model_dump_json()}, lambda: None)
    records = [{"id": 1, "n": "a,b\tc"}, {"id": 2, "n": 'd "e"'}]
    for record in records:
        held.append(f"a.{form}", record)
    assert files({f"a.{form}": held.read_text(f"a.{form}").encode()}).records(f"a.{form}") == records


@settings(deadline=None, max_examples=60)
@given(
    records=st.lists(st.fixed_dictionaries({"n": WORDS, "m": st.none() | st.integers(-9, 9)}), min_size=1, max_size=4),
    added=st.lists(WORDS, max_size=3),
    removed=st.integers(1, 5),
    form=st.sampled_from(["json", "jsonl", "yaml", "csv"]),
)
def test_what_is_written_is_read_again(records: list[Any], added: list[str], removed: int, form: str) -> None:
    """By whoever reads the format."""
    records = [{"id": number, **record} for number, record in enumerate(records, 1)]
    path = f"a.{form}"
    if form == "csv":
        buffer = io.StringIO(newline="")
        writer = csv.DictWriter(buffer, ["id", "n", "m"], lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writeheader()
        writer.writerows(records)
        text = buffer.getvalue()
    elif form == "jsonl":
        text = "".join(json.dumps(record) + "\n" for record in records)
    else:
        text = json.dumps(records, indent=1) if form == "json" else "".join(f"- {json.dumps(r)}\n" for r in records)
    hints = {"files": {path: {"fields": {"n": "text", "m": "integer"}}}}
    held = files_unless(
        "no YAML|half a character" if form == "yaml" else "half a character", {path: text.encode()}, hints
    )
    if held is None:
        return
    held.remove(path, removed)
    for word in added:
        held.append(path, {"n": word, "m": 5})
    wanted = held.records(path)
    read = files({path: held.read_text(path).encode()}, hints)
    found = read.records(path)
    assert found == wanted
