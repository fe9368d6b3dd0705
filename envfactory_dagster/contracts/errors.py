"""The exceptions of the project, one small tree that tells whose fault it was.

Belongs here: exception classes that cross a room's border. Does not: exceptions caught where they are raised,
and the outcome of a tool call, which is a value (`contracts.calls.CallResult`), not an exception.
"""

from envfactory_dagster.contracts.printable import printable


class EnvFactoryError(Exception):
    """Base of everything this package raises on purpose. Models and endpoints have a say in many of its sentences, and
    all end in a log or on a terminal: what that would obey is written out."""

    def __str__(self) -> str:
        return printable(super().__str__())


class UsageError(EnvFactoryError):
    """The person or program calling us asked for something impossible: an unknown key, a bad setting, a bad file."""


class KeyRefused(UsageError):
    """The endpoint refuses the key, so it will answer no question."""


class EnvironmentFault(EnvFactoryError):
    """An environment is broken: its bundle does not hash, its database does not open, its tools do not load."""


class InfrastructureFault(EnvFactoryError):
    """The machine or a service failed: no process, a full disk, an endpoint that is down. Trying again may help."""


class SandboxUnavailable(InfrastructureFault):
    """This machine cannot confine untrusted code, and running it unconfined was not allowed by name."""


class StorageFault(InfrastructureFault):
    """An artifact cannot be stored: the disk is full or does not answer."""


class BudgetExceeded(InfrastructureFault):
    """The next model call could pass the budget the user set; nothing was sent."""


class ArtifactRejected(EnvFactoryError):
    """A model could not produce an artifact that passes its gate within the attempts it was given."""


class PartitionsFailed(EnvFactoryError):
    """Some partitions of a run failed and can be asked again; all others were made. The message lists which and why."""
