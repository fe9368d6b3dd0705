"""What an agent is shown of an episode: how it began, the first exchange, and the latest ones.

Belongs here: the sliding window, and the messages of recorded steps. Does not: the loop (`episode`), and the words that
it begins with (`prompts`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from envfactory_dagster.contracts.trajectory import Step
from envfactory_dagster.language.messages import Message
from envfactory_dagster.rollouts.reading import as_message
from envfactory_dagster.rollouts.tools import tool_message


@dataclass(slots=True)
class History:
    """An exchange is one message of the agent and everything it was told for it."""

    opening: list[Message]
    window: int | None
    """How many of the latest exchanges are shown; None: all of them."""
    exchanges: list[list[Message]] = field(default_factory=list)

    def add(self, exchange: Sequence[Message]) -> None:
        self.exchanges.append(list(exchange))

    def shown(self, with_talk: bool = False) -> list[Message]:
        """The first exchange stays, because under the meta-tools it holds the list of tools. `with_talk`: all exchanges
        without calls stay as well, because a report is about everything that was told."""
        last = len(self.exchanges) if self.window is None else self.window
        outside = len(self.exchanges) - last
        kept = [
            exchange
            for place, exchange in enumerate(self.exchanges)
            if place == 0 or place >= outside or (with_talk and not exchange[0].get("tool_calls"))
        ]
        return [*self.opening, *(message for exchange in kept for message in exchange)]


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
