"""Kinds of places and services the embedded model can invent worlds of, or recognise in somebody's words.

Belongs here: reading `kinds.txt`, and the kind a text is most about. Does not: kinds that are worked out with modules
and nouns of their own (`blueprints`), or composing a world of a kind (`invention`).
"""

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from envfactory_dagster.language.embedded.blueprint import Blueprint
from envfactory_dagster.language.embedded.blueprints import all_blueprints
from envfactory_dagster.language.nouns import singular

_FILE = Path(__file__).with_name("kinds.txt")


@dataclass(frozen=True)
class Kind:
    name: str
    category: str
    things: tuple[str, ...]
    """What it keeps records of, in the singular."""
    about: str
    """Who does what there: one sentence."""
    flavours: tuple[str, ...] = ()


@cache
def all_kinds() -> tuple[Kind, ...]:
    """Those with a blueprint, then those of the file that have none."""
    worked_out = [_of_blueprint(blueprint) for blueprint in all_blueprints()]
    names = {kind.name for kind in worked_out}
    return (*worked_out, *(kind for kind in _of_file() if kind.name not in names))


def nearest_kind(text: str) -> Kind | None:
    """The kind with most of the text's words, rare ones counting more; None when nothing telling is shared."""
    words = set(_words(text))
    best, kind = max(((_likeness(kind, words), kind) for kind in all_kinds()), key=lambda pair: (pair[0], pair[1].name))
    return kind if best >= _TELLING else None


def _likeness(kind: Kind, words: set[str]) -> float:
    """A kind that is named in full is told by that alone."""
    is_named = words.issuperset(_words(kind.name))
    return sum(_weights()[word] for word in words & _words_of(kind)) + _TELLING * is_named


_JOINING = frozenset({"and", "for", "from", "the", "with"})
_TELLING = 1.0
"""As much as one word that a single kind has."""


@cache
def _weights() -> dict[str, float]:
    """A word that few kinds have tells more."""
    counted = Counter(word for kind in all_kinds() for word in _words_of(kind))
    return {word: 1.0 / math.sqrt(count) for word, count in counted.items()}


@cache
def _words_of(kind: Kind) -> frozenset[str]:
    return frozenset(_words(" ".join([kind.name, *kind.things])))


def _words(text: str) -> list[str]:
    return [singular(word) for word in re.findall("[a-z]{3,}", text.lower()) if word not in _JOINING]


def _of_blueprint(blueprint: Blueprint) -> Kind:
    things = [noun.partition("|")[0] for roles in blueprint.uses.values() for noun in roles.values()]
    return Kind(
        name=blueprint.name,
        category=blueprint.category,
        things=tuple(dict.fromkeys(things)),
        about=blueprint.about.rstrip("."),
        flavours=blueprint.flavours,
    )


def _of_file() -> list[Kind]:
    kinds, category = [], ""
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            category = line.strip("[]")
        elif line and not line.startswith("#"):
            name, things, about = (part.strip() for part in line.split("|"))
            kinds.append(Kind(name, category, tuple(things.split(", ")), about))
    return kinds
