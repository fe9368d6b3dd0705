"""Calls the tools of an MCP server of EnvFactory. The state is what its module keeps in variables."""

import datetime

from mcp.server.fastmcp import FastMCP

LOADS = "load_scenario"
MODULE = ""
"""A name that no variable has."""


def start(given):
    module = _module(given["module"])
    load = _functions(module)[LOADS]
    try:
        loaded = load(given["scenario"])
    except ValueError:
        # Servers were given a `current_time` after most of their scenarios were written.
        loaded = load({**given["scenario"], "current_time": datetime.datetime.now().isoformat()})
    if isinstance(loaded, str) and loaded.lower().startswith("error"):
        raise ValueError(loaded)
    return {MODULE: given["module"]} | {name: getattr(module, name) for name in _kept(module)}


def call(state, tool, arguments):
    module = _module(state[MODULE])
    kept = [name for name in state if name != MODULE]
    for name in kept:
        setattr(module, name, state[name])
    value = _functions(module)[tool](**arguments)
    for name in kept:
        state[name] = getattr(module, name)
    return value


def _module(name):
    return __import__(name, fromlist=["*"])


def _functions(module):
    return next(one.functions for one in vars(module).values() if isinstance(one, FastMCP))


def _kept(module):
    """The instances of the module's own classes that it has in variables."""
    return [name for name, value in vars(module).items() if getattr(type(value), "__module__", "") == module.__name__]
