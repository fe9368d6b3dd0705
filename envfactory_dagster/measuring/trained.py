"""The policies of a home that the trainer made.

Belongs here: where they lie, which is meant, and what it means how a run ended. Does not: training (the package
`trainer`, which nothing here imports).

    policies/NAME/RUN/   a run of the trainer. RUN stands for what goes in, so that a run that was cut off is gone on
                         with, and one that is finished is not repeated
    policies/NAME/LATEST the RUN that was materialized last: what follows goes on with its policy
"""

from pathlib import Path
from typing import Any

import orjson

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.store.copies import fetched
from envfactory_dagster.store.files import open_files
from envfactory_dagster.store.home import Home

POLICIES, LATEST = "policies", "LATEST"


def made_last(home: Home, name: str) -> Path:
    """The policy of the latest materialization: it may be an older run than others, whose recipe was taken again."""
    latest = open_files(home.root / POLICIES).read(f"{name}/{LATEST}")
    if latest is None:
        raise UsageError(f"There is no finished {name} in {home.root / POLICIES / name} yet; materialize it first.")
    run = fetched(home, f"{POLICIES}/{name}/{latest.decode().strip()}")
    if not is_finished(run):
        raise UsageError(f"The {name} that was materialized last is not in {run}; materialize it again.")
    return run / "policy"


def is_finished(out: Path) -> bool:
    return bool((read(out / "result.json") or {}).get("finished"))


def read(path: Path) -> dict[str, Any] | None:
    found: dict[str, Any] | None = orjson.loads(path.read_bytes()) if path.is_file() else None
    return found


_FINAL = {
    2: "The recipe, the data or a checkpoint do not fit.",
    3: "All rewards are equal: there is nothing to learn from.",
    4: "The training diverged.",
    5: "There is not enough memory.",
}
"""Exit statuses after which another try would end in the same way."""

_AGAIN = {6: "No environment or endpoint answered, or the machine failed.", 143: "It was told to stop."}
"""Those after which another try goes on from the last checkpoint; so it does after a signal."""


def goes_on(status: int) -> bool:
    """Whether another try goes on from the last checkpoint."""
    return status in _AGAIN or status < 0


def sentence(out: Path, status: int) -> str:
    """Why it ended. Empty for a defect of the trainer: then the traceback is among what the process printed."""
    left = read(out / "failure.json")
    if left is not None and left["status"] == status:
        return str(left["sentence"])
    if status < 0:
        return f"The trainer was killed by signal {-status}{_far(out)}."
    return (_FINAL | _AGAIN).get(status, "")


def _far(out: Path) -> str:
    """How far a process came that could not say why it ended, and what memory it had."""
    left = read(out / "running.json")
    return "" if left is None else f" after step {left['step']}, with {left['memory_gb']} GB of memory in use"
