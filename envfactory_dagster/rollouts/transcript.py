"""Recorded episodes as the messages that were exchanged in them.

Belongs here: the same messages that the loop made, made again from what was kept. Does not: the loop (`episode`), the
words it begins with (`prompts`), and what is left out of a history (`history`).
"""

from envfactory_dagster.contracts.trajectory import Step
from envfactory_dagster.language.messages import Message
from envfactory_dagster.rollouts.reading import as_message
from envfactory_dagster.rollouts.tools import tool_message


def said(step: Step) -> Message:
    """What the agent wrote at a step, without its reasoning. What the user called meanwhile is no part of it."""
    return as_message(step.text, [call for call in step.calls if call.principal == "assistant"])


def heard(step: Step) -> list[Message]:
    """What the agent was told for it: the results of its calls, the reply of the user, and that its report is due.
    After the last step of an episode nobody listens any more."""
    answers = zip(step.calls, step.observations, strict=True)
    told = [tool_message(call, seen) for call, seen in answers if call.principal == "assistant"]
    words = "\n\n".join(filter(None, (step.reply, step.notice)))
    return [*told, {"role": "user", "content": words}] if words else told


def exchange(step: Step) -> list[Message]:
    return [said(step), *heard(step)]
