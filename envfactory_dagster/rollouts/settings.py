"""How episodes are played: protocol, setting, limits, how many at once.

Belongs here: the numbers every part of the loop reads. Does not: which model plays (`model`), or which tasks.
"""

from dataclasses import dataclass, field
from typing import Literal

from envfactory_dagster.contracts.trajectory import Protocol
from envfactory_dagster.truth.rewards import RewardSettings

Setting = Literal["single", "conversation"]
"""`single`: the whole task is the first message and nobody answers. `conversation`: a simulated user brings it piece by
piece, answers questions, uses tools of its own and ends the conversation."""


@dataclass(frozen=True, slots=True)
class RolloutSettings:
    """The defaults are the papers': 20 turns, a window of 3, temperature 1."""

    protocol: Protocol = "native"
    setting: Setting = "single"
    candidates: int = 1
    """Episodes of each task, with seeds one after the other."""
    in_flight: int = 64
    most_steps: int = 20
    """Messages of the agent; what hands in a report does not count."""
    most_tokens: int = 32_000
    """What the agent may write in one episode."""
    most_replies: int = 12
    """How often a simulated user may answer."""
    window: int | None = 3
    """How many of the latest exchanges an agent is shown beside the first one; None: all of them."""
    step_seconds: float | None = 600.0
    """How long one message of the agent may take, all retries included; None: as long as it likes."""
    user_seconds: float = 600.0
    """The same for a simulated user."""
    temperature: float | None = 1.0
    token_ids: bool = False
    """Ask for token ids and log-probabilities, and keep them where the endpoint returns them."""
    reward: RewardSettings = field(default_factory=RewardSettings)
