"""Static facts about a tool module: what its SQL reads, writes and gives back, found without running anything.

Belongs here: `analyze_tools` (facts and binding errors), `screen_tools` (hygiene of the Python), and the schema they
are held against. Does not: running tools (the sandbox does), and what to do about a problem (the gates do).

SQLite prepares every statement, so what is called fine here is accepted there; sqlglot, imported when the first
statement is bound, tells where values flow.
"""

from envfactory_dagster.runtime.facts.analysis import analyze_tools
from envfactory_dagster.runtime.facts.results import (
    NOW,
    USER,
    CodeProblem,
    ColumnRef,
    OutputField,
    ParameterUse,
    Statement,
    TableWrite,
    ToolFact,
    ToolFacts,
    ToolParameter,
)
from envfactory_dagster.runtime.facts.schema import Column, ForeignKey, Schema, SchemaTable, fk_graph, load_schema
from envfactory_dagster.runtime.facts.screen import screen_family, screen_tools

__all__ = [
    "NOW",
    "USER",
    "CodeProblem",
    "Column",
    "ColumnRef",
    "ForeignKey",
    "OutputField",
    "ParameterUse",
    "Schema",
    "SchemaTable",
    "Statement",
    "TableWrite",
    "ToolFact",
    "ToolFacts",
    "ToolParameter",
    "analyze_tools",
    "fk_graph",
    "load_schema",
    "screen_family",
    "screen_tools",
]
