"""From a task to what is said in it: scenario, persona and turns, then a request for each turn.

Belongs here: the two questions and their gates. Does not: where calls may be divided (`cuts`), and saying it as people
do (`refinements`).
"""

from collections.abc import Sequence
from itertools import accumulate

import orjson

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.conversations import (
    ArticulationAnswer,
    ArticulationContext,
    ConversationPlanAnswer,
    ConversationPlanContext,
    TurnShown,
)
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.requests import CallShown
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.tasks.conversations.cuts import MOST_TOOLS
from envfactory_dagster.tasks.conversations.identifiers import Secrets
from envfactory_dagster.tasks.conversations.values import holds, values_in

PLAN = """\
You plan how one person, user 1 of the service that `theme` describes, brings `task` to an assistant in a conversation.
It is `clock` now. `calls` are what the assistant has to do for it, in order.

- `scenario`: two or three sentences: what has happened or is coming up for this person, and why that leads to the task.
  Nothing in it asks for more than the task does, and nothing in it contradicts it.
- `persona`: one or two sentences: who the person is and how they talk.
- `turns`: what the person comes up with, one thing after the other. Each takes the next `calls` of them, at least one
  and with at most `most_tools` different tools; together they take all. A turn may end only after as many calls
  altogether as `cuts` lists: anywhere else something that belongs together would be torn apart. Where the task names
  several things, give each a turn of its own as far as that allows, and end no turn in the middle of one thing.
- `goal` of a turn: what the person wants there, in plain words, with every name, day, number and quoted word that
  `task` says of it, exactly as it says them. Together the goals ask for the whole task and for nothing else.

Write as people talk: no names of tools, fields or tables. Nothing about screens, buttons, accounts or passwords.
"""

ARTICULATION = """\
You write what one person says to the assistant of the service that `theme` describes, at the time `clock`: in each of
the `turns` of a conversation one message, in which they ask for what its `goal` says. `calls` are what the assistant
has to do in that turn: use them to see what a request must make clear, so that everybody would do exactly this.

- `requests`: one message for each turn, in their order, in the voice of `persona`, in the situation of `scenario`.
- Say every name, day, number and quoted word of the goal as it stands there, also where only a part of it is needed.
- Ask for everything that the goal asks for, and for nothing else.
- Write as people talk: no names of tools, fields or tables. Nothing about screens, buttons, accounts or passwords.
"""

RESULT_CHARS = 600
_LEAST_WORDS, _MOST_WORDS = 2, 200


def plan_context(
    bundle: Bundle, task: Task, calls: Sequence[TracedStep], places: Sequence[int]
) -> ConversationPlanContext:
    return ConversationPlanContext(
        theme=bundle.theme,
        clock=bundle.states[task.state].clock,
        task=task,
        calls=[shown(call) for call in calls],
        cuts=list(places),
        most_tools=MOST_TOOLS,
    )


def shown(call: TracedStep) -> CallShown:
    result = call.error if call.error is not None else orjson.dumps(call.value).decode()
    cut = result if len(result) <= RESULT_CHARS else f"{result[:RESULT_CHARS]}…"
    return CallShown(tool=call.tool, arguments=call.arguments, outcome=call.outcome, result=cut)


def problems_of_plan(
    context: ConversationPlanContext, secrets: Secrets, answer: ConversationPlanAnswer
) -> list[Problem]:
    problems = []
    ends = list(accumulate(turn.calls for turn in answer.turns))
    tools = [
        len({call.tool for call in context.calls[end - turn.calls : end]})
        for turn, end in zip(answer.turns, ends, strict=True)
    ]
    if ends[-1] != len(context.calls):
        problems.append(problem(f"The turns take {ends[-1]} calls; there are {len(context.calls)}."))
    for number, (used, end) in enumerate(zip(tools, ends, strict=True), 1):
        if used > context.most_tools:
            problems.append(problem(f"Turn {number} takes {used} different tools; the most are {context.most_tools}."))
        if end < len(context.calls) and end not in context.cuts:
            problems.append(problem(f"Turn {number} ends after {end} calls; turns may end after {context.cuts}."))
    goals = [turn.goal for turn in answer.turns]
    problems += lost(context.task.text, goals, "The goals do not say {0}, which the task says.")
    problems += invented(context.task.text, goals, "The goals say {0}, which the task does not.")
    return problems + inside_words([*goals, answer.scenario, answer.persona], secrets)


def articulation_context(plan: ConversationPlanContext, answer: ConversationPlanAnswer) -> ArticulationContext:
    ends = list(accumulate((turn.calls for turn in answer.turns), initial=0))
    return ArticulationContext(
        theme=plan.theme,
        clock=plan.clock,
        scenario=answer.scenario,
        persona=answer.persona,
        turns=[
            TurnShown(goal=turn.goal, calls=plan.calls[begin : begin + turn.calls])
            for turn, begin in zip(answer.turns, ends, strict=False)
        ],
    )


def problems_of_articulation(
    context: ArticulationContext, secrets: Secrets, answer: ArticulationAnswer
) -> list[Problem]:
    """What the raw requests must be. That they name what only the service knows is for a refinement to mend."""
    problems = wrong_count(len(context.turns), answer.requests)
    if problems:
        return problems
    for number, (turn, request) in enumerate(zip(context.turns, answer.requests, strict=True), 1):
        problems += lost(turn.goal, [request], f"Request {number} does not say {{0}}, which its goal says.")
        if not _LEAST_WORDS <= len(request.split()) <= _MOST_WORDS:
            problems.append(problem(f"Request {number} has {len(request.split())} words.", request))
    return problems + inside_words(answer.requests, secrets)


# -- what several gates ask --------------------------------------------------------------------------------------------


def problem(message: str, snippet: str = "") -> Problem:
    return Problem(fault="tasks", message=message, snippet=snippet)


def wrong_count(turns: int, requests: Sequence[str]) -> list[Problem]:
    return [problem(f"There are {turns} turns and {len(requests)} requests.")] * (turns != len(requests))


def inside_words(texts: Sequence[str], secrets: Secrets) -> list[Problem]:
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
