"""The released environments as the taxonomy sees them: by what they say of themselves.

Belongs here: reading their descriptions out of bundles, and the text they are compared by. Does not: comparing.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.language.nouns import singular
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.playing import chosen

_WORD = re.compile(r"[a-z]+")
_SHORTEST = 3
_FILLER = frozenset(
    """
    about all also and any are because been but can each for from had has have her here his how into its just more most
    not off one only other our out over own part per same she some such than that the their them then there these they
    this those through two under until upon very was were what when where which while who whose will with without you
    your
    """.split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class DescribedEnvironment:
    """An environment in words."""

    key: str
    name: str
    category: str
    description: str
    entities: Sequence[str] = ()
    tools: Sequence[str] = ()
    """Each with its name and the first sentence of what it does."""

    @classmethod
    def of(cls, bundle: Bundle) -> "DescribedEnvironment":
        theme = bundle.theme
        tools = [f"{tool.name.replace('_', ' ')}: {_first_sentence(tool.description)}" for tool in bundle.tools]
        return cls(theme.key, theme.name, theme.category, theme.description, tuple(theme.entities), tuple(tools))

    @property
    def theme(self) -> str:
        return f"{self.name}. {self.description} {', '.join(self.entities)}"

    @property
    def text(self) -> str:
        """The text that is embedded to compare environments."""
        return "\n".join([self.theme, *self.tools])


@dataclass(frozen=True, slots=True)
class Reading:
    environments: list[DescribedEnvironment]
    """By key."""
    unreadable: dict[str, str]
    """Key → why its bundle cannot be read."""


def released_environments(home: Home) -> Reading:
    bundles, found, unreadable = BundleStore(home), list[DescribedEnvironment](), dict[str, str]()
    for key, release in chosen(RecordStore(home), ()):
        try:
            found.append(DescribedEnvironment.of(bundles.load(key, release.version)))
        except EnvironmentFault as fault:
            unreadable[key] = str(fault)
    return Reading(sorted(found, key=lambda one: one.key), unreadable)


def content_words(text: str) -> list[str]:
    """The words that say something, in the singular, in their order."""
    words = [singular(word) for word in _WORD.findall(text.lower()) if len(word) >= _SHORTEST]
    return [word for word in words if word not in _FILLER]


def characteristic_words(inside: Iterable[str], outside: Iterable[str]) -> list[str]:
    """The words that are in more of the texts inside than of those outside, those of which that is most true first."""
    here, there = list(inside), list(outside)
    within, without = (Counter(word for text in texts for word in set(content_words(text))) for texts in (here, there))
    score = {word: n / len(here) - without[word] / max(1, len(there)) for word, n in within.items()}
    return [word for word, more in sorted(score.items(), key=lambda one: (-one[1], one[0])) if more > 0]


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.!?])\s", " ".join(text.split()), maxsplit=1)[0]
