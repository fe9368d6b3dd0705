"""What a blueprint is: a domain, as modules with the domain's own nouns, names and flavours."""

from collections.abc import Mapping
from dataclasses import dataclass, field

Nouns = Mapping[str, str]
"""Role → noun; `"alumnus|alumni"` where the plural is irregular."""


@dataclass(frozen=True)
class Blueprint:
    """A kind of place or service. Its first module is its heart; small environments have that one and people alone."""

    name: str
    """The kind, as a phrase that every theme name contains: "climbing gym"."""
    category: str
    about: str
    """One sentence: who does what there."""
    uses: Mapping[str, Nouns]
    """Modules that every environment of this kind has, the heart first."""
    may_use: Mapping[str, Nouns] = field(default_factory=dict)
    """Modules some of its environments have."""
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Role → names for its rows ("Boulder cave", "Lead wall"), eight or more."""
    flavours: tuple[str, ...] = ()
    """What tells two of its kind apart, a noun phrase after "for": "ice climbing", "youth teams"; twelve or more."""
    fixed: tuple[str, ...] = ()
    """Options this kind always has (`"bookings.scheduled"`) or never has (`"!bookings.scheduled"`)."""
