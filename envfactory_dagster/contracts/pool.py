"""The theme pool: which worlds were proposed, which were taken, and why the others were not."""

from typing import Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from envfactory_dagster.contracts.base import Artifact, Contract, Slug
from envfactory_dagster.contracts.domain import ThemeSource
from envfactory_dagster.contracts.requests import ThemeProposal
from envfactory_dagster.contracts.sources import SourceDocument

REJECTION = Literal["unreadable", "not_stateful", "unsuitable", "duplicate", "category_full", "bad_name"]


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
