"""From tasks to what is said in them, in one question: scenario, persona, turns, and what is kept until asked.

Belongs here: the question and its gate. Does not: where calls may be divided (`cuts`), which refinements were made
(`refinements`), and asking (`making`).
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import orjson

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.conversations import (
    ConversationContext,
    HeldBack,
    PartShown,
    TaskToTell,
    ToldConversation,
    ToldTurn,
)
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.requests import CallShown
from envfactory_dagster.contracts.synthesis import MadeTask, Refinement
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.runtime.facts.results import ToolFacts
from envfactory_dagster.tasks.conversations import refinements
from envfactory_dagster.tasks.conversations.conditions import CONDITION
from envfactory_dagster.tasks.conversations.cuts import MOST_TOOLS, TurnCut, parts_of
from envfactory_dagster.tasks.conversations.expanding import Expanded
from envfactory_dagster.tasks.conversations.held_back import OpenValue, open_values, times
from envfactory_dagster.tasks.conversations.identifiers import Internals, Unsayable
from envfactory_dagster.tasks.conversations.values import days_meant, holds, of_now, values_in

LEAST_TURNS, MOST_TURNS = 3, 8
MOST_INSISTING = 2
_MOST_WORDS = 200

CONVERSATION = f"""\
You write how people bring up what they want in a conversation with the assistant of a service, which `service`
describes. Give one of the `conversations` for each of the `tasks`, named by its `task`. The tasks have nothing to do
with each other; in each, the person is user 1 of the service, and it is `clock`.

`text` is what the person wants. `parts` are what the assistant has to do for it, in order; `goes_on` marks a part that
goes on with what an earlier one told. A part with `besides` is a further wish that goes with the first: there the
person wants to be told what it says, of what the call shows. Use the results to see what a request must make clear, so
that everybody would do exactly this.

- `scenario`: one or two sentences: what has happened or is coming up for this person, so that they want this. Nothing
  in it asks for more than the task does.
- `persona`: one sentence: who the person is and how they talk.
- `turns`: about as many as the task's `turns`, never under {LEAST_TURNS} or over {MOST_TURNS}. The first is a `wish`.
  - `kind` `wish`: the person brings something up. It takes the next of the `parts`, as many as `parts` of the turn
    says, at least one; several together have at most {MOST_TOOLS} different tools. All turns together take all parts.
    A turn whose parts only look something up asks to know that; a later one goes on from the answer ("which of these
    …?", "then take the second"). What hangs on a condition ("if …, otherwise …") is said in one turn, all of it.
  - `kind` `detail`, with 0 `parts`: the person is asked for a value that they had not said. Only for what `held_back`
    lists: the turn before it takes that `part` and asks for the change without this value, in whatever form, and no
    turn before says it either; here the person says it. They may have changed their mind by then: the request before
    said another value in place of one of `beside`, `instead_of` repeats that other value, and here they say the one of
    `beside`. Where nobody changes their mind, `instead_of` is empty.
  - `kind` `insist`, with 0 `parts`: only where the task is `refused`, after the turn that takes the last part: the
    assistant has said no, and the person does not give up at once. They plead, say why it matters, ask for an exception
    for once; they ask for the same as before and for nothing else. At most {MOST_INSISTING} of them, and only where
    there would be too few turns without, or it fits the person.
  No turn brings up a wish of its own, and none is small talk.
- `goal` of a turn: a note for whoever plays the person, not a sentence to say: what they want to get across in this
  turn, with every value they say here. What `answers` or a later turn keep back is not in it.
- `request` of a turn: what they say, in the voice of `persona`, in a message as short as people write, of {_MOST_WORDS}
  words at most. It refers to what was said before as people do. It asks for everything that the goal asks for, and for
  nothing else.
- `refined` of a turn: where its request says something less plainly than one could. Of the task's `refinements`, make
  those that do some good there:
{{refinements}}
  Each entry quotes `before`, as somebody would say it who spells everything out, and `after`, the words that stand in
  the request for it.
- `answers`: what the person says only when asked, a sentence for each value that the requests leave out.

Every name, day, time, number and quoted word of `text` is said exactly as it stands there: in a request or among the
answers, and likewise in a goal or among the answers. None is invented, but for `instead_of`. A day may also be said as
it is from `clock` ("tomorrow", "on Friday"). Only what `text` says of the present day and hour ("it is Tuesday, 2
June") is left out: the assistant knows it. What `identifiers` lists is known to the service alone, and said nowhere
but in a `before`. Write as people talk: no names of tools, fields or tables, nothing about screens, buttons, accounts
or passwords.
"""

RESULT_CHARS = 400
_TORN_OFF = re.compile(
    r"^(?:(?:and|also|but|so|then|well|ok|okay|please|now)[ ,]+)*"
    r"(?:otherwise|or else|else|if so|if not|if it does(?: not)?|should it(?: not)?|in that case)\b"
    r"|(?:^|[.;!?]\s+)(?:(?:and|also|please)[ ,]+)*(?:if|unless|should)\b[^,;:?!.—–]*[.;]?$",
    re.IGNORECASE,
)
"""A request that begins with the end of a condition, or ends with the beginning of one."""
_OTHERWISE = re.compile(r"\botherwise\b", re.IGNORECASE)
_SOME_OF_THEM = re.compile(
    r"\b(?:where(?:ver)?|when(?:ever)?|for which|whose|which(?:ever)?|whatever)\b[^.;!?]*$", re.IGNORECASE
)
"""A clause that an "otherwise" can belong to: "cancelled where nothing is lost, otherwise left"."""


def instructions(wanted: Collection[Refinement]) -> str:
    """The words of the question, with those refinements that any of the tasks wants."""
    listed = [f"  - `{one}`: {what};" for one, what in refinements.WHAT.items() if one in wanted]
    return CONVERSATION.format(refinements="\n".join(listed) or "  - none.")


@dataclass(frozen=True, slots=True)
class Planned:
    """A task before it is worded: what turns may be made of."""

    parent: MadeTask
    besides: tuple[tuple[str, ...], ...]
    """Of each part what the person wants to be told that the task's text does not say."""
    parts: tuple[TurnCut, ...]
    held: tuple[OpenValue, ...]
    secrets: Unsayable
    wanted: tuple[Refinement, ...]
    """The refinements of words that have something to do."""
    clock: str

    @property
    def most_turns(self) -> int:
        return len(self.parts) + len({value.call for value in self.held}) + MOST_INSISTING * self.refused

    @property
    def refused(self) -> bool:
        return self.parent.solution.report.outcome == "refused"

    def part_of(self, call: int) -> int:
        """The part that a call belongs to, counted from 1."""
        return next(number for number, part in enumerate(self.parts, 1) if part.begin <= call < part.end)

    @property
    def shown(self) -> TaskToTell:
        calls = self.parent.solution.calls
        return TaskToTell(
            task=self.parent.task.id,
            clock=self.clock,
            text=self.parent.task.text,
            parts=[
                PartShown(
                    calls=[shown(call) for call in calls[part.begin : part.end]],
                    goes_on=part.goes_on,
                    besides=list(besides),
                )
                for part, besides in zip(self.parts, self.besides, strict=True)
            ],
            turns=max(LEAST_TURNS, min(MOST_TURNS, self.most_turns, len(self.parts) // 2 + 1 + bool(self.held))),
            refused=self.refused,
            held_back=[
                HeldBack(part=self.part_of(one.call), written=list(one.written), beside=list(one.beside))
                for one in self.held
            ],
            identifiers=list(self.secrets.values),
            refinements=[one for one in refinements.OF_WORDS if one in self.wanted],
        )


def planned(
    bundle: Bundle,
    internals: Internals,
    facts: ToolFacts,
    names: frozenset[str],
    expanded: Expanded,
    wanted: Collection[Refinement],
) -> Planned:
    """A task as it stands. Each further wish, which is one call, is a part of its own."""
    parent, first = expanded.made, expanded.first.solution
    task, calls = parent.task, parent.solution.calls
    parts = parts_of(first.source, task.text, first.calls, internals, facts)
    parts += [TurnCut(place, place + 1, True) for place in range(len(first.calls), len(calls))]
    secrets = Unsayable.of(calls, internals, task.text, names)
    can_do = refinements.with_something_to_do(wanted, calls, secrets, task.text, facts)
    return Planned(
        parent,
        (*[()] * (len(parts) - len(expanded.also)), *expanded.also),
        tuple(parts),
        tuple(open_values(bundle, internals, calls, task.text)),
        secrets,
        tuple(can_do),
        bundle.states[task.state].clock,
    )


def context_of(bundle: Bundle, tasks: Sequence[Planned]) -> ConversationContext:
    service = f"{bundle.theme.name}. {bundle.theme.description}"
    return ConversationContext(service=service, tasks=[one.shown for one in tasks])


def shown(call: TracedStep) -> CallShown:
    result = call.error if call.error is not None else orjson.dumps(call.value).decode()
    cut = result if len(result) <= RESULT_CHARS else f"{result[:RESULT_CHARS]}…"
    return CallShown(tool=call.tool, arguments=call.arguments, outcome=call.outcome, result=cut)


# -- the gate ----------------------------------------------------------------------------------------------------------


def problems_of(plan: Planned, told: ToldConversation) -> list[Problem]:
    """What is wrong with a conversation."""
    found = list(_wrong_turns(plan, told))
    if found:
        return [problem(message) for message in found]
    problems = [problem(message) for message in (*_wrong_details(plan, told), *_torn(told))]
    requests, goals = [turn.request for turn in told.turns], [turn.goal for turn in told.turns]
    wanted = " ".join([plan.parent.task.text, *(one for besides in plan.besides for one in besides)])
    unsaid = [*of_now(wanted, plan.clock), *plan.secrets.never_said]
    for said, message in ((requests, "{0} is said in no request and in no answer."),
                          (goals, "{0} is in no goal and in no answer.")):  # fmt: skip
        whole = " ".join([*said, *told.answers])
        problems += lost(wanted, [whole, days_meant(whole, plan.clock)], message, unsaid)
    results = [orjson.dumps(call.value).decode() for call in plan.parent.solution.calls]
    others = [turn.instead_of for turn in told.turns]
    known = " ".join([wanted, plan.clock, *results, *others])
    problems += invented(known, [*requests, *goals, *told.answers, told.scenario], "{0} comes from nowhere.")
    for said in (requests, goals, told.answers, [told.scenario]):
        problems += [problem(one) for one in dict.fromkeys(map(plan.secrets.complaint, plan.secrets.leaked(said)))]
    problems += inside_words([*requests, *goals, *told.answers, told.scenario, told.persona], plan.secrets)
    for number, request in enumerate(requests, 1):
        if len(request.split()) > _MOST_WORDS:
            problems.append(
                problem(f"Request {number} has {len(request.split())} words; {_MOST_WORDS} are the most.", request)
            )
    return problems


def _wrong_turns(plan: Planned, told: ToldConversation) -> Iterator[str]:
    """What is wrong with how the parts are divided among the turns."""
    if not LEAST_TURNS <= len(told.turns) <= MOST_TURNS:
        yield f"There are {len(told.turns)} turns; there must be {LEAST_TURNS} to {MOST_TURNS}."
    ends = list(accumulate(turn.parts for turn in told.turns))
    if ends[-1] != len(plan.parts):
        yield f"The turns take {ends[-1]} parts; there are {len(plan.parts)}."
        return
    for number, (turn, end) in enumerate(zip(told.turns, ends, strict=True), 1):
        taken = plan.parts[end - turn.parts : end]
        if (turn.kind == "wish") != bool(taken):
            yield f"Turn {number} is a {turn.kind} and takes {turn.parts} parts: a wish takes some, all others none."
        if turn.kind == "insist" and not (plan.refused and end == len(plan.parts)):
            yield f"Turn {number} insists: only who has been refused does, after the turn that takes the last part."
        tools = {call.tool for part in taken for call in plan.parent.solution.calls[part.begin : part.end]}
        if len(taken) > 1 and len(tools) > MOST_TOOLS:
            yield f"Turn {number} takes {len(tools)} different tools; the most are {MOST_TOOLS}."
    if sum(turn.kind == "insist" for turn in told.turns) > MOST_INSISTING:
        yield f"More than {MOST_INSISTING} turns insist."
    if told.turns[0].kind != "wish":
        yield f"The first turn is of kind {told.turns[0].kind!r}; it must be a wish."


def _wrong_details(plan: Planned, told: ToldConversation) -> Iterator[str]:
    """What is wrong with the turns in which the person is asked for something."""
    end, asking, taken = 0, told.turns[0], range(0)
    said = told.scenario
    for number, turn in enumerate(told.turns, 1):
        if turn.kind != "detail" and turn.instead_of:
            yield f"Turn {number} is a {turn.kind}: only in a detail somebody has changed their mind."
        if turn.kind == "wish":
            asking, taken, end = turn, range(end + 1, end + turn.parts + 1), end + turn.parts
        elif turn.kind == "detail":
            due = [value for value in plan.held if plan.part_of(value.call) in taken and _says(turn.request, value)]
            new = [value for value in due if not _says(said, value)]
            if not due:
                yield (
                    f"Turn {number} is a detail: it must say a value that `held_back` lists, and follow the turn that"
                    " takes its part."
                )
            elif not new:
                yield f"Turn {number} tells {due[0].written[0]!r}, which was said before: nobody has to ask for it."
            elif turn.instead_of:
                yield from _wrong_change_of_mind(plan, number, turn, asking, new[0])
        said = f"{said} {turn.request} {turn.goal}"


def _says(text: str, value: OpenValue) -> bool:
    return any(times(one, text) for one in value.written)


def _wrong_change_of_mind(
    plan: Planned, number: int, turn: ToldTurn, asking: ToldTurn, value: OpenValue
) -> Iterator[str]:
    """Nothing can be done before the person has changed their mind: it is the same change that waits for a value."""
    if not times(turn.instead_of, asking.request):
        yield f"Turn {number} takes {turn.instead_of!r} back, which the request before does not say."
    if times(turn.instead_of, plan.parent.task.text):
        yield f"{turn.instead_of!r} is what the task wants: it cannot be taken back in turn {number}."
    if not any(times(one, turn.request) and not times(one, asking.request) for one in value.beside):
        yield f"Turn {number} takes {turn.instead_of!r} back and says none of {list(value.beside)} in its place."


def _torn(told: ToldConversation) -> Iterator[str]:
    """Conditions that are cut in two. Who pleads sets none ("otherwise I'll be stuck here")."""
    for number, turn in enumerate(told.turns, 1):
        for said in (turn.request, turn.goal) if turn.kind != "insist" else ():
            otherwise = _OTHERWISE.search(said)
            before = said[: otherwise.start()] if otherwise is not None else ""
            alone = otherwise is not None and not (CONDITION.search(before) or _SOME_OF_THEM.search(before))
            if alone or _TORN_OFF.search(said.strip()):
                yield f"Turn {number} tears a condition apart: say it in one turn, with all that hangs on it: {said}"
                break


# -- what several gates ask --------------------------------------------------------------------------------------------


def problem(message: str, snippet: str = "") -> Problem:
    return Problem(fault="tasks", message=message, snippet=snippet)


def inside_words(texts: Sequence[str], secrets: Unsayable) -> list[Problem]:
    return [problem(f"Nobody would say {word!r}: that is a name inside the service.") for word in secrets.inside(texts)]


def lost(before: str, after: Sequence[str], message: str, but: Sequence[str] = ()) -> list[Problem]:
    """The values that are said no more, those aside that need not be."""
    text = " ".join(after)
    missing = sorted(value for value in values_in(before) if value not in but and not holds(text, value))
    return [problem(message.format(", ".join(map(repr, missing))))] if missing else []


def invented(known: str, texts: Sequence[str], message: str) -> list[Problem]:
    """The days, times and numbers that come from nowhere. Names may be new: people have some for everything."""
    said = values_in(" ".join(texts))
    new = sorted(value for value in said if value[:1].isdigit() and not holds(known, value))
    return [problem(message.format(", ".join(map(repr, new))))] if new else []
