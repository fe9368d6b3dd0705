"""What an agent is shown of an episode: how it began, the first exchange, and the latest ones.

Belongs here: the sliding window. Does not: what is said in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from envfactory_dagster.language.messages import Message


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
