"""Choosing among drafts: a walk that can be made is not yet something that a person wants.

Belongs here: the prompt, its gate, and the order in which drafts are tried after it. Does not: drafting (`making`), or
wording what was chosen (`wording`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from envfactory_dagster.authoring.loop import Question, author, has_no_other_answer
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.graph_tasks import (
    ChosenForTask,
    DraftShown,
    GraphTaskChoiceAnswer,
    GraphTaskChoiceContext,
    TaskToChoose,
)
from envfactory_dagster.contracts.records import Attempt, Problem
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller
from envfactory_dagster.tasks.graph_tasks.describing import wishes_of
from envfactory_dagster.tasks.graph_tasks.steps import Walked

SCHEMA = "graph_task_choice"
MOST_TRIED = 3
"""Drafts of one task that are tried to be proven."""

INSTRUCTIONS = """\
You know the people who use the service that `service` describes. Each of `tasks` has a few `drafts`: things that could
be asked of its assistant in one request, at the time `clock`. They were put together by a program, so most of them are
nothing that anybody wants. Say for every task, by its name, which drafts a person would really bring there.

A draft has `wishes`: each is done, or, where it has a `telling`, told. `purpose` is how the service describes it,
`things` are what it is about, known by their `signs`; `of` is what a thing belongs to, `every` means all of them.

- `drafts`: those that somebody could well ask for just so, the most likely one first, at most three. All wishes of a
  draft belong to one errand: who asks for the first has a reason to ask for the next. What is told is of use to that
  person and not known to them anyway. Things are named as one can know them. A draft that counts or adds up everything
  there is is one only for somebody who has to know that.
- `motive`: the reason in one plain sentence, as the person would give it: what happened, what it is for. It names no
  values.
- `drafts` is empty where nobody would ask for any of them. That is no failure: most drafts are like that.
"""


@dataclass(frozen=True, slots=True)
class WalkDraft:
    walked: Walked
    motive: str = ""


@dataclass(frozen=True, slots=True)
class ChosenDrafts:
    """By task: the drafts to be tried, in that order."""

    drafts: dict[str, list[WalkDraft]]
    unwanted: list[str] = field(default_factory=list)
    """Tasks that have drafts, none of which anybody would ask for."""
    attempts: list[Attempt] = field(default_factory=list)


async def choose_drafts(
    gateway: Gateway,
    caller: Caller,
    bundle: Bundle,
    walks: Mapping[str, tuple[str, Sequence[Walked]]],
    attempts: int,
) -> ChosenDrafts:
    """`walks`: by task, its state and its walks. An endpoint that has no answer leaves them as they were drawn."""
    shown = {
        task: [DraftShown(number=number, wishes=wishes_of(bundle, walked)) for number, walked in enumerate(some, 1)]
        for task, (_, some) in walks.items()
        if some
    }
    as_drawn = {task: [WalkDraft(walked) for walked in some[:MOST_TRIED]] for task, (_, some) in walks.items()}
    if not shown:
        return ChosenDrafts(as_drawn)
    context = GraphTaskChoiceContext(
        service=f"{bundle.theme.name}: {bundle.theme.description}",
        tasks=[
            TaskToChoose(task=task, clock=bundle.states[walks[task][0]].clock, drafts=drafts)
            for task, drafts in shown.items()
        ],
    )

    async def gate(answer: GraphTaskChoiceAnswer) -> list[Problem]:
        return [Problem(fault="answer", message=message) for message in _problems_of(answer.tasks, shown)]

    question = Question(SCHEMA, GraphTaskChoiceAnswer, INSTRUCTIONS, context)
    asked = await author(gateway, caller, question, gate, attempts=attempts)
    if asked.value is None:
        unanswered = has_no_other_answer(asked.attempts[-1])
        return ChosenDrafts(as_drawn, attempts=[] if unanswered else asked.attempts)
    chosen = {one.task: one.drafts[:MOST_TRIED] for one in asked.value.tasks}
    drafts = {
        task: [WalkDraft(some[one.number - 1], one.motive) for one in chosen.get(task, [])]
        for task, (_, some) in walks.items()
    }
    return ChosenDrafts(drafts, [task for task in shown if not drafts[task]], asked.attempts)


def _problems_of(chosen: Sequence[ChosenForTask], shown: Mapping[str, list[DraftShown]]) -> Iterator[str]:
    given = [one.task for one in chosen]
    yield from (f"Nothing is said of {task}." for task in shown if task not in given)
    for one in chosen:
        if one.task not in shown:
            yield f"There is no task {one.task} to choose for."
            continue
        numbers = [draft.number for draft in one.drafts]
        if unknown := [number for number in numbers if not 1 <= number <= len(shown[one.task])]:
            yield f"{one.task} has no draft {unknown[0]}; it has {len(shown[one.task])}."
        if len(set(numbers)) < len(numbers):
            yield f"{one.task} names a draft twice."
