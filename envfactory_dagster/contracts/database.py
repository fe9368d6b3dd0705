"""The database of an environment: its DDL, and the rows of each initial state."""

from typing import Self

from pydantic import Field, model_validator

from envfactory_dagster.contracts.base import Artifact, Contract, Identifier, NonEmpty, unique
from envfactory_dagster.contracts.domain import INITIAL_STATE

Cell = str | int | float | None


class Table(Contract):
    name: Identifier
    ddl: NonEmpty
    """One CREATE TABLE statement, STRICT."""
    indexes: list[NonEmpty] = Field(default_factory=list)
    purpose: str = ""


class TableInFile(Table):
    """A table whose rows are the records of a file."""

    file: NonEmpty
    """Its path."""


class DocumentFile(Contract):
    """A text of an environment whose state is files."""

    path: NonEmpty
    purpose: NonEmpty


class DatabaseSchema(Artifact):
    """Tables in an order in which they can be created: parents before children."""

    tables: list[Table] = Field(min_length=1)
    documents: list[DocumentFile] = Field(default_factory=list, exclude_if=lambda documents: not documents)
    """Only where the state is files. The tables name theirs in their definitions."""
    words: str = Field(default="", exclude_if=lambda words: not words)
    """Where the state is files, hash of the prompt texts about files. A change rebuilds what used them."""

    @model_validator(mode="after")
    def _table_names_are_unique(self) -> Self:
        unique([table.name for table in self.tables], "table names")
        return self

    def sql(self) -> str:
        statements = [s for table in self.tables for s in (table.ddl, *table.indexes)]
        return "".join(f"{statement.strip().rstrip(';')};\n" for statement in statements)


class TableRows(Contract):
    table: Identifier
    columns: list[Identifier] = Field(min_length=1)
    rows: list[list[Cell]]

    @model_validator(mode="after")
    def _rows_are_as_wide_as_the_columns(self) -> Self:
        for index, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise ValueError(f"row {index} of {self.table} has {len(row)} values for {len(self.columns)} columns")
        return self


class InitialState(Contract):
    """One world the tasks can start in: same schema and tools, other people and data."""

    name: Identifier
    clock: str = Field(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$")
    """The frozen time of this world, as tools read it from `env.now`."""
    tables: list[TableRows]


class SeedRows(Artifact):
    states: list[InitialState] = Field(min_length=1)

    @model_validator(mode="after")
    def _states_are_named(self) -> Self:
        names = unique([state.name for state in self.states], "state names")
        if INITIAL_STATE not in names:
            raise ValueError(f"one state must be called {INITIAL_STATE!r}")
        return self
