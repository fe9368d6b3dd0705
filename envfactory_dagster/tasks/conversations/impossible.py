"""Turns of a conversation that nobody can do once some tools are not there.

Belongs here: which turns these are, the tools without which they are impossible, and the form of their answers. Does
not: wording them, which is done already, and the truth gate (`proving`).

The form is that of the turn as it could be done with all tools: what the person is not told stays empty, and the form
does not show that it cannot be told.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from envfactory_dagster.authoring.texts import asks_to_be_told
from envfactory_dagster.contracts.conversations import TurnShown
from envfactory_dagster.contracts.reports import AnswerField, AnswerForm, Report
from envfactory_dagster.contracts.truth import ReferenceSolution, TracedStep
from envfactory_dagster.runtime.facts import ColumnRef
from envfactory_dagster.runtime.facts.results import ToolFact
from envfactory_dagster.tasks.conversations.cuts import cuts
from envfactory_dagster.tasks.conversations.making import SpokenEnvironment, Talk
from envfactory_dagster.tasks.conversations.values import values_in
from envfactory_dagster.truth.telling import Fact, answers, facts, single_answers

_REFERS_BACK = re.compile(
    r"^(and|then)\b|\b(it|its|him|he|she|them|they|that one|those|the same|there|instead|another one)\b", re.IGNORECASE
)
_QUESTION = re.compile(r"\?|\b(?:tell me|let me know|say (?:which|what|when|how|who|why))\b", re.IGNORECASE)
_LENGTH = re.compile(r"len\((\w*)\)")
MESSAGE = "I cannot do that: I have no tool for it."


@dataclass(frozen=True, slots=True)
class WithoutTools:
    """One turn of a conversation, the tools without which nobody can do what it asks, and what it asks to be told."""

    turn: TurnShown
    withheld: list[str]
    form: AnswerForm

    @property
    def report(self) -> Report:
        """What is right to report."""
        return Report(outcome="impossible", answers={field.name: None for field in self.form.fields}, message=MESSAGE)


def without_tools(spoken: SpokenEnvironment, talk: Talk) -> Iterator[WithoutTools]:
    """The turns that ask for changes or for something that is known, and stand for themselves; without every tool that
    makes such a change, and every tool that tells such a thing."""
    solution = talk.parent.solution
    clean, end = cuts(solution.calls, spoken.internals, spoken.facts), 0
    owners = _owners(solution, talk.shown)
    for number, turn in enumerate(talk.shown):
        begin, end = end, end + len(turn.calls)
        if begin not in {0, *clean} or end not in clean or turn.kind != "wish":
            continue  # it goes on with what was told before, or is itself gone on with
        if number and turn.request != talk.spelled_out[number]:
            continue  # what it leaves out may have been said before
        steps = [step for step in solution.calls[begin:end] if step.outcome == "ok"]
        asked = [field for field in solution.form.fields if owners.get(field.name) == number]
        questions = len(_QUESTION.findall(turn.request)) or asks_to_be_told(turn.request)
        unclear = questions > len(asked) or (questions and len(owners) < len(solution.form.fields))
        if unclear or (asked and not questions) or _REFERS_BACK.search(turn.request):
            continue  # nobody can say what is to be told, or what is meant
        told = [_telling(spoken, steps, field, solution.report) for field in asked]
        withheld = _changing(spoken, steps).union(*told)
        ends = [*(place for place in clean if begin < place < end), end]
        parts = [solution.calls[a:b] for a, b in pairwise([begin, *ends])]
        if not all(told) or not all(any(step.tool in withheld for step in part) for part in parts):
            continue  # some of it could be done
        if withheld and len(withheld) < len(spoken.bundle.tools):
            yield WithoutTools(turn, sorted(withheld), AnswerForm(fields=asked))


def answers_for(talk: Talk, turn: TurnShown) -> list[str]:
    """What the person may be asked about this turn: the answers that say something of its request, as it would be
    with everything spelled out."""
    said = zip(talk.wording.requests, talk.spelled_out, strict=True)
    wanted = values_in(next(plain for request, plain in said if request == turn.request))
    return [answer for answer in talk.wording.answers if values_in(answer) & wanted]


def _owners(solution: ReferenceSolution, turns: Sequence[TurnShown]) -> dict[str, int]:
    """The turn in which each answer is found out: the only one whose calls tell it. What was worked out, or is told in
    several turns, belongs to none."""
    found: dict[str, list[int]] = {}
    end = 0
    for number, turn in enumerate(turns):
        begin, end = end, end + len(turn.calls)
        known = [fact for step in solution.calls[begin:end] for fact in facts(step.value)]
        for field in solution.form.fields:
            values = list(single_answers(AnswerForm(fields=[field]), solution.report))
            if values and all(any(answers(one, value, fact) for fact in known) for one, value in values):
                found.setdefault(field.name, []).append(number)
    return {name: numbers[0] for name, numbers in found.items() if len(numbers) == 1}


def _changing(spoken: SpokenEnvironment, steps: Sequence[TracedStep]) -> set[str]:
    """The tools that change what these calls change, in the same way."""
    known = spoken.facts.tools
    kinds = {(w.table, w.kind) for step in steps if step.tool in known for w in known[step.tool].writes}
    return {name for name, fact in known.items() if any((w.table, w.kind) in kinds for w in fact.writes)}


def _telling(spoken: SpokenEnvironment, steps: Sequence[TracedStep], field: AnswerField, report: Report) -> set[str]:
    """The tools that tell what these calls told of an answer; none where nobody knows which column it came from."""
    known = spoken.facts.tools
    columns: set[ColumnRef] = set()
    for one, value in single_answers(AnswerForm(fields=[field]), report):
        for step in steps:
            telling = [fact for fact in facts(step.value) if answers(one, value, fact)]
            columns |= {column for fact in telling if step.tool in known for column in _columns(known[step.tool], fact)}
    return {name for name, fact in known.items() if any(columns & set(output.columns) for output in fact.outputs)}


def _columns(tool: ToolFact, fact: Fact) -> Iterator[ColumnRef]:
    """Where a value in a tool's result comes from: how many there are in a list, from all that the list shows."""
    name, _ = fact
    counted = _LENGTH.fullmatch(name)
    for output in tool.outputs:
        parts = output.path.split(".")
        if f"{counted[1]}[]" in parts if counted else parts[-1].removesuffix("[]") == name:
            yield from output.columns
