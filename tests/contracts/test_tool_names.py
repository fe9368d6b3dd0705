"""Tools of a service that somebody brought are spelled as it spells them, wherever a contract names one."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, TypeAdapter

from envfactory_dagster import contracts


def named_tools() -> Iterator[tuple[str, Any]]:
    """Every field `tool` of a contract that is a text, with its type."""
    for module in pkgutil.iter_modules(contracts.__path__, f"{contracts.__name__}."):
        for name, model in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if issubclass(model, BaseModel) and model.__module__ == module.name:
                info = model.model_fields.get("tool")
                if info is not None and info.annotation is str:
                    yield name, Annotated[str, *info.metadata] if info.metadata else str


TOOLS = dict(named_tools())


@pytest.mark.parametrize("contract", sorted(TOOLS))
def test_a_contract_takes_a_tool_in_camel_case(contract: str) -> None:
    assert TypeAdapter(TOOLS[contract]).validate_python("getMember") == "getMember"
