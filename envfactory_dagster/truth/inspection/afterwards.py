"""Whether the rows that calls leave behind are as regular as those that were there.

Belongs here: the regularities of a bundle's rows, held against what calls changed. Does not: finding them
(`invariants`).
"""

from collections import defaultdict
from collections.abc import Iterator

from envfactory_dagster.authoring.trials.world import WorldRows
from envfactory_dagster.contracts.calls import Change
from envfactory_dagster.contracts.inspection import Finding
from envfactory_dagster.truth.inspection.exploration import Called, Exploration
from envfactory_dagster.truth.inspection.inspected import Inspected
from envfactory_dagster.truth.inspection.invariants import Invariant, Row, Rows, mined


def findings(inspected: Inspected, exploration: Exploration) -> Iterator[Finding]:
    """A regularity that several tools break was none."""
    start = {state: _rows(inspected, world) for state, world in inspected.worlds.items()}
    invariants = mined(inspected.schema, list(start.values()), _together(inspected))
    broken: dict[Invariant, dict[str, Called]] = defaultdict(dict)
    for call in exploration.calls:
        if call.changes and not call.before:
            after = _with(start[call.state], call.changes)
            given = _given(inspected, call.tool)
            for invariant in invariants:
                if invariant.is_given and any((invariant.table, column) in given for column in invariant.columns):
                    continue
                if any(invariant.holds(row, after) is False for row in _concerned(invariant, call.changes, after)):
                    broken[invariant].setdefault(call.tool, call)
    for invariant, by_tool in broken.items():
        if len(by_tool) == 1:
            tool, call = next(iter(by_tool.items()))
            message = (
                f"{tool}: of every row of {invariant.table} it holds that {invariant.says}; not of what it leaves."
            )
            yield Finding(
                tool=tool,
                criterion="state",
                severity="fail",
                message=message,
                snippet=f"called with {call.arguments!r} from the state {call.state}",
            )


def _together(inspected: Inspected) -> set[tuple[str, str]]:
    """Tables that some tool writes along with the status of another."""
    found = set()
    for fact in inspected.facts.tools.values():
        above = {write.table for write in fact.writes if write.kind == "update" and "status" in write.columns}
        found |= {(write.table, table) for write in fact.writes for table in above if table != write.table}
    return found


def _given(inspected: Inspected, tool: str) -> set[tuple[str, str]]:
    """The columns in which the tool stores what its caller says."""
    uses = (use for use in inspected.facts.tools[tool].uses if use.use == "value" and not use.source.startswith("@"))
    return {(use.column.table, use.column.column) for use in uses if not inspected.keys.refers(use.column)}


def _rows(inspected: Inspected, world: WorldRows) -> Rows:
    return Rows(inspected.schema, {name: world.of(name) for name in inspected.schema.tables})


def _with(rows: Rows, changes: list[Change]) -> Rows:
    changed = {change.table for change in changes}
    tables = dict(rows.tables)
    for name in changed:
        key = rows.schema.tables[name].primary_key
        gone = {change.key for change in changes if change.table == name}
        kept = [row for row in rows.tables[name] if tuple(row[column] for column in key) not in gone]
        tables[name] = [*kept, *(c.after for c in changes if c.table == name and c.after is not None)]
    return Rows(rows.schema, tables)


def _concerned(invariant: Invariant, changes: list[Change], after: Rows) -> Iterator[Row]:
    """The rows that the changes may have made irregular: changed in one of its columns, or with changed rows below."""
    for change in changes:
        if change.table == invariant.table and change.after is not None:
            touched = {c for c, v in change.after.items() if change.before is None or change.before[c] != v}
            if touched & invariant.columns:
                yield change.after
        if change.table == invariant.children:
            row = change.after or change.before or {}
            for key in after.schema.tables[change.table].foreign_keys:
                if key.parent == invariant.table:
                    parent = after.parent(row, key)
                    if parent is not None:
                        yield parent
