"""The image and the services around it, as far as they can be tried without a container engine."""

import fnmatch
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.object_store import ObjectStore

ROOT = Path(__file__).parent.parent
LINES = [line for line in (ROOT / "Dockerfile").read_text().splitlines() if line and not line.startswith("#")]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())


def copied() -> list[str]:
    return [path for line in LINES if line.startswith("COPY ") for path in line.split()[1:-1]]


def test_what_is_copied_into_the_image_is_there_and_not_ignored() -> None:
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert copied()
    for path in copied():
        assert (ROOT / path).exists() and any(fnmatch.fnmatch(path, one) for one in kept), path


def test_the_image_runs_as_somebody_without_rights() -> None:
    users = [place for place, line in enumerate(LINES) if line.startswith("USER ")]
    [command] = [place for place, line in enumerate(LINES) if line.startswith("CMD ")]
    assert users and LINES[users[-1]] != "USER root" and users[-1] < command
    assert not any(line.startswith("RUN ") for line in LINES[users[-1] :])


def test_the_image_has_a_python_that_the_package_supports() -> None:
    [version] = [found[1] for line in LINES if (found := re.match(r"FROM python:([\d.]+)-slim", line))]
    assert f"Programming Language :: Python :: {version}" in (ROOT / "pyproject.toml").read_text()


def test_services_are_given_variables_that_are_read() -> None:
    """A variable that nobody reads would be a setting without an effect."""
    places = ("envfactory_dagster/language/settings.py", "envfactory_dagster/store/home.py", "deploy/dagster.yaml")
    read = "\n".join((ROOT / place).read_text() for place in places)
    for name in COMPOSE["services"]["envfactory"]["environment"]:
        assert name in read or name.startswith("AWS_"), name


def test_services_are_given_what_a_home_in_an_object_store_needs() -> None:
    """As they are set outside; one that is not is not set inside either."""
    given = COMPOSE["services"]["envfactory"]["environment"]
    wanted = {*ObjectStore("").variables, "AWS_SESSION_TOKEN"}
    assert {name: given.get(name, "missing") for name in wanted} == dict.fromkeys(wanted)


@pytest.mark.skipif(shutil.which("docker") is None, reason="there is no docker command")
def test_compose_understands_the_services() -> None:
    there = subprocess.run(["docker", "compose", "version"], capture_output=True, check=False)
    if there.returncode:
        pytest.skip("docker has no compose")
    done = subprocess.run(
        ["docker", "compose", "-f", "deploy/compose.yaml", "config", "--quiet"],
        cwd=ROOT,
        env=os.environ | {"POSTGRES_PASSWORD": "x"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
