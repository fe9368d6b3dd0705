"""What was accepted is read once by somebody of the trade, the judge, and its author is asked once more.

Belongs here: both questions, and what came of them. Does not: what is read and where in it a finding is
(`trade_review`, `rows_review`), and the gate of what the author gives.

A review rejects nothing: the reader may be wrong, and what the author keeps stays as it is.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Generic, TypeVar

from pydantic import BaseModel

from envfactory_dagster.authoring.loop import Authored, Gate, PastAnswer, Question, author, said
from envfactory_dagster.contracts.judge_requests import ReviewAnswer, ReviewFinding
from envfactory_dagster.contracts.records import Fault, Problem
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role

A = TypeVar("A", bound=BaseModel)
F = TypeVar("F", bound=ReviewFinding)

MOST_FINDINGS = 6
LONGEST_WORDS = 600
"""Characters of what is odd, and of what is to be changed."""


@dataclass
class Review(ABC, Generic[F]):
    """One reading, and what the author made of it."""

    gateway: Gateway
    caller: Caller
    """The author's."""
    attempts: int
    findings: list[F] | None = field(default=None, init=False)
    """None: there was no review."""
    untold: str = field(default="", init=False)
    """Why there was none."""
    refused: str = field(default="", init=False)
    """Why nothing that the author gave after the review was accepted."""

    fault: ClassVar[Fault]
    keep: ClassVar[str]
    """What the author is told to leave alone."""

    @abstractmethod
    def _place(self, finding: F) -> str:
        """Where in the answer it is, for its author; empty where no place has to do with it."""

    @abstractmethod
    def _wrong_place(self, finding: F) -> str:
        """A sentence where there is no such place; empty where there is."""

    async def read_and_mended(
        self, reading: Question[ReviewAnswer[F]], question: Question[A], gate: Gate[A], accepted: Authored[A]
    ) -> Authored[A]:
        """What was accepted, or what its author gives and the gate accepts after the review."""
        if accepted.value is None:
            return accepted
        asked = await self._read(reading)
        attempts = [*accepted.attempts, *asked.attempts]
        if not self.findings:
            return Authored(accepted.value, attempts)
        refused = PastAnswer(accepted.value.model_dump_json(), [self._problem(one) for one in self.findings])
        again = await author(self.gateway, self.caller, question, gate, attempts=self.attempts, refused=refused)
        if again.value is None:
            self.refused = again.rejection()
        return Authored(again.value or accepted.value, [*attempts, *said(again.attempts)])

    async def _read(self, reading: Question[ReviewAnswer[F]]) -> Authored[ReviewAnswer[F]]:
        judge = Caller(self.caller.asset, self.caller.partition, Role.JUDGE)

        async def gate(answer: ReviewAnswer[F]) -> list[Problem]:
            return [Problem(fault="answer", message=wrong) for wrong in self._wrong_with(answer.findings)]

        asked = await author(self.gateway, judge, reading, gate, attempts=self.attempts)
        if asked.value is None:
            self.untold = asked.rejection()
        else:
            self.findings = asked.value.findings
        return Authored(asked.value, said(asked.attempts))

    def _problem(self, one: F) -> Problem:
        place = self._place(one)
        of = f"{place}: " if place else ""
        return Problem(
            fault=self.fault,
            message=f"{of}somebody who has worked at such a place for years says: {one.odd} What they would change: "
            f"{one.change} {self.keep}",
        )

    def _wrong_with(self, findings: Sequence[F]) -> Iterator[str]:
        if len(findings) > MOST_FINDINGS:
            yield f"There are {len(findings)} findings; give the gravest, {MOST_FINDINGS} at most."
        for number, one in enumerate(findings[:MOST_FINDINGS], 1):
            if wrong := self._wrong_place(one):
                yield f"Finding {number}: {wrong}"
            for name, words in (("odd", one.odd), ("change", one.change)):
                if len(words) > LONGEST_WORDS:
                    yield f"Finding {number}: `{name}` has {len(words)} characters; {LONGEST_WORDS} is the most."
