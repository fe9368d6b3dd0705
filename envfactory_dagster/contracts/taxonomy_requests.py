"""What a model is asked for a taxonomy: to name a cluster, to sort labels into categories, to settle where annotators
disagree.

Belongs here: the contexts it is shown and the answers it owes. Does not: what is stored (`taxonomy`).
"""

from pydantic import Field

from envfactory_dagster.contracts.base import Contract, NonEmpty


class EnvironmentShown(Contract):
    """A representative of a cluster."""

    key: str
    name: str
    category: str
    description: str
    entities: list[str]
    tools: list[str]


class ClusterLabelContext(Contract):
    """schema `cluster_label`: what do these environments have in common?"""

    representatives: list[EnvironmentShown]
    environments: int
    """How many the cluster has."""
    seed_labels: list[str]
    taken: list[str]
    """Names of other clusters."""


class ClusterLabelAnswer(Contract):
    label: NonEmpty
    sentence: NonEmpty
    keywords: list[NonEmpty] = Field(min_length=1, max_length=8)
    seed_label: str | None = None
    outliers: list[str] = Field(default_factory=list)
    """Keys of representatives that the label does not fit."""


class LabelShown(Contract):
    label: str
    sentence: str
    keywords: list[str]
    environments: int


class TaxonomyAnnotationContext(Contract):
    """schema `taxonomy_annotation`: which labels are of one kind?"""

    labels: list[LabelShown]
    categories: int
    seed_labels: list[str]
    annotator: int


class CategoryOfLabels(Contract):
    name: NonEmpty
    labels: list[str] = Field(min_length=1)


class TaxonomyAnnotationAnswer(Contract):
    categories: list[CategoryOfLabels]


class GroupShown(Contract):
    """A category as a majority sees it."""

    group: str
    labels: list[LabelShown]
    names: list[str]
    """What annotators called the categories that most of it is in."""


class ContestedLabel(Contract):
    label: str
    groups: list[str]
    """Where one annotator or another put it."""


class TaxonomyMergeContext(Contract):
    """schema `taxonomy_merge`: what is each category called, and where do the contested labels belong?"""

    groups: list[GroupShown]
    contested: list[ContestedLabel]


class NamedGroup(Contract):
    group: str
    name: NonEmpty
    sentence: NonEmpty


class SettledLabel(Contract):
    label: str
    group: str


class TaxonomyMergeAnswer(Contract):
    groups: list[NamedGroup]
    settled: list[SettledLabel] = Field(default_factory=list)
