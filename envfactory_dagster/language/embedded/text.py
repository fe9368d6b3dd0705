"""Words: nouns with their plurals and articles, and the templates modules write their code and prose in.

A template knows two things. `$booking` is replaced by the theme's noun, and lines between `#: if FLAGS` and `#: end`
are kept only when the flags hold. Belongs here: how words are formed and put into text. Does not: which words a
theme uses (`plan`), or the vocabulary of the data (`vocabulary`).
"""

import re
import string
from collections.abc import Mapping, Set
from dataclasses import dataclass

from envfactory_dagster.language.nouns import plural

_SILENT_H = ("hour", "honor", "honour", "heir")
_VOWEL_LIKE_CONSONANT = ("uni", "use", "eu", "one")


def words_of(text: str) -> tuple[str, ...]:
    """A list of words, written as one string."""
    return tuple(text.split())


def with_article(words: str) -> str:
    lower = words.lower()
    vowel = lower[:1] in "aeiou" and not lower.startswith(_VOWEL_LIKE_CONSONANT)
    return f"{'an' if vowel or lower.startswith(_SILENT_H) else 'a'} {words}"


def identifier(words: str) -> str:
    """Words as they appear in names of tables, columns, tools: lower case, joined by underscores."""
    return re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_")


def sentence(words: str) -> str:
    """The same text, beginning with a capital letter."""
    return words[:1].upper() + words[1:]


@dataclass(frozen=True, slots=True)
class Noun:
    """What a theme calls one of its things, for instance `wall session` and `wall sessions`."""

    one: str
    many: str

    @classmethod
    def parse(cls, words: str) -> "Noun":
        """`"wall session"`, or with its plural where that is irregular, `"alumnus|alumni"`."""
        one, _, many = words.partition("|")
        return cls(one, many or plural(one))

    def forms(self, role: str) -> dict[str, str]:
        """What each placeholder of a role stands for; the list is in the guide (`modules`)."""
        return {
            role: identifier(self.one),
            f"{role}s": identifier(self.many),
            role.capitalize(): self.one,
            f"{role.capitalize()}s": self.many,
            f"a{role.capitalize()}": with_article(self.one),
        }


def holds(condition: str, flags: Set[str]) -> bool:
    """Whether all words of a condition hold; `!word` holds when the flag is not set. The empty condition holds."""
    return all(word[1:] not in flags if word.startswith("!") else word in flags for word in condition.split())


class _Placeholders(string.Template):
    idpattern = "[a-zA-Z]+"
    flags = re.RegexFlag(0)


def fill(template: str, words: Mapping[str, str], flags: Set[str]) -> str:
    """A template with its conditional lines decided and its placeholders replaced. Unknown placeholders raise."""
    return _Placeholders(decide(template, flags)).substitute(words)


def decide(template: str, flags: Set[str]) -> str:
    """A template with its conditional lines kept or left out."""
    kept: list[str] = []
    open_blocks: list[bool] = []
    for line in template.splitlines():
        directive = line.strip()
        if directive.startswith("#: if "):
            open_blocks.append(holds(directive.removeprefix("#: if "), flags))
        elif directive == "#: end":
            open_blocks.pop()
        elif all(open_blocks):
            kept.append(line)
    if open_blocks:
        raise ValueError(f"a '#: if' without its '#: end' in: {template.strip()[:80]}")
    return "\n".join(kept)


def without_placeholders(template: str) -> str:
    """A template's name as modules write it in Python: `$booking_id` is `booking_id`."""
    return template.replace("$", "")
