"""Calls the toolkits of a domain of tau2-bench. The state is their databases as JSON; rows become models when they are
asked for.
"""

import typing
from collections.abc import Mapping, MutableMapping

from pydantic import BaseModel, TypeAdapter
from tau2.environment.db import DB
from tau2.environment.toolkit import ToolKitBase
from tau2.utils.pydantic_utils import update_pydantic_model_with_dict

PLAIN = True


class Models(MutableMapping):
    """A dictionary of models over a dictionary of JSON."""

    def __init__(self, rows, kind):
        self._rows = rows
        self._kind = kind
        self._made = {}

    def __getitem__(self, key):
        if key not in self._made:
            self._made[key] = self._kind.validate_python(_plain(self._rows[key]))
        return self._made[key]

    def __setitem__(self, key, value):
        self._made[key] = value
        self._rows[key] = None

    def __delitem__(self, key):
        del self._rows[key]
        self._made.pop(key, None)

    def __iter__(self):
        return iter(self._rows)

    def __len__(self):
        return len(self._rows)

    def save(self):
        for key, model in self._made.items():
            self._rows[key] = self._kind.dump_python(model, mode="json")


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
            rows, kind = state[side], _only(models, DB)
            fields = {name: _field(rows[name], field.annotation) for name, field in kind.model_fields.items()}
            database = kind.model_construct(**fields)
            value = getattr(kit(database), tool)(**arguments)
            _save(database, rows, kind)
            return _as_json(value)
    raise ValueError(f"Tool '{tool}' not found.")


def _field(rows, annotation):
    if isinstance(rows, Mapping) and typing.get_origin(annotation) is dict:
        return Models(rows, TypeAdapter(typing.get_args(annotation)[1]))
    return TypeAdapter(annotation).validate_python(_plain(rows))


def _save(database, rows, kind):
    for name, field in kind.model_fields.items():
        value = getattr(database, name)
        if isinstance(value, Models):
            value.save()
        else:
            rows[name] = TypeAdapter(field.annotation).dump_python(value, mode="json")


def _plain(rows):
    return {key: _plain(row) for key, row in rows.items()} if isinstance(rows, Mapping) else rows


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
    if isinstance(value, Mapping):
        return {str(key): _as_json(one) for key, one in value.items()}
    return value if isinstance(value, str | int | float | None) else str(value)
