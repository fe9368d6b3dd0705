"""Where values flow inside one SQL statement: placeholder → column and column → result, read from sqlglot's tree.

Belongs here: the meaning of statements, queries and predicates, over statements that SQLite has already accepted,
so nothing is checked again. Does not: which name means which column (`scopes.py`), judging statements
(`binding.py`), Python (`dataflow.py`). Importing this module imports sqlglot.
"""

import functools
from collections.abc import Iterable, Sequence

from sqlglot import exp
from sqlglot.errors import SqlglotError

from envfactory_dagster.runtime.facts import sqltext
from envfactory_dagster.runtime.facts.flow import (
    COMPUTED,
    NOTHING,
    Flow,
    InsertShape,
    PlaceholderUse,
    StatementFlow,
    either,
    made_of,
    only,
)
from envfactory_dagster.runtime.facts.results import ColumnRef, Use
from envfactory_dagster.runtime.facts.schema import Schema, SchemaTable
from envfactory_dagster.runtime.facts.scopes import NotUnderstood, Relation, Scope, of_table
from envfactory_dagster.runtime.facts.sql_trees import SQLiteOfTools
from envfactory_dagster.runtime.sql_tokens import Token, tokens

_OPERATORS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.Is: "=",
    exp.NullSafeEQ: "=",
    exp.NEQ: "!=",
    exp.NullSafeNEQ: "!=",
    exp.GT: "range",
    exp.GTE: "range",
    exp.LT: "range",
    exp.LTE: "range",
    exp.Like: "like",
    exp.Glob: "like",
}
_OPPOSITES = {"=": "!=", "!=": "=", "in": "not in", "not in": "in", "like": "not like", "not like": "like"}
_TRUTHS = (exp.Predicate, exp.Connector, exp.Not)
_COUNTS = (exp.Count, exp.RowNumber, exp.Rank, exp.DenseRank, exp.Ntile)
_TRANSPARENT = (exp.Paren, exp.Alias, exp.Collate, exp.Max, exp.Min, exp.Window, exp.Nullif)
_MOST_ROUNDS = 20
"""Until nothing new flows into a query that reads itself. One that hands a value on from column to column takes as many
as it has columns, and each takes as long as the whole query."""
_JSON_TABLES = ("json_each", "json_tree")
_JSON_COLUMNS = ("key", "value", "type", "atom", "id", "parent", "fullkey", "path")
_JSON_VALUES = ("value", "atom")


class LineageReader:
    """Reads statements over one schema."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._dialect = SQLiteOfTools()
        self._uses: set[PlaceholderUse] = set()
        self._view = functools.cache(self._read_view)

    def read(self, pieces: Sequence[Token]) -> StatementFlow | None:
        """The lineage of a statement; None where it cannot be followed."""
        self._uses = set()
        try:
            return self._statement(self._parse(pieces))
        except (SqlglotError, NotUnderstood, RecursionError):
            return None

    def _parse(self, pieces: Sequence[Token]) -> exp.Expr:
        trees = self._dialect.parse(sqltext.plain_spelling(pieces))
        if len(trees) != 1 or trees[0] is None:
            raise NotUnderstood
        return trees[0]

    # -- statements ---------------------------------------------------------------------------------------------

    def _statement(self, tree: exp.Expr) -> StatementFlow:
        insert: InsertShape | None = None
        if isinstance(tree, exp.Insert):
            results, insert = self._insert(tree)
        elif isinstance(tree, exp.Update):
            results = self._update(tree)
        elif isinstance(tree, exp.Delete):
            results = self._delete(tree)
        else:
            results = self._query(tree, Scope())
        return StatementFlow(frozenset(self._uses), tuple(flow for _, flow in results.columns), insert)

    def _insert(self, tree: exp.Insert) -> tuple[Relation, InsertShape]:
        scope = self._common_tables(tree, Scope())
        named = isinstance(tree.this, exp.Schema)
        target = tree.this.this if named else tree.this
        table = self._table(target.name)
        columns = [_column_ref(table, name.name) for name in tree.this.expressions] if named else _insertable(table)
        rows = self._inserted_rows(tree, scope)
        for row in rows:
            for column, flow in zip(columns, row, strict=True):
                self._use(flow, column, "value", "insert")
        by_column = [[row[at] for row in rows] for at in range(len(columns))]
        self._upsert(tree, target.alias_or_name, columns, [either(flows) for flows in by_column])
        given = () if tree.args.get("default") else tuple(column.column for column in columns)
        nulls = (c.column for c, flows in zip(columns, by_column, strict=True) if NOTHING in flows)
        shape = InsertShape(table.name, given, tuple(nulls))
        return self._returning(tree, self._target_scope(target, Scope())), shape

    def _inserted_rows(self, tree: exp.Insert, scope: Scope) -> list[list[Flow]]:
        source = tree.args.get("expression")
        if source is None:
            return []
        if isinstance(source, exp.Values):
            return [[self._flow(item, scope) for item in _items(row)] for row in source.expressions]
        return [[flow for _, flow in self._query(source, scope).columns]]

    def _upsert(self, tree: exp.Insert, target: str, columns: list[ColumnRef], given: list[Flow]) -> None:
        conflict = tree.args.get("conflict")
        if conflict is None:
            return
        table = self._table(columns[0].table)
        scope = self._common_tables(tree, Scope()).inner()
        scope.add(target, self._table_relation(table))
        pairs = zip(columns, given, strict=True)
        scope.add("excluded", Relation(tuple((column.column, flow) for column, flow in pairs)))
        self._assignments(conflict.expressions, table, scope)
        self._where(conflict, scope)

    def _update(self, tree: exp.Update) -> Relation:
        scope = self._target_scope(tree.this, self._common_tables(tree, Scope()))
        if source := tree.args.get("from_"):
            self._add_source(source.this, scope)
        self._assignments(tree.expressions, self._table(tree.this.name), scope)
        self._where(tree, scope)
        return self._returning(tree, self._target_scope(tree.this, Scope()))

    def _delete(self, tree: exp.Delete) -> Relation:
        scope = self._target_scope(tree.this, self._common_tables(tree, Scope()))
        self._where(tree, scope)
        return self._returning(tree, scope)

    def _target_scope(self, target: exp.Expr, outer: Scope) -> Scope:
        scope = outer.inner()
        scope.add(target.alias_or_name, self._table_relation(self._table(target.name)))
        return scope

    def _assignments(self, assignments: Iterable[exp.Expr], table: SchemaTable, scope: Scope) -> None:
        for assignment in assignments:
            targets = _items(assignment.this)
            flows = self._sides(assignment.args["expression"], scope)
            for target, flow in zip(targets, flows, strict=True):
                self._use(flow, _column_ref(table, target.name), "value", "update")

    def _returning(self, tree: exp.Expr, scope: Scope) -> Relation:
        returning = tree.args.get("returning")
        return self._results(returning.expressions, scope) if returning else Relation()

    # -- queries ------------------------------------------------------------------------------------------------

    def _query(self, node: exp.Expr, outer: Scope) -> Relation:
        if isinstance(node, exp.Subquery):
            return self._query(node.this, self._common_tables(node, outer))
        if isinstance(node, exp.SetOperation):
            named = self._common_tables(node, outer)
            left, right = self._query(node.this, named), self._query(node.expression, named)
            return left if isinstance(node, exp.Except) else left.merged_with(right)
        if isinstance(node, exp.Values):
            rows = [[self._flow(item, outer) for item in _items(row)] for row in node.expressions]
            columns = enumerate(zip(*rows, strict=True), start=1)
            return Relation(tuple((f"column{at}", either(flows)) for at, flows in columns))
        if isinstance(node, exp.Select):
            return self._select(node, outer)
        raise NotUnderstood

    def _select(self, node: exp.Select, outer: Scope) -> Relation:
        scope = self._common_tables(node, outer).inner()
        if source := node.args.get("from_"):
            self._add_source(source.this, scope)
        for join in node.args.get("joins") or ():
            self._add_join(join, scope)
        results = self._results(node.expressions, scope)
        scope.aliases = results
        self._where(node, scope)
        if having := node.args.get("having"):
            self._filters(having.this, scope)
        for clause in ("group", "order", "limit", "offset"):
            if part := node.args.get(clause):
                self._flow(part, scope)
        return results

    def _results(self, expressions: Iterable[exp.Expr], scope: Scope) -> Relation:
        columns: list[tuple[str, Flow]] = []
        for item in expressions:
            if item.is_star and isinstance(item, exp.Star | exp.Column):
                columns += scope.star(item.text("table"))
            else:
                columns.append((item.alias_or_name, self._flow(item, scope)))
        return Relation(tuple(columns))

    def _common_tables(self, node: exp.Expr, outer: Scope) -> Scope:
        scope = outer.inner()
        with_ = node.args.get("with_")
        for common in with_.expressions if with_ else ():
            name, query = common.alias.lower(), common.this
            refers_to_itself = any(table.name.lower() == name for table in query.find_all(exp.Table))
            if refers_to_itself and isinstance(query, exp.SetOperation):
                self._add_recursive(name, common.alias_column_names, query, scope)
            else:
                scope.common_tables[name] = self._query(query, scope).renamed(common.alias_column_names)
        return scope

    def _add_recursive(self, name: str, names: Sequence[str], query: exp.SetOperation, scope: Scope) -> None:
        known = self._query(query.this, scope).renamed(names)
        for _ in range(_MOST_ROUNDS):
            scope.common_tables[name] = known
            grown = known.merged_with(self._query(query.expression, scope))
            if grown == known:
                return
            known = grown
        raise NotUnderstood

    # -- sources ------------------------------------------------------------------------------------------------

    def _add_source(self, node: exp.Expr, scope: Scope) -> None:
        if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Table | exp.Subquery) and not node.alias:
            self._add_source(node.this, scope)
        else:
            scope.add(node.alias_or_name, self._source(node, scope))
        for join in node.args.get("joins") or ():
            self._add_join(join, scope)

    def _add_join(self, join: exp.Join, scope: Scope) -> None:
        names = [name.name for name in join.args.get("using") or ()]
        if join.method.upper() == "NATURAL" or names:
            relation = self._source(join.this, scope)
            names = names or scope.common_names(relation)
            scope.join_using(names, relation, right_rows_kept=join.side.upper() in ("RIGHT", "FULL"))
        self._add_source(join.this, scope)
        if condition := join.args.get("on"):
            self._filters(condition, scope)

    def _source(self, node: exp.Expr, scope: Scope) -> Relation:
        if isinstance(node, exp.Table):
            if isinstance(node.this, exp.Func):
                return self._table_function(node.this, scope)
            common = None if node.db else scope.common_table(node.name)
            return common if common is not None else self._table_relation(self._table(node.name))
        if isinstance(node, exp.Subquery | exp.Values):
            # A subquery in FROM sees the common tables around it, not its neighbours.
            return self._query(node, scope.outer or scope).renamed(node.alias_column_names)
        raise NotUnderstood

    def _table_function(self, call: exp.Expr, scope: Scope) -> Relation:
        if call.name.lower() not in _JSON_TABLES:
            raise NotUnderstood
        listed = made_of(self._flow(argument, scope) for argument in call.expressions)
        if len(call.expressions) == 1 and not listed.columns:
            listed = either(only(f"{source}[]") for source in listed.sources)
        return Relation(tuple((name, listed if name in _JSON_VALUES else COMPUTED) for name in _JSON_COLUMNS))

    def _table(self, name: str) -> SchemaTable:
        table = self._schema.table(name)
        if table is None:
            raise NotUnderstood
        return table

    def _table_relation(self, table: SchemaTable) -> Relation:
        return self._view(table.name) if table.is_view else of_table(table)

    def _read_view(self, name: str) -> Relation:
        table = self._table(name)
        query = self._parse(tokens(table.sql)).args["expression"]
        return self._query(query, Scope()).renamed([column.name for column in table.columns])

    # -- predicates ---------------------------------------------------------------------------------------------

    def _where(self, node: exp.Expr, scope: Scope) -> None:
        if where := node.args.get("where"):
            self._filters(where.this, scope)

    def _filters(self, node: exp.Expr, scope: Scope, negated: bool = False) -> None:
        """Note every comparison of a placeholder with a column that decides which rows take part."""
        if isinstance(node, exp.Not):
            self._filters(node.this, scope, not negated)
        elif isinstance(node, exp.Paren | exp.Escape):
            self._filters(node.this, scope, negated)
        elif isinstance(node, exp.Connector):
            self._filters(node.left, scope, negated)
            self._filters(node.right, scope, negated)
        elif isinstance(node, exp.In):
            self._compare(self._sides(node.this, scope), self._members(node, scope), "in", negated)
        elif isinstance(node, exp.Between):
            tested = self._sides(node.this, scope)
            for bound in ("low", "high"):
                self._compare(tested, [self._sides(node.args[bound], scope)], "range", negated)
        elif operator := _OPERATORS.get(type(node)):
            tested = self._sides(node.this, scope)
            against = self._sides(node.args["expression"], scope)
            self._compare(tested, [against], operator, negated != bool(node.args.get("negate")))
        else:
            self._flow(node, scope)

    def _members(self, node: exp.In, scope: Scope) -> list[list[Flow]]:
        if field := node.args.get("field"):  # `x IN some_table`
            return [[flow for _, flow in self._source(exp.to_table(field.name), scope).columns]]
        query = node.args.get("query")
        listed = [query] if query else node.expressions
        return [self._sides(member, scope) for member in listed]

    def _sides(self, node: exp.Expr, scope: Scope) -> list[Flow]:
        """The values on one side of a comparison: several for a row value or a subquery."""
        if isinstance(node, exp.Query | exp.Values):
            return [flow for _, flow in self._query(node, scope).columns]
        return [self._flow(item, scope) for item in _items(node)]

    def _compare(self, tested: list[Flow], members: list[list[Flow]], operator: str, negated: bool) -> None:
        meant = _OPPOSITES.get(operator, operator) if negated else operator
        for member in members:
            for left, right in zip(tested, member, strict=False):
                self._filter(left, right, meant)
                self._filter(right, left, meant)

    def _filter(self, given: Flow, held: Flow, operator: str) -> None:
        if given.columns <= held.columns:  # else the placeholder is only part of what is compared
            for column in held.definite_columns:
                self._use(given, column, "filter", operator, exact=held.exact)

    def _use(self, given: Flow, column: ColumnRef, use: Use, operator: str, exact: bool = True) -> None:
        for source in given.definite_sources:
            self._uses.add(PlaceholderUse(source, column, use, operator, exact and given.exact))

    # -- values -------------------------------------------------------------------------------------------------

    def _flow(self, node: exp.Expr, scope: Scope) -> Flow:
        """Where a value comes from; placeholders in the queries inside it are noted on the way."""
        if isinstance(node, exp.Column):
            return scope.resolve(node.table, node.name)
        if isinstance(node, exp.Placeholder):
            return only(node.name)
        if isinstance(node, exp.Null):
            return NOTHING
        if isinstance(node, exp.Query):
            columns = self._query(node, scope).columns
            return columns[0][1] if columns else COMPUTED
        if isinstance(node, exp.Exists):
            self._query(node.this, scope)
            return COMPUTED
        if isinstance(node, exp.Filter):
            self._filters(node.expression.this, scope)
            return self._flow(node.this, scope)
        flows = {id(child): self._flow(child, scope) for child in node.iter_expressions()}
        if isinstance(node, _TRUTHS + _COUNTS):
            return COMPUTED
        if isinstance(node, _TRANSPARENT):
            return flows[id(node.this)]
        if (alternatives := _alternatives(node)) is not None:
            return either(NOTHING if child is None else flows[id(child)] for child in alternatives)
        return made_of(flows.values())


def _alternatives(node: exp.Expr) -> list[exp.Expr | None] | None:
    """The children one of which the node's value is, None for NULL; None where it is made from them."""
    if isinstance(node, exp.Coalesce | exp.Greatest | exp.Least):
        return [node.this, *node.expressions]
    if isinstance(node, exp.If):
        return [node.args["true"], node.args.get("false")]
    if isinstance(node, exp.Case):
        return [*node.args["ifs"], node.args.get("default")]
    return None


def _items(node: exp.Expr) -> list[exp.Expr]:
    """The members of a row value; anything else is a row of one."""
    return list(node.expressions) if isinstance(node, exp.Tuple) else [node.unnest()]


def _column_ref(table: SchemaTable, name: str) -> ColumnRef:
    column = table.column(name)
    if column is None and table.rowid_column is None:
        raise NotUnderstood
    return ColumnRef(table.name, column.name if column else table.rowid_column or "")


def _insertable(table: SchemaTable) -> list[ColumnRef]:
    return [ColumnRef(table.name, column.name) for column in table.columns if not column.generated]
