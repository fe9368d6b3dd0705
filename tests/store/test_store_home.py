"""Where the home is, and what is told when it cannot be."""

import sys
from pathlib import Path

import pytest

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.store.home import Home


def test_the_default_is_a_folder_beside_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ENVFACTORY_HOME", raising=False)
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    monkeypatch.chdir(tmp_path)
    home = Home.resolve()
    assert home.is_local
    assert str(home.records) == str(tmp_path / ".envfactory" / "records")
    assert home.dagster == tmp_path / ".envfactory" / "dagster"


def test_the_variable_names_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVFACTORY_HOME", str(tmp_path / "elsewhere"))
    assert str(Home.resolve().bundles) == str(tmp_path / "elsewhere" / "bundles")


def test_a_file_url_is_a_folder(tmp_path: Path) -> None:
    home = Home.resolve(f"file://{tmp_path}/home")
    assert home.is_local
    assert str(home.root) == str(tmp_path / "home")


def test_an_object_store_keeps_artifacts_while_dagster_stays_on_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    monkeypatch.chdir(tmp_path)
    home = Home.resolve("s3://bucket/team")
    assert not home.is_local
    assert str(home.records) == "s3://bucket/team/records"
    assert home.dagster == tmp_path / ".envfactory" / "dagster"


def test_dagster_home_may_be_set_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path / "instance"))
    assert Home.resolve(tmp_path).dagster == tmp_path / "instance"


def test_a_url_that_nothing_can_open_is_refused() -> None:
    with pytest.raises(UsageError, match="ENVFACTORY_HOME is 'nosuch://bucket'"):
        Home.resolve("nosuch://bucket")


def test_an_object_store_without_the_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "obstore.fsspec", None)
    with pytest.raises(UsageError, match=r"needs the extra `s3`: pip install"):
        Home.resolve("s3://bucket")


def test_a_url_of_another_kind_is_refused() -> None:
    with pytest.raises(UsageError, match=r"'memory://bucket'.* no URL of an object store \(s3://, gs://, az://\)"):
        Home.resolve("memory://bucket")
