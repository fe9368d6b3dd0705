"""The theme pool: which worlds were proposed, which were taken, and why the others were not."""

from typing import Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from envfactory_dagster.contracts.base import Artifact, Contract, Slug, content_hash
from envfactory_dagster.contracts.domain import StateStorage, ThemeSource
from envfactory_dagster.contracts.requests import ThemeProposal
from envfactory_dagster.contracts.sources import SourceDocument

REJECTION = Literal["unreadable", "not_stateful", "unsuitable", "duplicate", "category_full", "bad_name"]


class Subject(Contract):
    """Whose question it is: the environment, whatever its key, by the title and the content of what it is made from."""

    title: str
    source: str
    """Hash of the proposal, and of the document where there is one."""


class PooledProposal(Artifact):
    """A proposal that was taken: the artifact that the theme of its environment is made from."""

    key: Slug
    proposal: ThemeProposal
    source: ThemeSource
    suitability: float = Field(ge=0.0, le=1.0)
    nearest: str = ""
    """The key it is most like, of those taken before it."""
    similarity: float = 0.0
    document: SourceDocument | None = None
    """The source it was made from, whole."""
    storage: StateStorage = Field(default="sqlite", exclude_if=lambda storage: storage == "sqlite")

    @property
    def subject(self) -> Subject:
        """The same wherever the proposal was found, however its category is spelled there, and wherever its document
        lay."""
        proposal = self.proposal.model_dump(mode="json", include={"name", "description", "entities"})
        document = self.document and self.document.model_dump(mode="json", exclude={"reference", "words"})
        return Subject(title=self.proposal.name, source=content_hash([proposal, document]))

    @model_serializer(mode="wrap")
    def _without_a_document_that_is_not_there(self, written: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """As it was written before there were documents: what was made from such a proposal stays as it is."""
        return {name: value for name, value in written(self).items() if name != "document" or value is not None}


class RejectedProposal(Contract):
    """A proposal, or a source entry, that was not taken; the reason is kept."""

    name: str
    category: str = ""
    source: ThemeSource
    reason: REJECTION
    detail: str
