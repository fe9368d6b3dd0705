"""How well the solver works: a dial from 0 to 1, and the mistakes it makes when it does not.

Belongs here: drawing mistakes, each from a hash of what was asked, and reading the setting out of a model's name. Does
not: making them (`solver`).
"""

import hashlib
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Literal, get_args

from envfactory_dagster.contracts.errors import UsageError

Mistake = Literal["wrong_entity", "stops_early", "hallucinated_tool", "malformed_arguments", "over_asking"]
MISTAKES: tuple[Mistake, ...] = get_args(Mistake)


@dataclass(frozen=True, slots=True)
class Dial:
    """`embedded:competence=0.4,mistakes=stops_early+wrong_entity` sets both."""

    competence: float = 1.0
    """The probability that one part of a request is worked at without a mistake."""
    mistakes: str = ""
    """Kinds to draw from, joined by `+`; empty: all."""

    @classmethod
    def of_model(cls, model: str) -> "Dial":
        dial = cls()
        for setting in filter(None, model.partition(":")[2].split(",")):
            name, _, value = setting.strip().partition("=")
            if name == "competence":
                dial = replace(dial, competence=_share(value))
            elif name == "mistakes":
                dial = replace(dial, mistakes=_kinds(value))
        return dial

    def mistake(self, *shown: Any) -> Mistake | None:
        """The mistake to make, always the same for what was shown."""
        rng = random_of("mistake", *shown)
        if rng.random() < self.competence:
            return None
        kinds = [kind for kind in MISTAKES if not self.mistakes or kind in self.mistakes.split("+")]
        return rng.choice(kinds)


def random_of(*parts: Any) -> Random:
    return Random(int.from_bytes(hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest()[:8], "big"))


def _share(value: str) -> float:
    try:
        share = float(value)
    except ValueError as error:
        raise UsageError(f"competence={value!r} is not a number") from error
    if not 0.0 <= share <= 1.0:
        raise UsageError(f"competence={value!r} is not between 0 and 1")
    return share


def _kinds(value: str) -> str:
    unknown = [kind for kind in value.split("+") if kind not in MISTAKES]
    if unknown:
        raise UsageError(f"the solver knows no mistake {unknown[0]!r}; it knows {', '.join(MISTAKES)}")
    return value
