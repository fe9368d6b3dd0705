"""Edges from likeness: an output and a parameter that are called and described alike.

Belongs here: how a parameter is put into words, and the comparison of the vectors. Does not: where vectors come from
(`Gateway.embed`), and facts, which come first (`lineage`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.language.embeddings import DECIMALS
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller
from envfactory_dagster.tasks.graph.draft import GraphLink, all_inputs, all_outputs
from envfactory_dagster.tasks.graph.schema_paths import Leaf

_IDENTIFIER = re.compile(r"(?:^|_)(?:id|ids|uuid)$")


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike is alike: a cosine, which means something else for every embedder."""

    embedder: str = "built-in"
    threshold: float = 0.7


async def semantic_links(
    gateway: Gateway, caller: Caller, tools: Sequence[ToolDefinition], threshold: float
) -> list[GraphLink]:
    """Every output and parameter of different tools whose words are at least so much alike."""
    wanted = [leaf for leaf in all_inputs(tools) if not leaf.enumerated]
    given = all_outputs(tools)
    if not wanted or not given:
        return []
    vectors = await gateway.embed(caller=caller, texts=[in_words(leaf) for leaf in (*wanted, *given)])
    matrix = np.asarray(vectors, dtype=np.float64)
    matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)
    cosines = np.round(matrix[: len(wanted)] @ matrix[len(wanted) :].T, DECIMALS)
    return [
        GraphLink(output.tool, output.path, parameter.tool, parameter.path, "semantic")
        for row, parameter in enumerate(wanted)
        for column, output in enumerate(given)
        if output.tool != parameter.tool and cosines[row, column] >= threshold
    ]


def in_words(leaf: Leaf) -> str:
    """`huts[].id` becomes `hut id`: what it is a field of says more than the field alone."""
    words = [_singular(word) for part in leaf.path.split(".") for word in part.removesuffix("[]").split("_") if word]
    return " ".join(dict.fromkeys(words))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def looks_internal(tools: Sequence[ToolDefinition]) -> frozenset[tuple[str, str]]:
    """The parameters that are called ids: how they are told where no SQL says what they are held against."""
    return frozenset((leaf.tool, leaf.path) for leaf in all_inputs(tools) if _IDENTIFIER.search(leaf.name))
