"""A request with its programs, as the patterns make it.

Belongs here: what a sketch is. Does not: making one (`asking`, `acting`), choosing one (the package itself).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from envfactory_dagster.contracts.domain import TaskKind
from envfactory_dagster.contracts.program_tasks import Pattern
from envfactory_dagster.contracts.reports import AnswerField
from envfactory_dagster.language.embedded.programs.practice import Practice
from envfactory_dagster.language.embedded.text import identifier, sentence


@dataclass(frozen=True)
class Sketch:
    """A request with its programs, and what running the solution took."""

    pattern: Pattern | None
    """None: of no pattern."""
    name: str
    text: str
    kind: TaskKind
    nouns: tuple[str, ...]
    form: tuple[AnswerField, ...]
    solution: str
    verifier: str
    calls: int
    tools: int


def sketched(
    practice: Practice,
    pattern: Pattern | None,
    name: str,
    text: str,
    kind: TaskKind,
    nouns: Sequence[str],
    form: Sequence[AnswerField],
    solution: str,
    verifier: str,
) -> Sketch:
    """A sketch whose solution is known to be refused nothing."""
    played = practice.play(solution)
    assert played is not None, f"{name} is refused something"
    about = tuple(dict.fromkeys(nouns))
    calls, tools = len(played.calls), len(set(played.calls))
    return Sketch(pattern, identifier(name), sentence(text), kind, about, tuple(form), solution, verifier, calls, tools)
