"""Asking the agents of an inspection, and keeping what it took.

Belongs here: on whose account questions are asked, and every attempt at an answer. Does not: any question.
"""

from dataclasses import dataclass, field
from typing import TypeVar

from pydantic import BaseModel

from envfactory_dagster.authoring.loop import UNUSABLE_IN_A_ROW, Authored, Gate, Question, ask_once, author
from envfactory_dagster.contracts.records import Attempt
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Answer, Caller

A = TypeVar("A", bound=BaseModel)


@dataclass(frozen=True)
class Asking:
    """An agent that can be asked."""

    gateway: Gateway
    caller: Caller
    attempts: list[Attempt] = field(default_factory=list)
    """All that were made, in the order of the questions."""

    def apart(self) -> "Asking":
        """The same agent, for a question that is asked beside others: its attempts are added in their order later."""
        return Asking(self.gateway, self.caller)

    async def until_accepted(self, question: Question[A], gate: Gate[A]) -> Authored[A]:
        authored = await author(self.gateway, self.caller, question, gate)
        self.attempts.extend(authored.attempts)
        return authored

    async def once(
        self, question: Question[A], number: int, unusable_in_a_row: int = UNUSABLE_IN_A_ROW
    ) -> tuple[Answer[A] | None, str]:
        """The answer, or None and why it cannot be read."""
        answer, attempt = await ask_once(self.gateway, self.caller, question, None, number, unusable_in_a_row)
        self.attempts.append(attempt)
        return answer, attempt.problems[0].message if attempt.problems else ""
