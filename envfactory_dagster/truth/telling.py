"""What the result of a call tells, and whether somebody who writes later relies on it.

Belongs here: facts in results, and finding them again in arguments and in words. Does not: deciding what follows from
it: which arguments do not matter (`tasks.masking`), which calls were needless (`datasets.shortening`).
"""

from collections.abc import Iterator

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.runtime.verifier_worker import mentions

Fact = tuple[str, str | int | float]
"""A value with the name of its field. How long a list is, is a fact about the list."""

_CENTS = 100


def facts(value: Json, name: str = "") -> Iterator[Fact]:
    """Every fact in a result. What is true, false or empty has no value that could be found again."""
    if isinstance(value, dict):
        for inner_name, inner in value.items():
            yield from facts(inner, inner_name)
    elif isinstance(value, list):
        yield f"len({name})", len(value)
        for inner in value:
            yield from facts(inner, name)
    elif isinstance(value, str | int | float) and not isinstance(value, bool) and value != "":
        yield name, value


def relies(arguments: Json, fact: Fact) -> bool:
    """Whether some arguments give this value, as it is or within a text."""
    _, wanted = fact
    if isinstance(arguments, dict):
        return any(relies(inner, fact) for inner in arguments.values())
    if isinstance(arguments, list):
        return any(relies(inner, fact) for inner in arguments)
    return arguments == wanted or (isinstance(arguments, str) and mentions(arguments, wanted))


def says(text: str, fact: Fact) -> bool:
    """Whether words state this value; cents may have become euros, and a moment a day."""
    _, wanted = fact
    if isinstance(wanted, str):
        return mentions(text, wanted) or ("T" in wanted and mentions(text, wanted.partition("T")[0]))
    return mentions(text, wanted) or mentions(text, wanted / _CENTS)
