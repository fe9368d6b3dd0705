"""The taxonomy of the released environments, as an asset.

Belongs here: its configuration, and what a person sees of it. Does not: making it (`arena.taxonomy`).
"""

import asyncio
import base64
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import dagster as dg
from pydantic import Field

from envfactory_dagster.assets.discovery import chart
from envfactory_dagster.assets.metadata import Metadata, as_metadata, record_metadata
from envfactory_dagster.assets.retrying import MODEL_CALLS, tried_again
from envfactory_dagster.contracts.records import Spent
from envfactory_dagster.resources.authoring import AuthoringResource, models_of_the_line
from envfactory_dagster.resources.store import StoreResource

if TYPE_CHECKING:
    from envfactory_dagster.arena.taxonomy.stage import Made
    from envfactory_dagster.contracts.taxonomy import Taxonomy

GROUP = "arena"


class TaxonomyConfig(dg.Config):
    labels: int = Field(default=50, ge=2, description="The most labels, which are the second tier.")
    categories: int = Field(default=20, ge=2, description="The most categories, which are the first.")
    seed: int = Field(default=0, description="Of the representatives that are shown, and of the order of labels.")
    anew: bool = Field(default=False, description="Make it anew also where new environments could be placed in it.")


@dg.asset(
    group_name=GROUP,
    owners=[f"team:{GROUP}"],
    tags={"uses": MODEL_CALLS},
    deps=["release"],
    kinds={"llm", "json"},
    pool=MODEL_CALLS,
    description="Which kinds of environments are released: categories, labels, and each environment under one label.",
)
def taxonomy(
    context: dg.AssetExecutionContext, config: TaxonomyConfig, store: StoreResource, authoring: AuthoringResource
) -> Iterator[dg.MaterializeResult[None]]:
    with tried_again(context):
        made = asyncio.run(_made(config, store, authoring))
    for key, reason in made.unreadable.items():
        context.log.warning("%s is left out: %s", key, reason)
    yield dg.MaterializeResult(
        data_version=dg.DataVersion(made.record.version), metadata=_metadata(made, str(store.resolved().root))
    )


async def _made(config: TaxonomyConfig, store: StoreResource, authoring: AuthoringResource) -> "Made":
    from envfactory_dagster.arena.taxonomy.stage import make_taxonomy
    from envfactory_dagster.contracts.taxonomy import TaxonomySettings
    from envfactory_dagster.language.messages import Role

    settings = TaxonomySettings(labels=config.labels, categories=config.categories, seed=config.seed)
    line = models_of_the_line()
    models = {role: line.model(role) for role in (Role.AUTHOR, Role.JUDGE, Role.EMBEDDER)}
    async with authoring.gateway(store) as gateway:
        return await make_taxonomy(store.resolved(), gateway, models, settings, anew=config.anew)


def _metadata(made: "Made", home: str) -> Metadata:
    found, agreement = made.taxonomy, made.taxonomy.agreement
    in_category = Counter({one.name: len(found.environments_of(one.id)) for one in found.categories})
    facts: dict[str, Any] = {
        "environments": len(found.placed),
        "categories": len(found.categories),
        "labels": _labels(found),
        "labels_computed": sum(one.author == "computed" for one in found.labels),
        "categories_by": agreement.author,
        "annotators": len(agreement.annotators),
        "contested": len(agreement.contested),
        "placed_later": sum(one.later for one in found.placed),
        "provisional": sum(one.provisional for one in found.placed),
    }
    known = {"fleiss_kappa": agreement.fleiss_kappa, "adjusted_rand": agreement.adjusted_rand}
    facts |= {name: value for name, value in known.items() if value is not None}
    if made.unreadable:
        facts["left_out"] = [{"environment": key, "why": reason} for key, reason in made.unreadable.items()]
    record = made.record.model_copy(update={"spent": Spent(reused=1)}) if made.reused else made.record
    return (
        record_metadata(record, home, reused=made.reused)
        | as_metadata(facts)
        | {
            "counts": dg.MetadataValue.md(chart(in_category, "environments")),
            "dendrogram": dg.MetadataValue.md(_picture(found)),
        }
    )


def _picture(found: "Taxonomy") -> str:
    from envfactory_dagster.arena.taxonomy.picture import dendrogram

    return f"![dendrogram](data:image/svg+xml;base64,{base64.b64encode(dendrogram(found).encode()).decode()})"


def _labels(found: "Taxonomy") -> list[dict[str, Any]]:
    """Those with most environments first."""
    number = Counter(one.label for one in found.placed)
    category = {one.id: one.name for one in found.categories}
    return [
        {
            "label": one.name,
            "category": category[one.category],
            "environments": number[one.id],
            "named_by": one.author,
            "about": one.sentence or ", ".join(one.keywords),
        }
        for one in sorted(found.labels, key=lambda one: (-number[one.id], one.name))
    ]
