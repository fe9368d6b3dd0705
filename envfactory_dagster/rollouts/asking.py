"""Asking a model for a message within a time limit, and what its failures mean for the episode.

Belongs here: from a model's failure to the end of one episode. Does not: failures that concern every episode, such as
wrong settings and a spent budget: those are raised.
"""

import asyncio
from collections.abc import Sequence

from envfactory_dagster.contracts.errors import BudgetExceeded, InfrastructureFault
from envfactory_dagster.language.messages import AnswerUnusable, ChatAnswer, Message
from envfactory_dagster.rollouts.endings import End
from envfactory_dagster.rollouts.model import Model, Tools


async def next_message(
    model: Model, messages: Sequence[Message], tools: Tools, seed: int, seconds: float | None
) -> ChatAnswer | End:
    try:
        async with asyncio.timeout(seconds):
            return await model.answer(messages, tools, seed)
    except TimeoutError:
        limit = "in time" if seconds is None else f"within {seconds:g} seconds"
        return End("model_timeout", f"{model.name} did not answer {limit}")
    except AnswerUnusable as unusable:
        return End("context_limit", unusable.problem)
    except BudgetExceeded:
        raise
    except InfrastructureFault as fault:
        return End("model_failed", str(fault))
