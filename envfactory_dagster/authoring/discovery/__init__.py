"""Discovery: which worlds are worth building. Sources are read, worlds are proposed, judged, and taken into the pool.

Belongs here: everything between a folder of sources and a proposal that was taken. Does not: working a proposal out
into a world (`authoring.theme`), or announcing its key to Dagster (`assets`).
"""

from envfactory_dagster.authoring.discovery.expansion import PoolReport, add_document, add_theme, expand_pool
from envfactory_dagster.authoring.discovery.mining_folder import read_data
from envfactory_dagster.authoring.discovery.mirroring import read_service
from envfactory_dagster.authoring.discovery.pool import ThemePool
from envfactory_dagster.authoring.discovery.settings import DiscoverySettings

__all__ = [
    "DiscoverySettings",
    "PoolReport",
    "ThemePool",
    "add_document",
    "add_theme",
    "expand_pool",
    "read_data",
    "read_service",
]
