"""The standing of all environments together: one asset whose colour says whether any was rejected.

Belongs here: the asset, and the two events that the last step of the line reports of it at the end of every run, so
that it is right without being run. Does not: what became of one environment (`assets.ending`).

A rejected environment is an artifact like any other, and Dagster shows what was materialized in green.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import dagster as dg

from envfactory_dagster.assets.ending import Outcome, outcome
from envfactory_dagster.assets.metadata import as_metadata
from envfactory_dagster.partitions import environment_keys
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.store.records import RecordStore

GROUP = "tasks"
STANDING, NOTHING_REJECTED = "standing", "nothing_rejected"
_LAST_STAGE = "release"
_LISTED = 50
_AT_ONCE = 16
"""Environments that are looked at together: in an object store each record is a request, most of which is waiting."""


@dg.asset(
    name=STANDING,
    group_name=GROUP,
    deps=[_LAST_STAGE],
    owners=[f"team:{GROUP}"],
    kinds={"json"},
    check_specs=[
        dg.AssetCheckSpec(
            NOTHING_REJECTED, asset=STANDING, description="No environment was rejected at any stage of the line."
        )
    ],
    description="How many environments are accepted, rejected, skipped or not made yet, as of the latest run.",
)
def standing(context: dg.AssetExecutionContext, store: StoreResource) -> Iterator[dg.MaterializeResult[None]]:
    facts = _facts(store.records(), _LAST_STAGE, environment_keys(context.instance))
    check = dg.AssetCheckResult(check_name=NOTHING_REJECTED, passed=not facts["rejected"])
    yield dg.MaterializeResult(metadata=as_metadata(facts), check_results=[check])


def standing_events(
    records: RecordStore, last_stage: str, keys: Iterable[str]
) -> list[dg.AssetMaterialization | dg.AssetCheckEvaluation]:
    """The same, for whoever has just made some of them."""
    facts = _facts(records, last_stage, keys)
    return [
        dg.AssetMaterialization(STANDING, metadata=as_metadata(facts)),
        dg.AssetCheckEvaluation(
            asset_key=dg.AssetKey(STANDING),
            check_name=NOTHING_REJECTED,
            passed=not facts["rejected"],
            severity=dg.AssetCheckSeverity.ERROR,
            metadata={"rejected": facts["rejected"]},
        ),
    ]


def _outcomes(records: RecordStore, last_stage: str, keys: Sequence[str]) -> list[Outcome]:
    """Most environments of a home are accepted, which their latest records alone say. The others are looked at."""
    heads = records.heads(last_stage, keys)
    accepted = {key for key, head in heads.items() if head.status == "ok"}
    others = [key for key in keys if key not in accepted]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        found = pool.map(lambda key: outcome(records, last_stage, key, ""), others)
        return [*(Outcome(key, "accepted") for key in accepted), *found]


def _facts(records: RecordStore, last_stage: str, keys: Iterable[str]) -> dict[str, Any]:
    outcomes = _outcomes(records, last_stage, list(keys))
    # Nothing was refused, and nothing came out: its turn has not come.
    fates = Counter("not made yet" if one.fate == "skipped" and not one.reason else one.fate for one in outcomes)
    rejected = [{"environment": one.partition, "why": one.reason} for one in outcomes if one.fate == "rejected"]
    return {
        **{fate: fates[fate] for fate in ("accepted", "rejected", "skipped", "not made yet")},
        **({"rejections": rejected[:_LISTED]} if rejected else {}),
    }
