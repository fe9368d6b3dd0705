"""Finding the environment a person names.

Belongs here: folders, keys and names of examples. Does not: reading a bundle (`contracts.bundle`).
"""

from pathlib import Path

from envfactory_dagster.contracts.bundle import MANIFEST, Bundle
from envfactory_dagster.contracts.errors import UsageError


def load_bundle(name: str | Path) -> Bundle:
    """The environment in a folder, else of a key under ENVFACTORY_HOME, else of an example; every hash is checked."""
    from envfactory_dagster import examples
    from envfactory_dagster.store.bundles import LATEST, BundleStore
    from envfactory_dagster.store.home import Home

    key, folder = str(name), Path(name).expanduser()
    if (folder / MANIFEST).is_file():
        return Bundle.read(folder)
    if (folder / LATEST).is_file():  # the folder of all versions of an environment
        return Bundle.read(folder / (folder / LATEST).read_text().strip())
    store = BundleStore(Home.resolve())
    built = store.keys()
    if key in built:
        return store.load(key)
    example = key.replace("-", "_")
    if example in examples.names():
        return examples.load(example)
    known = ", ".join([*built, *(f"{one} (example)" for one in examples.names())])
    raise UsageError(
        f"There is no environment {key!r}: no folder with a {MANIFEST}, no key under ENVFACTORY_HOME, no example. "
        f"There are: {known}."
    )
