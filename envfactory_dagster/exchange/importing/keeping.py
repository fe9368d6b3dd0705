"""Imported environments in the home.

Belongs here: keeping them beside those that were built, never in the place of one. Does not: making bundles of them
(`building`).
"""

from pathlib import Path

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore


async def read_bundle(runtime: Runtime, folder: Path) -> Bundle:
    """A bundle's folder with every hash checked, whose tools load and whose states open."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder.")
    bundle = Bundle.read(folder)
    for state in bundle.states:
        async with await runtime.open(bundle, state=state) as session:
            await session.state_hash()
    runtime.retire(bundle)
    return bundle


def keep(store: BundleStore, bundle: Bundle) -> str:
    """An environment that was built here is left alone, and so is one that was imported from somewhere else."""
    there = store.load(bundle.key) if store.latest(bundle.key) is not None else None
    if there is not None and not _is_of_same_origin(there, bundle):
        origin = there.theme.source.reference if there.theme.source.kind == "import" else "made here"
        raise UsageError(
            f"There is another environment {bundle.key!r} already ({origin}), which is left alone: "
            "import this one into another home (ENVFACTORY_HOME)."
        )
    return str(store.keep(bundle))


def _is_of_same_origin(there: Bundle, bundle: Bundle) -> bool:
    old, new = there.theme.source, bundle.theme.source
    form = new.reference.partition(":")[0]  # earlier versions wrote down no more
    imported = old.kind == new.kind == "import" and old.reference in (new.reference, form)
    return imported or there.version == bundle.version
