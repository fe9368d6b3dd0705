"""What can be counted of an environment: what works, what is dead, what nobody uses, what nobody can reach.

Belongs here: counting. Does not: the calls that are counted (`exploration`), and failures (`examination`).
"""

import re
from collections.abc import Iterator

from envfactory_dagster.authoring.trials import whole
from envfactory_dagster.contracts.inspection import ComputedFacts, ToolUse
from envfactory_dagster.runtime.facts import ColumnRef
from envfactory_dagster.truth.inspection.exploration import Exploration
from envfactory_dagster.truth.inspection.inspected import Inspected

_CHOICES = re.compile(r"(\w+)\s+IN\s*\(([^()]*)\)", re.IGNORECASE)
_TEXT = re.compile(r"'((?:[^']|'')*)'")
_VARIABLE = re.compile(r"'[^']*'|\d[\d:.T-]*")


def computed(inspected: Inspected, exploration: Exploration) -> ComputedFacts:
    uses = [_use(tool, exploration) for tool in inspected.tools]
    # The good call of these works at another time or on other rows only, where no exploration comes.
    shown = {tool for tool, test in inspected.bundle.tool_tests.items() if test.clock or test.given}
    dead = [use.tool for use in uses if not use.worked and use.tool not in shown]
    return ComputedFacts(
        uses=uses,
        dead_tools=dead,
        untouched_tables=[table.name for table in whole.untouched(inspected.schema, inspected.facts)],
        unused_columns=whole.unread_columns(inspected.schema, inspected.facts),
        unreachable_values=list(_unreachable(inspected)),
        coverage=1 - len(dead) / len(uses),
    )


def _use(tool: str, exploration: Exploration) -> ToolUse:
    outcomes = [call.result for call in exploration.of(tool)]
    refusals = [result.error or "" for result in outcomes if result.outcome == "agent"]
    return ToolUse(
        tool=tool,
        worked=sum(result.ok for result in outcomes),
        refused=len(refusals),
        broke=sum(result.outcome == "environment" for result in outcomes),
        refusals=len({_VARIABLE.sub("…", refusal) for refusal in refusals}),
    )


def _unreachable(inspected: Inspected) -> Iterator[str]:
    """Values that a CHECK lists, no row holds and no tool mentions where it writes that table."""
    for table in inspected.schema.tables.values():
        writing = [
            name
            for name, fact in inspected.facts.tools.items()
            if any(write.table == table.name for write in fact.writes)
        ]
        text = "\n".join(inspected.source(name) for name in writing)
        for column, listed in _CHOICES.findall(table.sql):
            if table.column(column) is None:
                continue
            here = ColumnRef(table.name, column)
            held = {value for world in inspected.worlds.values() for value in world.values(here)}
            given = {value for name in writing for value in _given(inspected, name, here)}
            for value in _TEXT.findall(listed):
                if value not in held | given and f"'{value}'" not in text and f'"{value}"' not in text:
                    yield f"{here} = {value}"


def _given(inspected: Inspected, tool: str, column: ColumnRef) -> Iterator[str]:
    """What the tool's caller can have stored in the column."""
    properties = inspected.tools[tool].inputSchema.get("properties", {})
    for use in inspected.facts.tools[tool].uses:
        if use.column == column and use.use == "value" and use.source in properties:
            yield from (value for value in properties[use.source].get("enum", []) if isinstance(value, str))
