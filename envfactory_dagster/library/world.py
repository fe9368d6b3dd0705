"""A world of the library: what it was made from, the accepted parts of all answers, and where they come from.

Belongs here: these contracts. Does not: the form in which they are written down (`folders`).
"""

from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from pydantic import Field

from envfactory_dagster.contracts.base import Artifact, Contract, NonEmpty, content_hash
from envfactory_dagster.contracts.domain import Size
from envfactory_dagster.contracts.mining import WholeSnapshot
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.truth import Dropped

PartName = tuple[str, str]
"""The kind of question, and which part of its answers."""


class WorldCard(Artifact):
    """The size and origin of a world, read before its parts."""

    size: Size
    proposal: PooledProposal
    """What it was made from; its subject is what questions about the world name."""

    @property
    def snapshot(self) -> str:
        """The name of the documents that it is mined from; empty where it is not."""
        return self.proposal.document.snapshot if self.proposal.document is not None else ""


class PartOrigin(Contract):
    """Where a part comes from."""

    question: NonEmpty
    """The kind of question that it is part of an answer to."""
    part: NonEmpty
    stage: NonEmpty
    """The stage that asked it."""
    hash: str
    """Of the part itself: what is edited by hand no longer comes from a model."""
    answer: str | None = None
    """Hash of the text of the answer that it was in; None where that was not kept."""
    prompt: str | None = None
    """Hash of the instructions; None where they were not kept."""
    model: str | None = None
    answers: int = Field(default=1, ge=1)
    """How many answers there were until this one, itself included."""


class RefusedAnswer(Contract):
    """An attempt that was not accepted, and what was wrong with it."""

    attempt: int
    problems: list[str]


class StageOrigin(Contract):
    """How a stage went when the world was made."""

    stage: NonEmpty
    status: str
    attempts: int
    refused: list[RefusedAnswer] = Field(default_factory=list)
    dropped: list[Dropped] | None = None
    """What it gave up in the end; None where that was not kept."""
    reason: str = ""


class WorldProvenance(Artifact):
    """Every part with its origin, in the order of the line: also the list of what a folder must hold."""

    stages: list[StageOrigin] = Field(default_factory=list)
    parts: list[PartOrigin] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class LibraryWorld:
    card: WorldCard
    provenance: WorldProvenance
    parts: dict[PartName, dict[str, Any]] = field(default_factory=dict)
    documents: WholeSnapshot | None = None
    """What it is mined from, where it is."""

    @property
    def key(self) -> str:
        return self.card.proposal.key

    @property
    def title(self) -> str:
        return self.card.proposal.proposal.name

    @property
    def until(self) -> str:
        """The last stage of the line that was accepted, with all before it."""
        accepted = list(takewhile(lambda stage: stage.status == "ok", self.provenance.stages))
        return accepted[-1].stage if accepted else ""


def part_hash(part: dict[str, Any]) -> str:
    return content_hash(part)
