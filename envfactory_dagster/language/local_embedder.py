"""Embeddings made in this process: by a sentence-transformers model, or by the built-in embedder beside an endpoint.

Belongs here: loading them and encoding. Does not: caching and booking (`gateway`).
"""

import asyncio
import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.language.replies import pack


class InProcessEmbedder(Protocol):
    @property
    def source(self) -> str:
        """What the vectors are cached under, and what the ledger calls the endpoint."""

    async def encode(self, texts: Sequence[str]) -> list[bytes]:
        """One vector for each text, packed as it is cached."""


class BuiltInEmbedder:
    """The embedder of the built-in model, for those whose endpoint is only asked to chat."""

    def __init__(self) -> None:
        from envfactory_dagster.language.built_in import embedder

        self._embed = embedder.embed
        self.source = f"built-in:{content_hash(Path(embedder.__file__).read_text())[:12]}"

    async def encode(self, texts: Sequence[str]) -> list[bytes]:
        return [pack(self._embed(text)) for text in texts]


class LocalEmbedder:
    """Loads the sentence-transformers model with the first text."""

    source = "sentence-transformers"

    def __init__(self, name: str) -> None:
        self._name = name
        self._model: Any = None
        self._busy = asyncio.Lock()

    async def encode(self, texts: Sequence[str]) -> list[bytes]:
        async with self._busy:
            return await asyncio.to_thread(self._encode, texts)

    def _encode(self, texts: Sequence[str]) -> list[bytes]:
        if self._model is None:
            self._model = _load(self._name)
        # One by one: padding to the longest text of a batch changes the last digits of the others, and a theme must
        # not be a duplicate or not depending on its neighbours.
        vectors = self._model.encode(list(texts), batch_size=1, normalize_embeddings=True, show_progress_bar=False)
        return [pack(vector.tolist()) for vector in vectors]


def _load(name: str) -> Any:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise UsageError(
            "The embedder is a sentence-transformers model, but that package is not installed. Install "
            "`envfactory_dagster[embeddings]`, or unset ENVFACTORY_EMBEDDER_MODEL."
        ) from error
    # For one short text at a time a second thread costs more than it brings: up to fifteen times on a busy machine.
    importlib.import_module("torch").set_num_threads(1)
    try:
        return SentenceTransformer(name)
    except (OSError, ValueError) as error:
        raise UsageError(f"The embedder {name!r} cannot be loaded: {error}") from error
