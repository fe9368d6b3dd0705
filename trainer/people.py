"""Who takes part beside the policy: the person of a conversation, and the judge.

Belongs here: whether there is a model for each, and on whose account it is asked. Does not: when they are asked
(`envfactory_dagster.rollouts`), and what a judge's word is worth (`envfactory_dagster.truth.rewards`).
"""

from collections.abc import Sequence
from contextlib import AsyncExitStack

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.reference import Player, player
from envfactory_dagster.store.home import Home
from envfactory_dagster.truth.judging import Judge, takes_part
from envfactory_dagster.truth.rewards import RewardSettings, needs_judge

from .failures import RecipeError
from .tables import user_in_words


def require_judge(reward: RewardSettings) -> None:
    """Refuse to begin where the reward needs a judge and no model is set for one."""
    if needs_judge(reward):
        LanguageSettings.from_environment().require(Role.JUDGE)


async def judge_of(reward: RewardSettings, asset: str, home: Home, surroundings: AsyncExitStack) -> Judge | None:
    """The judge; None where the reward needs none and no model is set that could read messages. It is paid from the
    budget of the home, which keeps what it answered: that is not asked for again."""
    settings = LanguageSettings.from_environment()
    if not takes_part(reward, settings):
        return None
    gateway = await surroundings.enter_async_context(Gateway(settings, home.root))
    return Judge(gateway, asset, "")


async def person_for(
    tasks: Sequence[Assignment], asset: str, home: Home, surroundings: AsyncExitStack
) -> Player | None:
    """Who plays the person; None where no task is a conversation. Paid and kept as what the judge answers."""
    if all(one.setting == "single" for one in tasks):
        return None
    settings = LanguageSettings.from_environment()
    gateway = await surroundings.enter_async_context(Gateway(settings, home.root))
    return player(gateway, Caller(asset, "", Role.USER), settings.model(Role.USER), None, token_ids=False)


def with_a_person(tasks: Sequence[Assignment]) -> tuple[list[int], str]:
    """The places of those that can be played as they are meant, and a sentence about conversations among them: who
    plays the person, or how many are left out because nobody does. Empty: there are none."""
    talks = sum(one.setting == "conversation" for one in tasks)
    if not talks:
        return [*range(len(tasks))], ""
    begin = f"{talks} of {len(tasks)} tasks are conversations"
    settings = LanguageSettings.from_environment()
    try:
        name = settings.model(Role.USER)
    except UsageError as nobody:
        alone = [place for place, one in enumerate(tasks) if one.setting == "single"]
        said = f"{begin} and left out, since nobody plays the person. {nobody}"
        if not alone:
            raise RecipeError(said) from nobody
        return alone, said
    return [*range(len(tasks))], f"{begin}, in which {user_in_words(name)} plays the person."
