"""A workspace: two or three environments in one episode, for one person at one time.

Belongs here: which environments, under which prefixes, and what makes their rows those of one person. Does not: making
the bundle of one (`runtime.workspaces`), and playing in it.
"""

from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from envfactory_dagster.contracts.base import Artifact, Contract, Identifier, NonEmpty, Slug, unique
from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.tools import GivenRow

Prefix = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*$", max_length=16)]
"""What stands, with an underscore, before the name of every tool, table and rule of a server."""


class WorkspaceServer(Contract):
    """One environment of a workspace, in one of its states."""

    prefix: Prefix
    environment: Slug
    state: Identifier = INITIAL_STATE
    given: list[GivenRow] = Field(default_factory=list)
    """Rows as they are to be here, such as the name of the person, who is the same at every server."""


class Workspace(Artifact):
    key: Slug
    name: NonEmpty
    category: NonEmpty
    description: NonEmpty
    """The person, and how the servers belong together. Each server has a description of its own."""
    servers: list[WorkspaceServer] = Field(min_length=2, max_length=3)
    assumed: list[NonEmpty] = Field(default_factory=list)
    """What the environments do not say themselves and had to be taken for granted to put them side by side."""

    @model_validator(mode="after")
    def _each_prefix_once(self) -> Self:
        unique([server.prefix for server in self.servers], "prefixes of servers")
        return self
