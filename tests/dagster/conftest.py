"""One Dagster instance, one code server and one home for all tests of this folder; every test brings its own keys."""

import os
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.test_utils import create_test_daemon_workspace_context
from dagster._core.workspace.load_target import ModuleTarget

from envfactory_dagster.resources.instance import prepare
from envfactory_dagster.store.home import Home
from tests.dagster.site_kit import Site, set_up


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in set_up(folder).items():
            patch.setenv(name, value)
        prepare(Home.resolve())
        location = "tiny"
        target = ModuleTarget("tests.dagster.tiny_line", None, str(Path(__file__).parents[2]), location)
        with dg.DagsterInstance.get() as instance:
            with create_test_daemon_workspace_context(target, instance) as workspace:
                yield Site(instance, workspace, Path(os.environ["TINY_WORLD"]), location)
