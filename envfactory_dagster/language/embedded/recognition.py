"""Which domain a theme is about: a known blueprint, or one improvised from the words the theme was given in.

Belongs here: reading names, entities and free text. Does not: what is then decided (`plan`).
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from envfactory_dagster.language.embedded.blueprint import Blueprint
from envfactory_dagster.language.embedded.blueprints import all_blueprints
from envfactory_dagster.language.embedded.kit import Module
from envfactory_dagster.language.embedded.modules import all_modules
from envfactory_dagster.language.embedded.seeds import rng_of
from envfactory_dagster.language.embedded.text import Noun, words_of
from envfactory_dagster.language.nouns import singular

_WORD = re.compile(r"[a-z]+")
_NOT_NOUNS = frozenset(
    words_of(
        """
    the and for with from that this into over under their your our its are was were has have can could should
    would will may must not all any each every some more most other such only own same than then very just about
    after before when where which who whom how what why use uses used using user users get gets set add adds
    create creates update updates delete deletes list lists search find view show make makes manage manages
    management system platform service services app application tool tools api server data information record
    records item items new old open closed active small large based per via within also them they there these
    those one two three people person keep keeps track tracks tracking see sees let lets need needs want wants
    """
    )
)
_IMPROVISED_MODULES = 3


def blueprint_of(name: str, category: str, entities: Sequence[str]) -> Blueprint:
    """The blueprint whose kind the name contains (the longest; its own category first), else an improvised one."""
    words = _singular_words(name)
    known = [b for b, kind in _kinds() if _contains(words, kind)]
    if known:
        return max(known, key=lambda b: (b.category == category, len(b.name), b.name))
    return _improvise(name, category, entities)


@cache
def _kinds() -> list[tuple[Blueprint, list[str]]]:
    """Every blueprint with the words of its kind."""
    return [(blueprint, _singular_words(blueprint.name)) for blueprint in all_blueprints()]


def borrowed_nouns(blueprint: Blueprint, entities: Iterable[str]) -> dict[str, dict[str, str]]:
    """Module → role → noun: the blueprint's, overruled by entities that name a role the way other themes do."""
    nouns = {module: dict(roles) for module, roles in [*blueprint.may_use.items(), *blueprint.uses.items()]}
    settled = {noun.partition("|")[0] for roles in nouns.values() for noun in roles.values()}
    for entity in entities:
        noun = singular(entity.strip().lower())
        found = _role_named(noun) if noun and noun not in settled else None
        if found and _is_plain(noun):
            module, role = found
            nouns.setdefault(module, {}).setdefault(role, noun)
            settled.add(noun)
    return nouns


def modules_for(text: str) -> list[str]:
    """Modules that a text calls for by their keywords, most mentioned first."""
    words = Counter(_singular_words(text))
    scores = {module.name: _score(module, words) for module in all_modules().values() if module.name != "people"}
    return [name for name, score in sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])) if score]


def nouns_in(text: str, most: int = 8) -> list[str]:
    """Words of a text that are likely names of things: frequent, or known as the noun of some role."""
    counted = Counter(word for word in _singular_words(text) if len(word) > 2 and word not in _NOT_NOUNS)
    ranked = sorted(counted, key=lambda word: (_role_named(word) is None, -counted[word], word))
    return ranked[:most]


def _improvise(name: str, category: str, entities: Sequence[str]) -> Blueprint:
    """A blueprint for a kind nobody described: modules by keywords, the unknown nouns as its heart's things."""
    wanted = modules_for(" ".join([name, *entities]))
    rng = rng_of("improvised", name, category)
    others = [module for module in sorted(all_modules()) if module not in wanted and module != "people"]
    chosen = (wanted + rng.sample(others, len(others)))[:_IMPROVISED_MODULES]
    uses: dict[str, dict[str, str]] = {module: {} for module in chosen}
    nouns = [noun for noun in (singular(entity.strip().lower()) for entity in entities) if noun and _is_plain(noun)]
    settled = {_role_named(noun) for noun in nouns}
    things = [(module, all_modules()[module].provides.get("thing", "")) for module in chosen]
    unnamed = [(module, role) for module, role in things if role and (module, role) not in settled]
    unknown = [noun for noun in nouns if _role_named(noun) is None]
    for (module, role), noun in zip(unnamed, unknown, strict=False):
        uses[module][role] = noun
    return Blueprint(name=name.lower(), category=category, about=name, uses=uses)


def _role_named(noun: str) -> tuple[str, str] | None:
    """The module and role that call something of theirs by this noun, or by its last word."""
    named = _roles_by_noun()
    return named.get(noun) or named.get(noun.split(" ")[-1])


@cache
def _roles_by_noun() -> dict[str, tuple[str, str]]:
    """Noun → the first module and role that use it."""
    named: dict[str, tuple[str, str]] = {}
    for module in all_modules().values():
        for role, defaults in module.roles.items():
            for default in defaults:
                named.setdefault(Noun.parse(default).one, (module.name, role))
    return named


def _score(module: Module, words: Mapping[str, int]) -> int:
    nouns = [Noun.parse(noun).one for defaults in module.roles.values() for noun in defaults]
    named = [singular(word) for word in (*module.keywords, *module.name.split("_"))]
    return sum(3 * words.get(word, 0) for word in named) + sum(words.get(noun, 0) for noun in nouns)


def _is_plain(noun: str) -> bool:
    return re.fullmatch(r"[a-z]+(?: [a-z]+){0,2}", noun) is not None and len(noun) <= 30


def _singular_words(text: str) -> list[str]:
    return [singular(word) for word in _WORD.findall(text.lower())]


def _contains(words: Sequence[str], phrase: Sequence[str]) -> bool:
    return any(list(words[i : i + len(phrase)]) == list(phrase) for i in range(len(words) - len(phrase) + 1))
