"""Reports as the rest of the house handles them: read into a `Report`, and the reserved tool as MCP lists it.

Belongs here: contracts around `report_reading`. Does not: any rule of what can be read.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.finish_tool import FINISH_DESCRIPTION, finish_name
from envfactory_dagster.contracts.reports import AnswerForm, Report, finish_schema
from envfactory_dagster.runtime.report_reading import report_of

TAKEN: Json = {"report": "taken"}
"""What an agent is told whose report can be read."""


def finish_as_mcp(bundle: Bundle, form: AnswerForm) -> dict[str, Any]:
    """The reserved tool of one task, as `tools/list` shows it."""
    return {
        "name": finish_name({tool.name for tool in bundle.tools}),
        "description": FINISH_DESCRIPTION,
        "inputSchema": finish_schema(form, [rule.id for rule in bundle.theme.rules]),
        "outputSchema": {"type": "object", "properties": {"report": {"const": "taken"}}, "required": ["report"]},
        "annotations": {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False},
    }


@dataclass(frozen=True, slots=True)
class UnreadableReport:
    """Why what was sent is no report, as an observation for the agent."""

    problem: str


def read_report(arguments: Mapping[str, Json], form: AnswerForm, rules: Collection[str]) -> Report | UnreadableReport:
    """Every problem is one sentence; nothing of an unreadable report counts."""
    found = report_of(arguments, form.as_mappings(), rules)
    return UnreadableReport(found) if isinstance(found, str) else Report.model_validate(found)
