"""Which role a chat calls for, and its next message.

Belongs here: telling the roles apart. Does not: playing them (`solver`, `user`).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from envfactory_dagster.language.embedded.roles.dial import Dial
from envfactory_dagster.language.embedded.roles.solver import solve
from envfactory_dagster.language.embedded.roles.user import goal_of, speak


def message(
    model: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]], seed: int
) -> dict[str, Any] | None:
    """The next message, in the OpenAI form; None when the chat calls for none of these roles.

    A chat whose system message describes a person is answered by that person, one with tools by the solver.
    """
    goal = goal_of(messages)
    if goal is not None:
        return speak(messages, goal)
    return solve(messages, tools, Dial.of_model(model), seed) if tools else None
