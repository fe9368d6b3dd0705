"""The tools as the solver sees them: what each is for, what it needs, what it gives back, whether it changes anything.

Belongs here: reading tool lists of either protocol. Does not: choosing among them (`planning`).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from envfactory_dagster.language.embedded.roles.words import Rarity, stems, thing_of

_RETURNS = re.compile(r"\s*(?:(Read-only|Makes a change)\.)?\s*Returns (\{.*\})\.$", re.DOTALL)
_READING = re.compile(
    r"^(?:get|list|show|find|search|look|read|count|sum|add up|summari[sz]e|check|view|fetch|display|tell|give)\b",
    re.IGNORECASE,
)
_ID_WORDS = frozenset(("id", "code", "key", "ref", "number", "identifi"))


@dataclass(frozen=True)
class Parameter:
    name: str
    schema: Mapping[str, Any]
    required: bool

    @cached_property
    def kind(self) -> str:
        given = self.schema.get("type", "string")
        return next((one for one in given if one != "null"), "string") if isinstance(given, list) else str(given)

    @property
    def enum(self) -> list[Any]:
        return [member for member in self.schema.get("enum") or [] if member is not None]

    @property
    def pattern(self) -> str:
        return str(self.schema.get("pattern") or "")

    @property
    def description(self) -> str:
        return str(self.schema.get("description") or "")

    @cached_property
    def words(self) -> list[str]:
        return stems(f"{self.name} {self.description}")

    @property
    def is_words(self) -> bool:
        """Whether it takes words to search by."""
        return self.kind == "string" and not self.enum and not self.pattern and not self.refers

    @cached_property
    def refers(self) -> bool:
        """Whether its value names a thing that has to be looked up."""
        if self.kind not in ("integer", "string") or self.enum:
            return False
        about = re.match(r"\s*(?:the )?(ids?|identifier|code|key|ref(?:erence)?)\b", self.description, re.IGNORECASE)
        return about is not None or (self.kind == "integer" and bool(thing_of(self.name)))

    @cached_property
    def thing(self) -> list[str]:
        """The words for what it refers to."""
        of = re.search(r"\bof (?:the |an? |one of |your |that )*([a-z][\w -]*)", self.description)
        said = re.split(r"\b(?:to|that|which|in|of|for|it|with|where|if|as)\b", of[1])[0] if of else ""
        return [word for word in stems(f"{self.name} {said}") if word not in _ID_WORDS]


@dataclass(frozen=True)
class Outline:
    """What comes back: lists and objects by name, with the fields of each."""

    groups: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Tool:
    name: str
    description: str
    parameters: tuple[Parameter, ...]
    outline: Outline
    reads: bool

    @property
    def required(self) -> list[Parameter]:
        return [one for one in self.parameters if one.required]

    @property
    def optional(self) -> list[Parameter]:
        return [one for one in self.parameters if not one.required]

    @cached_property
    def is_own(self) -> bool:
        """Whether it shows only what belongs to the person."""
        return (
            re.search(
                r"\b(?:signed-in|my|own|user's|current user)\b", f"{self.name.replace('_', ' ')} {self.description}"
            )
            is not None
        )

    @cached_property
    def head(self) -> list[str]:
        return stems(f"{self.name} {self.description}")

    @cached_property
    def body(self) -> list[str]:
        fields = " ".join(f"{name} {' '.join(fields)}" for name, fields in self.outline.groups.items())
        about = " ".join(f"{one.name} {one.description} {' '.join(map(str, one.enum))}" for one in self.parameters)
        return stems(f"{fields} {about}")


@dataclass(frozen=True)
class Catalogue:
    tools: tuple[Tool, ...]
    wrapped: bool
    """Whether tools are called through another one."""

    @cached_property
    def rarity(self) -> Rarity:
        return Rarity(f"{tool.name} {tool.description}" for tool in self.tools)

    def named(self, name: str) -> Tool | None:
        return next((tool for tool in self.tools if tool.name == name), None)


def native(tools: Sequence[Mapping[str, Any]]) -> Catalogue:
    """From the OpenAI form."""
    found = []
    for entry in tools:
        function = entry.get("function") or {}
        told = str(function.get("description") or "")
        match = _RETURNS.search(told)
        gist = told[: match.start()] if match else told
        outline = _parsed(match[2]) if match else Outline({})
        reads = match[1] == "Read-only" if match and match[1] else _READING.match(gist) is not None
        parameters = _parameters(function.get("parameters") or {})
        found.append(Tool(str(function.get("name")), gist, parameters, outline, reads))
    return Catalogue(tuple(found), wrapped=False)


def listed(tools: Sequence[Mapping[str, Any]]) -> Catalogue:
    """From a list of tools in the form of MCP."""
    found = []
    for entry in tools:
        gist = str(entry.get("description") or "")
        hints = entry.get("annotations") or {}
        reads = bool(hints.get("readOnlyHint", _READING.match(gist) is not None))
        groups: dict[str, tuple[str, ...]] = {}
        _collect("", entry.get("outputSchema") or {}, groups)
        parameters = _parameters(entry.get("inputSchema") or {})
        found.append(Tool(str(entry.get("name")), gist, parameters, Outline(groups), reads))
    return Catalogue(tuple(found), wrapped=True)


def _parameters(schema: Mapping[str, Any]) -> tuple[Parameter, ...]:
    required = set(schema.get("required") or ())
    return tuple(Parameter(name, one, name in required) for name, one in (schema.get("properties") or {}).items())


def _collect(name: str, schema: Mapping[str, Any], groups: dict[str, tuple[str, ...]]) -> None:
    inner = schema.get("items") if "items" in schema else schema
    properties = (inner or {}).get("properties") or {}
    if properties:
        groups[name] = tuple(properties)
    for field, one in properties.items():
        _collect(field, one, groups)


def _parsed(outline: str) -> Outline:
    """`{total, items: [{id, name}]}` as groups."""
    groups: dict[str, list[str]] = {}
    stack: list[str] = []
    name = ""
    for token in re.findall(r"[\w-]+|[{}\[\],:]", outline):
        if token == "{":
            stack.append(name)
            groups.setdefault(name, [])
        elif token == "}":
            stack.pop()
        elif token not in "[],:":
            name = token
            if stack:
                groups[stack[-1]].append(token)
    return Outline({group: tuple(fields) for group, fields in groups.items()})
