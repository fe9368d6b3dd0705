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
    exchanges: list[list[Message]] = field(default_factory=list)

    def add(self, exchange: Sequence[Message]) -> None:
        self.exchanges.append(list(exchange))

    def shown(self) -> list[Message]:
        """The first exchange stays, because under the meta-tools it holds the list of tools."""
        kept = self.exchanges
        if self.window is not None and len(kept) > self.window + 1:
            kept = [kept[0], *kept[len(kept) - self.window :]]
        return [*self.opening, *(message for exchange in kept for message in exchange)]
