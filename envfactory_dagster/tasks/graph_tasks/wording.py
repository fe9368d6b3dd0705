"""Saying a walk as a person would: the words of the question, and the gate for what comes back.

Belongs here: the prompt and its gate. Does not: what is shown (`describing`), and proving the task (`tasks.proving`).
"""

import re
from collections.abc import Iterator, Sequence

from envfactory_dagster.authoring import texts
from envfactory_dagster.contracts.graph_tasks import (
    GraphTaskWordingAnswer,
    GraphTaskWordingContext,
    SaidSign,
    SaidValue,
    Thing,
)
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.tasks.graph_tasks.reading import forms, mentions
from envfactory_dagster.tasks.graph_tasks.steps import KnownValue, Walked

SCHEMA = "graph_task_wording"

INSTRUCTIONS = """\
You are a person who uses the service `service`. It is `clock`. Say all of `wishes` to an assistant, as one request.

Each wish is something to be done, or, where it has a `telling`, something to be told. `purpose` is how the service
describes it; `values` are what only you know; `things` are what it is about. A thing is known by its `signs`: what it
is, or that it has the least or the most of something among its kind; by `among`, what holds for all that are looked at;
by `of`, the thing it belongs to. `listed_by` tells whose things they are and which are looked at. One with
`made_by_wish` is what that earlier wish brings about: "the new one". One with `every` is each of those for which this
holds, said in one wish, however many there are: "every overdue loan of mine", "all lines of all my orders". A wish with
`by_person` is what the person does themselves once the assistant says that it is time: they say that they will, with
its values, and do not ask for it.

`text`
- In the first person, as you would write to somebody who helps you: no list of fields, no headings, no words of the
  trade. What belongs together is said together; the order of the wishes is kept.
- Every value and every sign is said in one of its `forms`, exactly. Where a sign has none, its relation is said: the
  cheapest, the latest, the one with most places. Nothing else is needed to know which thing is meant, and but for a
  name nothing is added: no further wishes, values or conditions.
- What is to be told is asked for in so many words: "tell me …", "how many …". Say which value of which thing; never the
  answer.
- None of `unspeakable` occurs, nor any name with an underscore, nor the number of a row in a database.
- A thing that its signs tell by a code or by what it is like may be told by a name of `called` as well, wherever
  anybody would: whose booking it is, beside the day of it. If `obscured`, it is told by what it is like first of all.
- Where there is a `motive`, it is why you ask: a half-sentence of it makes the request sound like somebody's. It adds
  no wish and no value.

`rubric`: for each wish a criterion with an `id` in snake_case and a `text` that says what must be so once the request
is fulfilled, or what the answer must tell; then one that nothing else was changed. Criteria name things as the text
does.
"""


def problems_of(
    context: GraphTaskWordingContext, walked: Walked, answer: GraphTaskWordingAnswer, trade: str
) -> list[Problem]:
    """The problems of the wording. `trade`: the words of this world's trade."""
    sentences = [
        *_unsaid(context, answer.text),
        *_unspeakable(context, answer.text),
        *_numbers_of_rows(context, walked, answer.text),
        *_given_away(context, walked, answer.text),
        *texts.out_of_place(answer.text, trade),
    ]
    if any(wish.telling for wish in context.wishes) and not texts.asks_to_be_told(answer.text):
        sentences.append("The text does not ask to be told anything: say “tell me”, “let me know” or ask a question.")
    if len(answer.rubric) < len(context.wishes):
        sentences.append(
            f"There are {len(context.wishes)} wishes and {len(answer.rubric)} criteria; write one for each wish."
        )
    return [Problem(fault="tasks", message=sentence, snippet=answer.text) for sentence in sentences]


def _unsaid(context: GraphTaskWordingContext, text: str) -> Iterator[str]:
    for said in _all_said(context):
        if said.kind != "flag" and not any(mentions(text, form) for form in said.forms):
            yield f"The text does not say the {said.what}, which is {_either(said.forms)}."


def _unspeakable(context: GraphTaskWordingContext, text: str) -> Iterator[str]:
    found = [name for name in context.unspeakable if mentions(text, name)]
    allowed = {form for said in _all_said(context) for form in said.forms}
    found += [
        word
        for word in re.findall(r"\b[a-z]+(?:_[a-z0-9]+)+\b", text)
        if word not in found and not any(word in form for form in allowed)
    ]
    yield from (f"No person would say {name!r}; use plain words for it." for name in dict.fromkeys(found))


def _numbers_of_rows(context: GraphTaskWordingContext, walked: Walked, text: str) -> Iterator[str]:
    sources = [
        source for step in walked.steps for source in step.arguments.values() if not isinstance(source, KnownValue)
    ]
    numbers = {source.value for source in sources if isinstance(source.value, int)}
    for number in sorted(numbers):
        for match in re.finditer(rf"\b(?:id|number|no\.)\s*#?{number}\b|#{number}\b", text, re.IGNORECASE):
            if not any(match[0].casefold() in form.casefold() for said in _all_said(context) for form in said.forms):
                yield f"{match[0]!r} is the number of a row, which nobody knows; name the thing by its signs."


def _given_away(context: GraphTaskWordingContext, walked: Walked, text: str) -> Iterator[str]:
    said = [form for value in _all_said(context) for form in value.forms]
    for telling in walked.tellings:
        if telling.how == "count" or (isinstance(telling.value, int | float) and abs(telling.value) <= 31):
            continue
        for form in forms(telling.field or telling.path, telling.value):
            if mentions(text, form) and not any(mentions(other, form) for other in said):
                yield f"The text gives away {form!r}, which is what is to be told."


def _all_said(context: GraphTaskWordingContext) -> Iterator[SaidValue | SaidSign]:
    for wish in context.wishes:
        yield from wish.values
        yield from _said_of([*wish.things, *([wish.telling.thing] if wish.telling and wish.telling.thing else [])])


def _said_of(things: Sequence[Thing]) -> Iterator[SaidValue | SaidSign]:
    for thing in things:
        yield from thing.among
        yield from (sign for sign in thing.signs if sign.relation == "is")
        yield from _said_of(thing.of)


def _either(words: Sequence[str]) -> str:
    return " or ".join(f"{word!r}" for word in words[:3])
