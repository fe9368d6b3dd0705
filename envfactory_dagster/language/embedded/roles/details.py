"""Details that the person keeps back: which ones a request leaves open, and the values told when asked for them.

Belongs here: values of parameters that name no thing. Does not: asking (`solver`), and what the request itself says
(`binding`).
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from envfactory_dagster.language.embedded.roles.binding import Bound, told_in
from envfactory_dagster.language.embedded.roles.catalogue import Parameter, Tool
from envfactory_dagster.language.embedded.roles.request import Part
from envfactory_dagster.language.embedded.roles.words import stems

_OPEN = re.compile(
    r"\b(?:some(?! of (?:my|the|these|those)\b)|some(?:body|one|thing|where)|(?:a )?certain|another one)\b(?: (\w+))?",
    re.IGNORECASE,
)


def said_of(one: Parameter) -> str:
    """How a parameter is spoken of."""
    return one.name.replace("_", " ")


def filled(bound: Bound, tool: Tool, added: Mapping[str, str], part: Part) -> Bound:
    """The same, with what the person added."""
    for one in tool.parameters:
        reply = added.get(said_of(one))
        if not reply or one.refers:
            continue
        value = told_in(one, replace(part, text=reply))
        if value is None and one.is_words:
            value = reply
        if value is not None:
            bound.arguments[one.name] = value
            bound.missing = [other for other in bound.missing if other is not one]
    return bound


def kept_back(bound: Bound, tool: Tool, part: Part) -> list[Parameter]:
    """What the request leaves open, though something may do for it."""
    opened = [match[1] or "" for match in _OPEN.finditer(part.text)]
    if not opened:
        return []
    plain = [one for one in tool.required if not one.refers and not one.enum and one.kind != "boolean"]
    return [
        one
        for one in plain
        if one.name in bound.arguments
        and (set(stems(" ".join(opened))) & set(stems(one.name)) or not _is_said(bound.arguments[one.name], part))
    ]


def _is_said(value: object, part: Part) -> bool:
    if isinstance(value, str):
        return _OPEN.search(value) is None
    return any(value in (number, round(100 * number)) for number, _ in part.numbers)
