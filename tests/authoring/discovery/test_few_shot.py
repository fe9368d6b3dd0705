"""Whoever invents worlds is shown good ones that differ."""

import json
from typing import Any

from envfactory_dagster.authoring.discovery import DiscoverySettings, ThemePool, expand_pool
from envfactory_dagster.authoring.discovery.pool import Round
from envfactory_dagster.authoring.discovery.supply import EXAMPLES, examples_from
from envfactory_dagster.contracts.domain import ThemeSource
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.requests import ThemeProposal
from envfactory_dagster.contracts.sources import SourceDocument, SourceTool
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.store.home import Home
from tests.language.language_kit import settings_for
from tests.language.played_endpoint import PlayedEndpoint, embeds, says

LISTED = SourceTool(name="find", inputSchema={"type": "object"})


def world(number: int, category: str, suitability: float = 0.9, mirror: bool = False) -> PooledProposal:
    proposal = ThemeProposal(name=f"World {number}", category=category, description="A world.", reference="prds/x.md")
    document = SourceDocument(kind="mcp_spec", tools=[LISTED], mirror=True) if mirror else None
    source = ThemeSource(kind="expansion")
    key = f"world-{number}"
    return PooledProposal(key=key, proposal=proposal, source=source, suitability=suitability, document=document)


CATEGORIES = ("Health", "Retail", "Pets", "Legal", "Media", "Travel", "Energy", "Science", "Care")
POOL = [world(n, CATEGORIES[min(n // 2, 8)]) for n in range(40)]


def test_they_are_eight_of_different_categories() -> None:
    chosen = examples_from(POOL, "1")
    assert len(chosen) == len({one.category for one in chosen}) == EXAMPLES
    assert all(one.reference == "" for one in chosen)


def test_another_turn_brings_others_and_the_same_turn_the_same() -> None:
    assert examples_from(POOL, "1") == examples_from(POOL, "1")
    assert examples_from(POOL, "1") != examples_from(POOL, "2")


def test_what_is_not_so_good_or_was_not_scored_is_no_example() -> None:
    pool = [world(1, "Health", 0.7), world(2, "Retail", 1.0, mirror=True), world(3, "Pets", 0.8)]
    assert [one.name for one in examples_from(pool, "1")] == ["World 3"]


def test_with_few_categories_the_better_ones_are_shown() -> None:
    pool = [world(n, "Health", 0.8 + n / 100) for n in range(15)]
    assert {one.name for one in examples_from(pool, "1")} == {f"World {n}" for n in range(7, 15)}


async def test_the_question_for_inventions_shows_them(home: Home) -> None:
    def plays(body: dict[str, Any]) -> Any:
        if "input" in body:
            return embeds(body)
        return says(json.dumps({"proposals": []}))(body)

    endpoint, pool = PlayedEndpoint(always=plays), ThemePool(home)
    async with Gateway(settings_for("http://played/v1"), home.local, app=endpoint.app()) as gateway:
        async with pool.locked():
            pool.commit(Round(taken=POOL))
        await expand_pool(gateway, pool, 1, DiscoverySettings(), categories=["Legal"])
    (asked, *_) = endpoint.bodies
    text = asked["messages"][1]["content"]
    shown = json.loads(text.partition("```json\n")[2].partition("\n```")[0])["context"]["examples"]
    assert len(shown) == EXAMPLES
    assert "`examples` are worlds that were found good" in asked["messages"][0]["content"]
