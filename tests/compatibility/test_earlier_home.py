"""A home that an earlier version made still opens.

`home_format_1.tar.xz` is the home of commit cdb3ad3 after `expand --count 2` and `build` with ENVFACTORY_SIZE=small,
and `build_datasets` with one candidate for each of ten tasks an environment. Its paths are made neutral, and the logs
of single runs are left out.
"""

import tarfile
from pathlib import Path

import orjson
import pytest

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.playing import chosen
from tests.commands.terminal import Terminal

ARCHIVE = Path(__file__).parent / "home_format_1.tar.xz"
RELEASED = {
    "community-seed-library": ("accepted", 42),
    "tidal-mill-museum-with-bookable-grinding-days": ("accepted", 41),
}


@pytest.fixture(scope="module")
def earlier_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("earlier")
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
    return folder / "home"


def test_its_environments_are_listed(earlier_home: Path) -> None:
    listed = Terminal(earlier_home).factory("list", "--json").json()["environments"]
    assert {one["key"]: (one["status"], one["counts"]["released"]) for one in listed} == RELEASED


@pytest.mark.parametrize("key", RELEASED)
async def test_its_releases_open_and_serve(earlier_home: Path, key: str, runtime: Runtime) -> None:
    bundle = BundleStore(Home.resolve(earlier_home)).load(key)
    assert bundle.verifiers.keys() == bundle.solutions.keys() == {task.id for task in bundle.tasks}
    tool = next(one for one in bundle.tools_of("assistant") if not bundle.tool_tests[one.name].before)
    async with await runtime.open(bundle) as session:
        assert (await session.call(tool.name, bundle.tool_tests[tool.name].good_call)).outcome == "ok"


def test_its_episodes_and_rows_are_read(earlier_home: Path) -> None:
    home = Home.resolve(earlier_home)
    bundles = [BundleStore(home).load(key) for key in RELEASED]
    episodes = [one for bundle in bundles for one in TrajectoryStore(home).read(bundle)]
    assert len(episodes) == 20 and all(one.trajectory.verdict is not None for one in episodes)
    rows = [orjson.loads(line) for path in (home.datasets / "sft").glob("*/rows/*.jsonl") for line in path.open("rb")]
    assert rows and all(row["messages"] for row in rows)


@pytest.mark.parametrize("key", RELEASED)
def test_nothing_of_it_is_judged_any_more(earlier_home: Path, key: str, tmp_path: Path) -> None:
    """Its verifiers read prose; a score of theirs would mean nothing."""
    home = Home.resolve(earlier_home)
    bundle = BundleStore(home).load(key)
    type_here, task = Terminal(earlier_home).factory, bundle.tasks[0].id
    solution = tmp_path / "solution.py"
    solution.write_text(bundle.solutions[task])
    refused = type_here("verify", key, "--task", task, "--solution", str(solution))
    assert (refused.status, f"{key} was made before reports: rebuild it" in refused.err) == (2, True)
    episode = tmp_path / "episode.json"
    episode.write_text(next(iter(TrajectoryStore(home).read(bundle))).trajectory.model_dump_json())
    replayed = type_here("replay", str(episode))
    assert "made before reports: rebuild" in replayed.out + replayed.err
    assert "score" not in replayed.out
    with pytest.raises(UsageError, match=f"{key}: It was made before reports: rebuild it"):
        chosen(RecordStore(home), [key])


def test_its_releases_are_left_out_of_datasets(earlier_home: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert chosen(RecordStore(Home.resolve(earlier_home)), []) == []
    assert {record.getMessage() for record in caplog.records} == {
        f"{key}: It was made before reports: rebuild it." for key in RELEASED
    }
