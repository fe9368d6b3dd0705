"""The store as a resource.

Belongs here: which home the assets work in. Does not: reading and writing (`store`).
"""

from functools import partial
from typing import Any

import dagster as dg

from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore


class StoreResource(dg.ConfigurableResource[None]):
    """The folder or object store that holds everything the assets make."""

    home: str | None = None
    """A folder or a URL; by default ENVFACTORY_HOME, else `./.envfactory`."""

    def __reduce__(self) -> tuple[Any, ...]:
        """To workers on other nodes goes the value. What Dagster keeps in a resource cannot be sent."""
        return partial(StoreResource, home=self.home), ()

    def resolved(self) -> Home:
        return Home.resolve(self.home)

    def records(self) -> RecordStore:
        return RecordStore(self.resolved())

    def bundles(self) -> BundleStore:
        return BundleStore(self.resolved())
