"""The domains the embedded model knows, a few per file.

How to add some: write `blueprints/<group>.py` with `BLUEPRINTS: tuple[Blueprint, ...]`; every file of this folder is
found by itself. See `Blueprint` for the fields. A good blueprint binds the roles of its modules to the words people of
the domain use, gives eight or more names for every role whose rows have names, and flavours that would make two
environments of its kind feel different. Check it with `python -m tests.language.embedded.check blueprint "NAME"`.
"""

import importlib
import pkgutil
from functools import cache

from envfactory_dagster.language.embedded.blueprint import Blueprint


@cache
def all_blueprints() -> tuple[Blueprint, ...]:
    """Every blueprint, in the order of their names."""
    files = sorted(info.name for info in pkgutil.iter_modules(__path__))
    found = [b for name in files for b in importlib.import_module(f"{__name__}.{name}").BLUEPRINTS]
    return tuple(sorted(found, key=lambda blueprint: blueprint.name))
