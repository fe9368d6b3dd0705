"""Calls the methods of an environment class of EnvScaler. The state is the one instance."""

from copy import deepcopy

MODULE = "environment"


def start(given):
    kind = getattr(__import__(MODULE, fromlist=["*"]), given["class"])
    config = given["config"]
    try:
        instance = kind(deepcopy(config))
    except TypeError:
        instance = kind()
    for name, value in config.items():
        setattr(instance, name, deepcopy(value))
    return instance


def call(state, tool, arguments):
    return getattr(state, tool)(**arguments)
