"""Which forms can be imported, and how.

Belongs here: the list. Does not: any one of them.
"""

from collections.abc import Callable
from pathlib import Path

from envfactory_dagster.exchange.importing import bfcl, envfactory, envscaler, tau2
from envfactory_dagster.exchange.importing.building import ImportedEnvironment

BUNDLE = "bundle"
"""Our own form: a bundle's folder, which is checked and kept as it is."""

READERS: dict[str, Callable[[Path], dict[str, Callable[[], ImportedEnvironment]]]] = {
    "bfcl": bfcl.read,
    "envfactory": envfactory.read,
    "envscaler": envscaler.read,
    "tau2": tau2.read,
}
"""What a folder holds: the key of each environment, and how it is read, so that one that cannot be keeps no other."""
NOT_READ = {"awm": "their servers need FastAPI and SQLAlchemy, which no sandboxed worker has"}
