"""Edges from facts: an output comes from the column by which a parameter chooses rows, or from one it refers to.

Belongs here: what the SQL says about parameters and outputs. Does not: names (`semantics`), or a model's opinion.
"""

from collections.abc import Iterable, Iterator, Sequence

from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.runtime.facts import (
    ColumnRef,
    OutputField,
    ParameterUse,
    Schema,
    ToolFact,
    ToolFacts,
    fk_graph,
)
from envfactory_dagster.tasks.graph.draft import GraphLink, all_inputs, all_outputs
from envfactory_dagster.tasks.graph.schema_paths import Leaf

_SAME = frozenset({"=", "!=", "in", "not in"})
"""Comparisons in Python that hold a parameter against the very value of a column."""


class Lineage:
    """The facts of one environment, asked about parameters and outputs."""

    def __init__(self, tools: Sequence[ToolDefinition], facts: ToolFacts, schema: Schema) -> None:
        self._inputs = [leaf for leaf in all_inputs(tools) if leaf.tool in facts.tools]
        self._outputs = {(leaf.tool, leaf.path) for leaf in all_outputs(tools)}
        self._facts = facts.tools
        self._schema = schema
        self._parents = fk_graph(schema)
        self._required = {(leaf.tool, _plain(leaf.path)) for leaf in self._inputs if leaf.required}
        self.understood = frozenset((leaf.tool, leaf.path) for leaf in self._inputs if self._identified(leaf))
        """The parameters of which the facts tell what they are held against."""

    def links(self) -> list[GraphLink]:
        """Every pair of an output and a parameter that stand for the same column."""
        given = [(fact.name, field, self._roots(field.columns)) for fact, field in self._given()]
        found = []
        for leaf in self._inputs:
            wanted = self._wanted(leaf)
            for tool, field, roots in given:
                if tool != leaf.tool and roots & wanted:
                    found.append(GraphLink(tool, field.path, leaf.tool, leaf.path, "lineage"))
        return found

    def speaks_of(self, link: GraphLink) -> bool:
        """Whether the facts tell that the two ends belong together, or that they do not."""
        if (link.target, link.parameter) in self.understood:
            return True
        source, target = self._facts.get(link.source), self._facts.get(link.target)
        if source is None or target is None:
            return False
        traced = any(field.path == link.output and field.exact for field in source.outputs)
        return traced and any(_plain(use.source) == _plain(link.parameter) and use.exact for use in target.uses)

    def internal(self) -> frozenset[tuple[str, str]]:
        """The parameters that are keys which nobody chose: numbers of rows, and codes that tools make up."""
        return frozenset(
            (leaf.tool, leaf.path)
            for leaf in self._inputs
            if any(self._made_by_the_service(root) for root in self._roots(self._identified(leaf)))
        )

    # -- parameters -------------------------------------------------------------------------------------------------

    def _identified(self, leaf: Leaf) -> set[ColumnRef]:
        """The columns that hold what the parameter names."""
        fact = self._facts[leaf.tool]
        uses = [use for use in fact.uses if use.exact and _plain(use.source) == _plain(leaf.path)]
        return {use.column for use in uses if self._identifies(use)}

    def _identifies(self, use: ParameterUse) -> bool:
        if use.use == "value":
            return use.column in self._parents
        return use.operator in _SAME

    def _wanted(self, leaf: Leaf) -> set[ColumnRef]:
        """The columns whose values are worth looking up for the parameter.

        A value that the schema lists needs no looking up, and an optional filter on a plain attribute only narrows a
        search to what the person has in mind.
        """
        if leaf.enumerated:
            return set()
        roots = self._roots(self._identified(leaf))
        return roots if leaf.required else {root for root in roots if self._is_key(root)}

    # -- outputs ----------------------------------------------------------------------------------------------------

    def _given(self) -> Iterator[tuple[ToolFact, OutputField]]:
        for fact in self._facts.values():
            for field in fact.outputs:
                known = (fact.name, field.path) in self._outputs
                if known and field.exact and field.columns and not self._echoes(fact, field):
                    yield fact, field

    def _echoes(self, fact: ToolFact, field: OutputField) -> bool:
        """Whether the tool only gives back what it must be given itself: from there nobody learns the value."""
        if any((fact.name, _plain(source)) in self._required for source in field.parameters):
            return True
        pinned = {
            use.column
            for use in fact.uses
            if use.use == "filter" and use.operator == "=" and (fact.name, _plain(use.source)) in self._required
        }
        inserted = {write.table for write in fact.writes if write.kind == "insert" and not write.indirect}
        return all(column in pinned and not self._is_another_row(column, field, inserted) for column in field.columns)

    def _is_another_row(self, column: ColumnRef, field: OutputField, inserted: set[str]) -> bool:
        """Whether a key in the answer belongs to other rows than the one that was asked for: to a new one, or to
        those of a list, which would be pointless if it repeated one key."""
        return self._is_primary(column) and ("[]" in field.path or column.table in inserted)

    # -- columns ----------------------------------------------------------------------------------------------------

    def _roots(self, columns: Iterable[ColumnRef]) -> set[ColumnRef]:
        """The columns that these refer to in the end."""
        roots, seen, ahead = set[ColumnRef](), set[ColumnRef](), list(columns)
        while ahead:
            column = ahead.pop()
            if column in seen:
                continue
            seen.add(column)
            parents = self._parents.get(column, ())
            ahead += parents
            if not parents:
                roots.add(column)
        return roots

    def _is_primary(self, column: ColumnRef) -> bool:
        return self._schema.tables[column.table].primary_key == (column.column,)

    def _is_key(self, column: ColumnRef) -> bool:
        return self._is_primary(column) or (column.column,) in self._schema.tables[column.table].unique

    def _made_by_the_service(self, column: ColumnRef) -> bool:
        table = self._schema.tables[column.table]
        declared = table.column(column.column)
        is_number = declared is not None and declared.type.upper() in ("INTEGER", "INT")
        return (self._is_primary(column) and is_number) or (self._is_key(column) and self._is_made_up(column))

    def _is_made_up(self, column: ColumnRef) -> bool:
        """Whether tools insert a value there that no caller has given."""
        return any(
            write.table == column.table and write.kind == "insert" and column.column in write.columns
            for fact in self._facts.values()
            for write in fact.writes
            if not any(use.use == "value" and use.column == column for use in fact.uses)
        )


def _plain(path: str) -> str:
    """Facts and schemas may differ in whether the path of a list names its members."""
    return path.removesuffix("[]")
