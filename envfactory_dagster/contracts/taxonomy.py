"""The taxonomy of the released environments: two tiers of kinds, and in which of them each environment is.

Belongs here: what is stored of a taxonomy, and what must be true of any. Does not: what models are asked for it
(`taxonomy_requests`), and how it is made (`arena.taxonomy`).
"""

from typing import Literal, Self

from pydantic import Field, model_validator

from envfactory_dagster.contracts.base import Artifact, Contract, Identifier, NonEmpty, Slug, unique

Author = Literal["people", "model", "computed"]
"""The author of a name or place. `computed`: code took it from the words of the environments; no model answered."""


class TaxonomySettings(Contract):
    """How large a taxonomy is. With few environments it is smaller: half as many labels as environments, and two
    categories for five labels."""

    labels: int = Field(default=50, ge=2)
    categories: int = Field(default=20, ge=2)
    representatives: int = Field(default=8, ge=1)
    """Environments of a label that are shown to whoever names it."""
    seed: int = 0

    def labels_for(self, environments: int) -> int:
        return min(self.labels, max(2, (environments + 1) // 2))

    def categories_for(self, labels: int) -> int:
        return min(self.categories, max(2, round(0.4 * labels)))


class Category(Contract):
    """A kind of the first tier."""

    id: Identifier
    name: NonEmpty
    sentence: str = ""


class Label(Contract):
    """A kind of the second tier: a cluster of environments."""

    id: Identifier
    name: NonEmpty
    sentence: str = ""
    keywords: list[NonEmpty] = Field(default_factory=list)
    seed_label: str | None = None
    """The known label that this one is."""
    category: Identifier
    representatives: list[Slug]
    outliers: list[Slug] = Field(default_factory=list)
    """Representatives that fit the name less."""
    radius: float = Field(ge=0.0)
    """Within it lie 95 of 100 environments that the cluster was made of."""
    author: Author


class PlacedEnvironment(Contract):
    """Where one environment is."""

    environment: Slug
    label: Identifier
    distance: float = Field(ge=0.0)
    """From the centre of the cluster."""
    later: bool = False
    """Whether it was placed after the clusters were made, and had no part in them."""
    provisional: bool = False
    """Whether it was placed later, and lies outside of the radius."""


class Join(Contract):
    """Two branches of the dendrogram that become one. A branch is a label, or an earlier join, by its id."""

    id: Identifier
    left: Identifier
    right: Identifier
    height: float = Field(ge=0.0)


class Agreement(Contract):
    """How far those who sorted labels into categories agreed. None where fewer than two did."""

    author: Author
    annotators: list[NonEmpty] = Field(default_factory=list)
    fleiss_kappa: float | None = None
    """Of whether two labels belong together, over all pairs."""
    adjusted_rand: float | None = None
    """The mean over all pairs of annotators."""
    contested: list[Identifier] = Field(default_factory=list)
    """Labels on which there was no majority."""


class Taxonomy(Artifact):
    """Categories, labels, and every environment under one label. Its version is that of its record."""

    settings: TaxonomySettings
    basis: str
    """Hash of what it was made with besides the environments: models, prompts, known labels, annotations."""
    built_of: int = Field(ge=2)
    """How many environments the clusters were made of."""
    categories: list[Category] = Field(min_length=1)
    labels: list[Label] = Field(min_length=2)
    placed: list[PlacedEnvironment] = Field(min_length=1)
    joins: list[Join]
    """The dendrogram above the labels, lowest first."""
    agreement: Agreement

    @model_validator(mode="after")
    def _is_a_partition(self) -> Self:
        categories, labels = [one.id for one in self.categories], [one.id for one in self.labels]
        unique(categories + labels, "ids of categories and labels")
        unique([one.name.casefold() for one in self.categories], "names of categories")
        unique([one.name.casefold() for one in self.labels], "names of labels")
        unique([one.environment for one in self.placed], "environments placed")
        if {one.category for one in self.labels} != set(categories):
            raise ValueError("every label is in a category, and no category is empty")
        if {one.label for one in self.placed} != set(labels):
            raise ValueError("every environment is under a label, and no label is empty")
        return self

    def category_of(self, environment: str) -> Category:
        """Raises KeyError for an environment that is not placed."""
        category = {one.id: one.category for one in self.labels}[self._label_ids()[environment]]
        return next(one for one in self.categories if one.id == category)

    def environments_of(self, category: str) -> list[str]:
        labels = {one.id for one in self.labels if one.category == category}
        return [one.environment for one in self.placed if one.label in labels]

    def _label_ids(self) -> dict[str, str]:
        return {one.environment: one.label for one in self.placed}
