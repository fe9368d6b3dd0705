"""A bundle is what its hashes say, or it is refused by name."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

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


def rehash(folder: Path, path: str, data: bytes) -> None:
    """Change a file the way a careful forger would: with its hash, but not with the bundle's version."""
    import hashlib

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
        (lambda f: rewrite(f / "manifest.json", lambda t: t.replace('"tools.py"', '"../../etc/passwd"')), "outside"),
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


def test_a_bundle_of_another_format_is_not_taken_for_a_damaged_one(folder: Path) -> None:
    rewrite(folder / "manifest.json", lambda t: t.replace('"format": 1', '"format": 2'))
    with pytest.raises(UsageError, match=r"tiny-shop: Manifest .* format 2; this one reads format 1\. Use the version"):
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
