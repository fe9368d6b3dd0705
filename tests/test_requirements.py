"""What `make` installs is pinned to the byte, and nothing the project asks for is missing from it."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "_", name).lower()


def pins(file: str) -> dict[str, str]:
    lines = [line for line in (ROOT / file).read_text().splitlines() if "==" in line]
    return {normal(name): version.split()[0] for name, _, version in (line.partition("==") for line in lines)}


def asked(requirements: list[str]) -> set[str]:
    return {normal(re.split(r"[<>=\[;]", one)[0]) for one in requirements}


@pytest.mark.parametrize("file", ["requirements.lock", "requirements-dev.lock"])
def test_every_version_has_the_hashes_of_its_files_and_names_no_place(file: str) -> None:
    text = (ROOT / file).read_text()
    for entry in re.split(r"\n(?=\S)", text)[1:]:
        assert re.fullmatch(r"[\w.]+==[\w.]+( \\\n    --hash=sha256:[0-9a-f]{64})+\n?", entry), entry
    assert "://" not in text


def test_the_locks_have_the_constrained_versions_of_everything_that_is_asked_for() -> None:
    base, dev, constrained = pins("requirements.lock"), pins("requirements-dev.lock"), pins("constraints.txt")
    assert base.keys().isdisjoint(dev)
    assert base | dev == {name: constrained[name] for name in base | dev}
    extras = PROJECT["project"]["optional-dependencies"]
    assert asked(PROJECT["project"]["dependencies"]) <= base.keys()
    assert (
        asked([*extras["dev"], *extras["train"], *extras["postgres"], *extras["s3"], *extras["ray"]]) - {"torch"}
        <= base.keys() | dev.keys()
    )
    assert PROJECT["build-system"]["requires"] == [f"setuptools=={base['setuptools']}"]
