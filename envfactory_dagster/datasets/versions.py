"""Which version of a dataset is meant when none is named, and where its rows lie.

Belongs here: finding it. Does not: making it (`building`), and reading the rows (`assigned`).
"""

from pathlib import Path

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.store.copies import fetched
from envfactory_dagster.store.files import open_files
from envfactory_dagster.store.home import Home

LATEST = "LATEST"


def latest(home: Home, dataset: str) -> str | None:
    """None where the home has no such dataset."""
    found = open_files(home.datasets).read(f"{dataset}/{LATEST}")
    return found.decode().strip() if found else None


def latest_rows(home: Home, dataset: str) -> Path:
    """The folder with its rows on this machine, `datasets/DATASET/VERSION/rows`."""
    version = latest(home, dataset)
    if version is None:
        raise UsageError(f"There is no {dataset}_dataset in {home.root} yet. The job build_datasets makes it.")
    return fetched(home, f"datasets/{dataset}/{version}/rows")
