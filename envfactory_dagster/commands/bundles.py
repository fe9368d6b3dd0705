"""Finding the environment a person names."""

from pathlib import Path

from envfactory_dagster.contracts.bundle import MANIFEST, Bundle
from envfactory_dagster.contracts.errors import UsageError


def find_bundle(key: str) -> Bundle:
    """The bundle in a folder, else of a key under ENVFACTORY_HOME, else of an example."""
    from envfactory_dagster import examples
    from envfactory_dagster.store.bundles import LATEST, BundleStore
    from envfactory_dagster.store.home import Home

    folder = Path(key).expanduser()
    if (folder / MANIFEST).is_file():
        return Bundle.read(folder)
    if (folder / LATEST).is_file():  # the folder of all versions of an environment
        return Bundle.read(folder / (folder / LATEST).read_text().strip())
    store = BundleStore(Home.resolve())
    built = store.keys()
    if key in built:
        return store.load(key)
    name = key.replace("-", "_")
    if name in examples.names():
        return examples.load(name)
    known = ", ".join([*built, *(f"{example} (example)" for example in examples.names())])
    raise UsageError(
        f"There is no environment {key!r}: no folder with a {MANIFEST}, no key under ENVFACTORY_HOME, no example. "
        f"There are: {known}."
    )
