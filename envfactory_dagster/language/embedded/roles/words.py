"""Words and how alike they are: stems, rarity, likeness of phrases.

Belongs here: English in general. Does not: the words of any environment.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

_WORD = re.compile(r"[a-z0-9]+")
_IDLE = (
    "a about after all also am an and any are as at be been before but by can could did do does for from had has have "
    "he her him his how i if in into is it its just let make may me mine more most my no not now of off on one ones "
    "only or other our out over own please she so some such tell than that the their them then there these they thing "
    "things this those to today too up us was we were what when where which who whom whose why will with would you "
    "your each every far still yet down want need whatever whichever"
)
_STOP = frozenset(_IDLE.split())
_GROUPS = (
    "cancel withdraw retract scrap undo; book reserve; remove delete discard strike; add put include insert; "
    "cost price fee charge amount pay; phone telephone; find search look; change modify alter edit update; "
    "join enrol enroll sign; leave quit; save keep bookmark; person people; begin start; end finish close; "
    "total altogether overall sum"
)
_ALIKE: dict[str, str] = {word: group.split()[0] for group in _GROUPS.split(";") for word in group.split()}
"""Words that are used for one another, each with the one that stands for all."""


def stem(word: str) -> str:
    """The word without its ending, as far as plain rules go."""
    word = _ALIKE.get(word, word)
    for endings in ((("ies", "y"), ("es", ""), ("s", "")), (("ing", ""), ("ed", ""))):
        for ending, instead in endings:
            if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
                word = word[: len(word) - len(ending)] + instead
                break
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "ls":
        word = word[:-1]
    word = word[:-1] if len(word) > 3 and word.endswith("e") else word
    word = word[:-1] + "y" if word.endswith("i") else word
    return _ALIKE.get(word, word)


def stems(text: str) -> list[str]:
    """The stems of all words that mean something, in order. Underscores part words."""
    return [stem(word) for word in _WORD.findall(text.lower().replace("_", " ")) if word not in _STOP]


_IDENTITY = re.compile(r"^(?:(.+)_)?(?:id|ref|key|uid)$")


def is_identity(field: str) -> bool:
    """Whether a field holds the id of the row it stands in."""
    return field in ("id", "ref", "key", "uid")


def thing_of(field: str) -> list[str]:
    """The words for what a field holds the id of; none where it holds no id of another thing."""
    match = _IDENTITY.match(field)
    return stems(match[1]) if match is not None and match[1] else []


class Rarity:
    """How much a shared word says, among some texts: one that all of them hold says nothing."""

    def __init__(self, texts: Iterable[str]) -> None:
        documents = [set(stems(text)) for text in texts]
        self._known = Counter(word for words in documents for word in words)
        self._size = max(1, len(documents))

    def of(self, word: str) -> float:
        return math.log((self._size + 1) / (self._known[word] + 0.5)) + 0.1

    def likeness(self, asked: Iterable[str], told: Sequence[str]) -> float:
        """How much of what is asked is told, with a little less for longer texts."""
        wanted, given = set(asked), set(told)
        shared = sum(max(0.0, self.of(word)) for word in wanted & given)
        return shared / math.sqrt(1.0 + 0.12 * len(given))


def akin(some: Iterable[str], others: Iterable[str]) -> bool:
    """Whether any two words come from the same one: "referral" and "referred"."""
    beginnings = {word[:5] for word in others if len(word) > 3}
    return any(word[:5] in beginnings for word in some if len(word) > 3)


def overlap(one: Iterable[str], other: Iterable[str]) -> float:
    """The share of words that two phrases have in common."""
    first, second = set(one), set(other)
    return len(first & second) / len(first | second) if first and second else 0.0
