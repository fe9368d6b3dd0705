"""The judge of what a policy plays, where the recipe's reward needs one.

Belongs here: whether there is a model for it, and on whose account it is asked. Does not: when it is asked
(`envfactory_dagster.rollouts.scoring`), and what its word is worth (`envfactory_dagster.truth.rewards`).
"""

from contextlib import AsyncExitStack
from pathlib import Path

from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.truth.judging import Judge
from envfactory_dagster.truth.rewards import RewardSettings, needs_judge


def require_judge(reward: RewardSettings) -> None:
    """Refuse to begin where the reward needs a judge and no model is set for one."""
    if needs_judge(reward):
        LanguageSettings.from_environment().require(Role.JUDGE)


async def judge_of(reward: RewardSettings, asset: str, folder: Path, surroundings: AsyncExitStack) -> Judge | None:
    """The judge, None where the reward needs none. What it answered is kept in `folder`, and not asked for again."""
    if not needs_judge(reward):
        return None
    gateway = await surroundings.enter_async_context(Gateway(LanguageSettings.from_environment(), folder))
    return Judge(gateway, asset, "")
