"""Requests that nobody can do because they leave out what only the person knows, where nobody can be asked.

Belongs here: which first messages of conversations these are, and the right report. Does not: finding the values that a
person may hold back (`held_back`), and the truth gate (`proving`).

In the conversation the assistant asks for the value. The same first message as a task of its own has one right end:
nothing is changed, and the report says that it needs information. The message asks to be told nothing, so its answer
form is empty.
"""

from envfactory_dagster.authoring.texts import asks_to_be_told
from envfactory_dagster.contracts.reports import AnswerForm, Report
from envfactory_dagster.tasks.conversations.held_back import open_values, times
from envfactory_dagster.tasks.conversations.making import SpokenEnvironment, Talk

FORM = AnswerForm()
REPORT = Report(
    outcome="needs_information",
    message="I have changed nothing: something is missing that only you know, and I need it for this.",
)


def first_message(spoken: SpokenEnvironment, talk: Talk) -> str | None:
    """The first message, where it asks for one change and for nothing else, and leaves out a value that this change
    needs and no tool can tell; otherwise None."""
    request, solution = talk.wording.requests[0], talk.parent.solution
    steps = solution.calls[: len(talk.turns[0].calls)]
    reading = {tool.name for tool in spoken.bundle.tools if tool.annotations.readOnlyHint}
    writes = [place for place, call in enumerate(steps) if call.outcome == "ok" and call.tool not in reading]
    if talk.changes_mind or any(call.principal == "user" for call in steps):
        return None
    if len(writes) != 1 or asks_to_be_told(request):
        return None
    held = open_values(spoken.bundle, spoken.internals, solution.calls, talk.parent.task.text)
    missing = [
        value for value in held if value.call == writes[0] and not any(times(one, request) for one in value.written)
    ]
    return request if missing else None
