"""The policies of a home that the trainer made.

Belongs here: where they lie, and which is meant. Does not: training (the package `trainer`, which nothing here
imports).

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
