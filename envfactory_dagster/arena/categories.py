"""The category of an environment, by which the arena is drawn and its results are told apart.

Belongs here: looking it up. Does not: making a taxonomy (`taxonomy`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from envfactory_dagster.arena.taxonomy.stage import latest_taxonomy
from envfactory_dagster.contracts.domain import Theme
from envfactory_dagster.store.records import RecordStore


@dataclass(frozen=True, slots=True)
class Categories:
    of: dict[str, str]
    taxonomy: str | None = None
    """The version of the taxonomy that they are of; None: the themes name them."""


def categories(records: RecordStore, themes: Mapping[str, Theme]) -> Categories:
    """Those of the latest taxonomy, where there is one. An environment that it has not placed yet keeps the category
    that its theme names."""
    named = {key: theme.category for key, theme in themes.items()}
    kept = latest_taxonomy(records)
    if kept is None:
        return Categories(named)
    placed = {one.environment for one in kept.taxonomy.placed}
    found = {key: kept.taxonomy.category_of(key).name for key in themes if key in placed}
    return Categories(named | found, kept.version)
