"""How episodes end: by the agent's own word, at a limit, or cut short, and why.

Belongs here: the causes and the ending each comes to. Does not: noticing them (`episode`), or what they are worth
(`scoring`).
"""

from dataclasses import dataclass
from typing import Literal

from envfactory_dagster.contracts.trajectory import Ending

Cause = Literal[
    "answered",
    "step_limit",
    "token_limit",
    "context_limit",
    "format",
    "agent_loops",
    "environment",
    "model_timeout",
    "model_failed",
    "user_loops",
    "user_silent",
    "user_failed",
]

Remark = Literal[
    "prose_call",
    "empty_message",
    "cut_off",
    "user_reveals_everything",
    "user_invents",
    "user_recites",
    "user_scripted",
    "no_verdict",
]
"""What was odd on the way; none of these ends an episode. `user_scripted`: the person was no model, and understood
nothing. `no_verdict`: a judge was asked and gave no answer that
counts, or nobody has read what stands in a report's place, so that there is no reward."""

ENDING_OF: dict[Cause, Ending] = {
    "answered": "answered",
    "step_limit": "limit",
    "token_limit": "limit",
    "context_limit": "limit",
    "format": "stopped",
    "agent_loops": "stopped",
    "environment": "stopped",
    "model_timeout": "stopped",
    "model_failed": "stopped",
    "user_loops": "stopped",
    "user_silent": "stopped",
    "user_failed": "stopped",
}

NOT_THE_AGENTS: frozenset[Cause] = frozenset(
    ("environment", "model_timeout", "model_failed", "user_loops", "user_silent", "user_failed")
)
"""Causes that say nothing about the agent: the surroundings of the episode failed."""

WORTH_ANOTHER_TRY: frozenset[Cause] = frozenset(("model_timeout", "model_failed", "user_failed"))
"""Causes that may be gone tomorrow: such an episode is stored, and played again when it is asked for again."""


@dataclass(frozen=True, slots=True)
class End:
    """The end of an episode."""

    cause: Cause
    detail: str = ""
