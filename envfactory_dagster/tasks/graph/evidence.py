"""What counts when kinds of evidence meet: facts where there are some, likeness where they are silent.

Belongs here: that rule, once, for the stage and for whoever measures it. Does not: any one kind of evidence.
"""

from collections.abc import Sequence

from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.tasks.graph.draft import GraphDraft, GraphLink
from envfactory_dagster.tasks.graph.lineage import Lineage
from envfactory_dagster.tasks.graph.semantics import looks_internal


def by_facts(tools: Sequence[ToolDefinition], lineage: Lineage) -> GraphDraft:
    """By lineage alone."""
    return GraphDraft(tools, lineage.links(), lineage.internal())


def by_likeness(tools: Sequence[ToolDefinition], alike: Sequence[GraphLink]) -> GraphDraft:
    """By names alone, as for an environment whose code is not known."""
    return GraphDraft(tools, alike, looks_internal(tools))


def by_both(tools: Sequence[ToolDefinition], lineage: Lineage, alike: Sequence[GraphLink]) -> GraphDraft:
    """By lineage, and by names where the facts are silent."""
    added = [link for link in alike if not lineage.speaks_of(link)]
    internal = lineage.internal() | (looks_internal(tools) - lineage.understood)
    return GraphDraft(tools, [*lineage.links(), *added], internal)
