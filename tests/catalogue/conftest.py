"""One home for all tests of this room: built once, asked often, never changed by a test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from envfactory_dagster.catalogue.opening import Catalogue, open_catalogue
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from tests.catalogue import home_kit
from tests.catalogue.home_kit import NURSERY, rollout, step


@pytest_asyncio.fixture(scope="package")
async def home(runtime: Runtime, tmp_path_factory: pytest.TempPathFactory) -> Home:
    home = Home.resolve(tmp_path_factory.mktemp("catalogue") / "home")
    await home_kit.build(home, runtime)
    home_kit.make_more(home, NURSERY)
    play(home)
    home_kit.make_datasets(home)
    home_kit.keep_taxonomy(home)
    return home


def play(home: Home) -> None:
    """`walk` three times: solved, not solved, and not played to the end; then that one again. `talk` once."""
    store, walk, done = TrajectoryStore(home), (NURSERY, "walk"), step(2, text="Done.")
    store.add([rollout(*walk, [step(0, "find", "look"), step(1, "book"), done], 1.0, seed=0)])
    store.add([rollout(*walk, [step(0, "find"), step(1, "find", fails=True), done], 0.0, seed=1)])
    store.add([rollout(*walk, [step(0, "find")], None, seed=2)])
    store.flush()
    through = [
        step(0, "list_tools"),
        step(1, "find", through=True),
        step(2, "book", through=True),
        step(3, text="Yes."),
    ]
    store.add([rollout(*walk, through, 1.0, seed=2)])
    store.add([rollout(*walk, through, 1.0, protocol="meta_tools")])
    talk = [step(0, text="Which?", reply="The red one."), step(1, "find"), step(2, "book"), step(3, text="Done.")]
    store.add([rollout(NURSERY, "talk", talk, 1.0, setting="conversation")])
    store.flush()


@pytest.fixture(scope="package")
def records(home: Home) -> RecordStore:
    return RecordStore(home)


@pytest.fixture(scope="package")
def catalogue(home: Home) -> Iterator[Catalogue]:
    with open_catalogue(home) as catalogue:
        yield catalogue


@pytest.fixture
def nothing(tmp_path: Path) -> Iterator[Catalogue]:
    """The catalogue of a home in which nothing was ever made."""
    with open_catalogue(Home.resolve(tmp_path / "home")) as catalogue:
        yield catalogue
