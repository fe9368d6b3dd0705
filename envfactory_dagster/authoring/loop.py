"""The self-correction loop: ask, judge, report what is wrong, ask again; at most so many times.

Belongs here: the loop, the report a model is shown, and what is remembered of every attempt. Does not: any particular
artifact, its words or its gate.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pydantic import BaseModel

from envfactory_dagster.contracts.base import Contract, Json
from envfactory_dagster.contracts.records import Attempt, Problem
from envfactory_dagster.contracts.stages import StageOutcome
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Answer, AnswerUnusable, Caller, Message

A = TypeVar("A", bound=BaseModel)
V = TypeVar("V")

ATTEMPTS = 5
PROBLEMS_SHOWN = 12
UNUSABLE_IN_A_ROW = 5
"""The question is given up after this many answers in a row that cannot be judged. They do not count as attempts: a
model that refuses, or whose answers are cut off, is not out of ideas."""
SNIPPET_CHARS = 400

Gate = Callable[[A], Awaitable[list[Problem]]]
"""Judges an answer; no problems means it is accepted."""


@dataclass(frozen=True, slots=True)
class Question(Generic[A]):
    """A question to the author, without the caller it is booked on."""

    schema_name: str
    answer: type[A]
    instructions: str
    context: Contract


@dataclass(frozen=True, slots=True)
class Authored(Generic[V]):
    """What came of a question: the accepted answer or None, and every attempt with what was wrong with it."""

    value: V | None
    attempts: list[Attempt] = field(default_factory=list)

    @property
    def problems(self) -> list[Problem]:
        """What was wrong with the last attempt."""
        return self.attempts[-1].problems if self.attempts else []

    def rejection(self) -> str:
        last = next(attempt for attempt in reversed(self.attempts) if attempt.problems)
        first, others = last.problems[0], len(last.problems) - 1
        more = f" (and {others} more)" if others else ""
        more += "".join(f". {problem.message}" for problem in last.problems[1:] if not problem.mendable)[:SNIPPET_CHARS]
        attempts = "1 attempt" if last.number == 1 else f"{last.number} attempts"
        return f"not accepted after {attempts}; {first.fault}: {first.message}{more}"


@dataclass(frozen=True, slots=True)
class PastAnswer:
    """An answer as it was given, and what is wrong with it: all that a model is shown of its past.

    Not the whole history: earlier attempts cost tokens and invite it to repeat them.
    """

    text: str
    problems: Sequence[Problem]


async def author(
    gateway: Gateway,
    caller: Caller,
    question: Question[A],
    gate: Gate[A],
    *,
    attempts: int = ATTEMPTS,
    refused: PastAnswer | None = None,
) -> Authored[A]:
    """Ask until an answer passes its gate, or cannot. An attempt that fails is never kept, however close it came.

    `refused`: an answer that was accepted once and has to be mended now.
    """
    made: list[Attempt] = []
    for number in range(1, attempts + 1):
        answer, attempt = await ask_once(gateway, caller, question, refused, number)
        if answer is not None:
            attempt = attempt.model_copy(update={"problems": await gate(answer.value)})
        made = with_attempt(made, attempt)
        if answer is not None and not attempt.problems:
            return Authored(answer.value, made)
        if answer is None or not any(problem.mendable for problem in attempt.problems):
            break
        refused = PastAnswer(answer.text, attempt.problems)
    return Authored(None, made)


def with_attempt(made: Sequence[Attempt], attempt: Attempt) -> list[Attempt]:
    """That there is no other answer is no attempt: the one before it says so, beside what was wrong with it."""
    before = [one for one in made if one.problems and one.number < attempt.number]
    if not before or not has_no_other_answer(attempt):
        return [*made, attempt]
    told = before[-1].model_copy(update={"problems": [*before[-1].problems, *attempt.problems]})
    return [told if one is before[-1] else one for one in made]


def has_no_other_answer(attempt: Attempt) -> bool:
    """Whether the endpoint said that it has none but those it gave, if it gave any."""
    said = (problem.fault == "answer" and not problem.mendable for problem in attempt.problems)
    return bool(attempt.problems) and all(said) and not attempt.unusable


def said(attempts: Sequence[Attempt]) -> list[Attempt]:
    """Those attempts at a question that say more than that nobody is there to answer it."""
    return [attempt for attempt in attempts if not has_no_other_answer(attempt)]


async def ask_once(
    gateway: Gateway,
    caller: Caller,
    question: Question[A],
    refused: PastAnswer | None,
    number: int,
    unusable_in_a_row: int = UNUSABLE_IN_A_ROW,
) -> tuple[Answer[A] | None, Attempt]:
    """One attempt, not judged yet. The answer is None when none could be used, though they were asked for again; then
    the reason is the attempt's problem."""
    conversation, unusable = _conversation(refused), list[Problem]()
    tokens_in, tokens_out = 0, 0
    while True:
        try:
            answer = await gateway.ask(
                caller=caller,
                schema_name=question.schema_name,
                answer=question.answer,
                instructions=question.instructions,
                context=context_block(question.context),
                conversation=conversation,
                seed=number + _SEEDS_OF_AN_ATTEMPT * len(unusable),
            )
            result, used, cached = answer, answer.usage, answer.cached
        except AnswerUnusable as error:
            problem = Problem(fault="answer", message=error.problem, snippet=error.text[:SNIPPET_CHARS])
            if error.final:
                final = problem.model_copy(update={"mendable": False})
                return None, Attempt(
                    number=number, problems=[final], unusable=unusable, tokens_in=tokens_in, tokens_out=tokens_out
                )
            unusable.append(problem)
            conversation = [
                *_conversation(refused),
                *_conversation(PastAnswer(problem.snippet or "(nothing)", [problem])),
            ]
            result, used, cached = None, error.usage, error.cached
        tokens_in, tokens_out = tokens_in + used.tokens_in, tokens_out + used.tokens_out
        if result is not None or len(unusable) == unusable_in_a_row:
            break
    problems = [] if result is not None else [_given_up(len(unusable), unusable.pop())]
    attempt = Attempt(
        number=number,
        problems=problems,
        unusable=unusable,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cached=cached,
    )
    return result, attempt


_SEEDS_OF_AN_ATTEMPT = 100
"""Attempts have the seeds 1, 2, 3; what an attempt asks again has those of as many hundreds."""


def _given_up(answers: int, last: Problem) -> Problem:
    message = f"{answers} answers in a row could not be used. The last one: {last.message}"
    return last.model_copy(update={"message": message, "mendable": False})


def _conversation(refused: PastAnswer | None) -> list[Message]:
    if refused is None:
        return []
    return [{"role": "assistant", "content": refused.text}, {"role": "user", "content": report(refused.problems)}]


def context_block(context: Contract) -> Mapping[str, Json]:
    dumped: dict[str, Json] = context.model_dump(mode="json")
    return dumped


def report(problems: Sequence[Problem]) -> str:
    """What the model is shown of its own answer: whose fault each thing is, what it is, and where."""
    lines = [
        "Your answer was not accepted. Mend what is listed, and give all that the context asks for in the same form.",
        "",
    ]
    for number, problem in enumerate(problems[:PROBLEMS_SHOWN], 1):
        lines.append(f"{number}. [{problem.fault}] {problem.message}")
        if problem.snippet:
            lines += [f"   | {line}" for line in problem.snippet[:SNIPPET_CHARS].splitlines()]
    if len(problems) > PROBLEMS_SHOWN:
        lines.append(f"… and {len(problems) - PROBLEMS_SHOWN} more of the same kinds.")
    return "\n".join(lines)


def joined(parts: Sequence[Authored[V]]) -> Authored[list[V]]:
    """One result of several questions: their values when all were accepted; what failed last is what is reported."""
    in_order = sorted(parts, key=lambda part: part.value is None)
    values = [part.value for part in parts if part.value is not None]
    attempts = [attempt for part in in_order for attempt in part.attempts]
    return Authored(values if len(values) == len(parts) else None, attempts)


def outcome(authored: Authored[V], artifact: Contract | None, **metadata: Json) -> StageOutcome:
    """The stage's outcome for what was authored; `artifact` is what the accepted answer became."""
    dumped = None if artifact is None else artifact.model_dump(mode="json")
    reason = authored.rejection() if dumped is None else ""
    return StageOutcome(dumped, authored.attempts, reason, dict(metadata))
