"""Without a model the pool takes worlds of the library, and nothing is made of words that were not understood."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from envfactory_dagster.authoring.discovery import DiscoverySettings, ThemePool, add_theme, expand_pool
from envfactory_dagster.contracts.pool import PooledProposal, RejectedProposal
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.library.app import LibraryApp
from envfactory_dagster.library.collection import Library
from envfactory_dagster.store.home import Home

SHIPPED = Library()
SETTINGS = DiscoverySettings()
TITLES = {card.proposal.proposal.name for card in SHIPPED.cards.values()}


@pytest.fixture
async def gateway(tmp_path: Path) -> AsyncIterator[Gateway]:
    authors = {role: "library" for role in Role if role is not Role.EMBEDDER}
    settings = LanguageSettings(base_url="http://model/v1", api_key=SecretStr("a-key"), models=authors)
    async with Gateway(settings, tmp_path, app=LibraryApp(SHIPPED)) as gateway:
        yield gateway


@pytest.fixture
def pool(tmp_path: Path) -> ThemePool:
    return ThemePool(Home.resolve(tmp_path))


async def test_worlds_of_the_library_are_taken_until_none_is_left(gateway: Gateway, pool: ThemePool) -> None:
    few = await expand_pool(gateway, pool, 3, SETTINGS)
    rest = await expand_pool(gateway, pool, 100, SETTINGS)

    assert (len(few.taken), few.exhausted, rest.exhausted) == (3, False, True)
    assert {one.proposal.name for one in [*few.taken, *rest.taken]} == TITLES
    for pooled in pool.taken:
        world = SHIPPED.about(pooled.subject)
        assert world is not None and world.title == pooled.proposal.name


async def test_a_world_of_files_is_found_as_one(gateway: Gateway, pool: ThemePool) -> None:
    await expand_pool(gateway, pool, 100, SETTINGS)
    stored = {card.proposal.proposal.name: card.proposal.storage for card in SHIPPED.cards.values()}
    assert {one.proposal.name: one.storage for one in pool.taken}.items() <= stored.items()
    [of_files, *_] = [name for name, storage in stored.items() if storage == "files"]

    other = ThemePool(Home.resolve(pool.home.root / "other"))
    named = await add_theme(gateway, other, of_files, SETTINGS)
    assert isinstance(named, PooledProposal) and named.storage == "files"


def test_the_lightest_worlds_come_first() -> None:
    key_of = {card.proposal.proposal.name: key for key, card in SHIPPED.cards.items()}
    titles = SHIPPED.lightest("small")
    sizes = [sum(path.stat().st_size for path in (SHIPPED.folder / key_of[one]).rglob("*.*")) for one in titles]
    assert sizes == sorted(sizes) and len(titles) > 3


async def test_a_world_that_is_named_is_taken_as_it_is(gateway: Gateway, pool: ThemePool) -> None:
    (title, *_) = sorted(TITLES)

    taken = await add_theme(gateway, pool, f"  {title.upper()} ", SETTINGS)

    assert isinstance(taken, PooledProposal)
    assert SHIPPED.about(taken.subject) is not None


@pytest.mark.parametrize(
    ("typed", "nearest"),
    [
        ("A barber who rents chairs to colleagues", "Nearest to it: Tannery Lane barbershop"),
        ("Ein Fahrradverleih an der Donau mit Rückgabestationen", "It has none that is near it."),
        ("Bees", "Nearest to it: Beekeepers"),
        ("Films", "Two-hall Ghent cinema"),
        ("Batteries", "bicycle mutual"),
        ("Xylophones", "It has none that is near it."),
        ("mountain rescue " * 200, "Nearest to it: Kestrel Ridge"),
    ],
)
async def test_a_theme_that_is_not_there_is_refused_with_what_is_nearest(
    typed: str, nearest: str, gateway: Gateway, pool: ThemePool
) -> None:
    refused = await add_theme(gateway, pool, typed, SETTINGS)

    assert isinstance(refused, RejectedProposal)
    assert "cannot make one from a description" in refused.detail
    assert nearest in refused.detail
    assert "ENVFACTORY_LLM_BASE_URL" in refused.detail
    assert pool.taken == []
