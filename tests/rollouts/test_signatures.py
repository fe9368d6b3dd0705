"""A model that is told the tools as signatures reads what it needs to call them, whatever their schemas are made of."""

from typing import Any

import pytest

from envfactory_dagster.rollouts.signatures import BySignatures
from tests.rollouts.scripted import Scripted, says


async def told(schema: dict[str, Any], description: str = "Do it.") -> str:
    """The line of a tool with these parameters."""
    function: dict[str, Any] = {"name": "do_it", "description": description, "parameters": schema}
    model = Scripted([says("Done.")])
    await BySignatures(model, "finish").answer(
        [{"role": "system", "content": "You are the assistant."}], [{"type": "function", "function": function}], seed=0
    )
    [line] = [line for line in str(model.shown[0][0]["content"]).splitlines() if line.startswith("do_it(")]
    return line


PLAIN = [
    ({"type": "integer", "minimum": 1, "description": "Whose"}, 'of?: integer 1.. "Whose"'),
    ({"type": ["string", "null"], "default": None}, "of?: string|null = null"),
    ({"enum": ["open", 3]}, 'of?: "open"|3'),
    ({"type": "string", "format": "date"}, "of?: date"),
    ({"type": "array", "items": True}, "of?: [any]"),
    ({"type": "object", "additionalProperties": {"type": "number"}}, "of?: {…: number}"),
    ({"type": "object", "properties": {"a": True}, "required": ["a"]}, "of?: {a: any}"),
    (True, "of?: any"),
]


@pytest.mark.parametrize(("schema", "line"), PLAIN)
async def test_a_parameter_is_told_in_a_few_words(schema: Any, line: str) -> None:
    assert await told({"type": "object", "properties": {"of": schema}}) == f"do_it({line}): Do it."


async def test_what_refers_to_other_parts_of_the_schema_is_told_as_it_stands() -> None:
    defs = {"Slot": {"type": "object", "properties": {"day": {"type": "string"}}}}
    line = await told({"type": "object", "properties": {"of": {"$ref": "#/$defs/Slot"}}, "$defs": defs})
    assert '"$ref":"#/$defs/Slot"' in line and '"day":{"type":"string"}' in line


async def test_a_tool_takes_one_line() -> None:
    assert await told({"type": "object"}, "Do it.\n\nThen rest.") == "do_it(): Do it. Then rest."
