"""Proposing worlds: those of the library that are not there yet, and none besides.

Belongs here: which worlds are proposed, and what is said of a theme that is none of them. Does not: what is taken into
the pool (`authoring.discovery`).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from envfactory_dagster.contracts.domain import Size
from envfactory_dagster.language.nouns import singular
from envfactory_dagster.library.answering import NoOtherAnswer, of_another_size
from envfactory_dagster.library.collection import Library
from envfactory_dagster.library.parts import Context, Part
from envfactory_dagster.library.world import WorldCard

TYPED = "user"
"""The kind of a source that is a theme somebody typed."""
NEAREST = 3


def theme_proposals(library: Library, context: Context, size: Size | None) -> Part:
    """Worlds to be made: the one that was named, or those that are not known yet."""
    if context["sources"]:
        return {"proposals": [_named(library, source, size) for source in context["sources"]]}
    cards = [card for card in library.cards.values() if size in (None, card.size)]
    known, wanted = set(map(_folded, context["known_names"])), set(map(_folded, context["wanted_categories"]))
    new = [
        card
        for card in cards
        if _folded(card.proposal.proposal.name) not in known
        and (not wanted or _folded(card.proposal.proposal.category) in wanted)
    ]
    return {"proposals": [_proposed(library, card) for card in new[: context["count"]]]}


def _proposed(library: Library, card: WorldCard) -> Part:
    """The proposal; of a mirror with the document of its service, which the world is made from, of a mined world with
    the documents that it is mined from, and of a world of files with the word that it is one."""
    document = card.proposal.document
    proposed = card.proposal.proposal.model_dump(mode="json")
    if document is not None and (document.mirror or document.snapshot):
        proposed["document"] = document.model_dump(mode="json")
    if card.proposal.storage != "sqlite":
        proposed["storage"] = card.proposal.storage
    if card.snapshot:
        documents = library.world(card.proposal.key).documents
        proposed["documents"] = documents and documents.model_dump(mode="json")
    return proposed


def _named(library: Library, source: Mapping[str, Any], size: Size | None) -> Part:
    """The world that somebody named by its title. Nothing is made of words that are not understood."""
    cards = list(library.cards.values())
    text = str(source["text"])
    if source["kind"] != TYPED:
        raise NoOtherAnswer("The library reads no sources: it has worlds that were made from others.")
    for card in cards:
        if _folded(card.proposal.proposal.name) == _folded(text):
            if size not in (None, card.size):
                raise of_another_size(card)
            return _proposed(library, card) | {"reference": source["reference"]}
    nearest = "; ".join(_nearest(cards, text))
    raise NoOtherAnswer(
        "The library has no world of that title, and cannot make one from a description. "
        + (f"Nearest to it: {nearest}." if nearest else "It has none that is near it.")
    )


def _nearest(cards: Sequence[WorldCard], text: str) -> list[str]:
    """The titles that share most words with it, each word worth the more the fewer worlds have it. A word counts in any
    number, and stands for those that begin with it: bees for beekeepers."""
    words_of = {
        card.proposal.proposal.name: _stems(
            " ".join(
                [
                    card.proposal.proposal.name,
                    card.proposal.proposal.category,
                    card.proposal.proposal.description,
                    *card.proposal.proposal.entities,
                ]
            )
        )
        for card in cards
    }
    scores = dict.fromkeys(words_of, 0.0)
    for stem in _stems(text):
        having = [title for title, words in words_of.items() if any(_begins_with(stem, word) for word in words)]
        for title in having:
            scores[title] += 1 / len(having)
    return [title for title in sorted(scores, key=lambda title: -scores[title]) if scores[title] > 0][:NEAREST]


def _begins_with(stem: str, word: str) -> bool:
    """Short stems begin too much, except in long words."""
    return word == stem or (word.startswith(stem) and (len(stem) > 3 or len(word) > 6))


def crud_suitability(library: Library, context: Context, size: Size | None) -> Part:
    """Its worlds suit, since they were made; of others it knows nothing."""
    known = {_folded(card.proposal.proposal.name) for card in library.cards.values()}
    names = [proposal["name"] for proposal in context["proposals"]]
    if unknown := [name for name in names if _folded(name) not in known]:
        raise NoOtherAnswer(f"The library does not know whether {unknown[0]!r} suits: it is none of its worlds.")
    return {"scores": [{"name": name, "score": 1.0, "reason": "It is a world of the library."} for name in names]}


def _folded(text: str) -> str:
    return " ".join(_all_words(text))


def _stems(text: str) -> set[str]:
    return {singular(word) for word in _all_words(text) if len(word) > 3}


def _all_words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


DISCOVERY: Mapping[str, Callable[[Library, Context, Size | None], Part]] = {
    "theme_proposals": theme_proposals,
    "crud_suitability": crud_suitability,
}
"""What can be asked about no environment in particular."""
