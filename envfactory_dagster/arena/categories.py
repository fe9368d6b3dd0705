"""The category of an environment, by which the arena is drawn and its results are told apart.

Belongs here: looking it up. Does not: making a taxonomy.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from envfactory_dagster.contracts.domain import Theme


@dataclass(frozen=True, slots=True)
class Categories:
    of: dict[str, str]
    taxonomy: str | None = None
    """The version of the taxonomy that they are of; None: the themes name them."""


def categories(themes: Mapping[str, Theme]) -> Categories:
    return Categories({key: theme.category for key, theme in themes.items()})
