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
from envfactory_dagster.rollouts.reading import read


async def next_message(
    model: Model, messages: Sequence[Message], tools: Tools, seed: int, seconds: float | None
) -> ChatAnswer | End:
    try:
        async with asyncio.timeout(seconds):
            answer = await model.answer(messages, tools, seed)
    except TimeoutError:
        limit = "in time" if seconds is None else f"within {seconds:g} seconds"
        return End("model_timeout", f"{model.name} did not answer {limit}")
    except AnswerUnusable as unusable:
        return End("context_limit", unusable.problem)
    except BudgetExceeded:
        raise
    except InfrastructureFault as fault:
        return End("model_failed", str(fault))
    return _wordless(model, answer) or answer


def _wordless(model: Model, answer: ChatAnswer) -> End | None:
    """The end, where a model thought up to the length limit of a message and never came to its first word. Whoever is
    trained on its tokens keeps such a message and learns from it."""
    said = read(answer, 0)
    if said.oddity != "cut_off" or said.text or said.calls or said.tokens is not None:
        return None
    detail = (
        f"{model.name} came to the length limit of a message before its first word: its reasoning used up all tokens"
    )
    return End("token_limit", f"{detail} (ENVFACTORY_LLM_MAX_OUTPUT_TOKENS)")
