"""What a stage of the line is: the one interface between the rooms that make artifacts and whatever runs them.

Belongs here: how a stage is declared, what it is given, what it gives back. Does not: memo and storage
(`store.memo`), assets and retries (`assets.stage`), and how any one artifact is made (`authoring`, `truth`, `tasks`).

A stage makes one artifact for one partition, out of the artifacts of the stages upstream. It answers with an artifact
or with the reason for having none; it raises only when the world is broken (an endpoint down, a budget spent).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic import Field

from envfactory_dagster.contracts.base import Contract, Json
from envfactory_dagster.contracts.records import Attempt, Spent, StageRecord


class Amending(Contract):
    """A part of artifacts whose stage may have had to change what stages before it made: nothing runs backwards, so the
    change travels onwards with whoever made it."""

    amended: dict[str, dict[str, Any]] = Field(default_factory=dict, exclude_if=lambda amended: not amended)
    """Stage → its artifact as it holds from here on."""


PROPOSAL = "proposal"
"""Where the records of proposals lie: what themes are made from."""

LINE = (
    *("theme", "mined_data", "task_set", "database_schema", "seed_rows", "tool_spec", "server_code", "environment"),
    *("reference_solutions", "verifiers", "inspection"),
    *("tool_graph", "graph_tasks", "program_tasks", "task_families", "conversations", "release"),
)
"""The stages from a theme to a release, in order. Written down, because importing the assets takes a second."""

SOURCE_DOCUMENT = "source_document"
MINED_DATA = "mined_data"
OPTIONAL = (SOURCE_DOCUMENT, MINED_DATA)
"""Stages that a stage may name upstream and be run without: not every theme has a source, and not every source is
mined. Where there is nothing, what is made does not depend on it."""


@dataclass(frozen=True, slots=True)
class StageInput:
    """One partition, and the accepted record of every stage upstream."""

    partition: str
    parents: Mapping[str, StageRecord]
    redo: int = 0
    """How often this was rejected and asked for again, from the same parents: each time with seeds of its own."""

    def artifact(self, stage: str) -> dict[str, Any]:
        """The artifact of a stage upstream, as another stage upstream amended it if one did. A stage is only run when
        all of them were accepted."""
        for record in self.parents.values():
            amended: dict[str, dict[str, Any]] = (record.artifact or {}).get("amended", {})
            if stage in amended:
                return amended[stage]
        artifact = self.parents[stage].artifact
        if artifact is None:
            raise ValueError(f"the record of {stage} for {self.partition} holds no artifact")
        return artifact


@dataclass(frozen=True, slots=True)
class StageOutcome:
    """An artifact, or the reason why there is none; and in both cases every attempt that was made."""

    artifact: dict[str, Any] | None
    attempts: list[Attempt] = field(default_factory=list)
    reason: str = ""
    metadata: dict[str, Json] = field(default_factory=dict)
    """What a person wants to see: numbers, short texts, code (texts of several lines), tables (lists of objects)."""
    spent: Spent | None = None
    """None: nobody counted."""

    def __post_init__(self) -> None:
        if (self.artifact is None) != bool(self.reason):
            raise ValueError("a stage gives an artifact or the reason for having none: one of them, and not both")


class StageDeclaration(Protocol):
    """The facts about a stage that its asset is declared from, before it runs. Classes may carry them as ClassVars."""

    @property
    def name(self) -> str: ...

    @property
    def upstream(self) -> tuple[str, ...]: ...

    @property
    def code_version(self) -> str: ...


class Stage(StageDeclaration, Protocol):
    """A stage that can run: it holds the models and settings it works with."""

    def settings_hash(self) -> str:
        """Hash of every setting that the artifact depends on: models, prompts, sizes, thresholds. No keys, no URLs."""
        ...

    async def make(self, stage_input: StageInput) -> StageOutcome: ...
