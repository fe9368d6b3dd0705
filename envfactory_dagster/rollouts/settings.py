"""How episodes are played: protocol, setting, limits, how many at once.

Belongs here: the numbers every part of the loop reads. Does not: which model plays (`model`), or which tasks. What the
agent is shown (`window`) and how long it may work (`most_steps`) belong to the policy that plays: teachers are shown
everything, a policy is shown what it was trained with.
"""

from dataclasses import dataclass, field
from typing import Literal

from envfactory_dagster.contracts.trajectory import Protocol
from envfactory_dagster.truth.rewards import RewardSettings

Setting = Literal["single", "conversation"]
"""`single`: the whole task is the first message and nobody answers. `conversation`: a simulated user brings it piece by
piece, answers questions, uses tools of its own and ends the conversation."""


LEAST_STEPS = 20
STEPS_FOR_EACH_CALL = 3
"""An agent may make so many messages for each call of the reference solution, and `LEAST_STEPS` at least."""


@dataclass(frozen=True, slots=True)
class AgentView:
    """What a policy is shown of a task when it plays: the same as when it was trained."""

    protocol: Protocol = "native"
    window: int | None = None


@dataclass(frozen=True, slots=True)
class RolloutSettings:
    protocol: Protocol = "native"
    setting: Setting = "single"
    candidates: int = 1
    """Episodes of each task, with seeds one after the other."""
    in_flight: int = 64
    most_steps: int | None = None
    """Messages of the agent; what hands in a report does not count. None: as many as the task needs (`steps_for`)."""
    most_tokens: int = 32_000
    """What the agent may write in one episode."""
    most_replies: int = 12
    """How often a simulated user may answer."""
    window: int | None = None
    """How many of the latest exchanges an agent is shown beside the first one; None: all of them."""
    step_seconds: float | None = 600.0
    """How long one message of the agent may take, all retries included; None: as long as it likes."""
    user_seconds: float = 600.0
    """The same for a simulated user."""
    temperature: float | None = 1.0
    token_ids: bool = False
    """Ask for token ids and log-probabilities, and keep them where the endpoint returns them."""
    reward: RewardSettings = field(default_factory=RewardSettings)

    def steps_for(self, calls: int) -> int:
        """The limit of steps in a task whose reference solution makes so many calls."""
        return max(LEAST_STEPS, STEPS_FOR_EACH_CALL * calls) if self.most_steps is None else self.most_steps
