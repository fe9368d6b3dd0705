"""`envfactory export`: an environment in the form of another project."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from envfactory_dagster import examples
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from tests.commands.terminal import Said


def test_the_command_exports_and_names_its_forms(type_here: Callable[..., Said], tmp_path: Path) -> None:
    done = type_here(tmp_path, "export", "alpine-huts", "--to", "trl", "--out", str(tmp_path / "out"))
    assert done.status == 0 and "alpine-huts: 6 tasks in" in done.out
    assert "left out, the person has to call confirm_payment: tour_with_ida" in done.out
    assert (tmp_path / "out" / "alpine-huts" / "environment.py").exists()
    unknown = type_here(tmp_path, "export", "alpine-huts", "--to", "gymnasium", "--out", str(tmp_path / "out"))
    assert unknown.status == 2 and "harbor, hub, inspect" in unknown.err
    absent = type_here(tmp_path, "export", "nowhere", "--to", "trl", "--out", str(tmp_path / "out"))
    assert absent.status == 2 and "nowhere" in absent.err


def test_nothing_is_written_where_one_of_several_cannot_be(type_here: Callable[..., Said], tmp_path: Path) -> None:
    examples.load("alpine_huts").write(tmp_path / "huts")
    other = replace(examples.load("alpine_huts"), verifiers={})
    other = replace(other, theme=other.theme.model_copy(update={"key": "other-huts"}))
    other.write(tmp_path / "other")
    both = ["export", str(tmp_path / "huts"), str(tmp_path / "other"), "--to", "trl", "--out", str(tmp_path / "out")]
    done = type_here(tmp_path, *both)
    assert done.status == 2 and "other-huts is not released" in done.err
    assert not (tmp_path / "out").exists()

    (tmp_path / "out" / "other-huts").mkdir(parents=True)
    replace(other, verifiers=examples.load("alpine_huts").verifiers).write(tmp_path / "third")
    done = type_here(tmp_path, *[one.replace("other", "third") for one in both])
    assert done.status == 2 and "other-huts exists" in done.err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["other-huts"]


@pytest.mark.parametrize(("key", "stage"), [("lost-desk", "theme"), ("alpine-huts", "verifiers")])
def test_why_an_environment_was_rejected_is_said(
    type_here: Callable[..., Said], tmp_path: Path, key: str, stage: str
) -> None:
    home = Home.resolve(tmp_path / "home")
    if key == "alpine-huts":  # it was built, and its verifiers were rejected
        BundleStore(home).keep(replace(examples.load("alpine_huts"), verifiers={}))
    reason = "3 tasks are left, of 10"
    rejected = StageRecord(stage=stage, partition=key, status="rejected", reason=reason, inputs="one", version="two")
    RecordStore(home).keep(rejected)
    done = type_here(tmp_path / "home", "export", key, "--to", "trl", "--out", str(tmp_path / "out"))
    assert done.status == 2 and f"{key} was rejected at the stage {stage}: {reason}" in done.err
