"""Running one of the jobs in this process, against the Dagster instance of the home.

Belongs here: launching, telling of what happens meanwhile, what an end with an error or Ctrl-C means. Does not: what a
job does (`jobs`, `assets`): it is the one that the UI, the sensors and `dagster job execute` run.
"""

import sys
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

import typer

from envfactory_dagster.commands.terminal import say
from envfactory_dagster.contracts import errors

if TYPE_CHECKING:
    import dagster as dg

    from envfactory_dagster.resources.dagster_internals import SerializableErrorInfo

INTERRUPTED = 130
_PAUSE_S = 1.0
_QUIET = {"console": {"config": {"log_level": "CRITICAL"}}}
_NOT_RETRIED = {"dagster/max_retries": "0"}
_INTERRUPTS = ("DagsterExecutionInterruptedError", "KeyboardInterrupt")


class Watcher(Protocol):
    """Is told what a run does while it runs."""

    def done(self, asset: str, status: str) -> None:
        """One partition of an asset, or an unpartitioned asset, is there."""

    def paid(self, tokens: int, usd: float | None) -> None:
        """What was spent on it; in dollars None, where a price is not known."""

    def retrying(self, asset: str, reason: str, seconds: float) -> None:
        """The world is broken; the asset is tried again in so many seconds."""

    def waiting(self, asset: str, pool: str) -> None:
        """It begins when there is a place in the pool."""


@contextmanager
def home_instance() -> Iterator["dg.DagsterInstance"]:
    """The Dagster instance of the home, made ready if this is its first use; killed runs are marked as failed."""
    import dagster as dg

    from envfactory_dagster.resources.instance import end_killed_runs, prepare
    from envfactory_dagster.store.home import Home

    prepare(Home.resolve())
    with dg.DagsterInstance.get() as instance:
        end_killed_runs(instance)
        yield instance


def run_job(
    instance: "dg.DagsterInstance",
    job: str,
    watcher: Watcher,
    *,
    tags: Mapping[str, str] | None = None,
    config: Mapping[str, Mapping[str, Any]] | None = None,
    resources: Mapping[str, Mapping[str, Any]] | None = None,
) -> None:
    """Run to the end. Raises what broke the world; Ctrl-C ends the command. `config` is by asset, `resources` is the
    configuration of each resource that is not as it is by default."""
    import dagster as dg

    from envfactory_dagster.resources.instance import running

    run_id = str(uuid.uuid4())
    instance.add_event_listener(run_id, lambda entry: _tell(entry, watcher, instance))
    ops = {asset: {"config": values} for asset, values in (config or {}).items()}
    given = {resource: {"config": values} for resource, values in (resources or {}).items()}
    try:
        with running(instance, run_id):
            run_config = {"loggers": _QUIET, "ops": ops, "resources": given}
            result = execute(instance, job, run_config, {**_NOT_RETRIED, **(tags or {})}, run_id=run_id)
    except (KeyboardInterrupt, dg.DagsterExecutionInterruptedError):
        raise _stopped() from None
    if not result.success:
        of_steps = [event.step_failure_data.error for event in result.all_events if event.is_step_failure]
        of_the_run = [event.job_failure_data.error for event in result.all_events if event.is_run_failure]
        raise _cause(next(iter(of_steps + of_the_run), None), run_id)


def execute(
    instance: "dg.DagsterInstance",
    job: str,
    run_config: Mapping[str, Any],
    tags: Mapping[str, str],
    *,
    run_id: str | None = None,
    assets: "Sequence[dg.AssetKey] | None" = None,
) -> "dg.ExecuteInProcessResult":
    """Run a job to its end, whether it succeeds or fails."""
    from envfactory_dagster.definitions import defs

    return defs.resolve_job_def(job).execute_in_process(
        run_config=run_config,
        instance=instance,
        tags=tags,
        run_id=run_id,
        asset_selection=assets,
        raise_on_error=False,
    )


def _tell(entry: "dg.EventLogEntry", watcher: Watcher, instance: "dg.DagsterInstance") -> None:
    event = entry.dagster_event
    if event is None:
        return
    if event.is_step_materialization:
        materialization = event.step_materialization_data.materialization
        status = materialization.metadata.get("status")
        watcher.done(materialization.asset_key.to_user_string(), "ok" if status is None else str(status.value))
        facts: dict[str, Any] = {name: value.value for name, value in materialization.metadata.items()}
        if "calls" in facts and "tokens_in" in facts:
            watcher.paid(facts["tokens_in"] + facts["tokens_out"], facts.get("cost_usd"))
    elif event.is_step_up_for_retry:
        retry = event.step_retry_data
        reason = str(_cause(retry.error, entry.run_id))
        watcher.retrying(event.step_key or "", reason, retry.seconds_to_wait or 0)
    elif event.is_engine_event and "blocked by limit for pool" in (event.message or ""):
        pool = str(event.engine_event_data.metadata["pool"].value)
        watcher.waiting(event.step_key or "", pool)
        _wait_for_place(instance, entry.run_id, pool)


def _wait_for_place(instance: "dg.DagsterInstance", run_id: str, pool: str) -> None:
    """Dagster would go on asking without a pause, and not hear Ctrl-C."""
    from envfactory_dagster.resources.dagster_internals import raise_execution_interrupts
    from envfactory_dagster.resources.instance import end_killed_runs

    def waits() -> bool:
        pending = instance.event_log_storage.get_concurrency_info(pool).pending_steps
        return any(step.run_id == run_id and step.assigned_timestamp is None for step in pending)

    with raise_execution_interrupts():
        while waits():
            end_killed_runs(instance)
            time.sleep(_PAUSE_S)


def _cause(error: "SerializableErrorInfo | None", run_id: str) -> Exception:
    """What was raised on purpose, as it was raised; a defect with the place to read about it."""
    said = "no step says why"
    while error is not None:
        said = error.message.strip()
        if error.cls_name in _INTERRUPTS:
            return _stopped()
        known = getattr(errors, error.cls_name or "", None)
        if isinstance(known, type) and issubclass(known, errors.EnvFactoryError):
            return known(said.partition(": ")[2])
        error = error.cause
    return errors.EnvFactoryError(f"run {run_id} failed: {said}. `envfactory ui` shows it with its log.")


def _stopped() -> typer.Exit:
    say("Stopped. What was finished is kept: it is not made again, and not paid again.", file=sys.stderr)
    return typer.Exit(INTERRUPTED)
