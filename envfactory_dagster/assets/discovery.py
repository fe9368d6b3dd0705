"""The theme pool: the one asset that decides which environments there are.

Belongs here: its configuration, the partition keys it adds, what a person sees of it, and its checks. Does not:
finding and judging themes (`authoring.discovery`).
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import TYPE_CHECKING

import dagster as dg
from pydantic import Field

from envfactory_dagster.assets.metadata import Metadata, as_metadata, cost_facts
from envfactory_dagster.assets.retrying import MODEL_CALLS, tried_again
from envfactory_dagster.contracts.records import Spent
from envfactory_dagster.partitions import ENVIRONMENTS, environment_keys
from envfactory_dagster.resources.authoring import LIBRARY_EXHAUSTED, AuthoringResource, library_is_the_author
from envfactory_dagster.resources.store import StoreResource

if TYPE_CHECKING:
    from envfactory_dagster.authoring.discovery import DiscoverySettings, PoolReport, ThemePool

GROUP = "discovery"
NO_DUPLICATES, NO_CROWDING = "no_duplicates", "no_crowded_category"

_GROWS = dg.DataVersion("grows")
"""The pool only grows, so that no theme that was made from it ever turns stale."""

_BAR_WIDTH = 20


FRESH = dg.FreshnessPolicy.time_window(fail_window=timedelta(days=3), warn_window=timedelta(hours=36))
"""The schedule discovers every night: one that was missed is a warning, three are more than that."""


class ThemePoolConfig(dg.Config):
    count: int = Field(default=10, ge=0, description="How many themes to find.")
    categories: list[str] = Field(default=[], description="Only of these categories; empty: where the pool is thin.")
    themes: list[str] = Field(default=[], description="Worlds in your own words, taken besides.")
    storage: str = Field(
        default="sqlite", pattern="^(sqlite|files)$", description="What the state of these is to be: sqlite or files."
    )
    mirrors: list[str] = Field(
        default=[], description="Services to mirror, as documents that `envfactory expand --mirror` reads; JSON."
    )
    data: list[str] = Field(
        default=[], description="Documents to mine, as `envfactory expand --data` reads and keeps them; JSON."
    )


@dg.asset(
    group_name=GROUP,
    owners=[f"team:{GROUP}"],
    tags={"uses": MODEL_CALLS},
    kinds={"llm", "json"},
    pool=MODEL_CALLS,
    freshness_policy=FRESH,
    check_specs=[
        dg.AssetCheckSpec(
            NO_DUPLICATES, asset="theme_pool", description="No two themes have one name or are too much alike."
        ),
        dg.AssetCheckSpec(
            NO_CROWDING, asset="theme_pool", description="No category has more than its share of the pool."
        ),
    ],
    description="Worlds worth building, from five kinds of sources and by invention. Each one is a partition.",
)
def theme_pool(
    context: dg.AssetExecutionContext, config: ThemePoolConfig, store: StoreResource, authoring: AuthoringResource
) -> Iterator[dg.MaterializeResult[None]]:
    from envfactory_dagster.authoring.discovery import DiscoverySettings, ThemePool

    of_the_library = library_is_the_author()
    pool, settings = ThemePool(store.resolved()), DiscoverySettings(reads_sources=not of_the_library)
    with tried_again(context):
        pool.refresh()
        report, spent = asyncio.run(_expanded(context, config, store, authoring, pool, settings))
    _add_keys(context, pool)
    if of_the_library and report.exhausted:
        context.log.warning(LIBRARY_EXHAUSTED)
    yield dg.MaterializeResult(
        data_version=_GROWS, metadata=_metadata(pool, report, spent), check_results=_checks(pool, settings)
    )


async def _expanded(
    context: dg.AssetExecutionContext,
    config: ThemePoolConfig,
    store: StoreResource,
    authoring: AuthoringResource,
    pool: "ThemePool",
    settings: "DiscoverySettings",
) -> "tuple[PoolReport, Spent]":
    from envfactory_dagster.authoring.discovery import PoolReport, add_document, add_theme, expand_pool
    from envfactory_dagster.contracts.domain import StateStorage
    from envfactory_dagster.contracts.pool import PooledProposal
    from envfactory_dagster.contracts.sources import SourceDocument

    # All attempts at one wish bear one name, so that the themes of a broken one are counted.
    order = context.run.root_run_id or context.run.run_id
    report = PoolReport(wanted=config.count)
    async with authoring.gateway(store) as gateway:
        if config.count:
            report = await expand_pool(
                gateway,
                pool,
                config.count,
                settings,
                categories=config.categories,
                order=order,
                on_round=lambda _: _add_keys(context, pool),
            )
        documents = [SourceDocument.model_validate_json(text) for text in [*config.mirrors, *config.data]]
        storage: StateStorage = "files" if config.storage == "files" else "sqlite"
        answers = [await add_theme(gateway, pool, text, settings, storage) for text in config.themes]
        answers += [await add_document(gateway, pool, document, settings) for document in documents]
        for answer in answers:
            if isinstance(answer, PooledProposal):
                report.taken.append(answer)
            else:
                report.rejected.append(answer)
        return report, gateway.spent(context.asset_key.to_user_string(), "")


def _add_keys(context: dg.AssetExecutionContext, pool: "ThemePool") -> None:
    """Every theme of the pool becomes a partition, in the order in which it was taken."""
    known = set(environment_keys(context.instance))
    new = [pooled.key for pooled in pool.taken if pooled.key not in known]
    if new:
        context.instance.add_dynamic_partitions(ENVIRONMENTS, new)


def _metadata(pool: "ThemePool", report: "PoolReport", spent: Spent) -> Metadata:
    facts = cost_facts(spent) | {
        "accepted": [
            {
                "key": one.key,
                "name": one.proposal.name,
                "category": one.proposal.category,
                "source": f"{one.source.kind} {one.source.reference}".strip(),
                "suitability": one.suitability,
                "nearest": one.nearest,
                "similarity": one.similarity,
            }
            for one in report.taken
        ],
        "rejected": [
            {"name": one.name, "category": one.category, "reason": one.reason, "detail": one.detail}
            for one in report.rejected
        ],
        "rejections": [{"reason": reason, "themes": number} for reason, number in report.rejections().items()],
        "themes": len(pool.taken),
        "rounds": report.rounds,
        "exhausted": report.exhausted,
    }
    return as_metadata(facts) | {"categories": dg.MetadataValue.md(chart(pool.categories))}


def chart(categories: Counter[str], what: str = "themes") -> str:
    """A bar for every category, as a Markdown table; `what` is counted."""
    most = max(categories.values(), default=1)
    rows = [
        f"| {category} | {number} | {'█' * max(1, round(_BAR_WIDTH * number / most))} |"
        for category, number in categories.most_common()
    ]
    return "\n".join([f"| category | {what} | |", "|---|---:|:---|", *rows])


def _checks(pool: "ThemePool", settings: "DiscoverySettings") -> list[dg.AssetCheckResult]:
    names = Counter(one.proposal.name.casefold() for one in pool.taken)
    twice = [name for name, number in names.items() if number > 1]
    alike = [one.key for one in pool.taken if one.similarity >= settings.similarity]
    # What a person asked for by name is taken into a full category too, and does not count against it.
    found = Counter(
        one.proposal.category
        for one in pool.taken
        if one.source.kind not in ("user", "data") and not (one.document and one.document.mirror)
    )
    most = max(settings.category_floor, int(settings.category_share * len(pool.taken)))
    crowded = [category for category, number in found.items() if number > most]
    return [_check(NO_DUPLICATES, [*twice, *alike]), _check(NO_CROWDING, crowded)]


def _check(name: str, found: Iterable[str]) -> dg.AssetCheckResult:
    listed = sorted(found)
    return dg.AssetCheckResult(passed=not listed, check_name=name, metadata={"found": listed})
