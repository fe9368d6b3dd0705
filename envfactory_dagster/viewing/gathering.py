"""What there is to look at: environments with the records of their making, and the episodes played in them.

Belongs here: finding it in a home, an example or the folder of an evaluation. Does not: pages (`site`).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import EnvFactoryError, EnvironmentFault, UsageError
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.stages import LINE, PROPOSAL, SOURCE_DOCUMENT
from envfactory_dagster.contracts.synthesis import MadeTask, Release
from envfactory_dagster.contracts.truth import Dropped
from envfactory_dagster.language.settings import is_reference
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.store import Key, TrajectoryStore
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore

_STAGES = (PROPOSAL, SOURCE_DOCUMENT, *LINE)


@dataclass(frozen=True, slots=True)
class SiteEpisode:
    name: str
    """Of its page: the same whenever the site is made again."""
    rollout: Rollout
    part: str = ""
    """Of an evaluation that plays in several ways: which of them."""


@dataclass(frozen=True, slots=True)
class SiteWorld:
    """One environment, as much of it as is known."""

    bundle: Bundle
    release: Release | None = None
    """None: there is none of this version; then nothing is known of how its tasks were tried."""
    records: Sequence[StageRecord] = ()
    """Of the stages that made it, in their order."""
    episodes: Sequence[SiteEpisode] = field(default_factory=list)

    @property
    def key(self) -> str:
        return self.bundle.key

    @property
    def made(self) -> dict[str, MadeTask]:
        return {one.task.id: one for one in self.release.tasks} if self.release else {}

    @property
    def dropped(self) -> list[Dropped]:
        return self.release.dropped if self.release else []

    @property
    def standing(self) -> str:
        """What keeps it from being released; empty where nothing does, and where it was not made here."""
        refused = next(
            (f"rejected by {one.stage}: {one.reason}" for one in self.records if one.status == "rejected"), ""
        )
        return refused or ("not released yet" if self.records and self.release is None else "")


@dataclass(frozen=True, slots=True)
class Unfinished:
    """An environment of which there is no bundle."""

    key: str
    name: str
    stage: str
    """The last one that was made, or the one that was rejected."""
    reason: str
    """Why it was rejected; empty where it is only unfinished."""


def world_of(home: Home, key: str, stores: Mapping[str, TrajectoryStore]) -> SiteWorld:
    """An environment of a home in the version that was played, else as it was released, else as it stands. `stores`:
    part of an evaluation → where its episodes are."""
    records, bundles = RecordStore(home), BundleStore(home)
    made = [record for stage in _STAGES if (record := records.latest(stage, key)) is not None]
    release = _release(made)
    version = release.version if release else bundles.latest(key)
    played = {one for store in stores.values() for one in store.versions(key)} & set(bundles.versions(key))
    if version and played and not any(version.startswith(one) for one in played):
        version = max(played)
    bundle = bundles.load(key, version)
    release = release if release and release.version == bundle.version else None
    return SiteWorld(bundle, release, made, episodes_in(bundle, stores))


def _release(records: Sequence[StageRecord]) -> Release | None:
    """None as well for one that was made before reports: its bundle can be looked at all the same."""
    sealed = next((one.artifact for one in records if one.stage == "release" and one.artifact is not None), None)
    try:
        return Release.model_validate(sealed) if sealed is not None else None
    except UsageError:
        return None


def episodes_in(bundle: Bundle, stores: Mapping[str, TrajectoryStore]) -> list[SiteEpisode]:
    tasks = {task.id for task in bundle.tasks}
    found = []
    for part, store in stores.items():
        try:
            played = store.read(bundle)
        except (ValueError, TypeError, KeyError) as error:
            raise EnvironmentFault(f"its episodes in {store.home.root} cannot be read: {error}") from error
        found += [SiteEpisode(_page_name(one, part), one, part) for one in played if one.trajectory.task in tasks]
    return found


def _page_name(rollout: Rollout, part: str) -> str:
    key = Key.of(rollout)
    told = [part, key.bundle_version, key.setting, key.protocol, key.model, key.seed]
    return f"{key.task}-{content_hash(told)[:10]}"


def stores_below(folder: Path) -> dict[str, TrajectoryStore]:
    """The episodes of an evaluation, a calibration or a training: of every folder `trajectories` in its folder."""
    found = sorted(path.parent for path in folder.rglob("trajectories") if path.is_dir())
    if not found:
        raise UsageError(f"There are no episodes in {folder}: no folder `trajectories` is below it.")
    return {_part(path, folder): TrajectoryStore(Home.resolve(path)) for path in found}


def _part(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix().removeprefix("episodes/") if path != folder else ""


def keys_played(stores: Mapping[str, TrajectoryStore]) -> list[str]:
    return sorted({key for store in stores.values() for key in store.environments()})


def unfinished(home: Home, keys: Sequence[str]) -> Iterator[Unfinished]:
    """Of all that was ever proposed, what is not among these."""
    records = RecordStore(home)
    for key in records.partitions(PROPOSAL):
        if key in keys:
            continue
        heads = {stage: head for stage in LINE if (head := records.head(stage, key)) is not None}
        refused = next((stage for stage, head in heads.items() if head.status == "rejected"), None)
        record = records.latest(refused, key) if refused else None
        stage = refused or next((name for name in reversed(heads) if heads[name].status == "ok"), PROPOSAL)
        yield Unfinished(key, _proposed_name(records, key), stage, record.reason if record else "")


def _proposed_name(records: RecordStore, key: str) -> str:
    try:
        proposed = records.latest(PROPOSAL, key)
    except EnvFactoryError:
        proposed = None
    return str(proposed.artifact["proposal"]["name"]) if proposed and proposed.artifact else key


def outcomes(episodes: Sequence[SiteEpisode]) -> Counter[str]:
    return Counter(one.rollout.trajectory.outcome or "unread" for one in episodes)


def of_models(episodes: Sequence[SiteEpisode]) -> list[SiteEpisode]:
    """Without those of the reference policy, which is given the solution."""
    return [one for one in episodes if not is_reference(one.rollout.trajectory.model)]


def pass_rate(outcomes: Mapping[str, int]) -> float | None:
    """Of the episodes that say anything about who played them."""
    counted = sum(number for name, number in outcomes.items() if name not in ("environment_error", "unread"))
    return outcomes.get("completed", 0) / counted if counted else None


def by_model(episodes: Sequence[SiteEpisode]) -> dict[str, list[SiteEpisode]]:
    found: dict[str, list[SiteEpisode]] = {}
    for one in episodes:
        found.setdefault(one.rollout.trajectory.model, []).append(one)
    return found
