"""What was mined from documents: records that say where they were found.

Belongs here: documents, records with their citations, how the whole grew. Does not: what a miner is asked
(`mining_requests`), reading documents (`sources`), or tables made of records (`authoring.mining.derived`).
"""

import hashlib
from typing import Literal, Self

from pydantic import Field, model_validator

from envfactory_dagster.contracts.base import Artifact, Contract, Identifier, NonEmpty, unique
from envfactory_dagster.contracts.database import Cell


class DataDocument(Contract):
    """A document as it was read."""

    id: NonEmpty
    """Its path in the folder."""
    form: NonEmpty
    bytes: int
    sha256: str
    licence: str = ""
    address: str = ""
    """Where it was fetched, if it was."""
    fetched_at: str = ""


class LeftOutDocument(Contract):
    document: str
    reason: str


class SnapshotIndex(Artifact):
    documents: list[DataDocument] = Field(min_length=1)
    licence: DataDocument | None = Field(default=None, exclude_if=lambda licence: licence is None)
    """The file that says under which terms the documents stand. It is none of them: nothing is mined from it."""

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Self:
        unique([one.id for one in self.files], "documents")
        return self

    @property
    def files(self) -> list[DataDocument]:
        return [*self.documents, self.licence] if self.licence is not None else self.documents


class WholeSnapshot(Contract):
    """Documents together with their texts, as they travel."""

    index: SnapshotIndex
    texts: dict[str, str]
    """By id; that of the licence too."""

    @model_validator(mode="after")
    def _texts_are_those_of_the_index(self) -> Self:
        hashes = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in self.texts.items()}
        if hashes != {one.id: one.sha256 for one in self.index.files}:
            raise ValueError("the texts are not those that the index lists")
        return self


class Span(Contract):
    """A place in a document: some lines of its text, or some rows of one of its tables, both counted from 1."""

    document: NonEmpty
    table: int = Field(default=0, ge=0)
    """Which table of the document; 0: lines of its text."""
    first: int = Field(ge=1)
    last: int = Field(ge=1)


FieldType = Literal["text", "integer", "number", "money", "flag", "day", "moment"]
"""`money` is in cents, a `flag` is 0 or 1, a `day` 2026-03-02, a `moment` 2026-03-02T09:00:00."""


class MinedField(Contract):
    name: Identifier
    type: FieldType
    meaning: NonEmpty
    refers_to: Identifier | None = None
    """The collection whose keys are its values."""
    one_of: list[NonEmpty] = Field(default_factory=list)
    """All values that it can have, of a text with few of them; empty: any."""
    invented: bool = False
    """Its values stand in no document."""


class MinedRecord(Contract):
    values: dict[Identifier, Cell]
    sources: list[Span] = Field(default_factory=list)


class CollectionPlan(Contract):
    """What a collection is, without its records."""

    name: Identifier
    purpose: NonEmpty
    """One sentence on what a record is."""
    key: Identifier
    """The field that no two records have alike."""
    fields: list[MinedField] = Field(min_length=1)

    @model_validator(mode="after")
    def _fields_are_named(self) -> Self:
        names = unique([field.name for field in self.fields], "fields")
        if self.key not in names:
            raise ValueError(f"the key {self.key} of {self.name} is none of its fields")
        return self


class Collection(CollectionPlan):
    records: list[MinedRecord]


class Sizes(Contract):
    """How much there is."""

    collections: int
    fields: int
    records: int
    relations: int


GrowthKind = Literal["add_records", "add_field", "add_collection", "add_relation", "add_history", "add_edge_cases"]


class GrowthOperation(Contract):
    """One thing by which the data are to become richer."""

    do: GrowthKind
    collection: Identifier
    what: NonEmpty
    """One sentence: what is added, and where in the documents it may be found."""


class GrowthRound(Contract):
    """One round of enrichment, and what came of it."""

    number: int
    operations: list[GrowthOperation]
    kept: bool
    """False: it did not pass, and everything stayed as it was."""
    reason: str = ""
    sizes: Sizes
    """After it."""


class MinedData(Artifact):
    """`none`: nothing was to be mined for this environment."""

    kind: Literal["none", "mined"] = "none"
    snapshot: str = ""
    """Under which name the documents are kept."""
    collections: list[Collection] = Field(default_factory=list)
    grounded_share: float = 0.0
    """Of the cells that are not invented, those that are found where their record says."""
    invented_share: float = 0.0
    rounds: list[GrowthRound] = Field(default_factory=list)
