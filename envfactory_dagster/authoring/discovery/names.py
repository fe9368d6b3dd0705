"""Names and keys of themes: what is cleaned, what is refused, and how two names get two keys.

Belongs here: rules about words. Does not: whether a theme is a good one (`judging`).
"""

import html
import re
import unicodedata
from collections.abc import Callable, Iterable

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.requests import ThemeProposal

LONGEST_NAME = 100
LONGEST_CATEGORY = 50
LONGEST_DESCRIPTION = 2_000
LONGEST_KEY = 64
MOST_ENTITIES = 20

_TAG = re.compile(r"</?[A-Za-z!][^<>]*>")
_LETTERS = str.maketrans({"ø": "o", "Ø": "O", "æ": "ae", "Æ": "Ae", "ß": "ss", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D"})
"""Letters that Unicode does not take apart into a plain one and a mark."""
_MARKS = re.compile(r"[`*_#|\\\[\]{}<>]+")


class BadName(ValueError):
    """Why a proposal cannot be called that, as a sentence."""


def cleaned(proposal: ThemeProposal) -> ThemeProposal:
    """The proposal in plain words of bounded length. Raises BadName when its name is none."""
    if len(proposal.name) > LONGEST_NAME:
        raise BadName(f"The name has {len(proposal.name):,} characters; {LONGEST_NAME} is the most.")
    name = plain(proposal.name)
    if sum(character.isalpha() for character in name) < 3:
        raise BadName(f"{proposal.name!r} is no name: fewer than three letters are left without markup.")
    entities = [plain(entity)[:LONGEST_CATEGORY] for entity in proposal.entities[:MOST_ENTITIES]]
    return ThemeProposal(
        name=name,
        category=plain(proposal.category)[:LONGEST_CATEGORY].strip() or "Other",
        description=plain(proposal.description[: 2 * LONGEST_DESCRIPTION])[:LONGEST_DESCRIPTION].strip() or name,
        entities=list(dict.fromkeys(entity for entity in entities if entity)),
        reference=proposal.reference,
        storage=proposal.storage,
    )


def plain(text: str) -> str:
    """Without tags, Markdown and control characters, on one line."""
    words = _MARKS.sub(" ", _TAG.sub(" ", html.unescape(text)))
    return " ".join("".join(c if c.isprintable() else " " for c in words).split())


def folded(text: str) -> str:
    """The form in which names and categories are compared: letters and digits alone."""
    ascii_only = unicodedata.normalize("NFKC", text).casefold().replace("&", " and ")
    return " ".join(re.findall(r"[^\W_]+", ascii_only))


def known_category(category: str, known: Iterable[str]) -> str:
    """The category as it is spelled already, when it is known."""
    return next((name for name in known if folded(name) == folded(category)), category)


def key_for(name: str, is_taken: Callable[[str], bool]) -> str:
    """A slug of the name; a number is added when another name has it already."""
    ascii_only = unicodedata.normalize("NFKD", name.translate(_LETTERS)).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", ascii_only.replace("'", ""))
    base = _cut("-".join(words), LONGEST_KEY) or f"theme-{content_hash(name)[:8]}"
    key, number = base, 1
    while is_taken(key):
        number += 1
        key = f"{_cut(base, LONGEST_KEY - len(str(number)) - 1)}-{number}"
    return key


def _cut(slug: str, most: int) -> str:
    """At most so long, and if possible ending with a whole word."""
    if len(slug) <= most:
        return slug
    whole = slug[: most + 1].rpartition("-")[0]
    return whole or slug[:most]
