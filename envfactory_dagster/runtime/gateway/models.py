"""What REST callers send and get. Every field is described: OpenAPI is the manual."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from envfactory_dagster.contracts.calls import Outcome
from envfactory_dagster.contracts.domain import INITIAL_STATE, Rule
from envfactory_dagster.contracts.tools import Principal, ToolAnnotations


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ErrorBody(_Model):
    """Why a request was not served."""

    error: str = Field(description="One sentence a person can act on.")


class Health(_Model):
    status: Literal["ok"]
    environments: int = Field(description="How many environments are served.")
    sessions_open: int
    sessions_capacity: int


class EnvironmentSummary(_Model):
    key: str = Field(description="The name to use in every other request.", examples=["alpine-huts"])
    name: str
    description: str
    version: str = Field(description="Hash of the bundle: equal versions are equal environments.")
    mcp: str = Field(description="Path of the MCP endpoint (streamable HTTP).", examples=["/mcp/alpine-huts"])


class EnvironmentDetails(EnvironmentSummary):
    rules: list[Rule] = Field(description="The rules of the domain; the tools enforce them.")
    states: list[str] = Field(description="Initial states a session can start from.", examples=[["initial", "autumn"]])
    entities: list[str]


class Tool(_Model):
    """A tool as MCP defines it."""

    name: str
    description: str
    inputSchema: dict[str, Any] = Field(description="JSON Schema of the arguments.")
    outputSchema: dict[str, Any] = Field(description="JSON Schema of the value of a call that succeeds.")
    annotations: ToolAnnotations


class NewSession(_Model):
    environment: str = Field(description="Key of an environment served here.", examples=["alpine-huts"])
    state: str | None = Field(
        None, description=f"The initial state to start from; `{INITIAL_STATE}`, or the task's, where none is named."
    )
    task: str | None = Field(
        None,
        description="Id of the task that is to be worked on. The session then offers `finish`, which takes the report "
        "that ends the work, in the form that belongs to the task.",
    )


class ReportOfSession(_Model):
    """What was handed in for the task."""

    outcome: str
    answers: dict[str, Any]
    reason: str | None
    message: str


class SessionCount(_Model):
    """All that is told of the sessions of others."""

    open: int = Field(description="How many sessions are open.")


class SessionInfo(_Model):
    """A session as it is shown to those who may use it."""

    id: str = Field(
        description="The token of the session: 128 random bits, told to whoever opened it and shown nowhere else. "
        "Whoever has it can use the session."
    )
    environment: str
    state: str = Field(description="The initial state it started from.")
    task: str | None = Field(None, description="The task it was opened for.")
    report: ReportOfSession | None = Field(None, description="The report on that task, once it is handed in.")
    opened_by: Literal["rest", "mcp", "stdio"]
    opened_at: datetime
    idle_seconds: float = Field(description="How long ago it last heard a request.")


class CallBody(_Model):
    tool: str = Field(description="Name of the tool.", examples=["get_my_profile"])
    arguments: dict[str, Any] = Field(default_factory=dict, description="Arguments, as the tool's inputSchema wants.")
    principal: Principal = Field("assistant", description="Who calls: the assistant, or the user it talks to.")


class ToolResult(_Model):
    """What came of a call. A call that failed has changed nothing in the session's database."""

    outcome: Outcome = Field(
        description="`ok`, or whose fault the failure is. `agent`: bad arguments, no such tool, or the domain refuses. "
        "`environment`: its code or data is broken. `infrastructure`: the machine failed; the episode says nothing."
    )
    value: Any = Field(None, description="The tool's answer, an object; null when the call failed.")
    error: str | None = Field(None, description="What went wrong, in words an agent can act on.")
    note: str | None = Field(None, description="Set when a long answer was cut: what was cut, and from what length.")
