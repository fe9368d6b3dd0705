"""How much two environments are the same thing under other names.

Belongs here: schemas as graphs without names, tool code as token streams without names. Does not: any environment.
"""

import ast
import re
from collections.abc import Iterator, Sequence

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.runtime.facts import load_schema

ROUNDS = 4
SHINGLE = 6
_SQL_WORD = re.compile(r"[a-z_][a-z0-9_]*|[A-Z]+|[^\sA-Za-z0-9_]+|\d+")


def distinct_graphs(schemas: Sequence[str]) -> float:
    """The share of foreign-key graphs that are different from all before them."""
    return len({graph_of(schema) for schema in schemas}) / len(schemas)


def graph_of(schema_sql: str) -> str:
    """A hash of the graph of tables and references, names stripped (Weisfeiler and Lehman's refinement of labels)."""
    tables = load_schema(schema_sql).tables
    parents = {name: [key.parent for key in table.foreign_keys] for name, table in tables.items()}
    children = {name: [child for child, known in parents.items() if name in known] for name in tables}
    labels = dict.fromkeys(tables, "")
    for _ in range(ROUNDS):
        labels = {
            name: content_hash(
                [labels[name], sorted(labels[p] for p in parents[name]), sorted(labels[c] for c in children[name])]
            )
            for name in tables
        }
    return content_hash(sorted(labels.values()))


def nearest_likeness(sources: Sequence[str]) -> float:
    """The mean, over all modules, of the likeness to the most similar other one: shared runs of tokens (Jaccard)."""
    shingled = [set(_shingles(source)) for source in sources]
    nearest = [
        max((len(one & other) / len(one | other) for other in shingled if other is not one), default=0.0)
        for one in shingled
    ]
    return sum(nearest) / len(nearest)


def _shingles(source: str) -> Iterator[str]:
    tokens = [*_tokens(source)]
    for start in range(len(tokens) - SHINGLE + 1):
        yield " ".join(tokens[start : start + SHINGLE])


def _tokens(source: str) -> Iterator[str]:
    """The shape of the code: kinds of nodes, operators and SQL keywords; no names, no texts, no numbers."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for word in _SQL_WORD.findall(node.value):
                yield word if word.isupper() or not word[0].isalnum() else "w"
        elif not isinstance(node, ast.Load | ast.Store | ast.Name | ast.arg):
            yield type(node).__name__
