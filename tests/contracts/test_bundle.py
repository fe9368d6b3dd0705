"""A bundle is what its hashes say, or it is refused by name."""

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import EnvironmentFault, UsageError
from envfactory_dagster.contracts.synthesis import Conversation, Turn
from envfactory_dagster.runtime.runtime import Runtime
from tests.support.tiny import tiny


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny().write(tmp_path / "tiny-shop")


def rewrite(path: Path, change: Callable[[str], str]) -> None:
    path.write_text(change(path.read_text()))


def restate(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the manifest the way a better forger would: every hash is right, the bundle's version too."""
    manifest = json.loads((folder / "manifest.json").read_text())
    change(manifest)
    states = {name: [state["clock"], state["file"]] for name, state in manifest["states"].items()}
    identity = {"key": manifest["key"], "kind": "sqlite", "states": states, "files": manifest["files"]}
    manifest["version"] = content_hash(identity)
    (folder / "manifest.json").write_text(json.dumps(manifest))


def add(folder: Path, path: str, data: bytes) -> None:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_bytes(data)
    restate(folder, lambda manifest: manifest["files"].update({path: hashlib.sha256(data).hexdigest()}))


def move_and_link(path: Path) -> None:
    """The file or folder lies elsewhere, and a link in its place."""
    elsewhere = path.parent.parent / f"moved-{path.name}"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)


def add_behind_link(folder: Path, path: str) -> None:
    add(folder, path, b"")
    move_and_link((folder / path).parent)


def make_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def make_sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(3 << 30)


def rehash(folder: Path, path: str, data: bytes) -> None:
    """Change a file the way a careful forger would: with its hash, but not with the bundle's version."""
    (folder / path).write_bytes(data)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"][path] = hashlib.sha256(data).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))


def test_reading_gives_back_what_was_written(folder: Path) -> None:
    bundle = Bundle.read(folder)
    assert bundle == tiny()
    assert bundle.version == tiny().version


def test_what_a_release_adds_is_read_back_too(tmp_path: Path) -> None:
    spoken = Conversation(
        scenario="At the counter.",
        persona="Somebody in a hurry.",
        turns=[Turn(goal="Buy one", request="One of those, please.", calls=1)],
        answers=["The small one."],
    )
    full = replace(
        tiny(),
        solutions={"buy": "def solve(tools): ..."},
        verifiers={"buy": "def goal_bought(world): ..."},
        inspection={"score": 1.0},
        conversations={"buy": spoken},
    )
    assert Bundle.read(full.write(tmp_path / "tiny-shop")) == full
    assert full.version != replace(full, conversations={}).version


def test_another_key_or_another_row_is_another_version() -> None:
    assert len({tiny().version, tiny("other").version, tiny(items=61).version}) == 3


def test_writing_again_replaces_the_folder_whole(folder: Path) -> None:
    tiny(items=3).write(folder)
    assert Bundle.read(folder).version == tiny(items=3).version
    assert [path.name for path in folder.parent.iterdir()] == ["tiny-shop"]


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda f: (f / "manifest.json").unlink(), "there is no manifest.json"),
        (lambda f: (f / "manifest.json").write_text("{"), "manifest.json cannot be read"),
        (lambda f: (f / "tools.py").unlink(), "tools.py cannot be read: No such file"),
        (lambda f: rewrite(f / "tools.py", lambda t: t + "\n"), "tools.py does not match the hash"),
        (lambda f: (f / "initial.sqlite").write_bytes(b"SQLite format 3\0"), "initial.sqlite does not match the hash"),
        (lambda f: rehash(f, "tools.py", b"x = 1\n"), "is not the hash of its contents"),
        (
            lambda f: rewrite(f / "manifest.json", lambda t: t.replace('"tools.py"', '"../../etc/passwd"')),
            "not the name of",
        ),
        (lambda f: rewrite(f / "manifest.json", lambda t: t.replace('"initial":', '"first":')), "no state called"),
        (lambda f: rewrite(f / "manifest.json", lambda t: t.replace('"tiny-shop"', '"other-shop"')), "not the hash"),
    ],
)
def test_a_damaged_bundle_says_what_is_damaged(folder: Path, damage: Callable[[Path], object], says: str) -> None:
    damage(folder)
    with pytest.raises(EnvironmentFault) as raised:
        Bundle.read(folder)
    assert says in str(raised.value)
    assert str(folder) in str(raised.value)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda f: add(f, "notes.txt", b""), "'notes.txt' is not the name"),
        (lambda f: add(f, "solutions/../x.py", b""), "'solutions/../x.py' is not the name"),
        (lambda f: add(f, "solutions/a/../../../evil.py", b""), "'solutions/a/../../../evil.py' is not the name"),
        (lambda f: add(f, "verifiers/a/b.py", b""), "'verifiers/a/b.py' is not the name"),
        (lambda f: add(f, "solutions/buy.py\n", b""), r"'solutions/buy.py\n' is not the name"),
        (lambda f: restate(f, lambda m: m["states"]["initial"].update(file="tools.py")), "'tools.py' is not the name"),
        (lambda f: move_and_link(f / "tools.py"), "tools.py is no regular file"),
        (lambda f: move_and_link(f / "manifest.json"), "manifest.json is no regular file"),
        (lambda f: add_behind_link(f, "solutions/buy.py"), "solutions/buy.py is no regular"),
        (lambda f: make_pipe(f / "tools.py"), "tools.py is no regular file"),
        (lambda f: make_pipe(f / "manifest.json"), "manifest.json is no regular file"),
        (lambda f: ((f / "tools.py").unlink(), (f / "tools.py").mkdir()), "tools.py is no regular file"),
        (lambda f: make_sparse(f / "seed.sql"), "seed.sql is too large: the files of a bundle may have 512 MiB"),
        (lambda f: make_sparse(f / "manifest.json"), "manifest.json is too large"),
    ],
)
def test_only_the_files_of_a_bundle_are_read_and_only_from_its_folder(
    folder: Path, damage: Callable[[Path], object], says: str
) -> None:
    damage(folder)
    with pytest.raises(EnvironmentFault) as raised:
        Bundle.read(folder)
    assert says in str(raised.value)
    assert str(folder) in str(raised.value)


def test_no_file_is_written_that_a_bundle_does_not_have(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault, match=r"bundle tiny-shop: 'solutions/\.\./\.\./evil\.py' is not the name"):
        replace(tiny(), solutions={"../../evil": ""}).write(tmp_path / "shop")
    assert list(tmp_path.iterdir()) == []


def test_a_link_in_the_place_of_the_folder_is_replaced_and_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "precious").touch()
    (tmp_path / "shop").symlink_to(elsewhere)
    assert Bundle.read(tiny().write(tmp_path / "shop")) == tiny()
    assert [path.name for path in elsewhere.iterdir()] == ["precious"]


def test_a_bundle_of_another_format_is_not_taken_for_a_damaged_one(folder: Path) -> None:
    rewrite(folder / "manifest.json", lambda t: t.replace('"format": 2', '"format": 3'))
    with pytest.raises(UsageError, match=r"tiny-shop: Manifest .* format 3; this one reads format 2"):
        Bundle.read(folder)
    replace(tiny(), theme=tiny().theme.model_copy(update={"format": 2})).write(folder)
    with pytest.raises(UsageError, match=r"tiny-shop: Theme .* format 2; this one reads format 1\. Use the version"):
        Bundle.read(folder)


async def test_a_corrupt_database_is_the_environments_fault(runtime: Runtime) -> None:
    import dataclasses

    whole = tiny()
    image = bytearray(whole.states["initial"].image)
    image[100:1024] = bytes(924)
    states = whole.states | {"initial": dataclasses.replace(whole.states["initial"], image=bytes(image))}
    with pytest.raises(EnvironmentFault, match="does not load"):
        await runtime.open(dataclasses.replace(whole, states=states))


WRONG = b'{"states": {' + b",".join(b'"A%d": 1' % n for n in range(20_000)) + b"}}"
TOO_LONG = {
    "tools.json": b"[" + b"1," * 1_000_000 + b"1]",
    "tools.py": b"a\n" * 400_000,
    "schema.sql": b"CREATE TABLE x (a); " * 60_000,
    "tasks.jsonl": b'{"id": [' + b"1," * 400_000 + b"1]}\n",
    "theme.json": b'{"a": "' + b"x" * 3_000_000 + b'"}',
}


@pytest.mark.parametrize("path", TOO_LONG)
def test_texts_of_a_bundle_are_measured_before_they_are_parsed(path: str, folder: Path) -> None:
    add(folder, path, TOO_LONG[path])
    with pytest.raises(EnvironmentFault, match=rf"a file does not follow its contract: {path}: it has "):
        Bundle.read(folder)


def test_a_long_manifest_is_measured_before_it_is_parsed(folder: Path) -> None:
    (folder / "manifest.json").write_bytes(b"[" + b"1," * 1_000_000 + b"1]")
    with pytest.raises(EnvironmentFault, match=r"manifest\.json: it has more than 800,000 words"):
        Bundle.read(folder)


def test_of_thousands_of_mistakes_the_first_is_told(folder: Path) -> None:
    (folder / "manifest.json").write_bytes(WRONG)
    with pytest.raises(EnvironmentFault) as refused:
        Bundle.read(folder)
    assert len(str(refused.value)) < 1_000


def test_a_bundle_has_so_many_tools_at_most(folder: Path) -> None:
    [tool, *_] = json.loads((folder / "tools.json").read_text())
    many = [tool | {"name": f"tool_{number}"} for number in range(1_001)]
    add(folder, "tools.json", json.dumps(many).encode())
    with pytest.raises(EnvironmentFault, match="at most 1000 items"):
        Bundle.read(folder)


UNWRITABLE = {
    "levels": ("inspection.json", b'{"a":' + b"[" * 500 + b"]" * 500 + b"}", "Recursion limit"),
    "no object": ("inspection.json", b"[1]", "inspection.json: it holds no JSON object"),
    "a line that is none": ("conversations.jsonl", b"[1]\n", "conversations.jsonl: it holds no JSON object"),
}


@pytest.mark.parametrize("what", UNWRITABLE)
def test_what_could_not_be_written_again_is_the_bundles_fault(what: str, folder: Path) -> None:
    path, data, message = UNWRITABLE[what]
    add(folder, path, data)
    with pytest.raises(EnvironmentFault, match=rf"a file does not follow its contract: {message}"):
        Bundle.read(folder)


def test_a_number_beyond_64_bits_is_the_bundles_fault(folder: Path) -> None:
    [tool, *others] = json.loads((folder / "tools.json").read_text())
    tool["inputSchema"]["default"] = 10**30
    add(folder, "tools.json", json.dumps([tool, *others]).encode())
    with pytest.raises(EnvironmentFault, match="Integer exceeds 64-bit range"):
        Bundle.read(folder)
