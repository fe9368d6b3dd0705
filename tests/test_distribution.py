"""What users install from an index is whole: a source distribution, a wheel made of it, an environment that is new."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = {"envfactory_dagster": "envfactory_dagster", "trainer": "envfactory_trainer"}
"""Folders, and what they are called when they are installed."""


def run(*command: str | Path, cwd: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([*map(str, command)], cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    build = f"from setuptools.build_meta import build_sdist; build_sdist({str(folder)!r})"
    run(sys.executable, "-c", build, cwd=ROOT)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", *folder.glob("*.tar.gz"), cwd=folder)
    [made] = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Commands of a virtual environment with the wheel, and with the packages that are here for what it needs."""
    folder = tmp_path_factory.mktemp("fresh")
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
    python = folder / "venv" / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--python", python)
    run(*pip, "install", "--no-deps", wheel, cwd=folder)
    [packages] = (folder / "venv" / "lib").glob("python*/site-packages")
    (packages / "needed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return lambda command, *arguments: run(python.parent / command, *arguments, cwd=folder)


def test_the_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    files = {
        f"{name}/{path.relative_to(ROOT / folder).as_posix()}"
        for folder, name in PACKAGES.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert files - held == set()
    assert {name.split("/")[0] for name in held if ".dist-info" not in name} == set(PACKAGES.values())


def test_what_is_installed_makes_worlds_and_runs_them(installed: Callable[..., str]) -> None:
    where = installed("python", "-c", "import envfactory_dagster; print(envfactory_dagster.__file__)")
    assert "/fresh" in where and "site-packages" in where
    assert '"huts"' in installed("envfactory", "call", "alpine-huts", "search_huts")
    program = "from envfactory_dagster.measuring.trainer_program import command, recipes; print(command(), recipes())"
    said = installed("python", "-c", program)
    assert "'-m', 'envfactory_trainer'" in said and f"{PACKAGES['trainer']}/recipes" in said
    recipe = Path(said.split("] ")[1].strip()) / "envfactory.yaml"
    assert "memory_gb" in installed("python", "-m", "envfactory_trainer", "sft", "--recipe", str(recipe), "--dry-run")
    assert "build" in installed("envfactory", "expand", "--count", "1")
    assert "alpine-huts: 6 tasks" in installed("envfactory", "export", "alpine-huts", "--to", "harbor", "--out", "out")
