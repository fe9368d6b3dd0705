"""Calls the toolkits of a domain of tau2-bench. The state is their databases as JSON."""

from pydantic import BaseModel
from tau2.environment.db import DB
from tau2.environment.toolkit import ToolKitBase
from tau2.utils.pydantic_utils import update_pydantic_model_with_dict

PLAIN = True


def start(given):
    state = {"modules": {}}
    for side, (models, tools, rows) in given["sides"].items():
        database = _only(models, DB).model_validate(rows)
        update = given.get("updates", {}).get(side)
        if update is not None:
            database = update_pydantic_model_with_dict(database, update)
        kit = _only(tools, ToolKitBase)(database)
        for doer, function, arguments in given.get("deeds", []):
            if doer == side:
                getattr(kit, function)(**arguments)
        state["modules"][side] = [models, tools]
        state[side] = database.model_dump(mode="json")
    return state


def call(state, tool, arguments):
    for side, (models, tools) in state["modules"].items():
        kit = _only(tools, ToolKitBase)
        if hasattr(kit, tool):
            database = _only(models, DB).model_validate(state[side])
            value = getattr(kit(database), tool)(**arguments)
            state[side] = database.model_dump(mode="json")
            return _as_json(value)
    raise ValueError(f"Tool '{tool}' not found.")


def _only(module, base):
    """The class of a module that is made for this: the last one, which may build on the others."""
    loaded = __import__(module, fromlist=["*"])
    classes = [one for one in vars(loaded).values() if isinstance(one, type) and one.__module__ == loaded.__name__]
    found = [one for one in classes if issubclass(one, base)]
    if not found:
        raise ImportError(f"{module} has no {base.__name__}")
    return found[-1]


def _as_json(value):
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, list | tuple):
        return [_as_json(one) for one in value]
    if isinstance(value, dict):
        return {str(key): _as_json(one) for key, one in value.items()}
    return value if isinstance(value, str | int | float | None) else str(value)
