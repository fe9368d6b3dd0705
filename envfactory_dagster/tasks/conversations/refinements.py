"""The four refinements: the same requests, said as people say things. Each is a step of its own, with its own gate.

Belongs here: what each one asks for, and what it may not lose. Does not: which are on (`settings`), and running them
(`making`).

What all have in common: a value that was said is still said, or is among the `answers`, unless it is an identifier of
the service; nothing is invented; nothing is asked for that was not asked for before.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from envfactory_dagster.contracts.conversations import RefinementAnswer, RefinementContext
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.synthesis import Refinement
from envfactory_dagster.tasks.conversations.identifiers import Secrets
from envfactory_dagster.tasks.conversations.planning import inside_words, invented, lost, problem, wrong_count

_COMMON = """\
You rewrite what one person says to the assistant of a service: the `request` of each of the `turns`, in the voice of
`persona`, in the situation of `scenario`, at the time `clock`. `goal` is what the turn is about, `calls` what the
assistant will do in it, `answers` what the person says only when asked.

{what}

- `requests`: one for each turn, in their order. One that needs no change is repeated as it is.
- Every name, day, time, number and quoted word stays as it is, unless you are told to leave it out. Invent none.
- Whoever reads the requests must be able to find out the same thing to do. Ask for nothing new, drop nothing.
- Write as people talk: no names of tools, fields or tables.
{answers}"""
_NO_ANSWERS = "- `answers`: an empty list.\n"

_WHAT: dict[Refinement, str] = {
    "implicit_reference": """\
Call things by what they are. Values in `identifiers` are known to the service alone: ids and internal codes. Wherever a
request names one of them, say instead what it stands for, as the person would know it: by its name, its day, its
place in a list, or as “it” where that is plain. The goal and the results of the calls show what it stands for. Leave
out what follows from the rest.""",
    "action_compression": """\
Ask for things in one breath. Leave out the steps between: that something has to be looked up, opened or compared first
goes without saying. Join what is left into as few sentences as it takes, without doubled politeness. No request
becomes longer.""",
    "ambiguity": """\
Leave a little open, as people do who think that they are understood. In at most one place of each request, refer to a
thing by less than what is said of it now, where the calls show that one thing alone can be meant (“my booking in June”
when there is one). Leave amounts, new values and whatever cannot be looked up as they are.""",
    "goal_expansion": """\
Say what it is for. Put the aim behind a request in front of it, in a few words that fit `scenario`, so that the steps
serve a purpose. It asks for nothing more, and what was asked stays word for word.""",
}
_LEFT_OUT = """\
- `answers`: for every value that is left out, what the person says when asked for it, in a sentence that holds it.
"""

INSTRUCTIONS: Mapping[Refinement, str] = {
    name: _COMMON.format(what=what, answers=_LEFT_OUT if name == "ambiguity" else _NO_ANSWERS)
    for name, what in _WHAT.items()
}

Gate = Callable[[RefinementContext, Secrets, RefinementAnswer], list[Problem]]


def problems_of(
    refinement: Refinement, context: RefinementContext, secrets: Secrets, answer: RefinementAnswer
) -> list[Problem]:
    """What is wrong with requests that were rewritten."""
    return wrong_count(len(context.turns), answer.requests) or _common(context, secrets, answer) + _GATES[refinement](
        context, secrets, answer
    )


def _common(context: RefinementContext, secrets: Secrets, answer: RefinementAnswer) -> list[Problem]:
    before = " ".join(turn.request for turn in context.turns)
    kept = [*answer.requests, *context.answers, *answer.answers]
    results = " ".join(call.result for turn in context.turns for call in turn.calls)
    known = " ".join([before, results, context.scenario, *(turn.goal for turn in context.turns), *context.answers])
    return [
        *lost(before, kept, "{0} was said before and is said no more.", but=secrets.values),
        *invented(known, [*answer.requests, *answer.answers], "{0} comes from nowhere."),
        *inside_words([*answer.requests, *answer.answers], secrets),
        *_more_leaked(context, secrets, answer),
    ]


def _more_leaked(context: RefinementContext, secrets: Secrets, answer: RefinementAnswer) -> list[Problem]:
    """No refinement brings an identifier back."""
    before = len(secrets.leaked([turn.request for turn in context.turns]))
    after = secrets.leaked([*answer.requests, *answer.answers])
    if len(after) <= before:
        return []
    return [problem(f"{', '.join(sorted(set(after)))} is known to the service alone, and is said more often now.")]


def _implicit_reference(context: RefinementContext, secrets: Secrets, answer: RefinementAnswer) -> list[Problem]:
    problems = [
        problem(f"{value} is known to the service alone: say what it stands for.")
        for value in dict.fromkeys(secrets.leaked(answer.requests))
    ]
    return problems + _no_answers(answer) + _too_long(context, answer, 1.5, 15)


def _action_compression(context: RefinementContext, secrets: Secrets, answer: RefinementAnswer) -> list[Problem]:
    return _no_answers(answer) + _too_long(context, answer, 1.0, 0)


def _ambiguity(context: RefinementContext, secrets: Secrets, answer: RefinementAnswer) -> list[Problem]:
    left_out = lost(" ".join(turn.request for turn in context.turns), answer.requests, "{0}", but=secrets.values)
    if left_out and not answer.answers:
        return [problem(f"{left_out[0].message} is left out, and there is no answer for whoever asks for it.")]
    return _too_long(context, answer, 1.0, 0)


def _goal_expansion(context: RefinementContext, secrets: Secrets, answer: RefinementAnswer) -> list[Problem]:
    problems = [
        problem(f"Request {number} asks a question that it did not ask before.", request)
        for number, (turn, request) in enumerate(zip(context.turns, answer.requests, strict=True), 1)
        if request.count("?") > turn.request.count("?")
    ]
    return problems + _no_answers(answer) + _too_long(context, answer, 1.5, 25)


def _no_answers(answer: RefinementAnswer) -> list[Problem]:
    return [problem("Nothing is to be left out here: `answers` is an empty list.")] * bool(answer.answers)


def _too_long(context: RefinementContext, answer: RefinementAnswer, factor: float, more: int) -> list[Problem]:
    problems = []
    for number, (turn, request) in enumerate(zip(context.turns, answer.requests, strict=True), 1):
        most = int(factor * len(turn.request.split())) + more
        if len(request.split()) > most:
            problems.append(problem(f"Request {number} has {len(request.split())} words; at most {most}.", request))
    return problems


_GATES: dict[Refinement, Gate] = {
    "implicit_reference": _implicit_reference,
    "action_compression": _action_compression,
    "ambiguity": _ambiguity,
    "goal_expansion": _goal_expansion,
}


@dataclass(frozen=True, slots=True)
class Wording:
    """How a task is said so far: a request for each turn, and what is said only when asked."""

    requests: tuple[str, ...]
    answers: tuple[str, ...] = ()
    refinements: tuple[Refinement, ...] = ()

    def refined(self, refinement: Refinement, answer: RefinementAnswer) -> "Wording":
        answers = (*self.answers, *answer.answers)
        return Wording(tuple(answer.requests), answers, (*self.refinements, refinement))

    def words(self) -> int:
        return sum(len(request.split()) for request in self.requests)


def joined(requests: Sequence[str]) -> str:
    """All requests in one message, for who is told everything at once."""
    return "\n".join(requests)
