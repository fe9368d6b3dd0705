"""From a release to what is played: every task with its verifier, its reward basis and its conversation.

Belongs here: putting the parts of a release together for the engine. Does not: playing (`rollouts`), and what a
release is (`release`).
"""

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.synthesis import MadeTask, Release
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.runtime.bundle_facts import facts_of
from envfactory_dagster.truth.reward_basis import RewardBasis
from envfactory_dagster.truth.rewards import RewardSettings
from envfactory_dagster.truth.verdicts import TaskChecks


def released(bundle: Bundle, release: Release, settings: RewardSettings) -> list[Assignment]:
    """Every task of a release. Arguments that do not matter do not count when paths are compared."""
    facts = facts_of(bundle)

    def assigned(made: MadeTask) -> Assignment:
        masked = {tool: frozenset(names) for tool, names in made.masked.items()}
        basis = RewardBasis(bundle, made.task, made.solution, facts, settings, masked)
        checks = TaskChecks(made.task, made.verifier.verifier.source, made.solution.form)
        return Assignment(bundle, made.task, checks, basis, made.conversation, made.rubric, made.setting)

    return [assigned(made) for made in release.tasks]
