"""Executable, verified tool-use environments, made as partitioned Dagster assets.

For programs: `Runtime`, `load_bundle`, `verify`, `play`, `export`, with `Bundle`, `Verdict` and `PlayedTask`. They are
imported when they are first used, so that the package itself opens at once.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from envfactory_dagster.api import Bundle, Runtime, Verdict, export, load_bundle, verify
    from envfactory_dagster.exchange.playing import PlayedTask, play

__all__ = ["Bundle", "PlayedTask", "Runtime", "Verdict", "export", "load_bundle", "play", "verify"]
_PLACES = {"PlayedTask": "exchange.playing", "play": "exchange.playing"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module("envfactory_dagster." + _PLACES.get(name, "api")), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
