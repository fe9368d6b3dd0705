"""Taking the report that ends an episode: the reserved tool, and what the agent is told about what it hands in.

Belongs here: one task's `finish`, offered and answered. Does not: reading a report (`runtime.reports`), and what comes
next in the episode (`episode`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.finish_tool import FINISH_DESCRIPTION, finish_name
from envfactory_dagster.contracts.reports import AnswerForm, Report, finish_schema
from envfactory_dagster.contracts.trajectory import Observation, ToolRequest
from envfactory_dagster.runtime.reports import TAKEN, UnreadableReport, read_report
from envfactory_dagster.truth.protocols import FinishRequest

_ALONE = "the report is handed in by itself, when nothing else is left to call; it was not taken"
_TOO_EARLY = "the person has not finished yet; the report is handed in when the conversation is over"


def finish_tool(bundle: Bundle, form: AnswerForm) -> dict[str, Json]:
    """The reserved tool of one task, in the OpenAI form."""
    parameters = finish_schema(form, _rules(bundle))
    function: dict[str, Json] = {"name": _name(bundle), "description": FINISH_DESCRIPTION, "parameters": parameters}
    return {"type": "function", "function": function}


def _name(bundle: Bundle) -> str:
    return finish_name({tool.name for tool in bundle.tools})


def _rules(bundle: Bundle) -> list[str]:
    return [rule.id for rule in bundle.theme.rules]


@dataclass(slots=True)
class Desk:
    """Where one episode's report is handed in."""

    bundle: Bundle
    form: AnswerForm
    is_open: bool
    """Whether reports are taken yet."""
    report: Report | None = None
    refused: list[str] = field(default_factory=list)
    """Why reports that were due were not taken."""

    @property
    def name(self) -> str:
        return _name(self.bundle)

    @property
    def tool(self) -> Mapping[str, Json]:
        return finish_tool(self.bundle, self.form)

    def hand_in(self, request: ToolRequest, asked: FinishRequest, alone: bool) -> Observation:
        """Take the report, or say the one thing that is wrong. `alone`: whether the message asks for nothing else."""
        if not self.is_open:
            return Observation(call=request.id, outcome="agent", error=_TOO_EARLY)
        read = self._read(asked, alone)
        if isinstance(read, Report):
            self.report = read
            return Observation(call=request.id, outcome="ok", value=TAKEN)
        self.refused.append(read)
        return Observation(call=request.id, outcome="agent", error=read)

    def _read(self, asked: FinishRequest, alone: bool) -> Report | str:
        if not alone:
            return _ALONE
        if isinstance(asked.arguments, str):
            return f"the arguments of {self.name} are no JSON object"
        read = read_report(asked.arguments, self.form, _rules(self.bundle))
        return f"{read.problem}; the report was not taken" if isinstance(read, UnreadableReport) else read
