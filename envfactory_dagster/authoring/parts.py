"""Questions that ask for several things at once, each of which is judged, accepted and asked for again by itself.

What a question shows of an environment is sent once for all of them. Belongs here: how many things are asked for in one
question, what becomes of each, and every answer with what was wrong with it. Does not: any particular question or gate.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Generic, TypeVar

from pydantic import BaseModel

from envfactory_dagster.authoring.loop import (
    PROBLEMS_SHOWN,
    UNUSABLE_IN_A_ROW,
    Authored,
    Gate,
    PastAnswer,
    Question,
    ask_once,
    has_no_other_answer,
    with_attempt,
)
from envfactory_dagster.contracts.records import Attempt, Problem
from envfactory_dagster.contracts.requests import OfTask, UnreadPart
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller
from envfactory_dagster.language.structured import misfit

A = TypeVar("A", bound=BaseModel)
P = TypeVar("P", bound=OfTask)

MOST_PARTS = 8
"""Things asked for in one question. The longest answer holds more of the usual length."""
UNUSABLE_BEFORE_HALVING = 2
"""An answer about several things that is cut off, or refused, twice is asked for in two halves."""


@dataclass(frozen=True, slots=True)
class Parts(Generic[A, P]):
    """A question that asks for one part per task, and how its answer is split into these parts."""

    part: type[P]
    ask: Callable[[Sequence[str]], Question[A]]
    """The question about these tasks. What all of them have in common has to come first in it."""
    given: Callable[[A], Sequence[P | UnreadPart]]
    answer: Callable[[list[P | UnreadPart]], A]
    """An answer of these parts alone: what a model is shown of what was refused."""
    gates: Mapping[str, Gate[P]]
    """By task, in the order in which they are asked for."""


@dataclass(slots=True)
class _Progress(Generic[P]):
    """How far one part has come."""

    attempts: list[Attempt] = field(default_factory=list)
    """Those at this part alone, whose tokens are counted where all parts are."""
    accepted: P | None = None
    given_up: bool = False
    refused: P | UnreadPart | None = None
    """As it was given last."""

    @property
    def problems(self) -> list[Problem]:
        return self.attempts[-1].problems if self.attempts else []

    def judged(self, number: int, given: P | UnreadPart | None, problems: list[Problem], *, final: bool) -> None:
        """`final`: the endpoint has no other answer, and the problems say so."""
        attempt = Attempt(number=number, problems=problems)
        self.attempts = with_attempt(self.attempts, attempt) if final else [*self.attempts, attempt]
        self.refused = given
        self.accepted = given if not problems and not isinstance(given, UnreadPart) else None
        self.given_up = final or (bool(problems) and not any(problem.mendable for problem in problems))


async def author_parts(
    gateway: Gateway, caller: Caller, parts: Parts[A, P], *, attempts: int
) -> tuple[dict[str, Authored[P]], list[Attempt]]:
    """What came of each part, by task, and every answer that was given, with what was wrong in it.

    In rounds: ask for all that is not accepted yet, then judge each part by its own gate. A part that was accepted is
    never asked for again, whatever becomes of the others.
    """
    progress: dict[str, _Progress[P]] = {name: _Progress() for name in parts.gates}
    made = list[Attempt]()
    for number in range(1, attempts + 1):
        wanted = [name for name, one in progress.items() if one.accepted is None and not one.given_up]
        batches = batched(wanted)
        rounds = await asyncio.gather(*(_round(gateway, caller, parts, progress, one, number) for one in batches))
        for attempt in [attempt for attempts_of_batch in rounds for attempt in attempts_of_batch]:
            made = with_attempt(made, attempt)
    done = {name: Authored(one.accepted, one.attempts) for name, one in progress.items()}
    return done, made


def batched(names: Sequence[str], most: int = MOST_PARTS) -> list[list[str]]:
    """As few batches as there must be, all of about the same length."""
    count = -(-len(names) // most)
    bounds = [round(place * len(names) / count) for place in range(count + 1)] if count else [0]
    return [list(names[start:end]) for start, end in pairwise(bounds)]


async def _round(
    gateway: Gateway,
    caller: Caller,
    parts: Parts[A, P],
    progress: Mapping[str, _Progress[P]],
    names: Sequence[str],
    number: int,
) -> list[Attempt]:
    """Ask for some parts and judge them. Where there is no answer to so many, each half is asked for alone."""
    is_one = len(names) == 1
    question, refused = parts.ask(names), _refused(parts, progress, names)
    patience = UNUSABLE_IN_A_ROW if is_one else UNUSABLE_BEFORE_HALVING
    answer, attempt = await ask_once(gateway, caller, question, refused, number, patience)
    final = has_no_other_answer(attempt)
    if answer is None and not is_one and not (final and refused is not None):
        middle = len(names) // 2
        halves = (names[:middle], names[middle:])
        of_halves = await asyncio.gather(*(_round(gateway, caller, parts, progress, h, number) for h in halves))
        unread = attempt.model_copy(update={"problems": [], "unusable": [*attempt.unusable, *attempt.problems]})
        first, *others = [one for half in of_halves for one in half]
        return [_together(unread, first), *others]
    given = {one.task: one for one in parts.given(answer.value)} if answer is not None else {}
    judged = await asyncio.gather(*(_problems(parts, name, given.get(name), attempt) for name in names))
    for name, problems in zip(names, judged, strict=True):
        progress[name].judged(number, given.get(name), problems, final=final)
    found = [_named(name, problem) for name in names for problem in progress[name].problems]
    return [attempt.model_copy(update={"problems": found if answer is not None else attempt.problems})]


async def _problems(parts: Parts[A, P], name: str, given: P | UnreadPart | None, attempt: Attempt) -> list[Problem]:
    if given is None:
        return attempt.problems or [Problem(fault="answer", message="The answer has nothing for this task.")]
    if isinstance(given, UnreadPart):
        return [Problem(fault="answer", message=misfit(given.model_dump(mode="json"), parts.part))]
    return await parts.gates[name](given)


def _refused(parts: Parts[A, P], progress: Mapping[str, _Progress[P]], names: Sequence[str]) -> PastAnswer | None:
    """These parts as they were given, and what was wrong with each: nothing of those that were accepted."""
    if not any(progress[name].problems for name in names):
        return None
    each = max(1, PROBLEMS_SHOWN // len(names))
    problems = [_named(name, problem) for name in names for problem in progress[name].problems[:each]]
    shown = [part for name in names if (part := progress[name].refused) is not None]
    return PastAnswer(parts.answer(shown).model_dump_json(), problems)


def _named(task: str, problem: Problem) -> Problem:
    return problem.model_copy(update={"message": f"{task}: {problem.message}"})


def _together(unread: Attempt, first: Attempt) -> Attempt:
    """An answer that could not be used counts with the one after it, as when the same thing is asked again."""
    return first.model_copy(
        update={
            "unusable": [*unread.unusable, *first.unusable],
            "tokens_in": unread.tokens_in + first.tokens_in,
            "tokens_out": unread.tokens_out + first.tokens_out,
            "cached": unread.cached and first.cached,
        }
    )
