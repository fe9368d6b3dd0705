"""How steps are run: what one does when the world is broken, and the pools that bound how many are at work at once.

Belongs here: the retry policy and the pools of our steps. Does not: telling a broken world from a defect
(`contracts.errors`).
"""

from collections.abc import Iterator
from contextlib import contextmanager

import dagster as dg

from envfactory_dagster.contracts.errors import BudgetExceeded, InfrastructureFault

MODEL_CALLS = "model_calls"
SANDBOXES = "sandboxes"


RETRIES = dg.RetryPolicy(max_retries=3, delay=5, backoff=dg.Backoff.EXPONENTIAL, jitter=dg.Jitter.PLUS_MINUS)


@contextmanager
def tried_again(context: dg.AssetExecutionContext, retries: dg.RetryPolicy = RETRIES) -> Iterator[None]:
    """Ask Dagster for another attempt at the step when the world is broken, and only then. A spent budget stays spent
    however long one waits: a person has to raise it.

    The policy is not given to Dagster itself, which would retry a defect too, and a run that a person terminated: it
    turns the interrupt into one more attempt.
    """
    try:
        yield
    except BudgetExceeded:
        raise
    except InfrastructureFault as fault:
        wait = retries.calculate_delay(context.retry_number + 1)
        raise dg.RetryRequested(retries.max_retries, seconds_to_wait=wait) from fault
