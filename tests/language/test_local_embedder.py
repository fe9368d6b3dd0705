"""Embeddings by a sentence-transformers model in this process; the model itself only where the extra is installed."""

import sys

import pytest
from language_kit import CALLER, settings_for

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.ledger import read_ledger

TEXTS = ["book a table", "reserve a table for four people tonight, by the window if possible", "water the plants"]


async def test_without_the_extra_it_says_what_to_install(endpoint, gateway_to, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    async with gateway_to(models={"embedder": "sentence-transformers:any"}) as gateway:
        with pytest.raises(UsageError, match=r"envfactory_dagster\[embeddings\]"):
            await gateway.embed(caller=CALLER, texts=["tea"])
    assert endpoint.calls == 0


@pytest.fixture(scope="module")
def model_folder(tmp_path_factory):
    """A small model of our own making: a hashed bag of words, saved the way all such models are."""
    pytest.importorskip("sentence_transformers")
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import BoW

    words = sorted({word for text in TEXTS for word in text.split()})
    folder = tmp_path_factory.mktemp("embedder")
    SentenceTransformer(modules=[BoW(words)]).save(str(folder))
    return str(folder)


async def test_a_folder_is_an_embedder_that_costs_nothing_and_is_cached(model_folder, tmp_path):
    settings = settings_for(models={"embedder": model_folder}, budget={"usd": 0})
    async with Gateway(settings, tmp_path) as gateway:
        first = await gateway.embed(caller=CALLER, texts=TEXTS)
        again = await gateway.embed(caller=CALLER, texts=TEXTS)
    assert first == again
    rows = read_ledger(tmp_path)
    assert rows["cached"].to_list() == [False, True] and rows["cost_usd"].to_list() == [0, 0]


async def test_a_vector_does_not_depend_on_its_neighbours(model_folder, tmp_path):
    settings = settings_for(models={"embedder": model_folder})
    async with Gateway(settings, tmp_path / "a") as together, Gateway(settings, tmp_path / "b") as alone:
        vectors = await together.embed(caller=CALLER, texts=TEXTS)
        assert vectors == [(await alone.embed(caller=CALLER, texts=[text]))[0] for text in TEXTS]


async def test_a_model_that_is_not_there_is_told(tmp_path):
    pytest.importorskip("sentence_transformers")
    (tmp_path / "empty").mkdir()
    settings = settings_for(models={"embedder": str(tmp_path / "empty")})
    async with Gateway(settings, tmp_path) as gateway:
        with pytest.raises(UsageError, match="cannot be loaded"):
            await gateway.embed(caller=CALLER, texts=["tea"])
