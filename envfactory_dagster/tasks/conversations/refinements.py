"""The refinements: requests said as people say things. Which have something to do, and which were really made.

Belongs here: what each one asks for, and reading off the words what became of it. Does not: the question (`planning`),
which are on (`settings`), and the second wish that goal expansion adds (`expanding`).

A refinement is recorded where its words stand in the request in place of others, and nowhere else.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from envfactory_dagster.contracts.conversations import RefinedWords, ToldConversation, ToldTurn, WordingRefinement
from envfactory_dagster.contracts.synthesis import Refinement
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.runtime.facts.results import ToolFacts
from envfactory_dagster.tasks.conversations.identifiers import Unsayable, scalars
from envfactory_dagster.tasks.conversations.values import holds, values_in

OF_WORDS: tuple[WordingRefinement, ...] = get_args(WordingRefinement)

WHAT: Mapping[WordingRefinement, str] = {
    "implicit_reference": "a thing is called by what it is to the person, or by what was said of it before (“it”, “the"
    " one in June”), and what follows from the rest is left out",
    "action_compression": "steps between, which go without saying, are left out, and several things are asked for in"
    " one breath; it is shorter than before",
    "ambiguity": "a thing is referred to by less than is known of it, where the results of the calls show that one"
    " alone can be meant; what is left out is among the `answers`. Never amounts, new values, or what nobody can look"
    " up",
}


def with_something_to_do(
    wanted: Collection[Refinement], calls: Sequence[TracedStep], secrets: Unsayable, text: str, facts: ToolFacts
) -> list[WordingRefinement]:
    """The refinements of words that are wanted and can change anything in this task."""
    looked_up = [call for call in calls if call.tool in facts.tools and not facts.tools[call.tool].writes]
    told = " ".join(str(value) for call in looked_up for value in scalars(call.value))
    can_do: dict[WordingRefinement, bool] = {
        "implicit_reference": bool(secrets.values),
        "action_compression": len(calls) > 1,
        "ambiguity": any(holds(told, value) for value in values_in(text)),
    }
    return [one for one in OF_WORDS if one in wanted and can_do[one]]


def made_of(told: ToldConversation, wanted: Collection[Refinement]) -> list[Refinement]:
    """The refinements that changed any request, in the order in which they are listed."""
    found = {one.refinement for turn in told.turns for one in _held(turn, told.answers, wanted)}
    return [one for one in OF_WORDS if one in found]


def said_with(turn: ToldTurn, answers: Sequence[str], kept: Collection[Refinement]) -> str:
    """The request as it would be with these refinements alone: of all others, what was said before."""
    request = turn.request
    for one in _held(turn, answers, OF_WORDS):
        if one.refinement not in kept:
            place = request.lower().find(one.after.lower())
            if place < 0:
                continue  # it overlapped with one that was taken back before
            request = f"{request[:place]}{one.before}{request[place + len(one.after) :]}"
    return request


def _held(turn: ToldTurn, answers: Sequence[str], wanted: Collection[Refinement]) -> Iterator[RefinedWords]:
    """The places where the request says what it is claimed to say, in place of something else."""
    request = turn.request.lower()
    for one in turn.refined:
        stands = one.after.lower() in request and one.before.lower() not in request
        if one.refinement in wanted and stands and _is_one(one, answers):
            yield one


def _is_one(one: RefinedWords, answers: Sequence[str]) -> bool:
    left_out = [value for value in values_in(f"say {one.before}") if not holds(one.after, value)]
    shorter = len(one.after.split()) < len(one.before.split())
    if one.refinement == "ambiguity":
        return bool(left_out) and all(any(holds(answer, value) for answer in answers) for value in left_out)
    return shorter or (one.refinement == "implicit_reference" and bool(left_out))


@dataclass(frozen=True, slots=True)
class Wording:
    """How a task is said: a request for each turn, and what is said only when asked."""

    requests: tuple[str, ...]
    answers: tuple[str, ...] = ()
    refinements: tuple[Refinement, ...] = ()

    def words(self) -> int:
        return sum(len(request.split()) for request in self.requests)


def joined(requests: Sequence[str]) -> str:
    """All requests in one message, for who is told everything at once."""
    return "\n".join(requests)
