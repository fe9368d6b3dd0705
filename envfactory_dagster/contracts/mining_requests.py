"""What a miner is asked, step by step, and what it may do."""

from typing import Annotated, Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from envfactory_dagster.contracts.base import Contract, Identifier, NonEmpty
from envfactory_dagster.contracts.database import Table, TableRows
from envfactory_dagster.contracts.domain import Theme
from envfactory_dagster.contracts.mining import CollectionPlan, GrowthOperation, MinedRecord


class DocumentShown(Contract):
    id: str
    form: str
    bytes: int


class CollectionShown(CollectionPlan):
    """A collection as far as there is room: its plan, and some of its records."""

    record_count: int
    records: list[MinedRecord]


class Search(Contract):
    """Look for passages in all documents."""

    do: Literal["search"]
    query: NonEmpty


class Open(Contract):
    """Read the text of a document from a line on."""

    do: Literal["open"]
    document: str
    line: int = Field(default=1, ge=1)


class ShowTable(Contract):
    """See a table of a document from a row on."""

    do: Literal["table"]
    document: str
    table: int = Field(default=1, ge=1)
    row: int = Field(default=1, ge=1)


class TakeRows(Contract):
    """Make a record of each row of a table of a document, citing the row."""

    do: Literal["take_rows"]
    document: str
    table: int = Field(default=1, ge=1)
    columns: dict[Identifier, str]
    """Field → column of the table."""
    collection: CollectionPlan


class RunPython(Contract):
    """Run a program `solve(tools)`; with a collection, the records that it returns are added to it."""

    do: Literal["run_python"]
    source: NonEmpty
    collection: CollectionPlan | None = None


class Write(Contract):
    """Add records to a collection, or further fields to records that it has."""

    do: Literal["write"]
    collection: CollectionPlan
    records: list[MinedRecord] = Field(min_length=1)


class Drop(Contract):
    """Take back a collection that was begun in this round, with all its records."""

    do: Literal["drop"]
    collection: Identifier


class Finish(Contract):
    """Say that everything is there."""

    do: Literal["finish"]


Action = Annotated[
    Search | Open | ShowTable | TakeRows | RunPython | Write | Drop | Finish,
    Field(discriminator="do"),
]


class StepShown(Contract):
    """A step that was taken, and what came of it."""

    action: Action
    seen: str


class MiningStepContext(Contract):
    """schema `mining_step`: what is the next thing to do?"""

    theme: Theme
    documents: list[DocumentShown]
    least_collections: int
    least_records: int
    wishes: list[GrowthOperation]
    """The additions wanted in this round; empty in the first."""
    round: int
    step: int
    steps_left: int
    collections: list[CollectionShown]
    steps: list[StepShown]


class MiningStepAnswer(Contract):
    thought: str
    action: Action


class ComplexifyContext(Contract):
    """schema `complexify`: by what should these data become richer?"""

    theme: Theme
    documents: list[DocumentShown]
    collections: list[CollectionShown]
    round: int
    most: int


class ComplexifyAnswer(Contract):
    operations: list[GrowthOperation]


class MinedShown(Contract):
    """What was mined from documents, as the tables that it becomes."""

    tables: list[Table]
    rows: list[TableRows]
    """The first rows of each."""
    row_counts: dict[Identifier, int]


class WithMined(Contract):
    """A context that shows what was mined, where the environment is made from documents."""

    mined: MinedShown | None = None

    @model_serializer(mode="wrap")
    def _without_what_is_not_there(self, written: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """As it was written before there were sources: the same question has the same stored answer."""
        of_sources = ("source", "mined")
        return {name: value for name, value in written(self).items() if name not in of_sources or value is not None}
