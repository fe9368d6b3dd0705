"""Documents of a folder: every form is read, whatever is odd is told of, and a copy is what is read later."""

import json
import os
from pathlib import Path

import pytest

from envfactory_dagster.contracts.errors import InfrastructureFault, UsageError
from envfactory_dagster.sources.documents import LARGEST_BYTES, MOST_BYTES, MOST_DOCUMENTS
from envfactory_dagster.sources.local_folder import DocumentFolder
from envfactory_dagster.sources.parsing import UnreadableFile
from envfactory_dagster.sources.shelf import Shelf
from envfactory_dagster.sources.snapshots import INDEX, Snapshot, keep
from envfactory_dagster.store.home import Home

SAMPLES = Path(__file__).parents[2] / "envfactory_dagster" / "sources" / "samples"

TABLES = {
    "a.csv": "name,price\nAnn,3\nBo,\n",
    "b.tsv": "name\tprice\nAnn\t3\nBo\t\n",
    "c.jsonl": '{"name": "Ann", "price": 3}\n\n{"name": "Bo"}\n',
    "d.json": '{"people": [{"name": "Ann", "price": 3}, {"name": "Bo"}], "as_of": "today"}',
    "e.yaml": "- name: Ann\n  price: 3\n- name: Bo\n",
    "f.md": "# People\n\n| name | price |\n|---|---:|\n| Ann | 3 |\n| Bo | |\n\nThat is all.\n",
    "g.html": "<h1>People</h1><table><tr><th>name<th>price</tr><tr><td>Ann</td><td>3</td></tr><tr><td>Bo</table>",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def shelf(folder: Path, **files: str) -> Shelf:
    for name, text in files.items():
        (folder / name).write_text(text)
    return Shelf(DocumentFolder(folder))


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_the_same_in_every_form(folder: Path, name: str) -> None:
    (table,) = shelf(folder, **{name: TABLES[name]}).tables(name)
    assert table.columns == ["name", "price"]
    assert [[str(cell or "") for cell in row] for row in table.rows] == [["Ann", "3"], ["Bo", ""]]


def test_a_page_is_read_as_people_see_it(folder: Path) -> None:
    page = "<p>Open <b>daily</b>.</p><script>steal()</script><style>p{}</style><!-- hidden --><p>Fare 3 &euro;</p>"
    found = shelf(folder, **{"page.html": page})
    assert found.lines("page.html") == ["Open daily.", "Fare 3 €"]
    assert found.tables("page.html") == []
    assert found.search("steal hidden") == []


def test_a_search_gives_the_best_passage_first(folder: Path) -> None:
    found = shelf(
        folder, **{"one.txt": "Boats sail daily.\n" * 30, "two.txt": "Dogs travel free on a boat.\nCats pay half.\n"}
    )
    best = found.search("may a dog or cats travel?")
    assert (best[0].document, best[0].line) == ("two.txt", 1)
    assert [hit.document for hit in found.search("sail", most=2)] == ["one.txt", "one.txt"]


@pytest.mark.parametrize("name", sorted(path.name for path in SAMPLES.iterdir()))
def test_the_samples_can_be_read_and_say_under_what_terms(name: str) -> None:
    source = DocumentFolder(SAMPLES / name)
    assert source.left_out == []
    assert {one.licence for one in source.documents()} and all(
        one.licence.startswith("CC0") for one in source.documents()
    )
    tables = [table for one in source.documents() for table in Shelf(source).tables(one.id)]
    assert len(tables) >= 3
    assert sum(len(table.rows) for table in tables) >= 90


def test_what_is_odd_is_left_out_and_told_of(folder: Path) -> None:
    (folder / "good.txt").write_text("Boats sail daily.")
    (folder / "bomb.zip").write_bytes(b"PK\x03\x04" + b"\0" * 1000)
    (folder / "bomb.csv").write_bytes(b"\x1f\x8b\x08\x00" + b"\0" * 1000)
    (folder / "latin.txt").write_bytes("Fähre".encode("latin-1"))
    (folder / "empty.md").write_text(" \n")
    (folder / "huge.txt").write_text("x" * (LARGEST_BYTES + 1))
    (folder / ".hidden.txt").write_text("not ours")
    (folder / "name\nwith a line break.txt").write_text("x")
    (folder / "secret.txt").symlink_to("/etc/passwd")
    (folder / "up.txt").symlink_to(Path("..") / "outside.txt")
    (folder.parent / "outside.txt").write_text("outside")
    (folder / "etc").symlink_to("/etc")
    (folder / "loop.txt").symlink_to("loop.txt")
    os.mkfifo(folder / "pipe.txt")
    source = DocumentFolder(folder)
    assert [one.id for one in source.documents()] == ["good.txt"]
    said = {one.document: one.reason for one in source.left_out}
    assert "unknown ending" in said["bomb.zip"] and "binary" in said["bomb.csv"] and "not UTF-8" in said["latin.txt"]
    assert "is empty" in said["empty.md"] and "so split it" in said["huge.txt"] and "regular file" in said["pipe.txt"]
    assert "outside its folder" in said["secret.txt"] and "outside its folder" in said["up.txt"]
    assert "outside its folder" in said["etc"] and "cannot be opened" in said["loop.txt"]
    assert "plain characters" in said["name?with a line break.txt"]


def test_too_many_documents_are_not_read(folder: Path) -> None:
    for number in range(MOST_DOCUMENTS + 2):
        (folder / f"{number:04}.txt").write_text(f"Page {number}")
    source = DocumentFolder(folder)
    assert len(source.documents()) == MOST_DOCUMENTS
    assert [one.document for one in source.left_out] == [f"{MOST_DOCUMENTS:04}.txt", f"{MOST_DOCUMENTS + 1:04}.txt"]


def test_documents_that_are_too_much_together_are_not_read(folder: Path) -> None:
    for number in range(MOST_BYTES // LARGEST_BYTES + 1):
        (folder / f"{number:02}.txt").write_text("x" * LARGEST_BYTES)
    (left_out,) = DocumentFolder(folder).left_out
    assert "is more than is read: all documents together may have 50 MB" in left_out.reason


def test_a_folder_without_documents_is_refused(folder: Path) -> None:
    (folder / "x.bin").write_bytes(b"x")
    with pytest.raises(UsageError, match=r"no document that can be read. x.bin has an unknown ending"):
        DocumentFolder(folder)
    with pytest.raises(UsageError, match="is no folder"):
        DocumentFolder(folder / "nothing")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("wide.csv", "a," * 999_999 + "a", "1,000,000 columns"),
        ("long.csv", "a\n" * 30_000, "30,000 rows"),
        ("wide.json", json.dumps([{str(n): n for n in range(300)}]), "300 columns"),
        ("deep.json", "[" * 50_000 + "]" * 50_000, "not valid JSON"),
        ("bad.jsonl", '{"a": 1}\n{"a": ', "line 2 is not valid JSON"),
        ("deep.yaml", "[" * 2_000, "nested more than 100"),
        ("laughs.yaml", "a: &a [x, x]\n" + "".join(f"{c}: &{c} [*{p}, *{p}, *{p}, *{p}, *{p}, *{p}, *{p}, *{p}]\n"
         for p, c in zip("abcdefgh", "bcdefghi", strict=True)), "too large"),
        ("quoted.csv", 'a,b\n"never closed,2\n', "cannot be read as a table"),
    ],
)  # fmt: skip
def test_a_table_that_is_too_much_is_refused(folder: Path, name: str, text: str, said: str) -> None:
    with pytest.raises(UnreadableFile, match=said):
        shelf(folder, **{name: text}).tables(name)


def test_yaml_that_contains_itself_is_read_without_what_goes_in_circles(folder: Path) -> None:
    (table,) = shelf(folder, **{"circle.yaml": "rows: &r\n  - name: Ann\n    again: *r\n"}).tables("circle.yaml")
    assert table.rows == [["Ann", None]]


def test_what_is_read_later_is_the_copy(folder: Path, tmp_path: Path) -> None:
    (folder / "a.csv").write_text(TABLES["a.csv"])
    name = keep(DocumentFolder(folder).whole(), tmp_path / "kept")
    (folder / "a.csv").write_text("changed")
    kept = Snapshot(tmp_path / "kept", name)
    assert kept.text("a.csv") == TABLES["a.csv"]
    assert keep(kept.whole(), tmp_path / "kept") == name
    assert keep(DocumentFolder(folder).whole(), tmp_path / "kept") != name
    with pytest.raises(UnreadableFile, match="no document"):
        kept.text("../../outside.txt")


def test_the_licence_is_kept_with_the_copy_and_is_none_of_its_documents(folder: Path, tmp_path: Path) -> None:
    terms = "CC BY 4.0\n\nName the harbour office.\n"
    (folder / "a.csv").write_text(TABLES["a.csv"])
    (folder / "LICENCE.md").write_text(terms)
    whole = DocumentFolder(folder).whole()
    without = whole.model_copy(update={"index": whole.index.model_copy(update={"licence": None})})
    name = keep(without, tmp_path)
    assert Snapshot(tmp_path, name).whole().index.licence is None
    assert keep(whole, tmp_path) == keep(without, tmp_path) == name
    kept = Snapshot(tmp_path, name)
    assert [(one.id, one.licence) for one in kept.documents()] == [("a.csv", "CC BY 4.0")]
    assert kept.whole().texts["LICENCE.md"] == terms
    with pytest.raises(UnreadableFile, match="no document"):
        kept.text("LICENCE.md")


def test_a_copy_that_was_tampered_with_is_not_read(folder: Path, tmp_path: Path) -> None:
    (folder / "a.csv").write_text(TABLES["a.csv"])
    name = keep(DocumentFolder(folder).whole(), tmp_path)
    (document,) = Snapshot(tmp_path, name).documents()
    (tmp_path / name / document.sha256).write_text("other")
    with pytest.raises(InfrastructureFault, match="is not what was kept there"):
        Snapshot(tmp_path, name).text("a.csv")
    index = tmp_path / name / INDEX
    index.write_text(index.read_text().replace("a.csv", "../x.csv"))
    with pytest.raises(InfrastructureFault, match="not those that were kept"):
        Snapshot(tmp_path, name)
    with pytest.raises(UsageError, match="add their folder again"):
        Snapshot(tmp_path, "0" * 64)


def test_a_copy_is_kept_in_an_object_store(folder: Path, bucket: str) -> None:
    (folder / "a.csv").write_text(TABLES["a.csv"])
    snapshots = Home.resolve(f"{bucket}/home").snapshots
    name = keep(DocumentFolder(folder).whole(), snapshots)
    assert keep(DocumentFolder(folder).whole(), snapshots) == name
    assert Snapshot(snapshots, name).text("a.csv") == TABLES["a.csv"]
    with pytest.raises(UsageError, match="add their folder again"):
        Snapshot(snapshots, "0" * 64)


def test_a_copy_that_was_broken_off_is_made_anew(folder: Path, tmp_path: Path) -> None:
    (folder / "a.csv").write_text(TABLES["a.csv"])
    name = keep(DocumentFolder(folder).whole(), tmp_path)
    (tmp_path / name / INDEX).unlink()
    assert keep(DocumentFolder(folder).whole(), tmp_path) == name
    assert Snapshot(tmp_path, name).text("a.csv") == TABLES["a.csv"]
