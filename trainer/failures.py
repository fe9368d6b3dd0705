"""What can go wrong in a training run, and the exit status each comes to.

Belongs here: the failures that a run ends with. Does not: noticing them.
"""

from typing import ClassVar

from envfactory_dagster.contracts.errors import EnvFactoryError


class TrainingFailure(EnvFactoryError):
    """A run that cannot go on. What was saved so far can be resumed."""

    exit_status: ClassVar[int] = 1


class RecipeError(TrainingFailure):
    """The recipe, the checkpoint, the tokenizer or the data do not fit; starting again changes nothing."""

    exit_status = 2


class NothingToLearn(TrainingFailure):
    """Every reward of a run was equal, for so long that no step had a gradient."""

    exit_status = 3


class Diverged(TrainingFailure):
    """The loss is no number any more. Checkpoints, where there are any, are from before."""

    exit_status = 4


class OutOfMemory(TrainingFailure):
    """The device or the machine has no memory left for a batch of this size."""

    exit_status = 5


class EnvironmentsDown(TrainingFailure):
    """No episode can be played to its end, be it for its environment, an endpoint or the machine; the policy is not to
    blame. Worth starting again."""

    exit_status = 6


INTERRUPTED = 143
"""The exit status after SIGTERM, once the current state was saved."""
