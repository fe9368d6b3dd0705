"""The stage `taxonomy`: from the released environments to their taxonomy, in one record for the whole home.

Belongs here: the order of the work, and when there is nothing to do. Does not: its parts (the modules beside this one).

A taxonomy holds until enough environments have come or gone; until then new ones are placed in it. Every version is
kept, because what was drawn by it names it.
"""

import asyncio
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from envfactory_dagster.arena.taxonomy import clustering, placing
from envfactory_dagster.arena.taxonomy.annotations import annotations, seed_labels
from envfactory_dagster.arena.taxonomy.described import DescribedEnvironment, Reading, released_environments
from envfactory_dagster.arena.taxonomy.labels import CLUSTER_LABEL, Cluster, Named, computed_name, name_clusters
from envfactory_dagster.arena.taxonomy.merging import ANNOTATE, MERGE, Labels, Merged, merge
from envfactory_dagster.authoring.accounts import AccountedStage
from envfactory_dagster.authoring.discovery.names import folded
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.contracts.taxonomy import (
    Agreement,
    Category,
    Join,
    Label,
    PlacedEnvironment,
    Taxonomy,
    TaxonomySettings,
)
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_stage
from envfactory_dagster.store.records import RecordStore

STAGE, ALL = "taxonomy", "all"
"""There is one partition: of all environments together."""
_METHOD = 1
"""Raised when taxonomies are made in another way, so that they are made anew."""
_NEAREST = 3
"""Of the representatives, so many lie nearest to the centre; the others are drawn."""


@dataclass(frozen=True, slots=True)
class KeptTaxonomy:
    """A taxonomy, with the version by which others name it."""

    version: str
    taxonomy: Taxonomy

    @classmethod
    def of(cls, record: StageRecord) -> "KeptTaxonomy":
        return cls(record.version, Taxonomy.model_validate(record.artifact))


@dataclass(frozen=True, slots=True)
class Made:
    record: StageRecord
    taxonomy: Taxonomy
    unreadable: dict[str, str]
    reused: bool
    """Whether it was there already."""


def latest_taxonomy(records: RecordStore) -> KeptTaxonomy | None:
    record = records.latest(STAGE, ALL)
    return None if record is None else KeptTaxonomy.of(record)


async def make_taxonomy(
    home: Home, gateway: Gateway, models: Mapping[Role, str], settings: TaxonomySettings, *, anew: bool = False
) -> Made:
    """The taxonomy of all that is released now. `models`: of the roles author, judge and embedder. `anew`: also where
    the latest one could be extended."""
    reading = await asyncio.to_thread(released_environments, home)
    _refuse_too_few(reading)
    people, known = await asyncio.to_thread(annotations, home), await asyncio.to_thread(seed_labels, home)
    records = RecordStore(home)
    stage = TaxonomyStage(gateway, models, settings, reading.environments, known, people)
    before = await asyncio.to_thread(latest_taxonomy, records)
    if before is not None and before.taxonomy.basis == stage.basis() and not anew:
        stage.before = before
        if {one.environment for one in before.taxonomy.placed} == {one.key for one in reading.environments}:
            latest = records.latest(STAGE, ALL)
            assert latest is not None
            return Made(latest, before.taxonomy, reading.unreadable, reused=True)
    was = None if before is None else before.version
    record = await run_stage(records, AccountedStage(stage, gateway), ALL)
    return Made(record, Taxonomy.model_validate(record.artifact), reading.unreadable, reused=record.version == was)


def _refuse_too_few(reading: Reading) -> None:
    if len(reading.environments) < 2:
        there = reading.environments[0].key if reading.environments else "none"
        broken = f" (unreadable: {', '.join(reading.unreadable)})" if reading.unreadable else ""
        raise UsageError(
            f"A taxonomy takes at least 2 released environments, and there is {there}{broken}. Release more: "
            "envfactory demo, or envfactory expand and envfactory build."
        )


class TaxonomyStage:
    name = STAGE
    upstream: tuple[str, ...] = ()
    code_version = str(_METHOD)

    def __init__(
        self,
        gateway: Gateway,
        models: Mapping[Role, str],
        settings: TaxonomySettings,
        environments: Sequence[DescribedEnvironment],
        seed_labels: Sequence[str],
        people: Mapping[str, str],
    ) -> None:
        """`environments`: by key. `people`: their annotations, by file."""
        self._gateway = gateway
        self._models = models
        self._settings = settings
        self._environments = environments
        self._seed_labels = seed_labels
        self._people = people
        self.before: KeptTaxonomy | None = None
        """The taxonomy that may be extended."""

    def basis(self) -> str:
        """Hash of all that decides a taxonomy besides its environments."""
        prompts = [CLUSTER_LABEL, ANNOTATE, MERGE]
        models = {role.value: model for role, model in self._models.items()}
        settings = self._settings.model_dump(mode="json")
        return content_hash([_METHOD, settings, models, prompts, list(self._seed_labels), dict(self._people)])

    def settings_hash(self) -> str:
        texts = [[one.key, one.category, one.text] for one in self._environments]
        return content_hash([self.basis(), texts, self.before and self.before.version])

    async def make(self, stage_input: StageInput) -> StageOutcome:
        embedder = Caller(STAGE, stage_input.partition, Role.EMBEDDER)
        texts = [one.text for one in self._environments]
        points = placing.unit(await self._gateway.embed(caller=embedder, texts=texts))
        if self.before is not None:
            vectors = {one.key: point for one, point in zip(self._environments, points.tolist(), strict=True)}
            longer = placing.extended(self.before.taxonomy, vectors)
            if longer is not None:
                return StageOutcome(longer.model_dump(mode="json"))
        return await self._build(stage_input.partition, points)

    async def _build(self, partition: str, points: clustering.Matrix) -> StageOutcome:
        wanted = self._settings.labels_for(len(self._environments))
        joins = await asyncio.to_thread(clustering.ward, points)
        numbers = clustering.cut(joins, wanted)
        clusters = [
            _Cluster.of(places, self._environments, points, self._settings) for places in clustering.members(numbers)
        ]
        shown = [Cluster(one.environments, one.representatives) for one in clusters]
        author = Caller(STAGE, partition, Role.AUTHOR)
        named, attempts = await name_clusters(self._gateway, author, shown, self._seed_labels)
        embedder = Caller(STAGE, partition, Role.EMBEDDER)
        vectors = await self._gateway.embed(caller=embedder, texts=[one.text for one in named])
        labels = Labels(
            named, [one.shown(len(c.environments)) for one, c in zip(named, clusters, strict=True)], vectors
        )
        merged = await merge(
            self._gateway,
            Caller(STAGE, partition, Role.JUDGE),
            labels,
            self._settings.categories_for(len(named)),
            self._seed_labels,
            self._people,
            self._settings.seed,
        )
        taxonomy = self._assembled(clusters, named, merged, clustering.joins_above(joins, numbers))
        models: dict[str, Json] = {f"model_of_{role.value}": model for role, model in self._models.items()}
        return StageOutcome(taxonomy.model_dump(mode="json"), [*attempts, *merged.attempts], metadata=models)

    def _assembled(
        self,
        clusters: Sequence["_Cluster"],
        named: Sequence[Named],
        merged: Merged,
        joins: Sequence[clustering.Joined],
    ) -> Taxonomy:
        category_of = {place: number for number, group in enumerate(merged.groups) for place in group.labels}
        labels = [
            Label(
                id=_label_id(place),
                name=name.name,
                sentence=name.sentence,
                keywords=name.keywords,
                seed_label=name.seed_label,
                category=_category_id(category_of[place]),
                representatives=[one.key for one in cluster.representatives],
                outliers=name.outliers,
                radius=placing.radius(cluster.distances),
                author=name.author,
            )
            for place, (cluster, name) in enumerate(zip(clusters, named, strict=True))
        ]
        placed = [
            PlacedEnvironment(environment=one.key, label=_label_id(place), distance=distance)
            for place, cluster in enumerate(clusters)
            for one, distance in zip(cluster.environments, cluster.distances, strict=True)
        ]
        return Taxonomy(
            settings=self._settings,
            basis=self.basis(),
            built_of=len(self._environments),
            categories=self._categories(clusters, merged),
            labels=labels,
            placed=sorted(placed, key=lambda one: one.environment),
            joins=_dendrogram(joins),
            agreement=Agreement(
                author=merged.author,
                annotators=merged.annotators,
                fleiss_kappa=merged.fleiss_kappa,
                adjusted_rand=merged.adjusted_rand,
                contested=[_label_id(place) for place in merged.contested],
            ),
        )

    def _categories(self, clusters: Sequence["_Cluster"], merged: Merged) -> list[Category]:
        found, taken = list[Category](), set[str]()
        for number, group in enumerate(merged.groups):
            name = group.name
            if not name:
                inside = [one for place in group.labels for one in clusters[place].environments]
                name = computed_name(inside, [one for one in self._environments if one not in inside], taken).name
            taken.add(folded(name))
            found.append(Category(id=_category_id(number), name=name, sentence=group.sentence))
        return found


@dataclass(frozen=True, slots=True)
class _Cluster:
    environments: Sequence[DescribedEnvironment]
    distances: Sequence[float]
    """Of each, from the centre."""
    representatives: Sequence[DescribedEnvironment]

    @classmethod
    def of(
        cls,
        places: Sequence[int],
        everything: Sequence[DescribedEnvironment],
        points: clustering.Matrix,
        settings: TaxonomySettings,
    ) -> "_Cluster":
        own = points[list(places)]
        distances = placing.distances_to_centre(own, np.mean(own, axis=0))
        inside = [everything[place] for place in places]
        by_distance = [inside[n] for n in sorted(range(len(inside)), key=lambda n: (distances[n], inside[n].key))]
        nearest, rest = by_distance[:_NEAREST], by_distance[_NEAREST:]
        drawn = random.Random(content_hash([settings.seed, [one.key for one in inside]]))
        more = drawn.sample(rest, min(len(rest), max(0, settings.representatives - _NEAREST)))
        return cls(inside, distances, [*nearest, *more][: settings.representatives])


def _dendrogram(joins: Sequence[clustering.Joined]) -> list[Join]:
    """Joins under names: what was joined before is called by the join."""
    name_of, found = dict[int, str](), list[Join]()
    for number, one in enumerate(joins, 1):
        left, right = (name_of.get(place, _label_id(place)) for place in (one.left, one.right))
        name = f"j{number:02d}"
        found.append(Join(id=name, left=left, right=right, height=round(one.height, 6)))
        name_of |= {place: name for place, known in list(name_of.items()) if known in (left, right)}
        name_of |= {one.left: name, one.right: name}
    return found


def _label_id(place: int) -> str:
    return f"l{place + 1:02d}"


def _category_id(place: int) -> str:
    return f"c{place + 1:02d}"
