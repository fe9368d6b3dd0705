"""The parts a capability module is written with: entities, rules, tools, asks, and JSON-Schema builders.

Belongs here: the declarative types and nothing that computes with them. Does not: composing them into an environment
(`compose`, `tasks`), or the guide that explains them (the docstring of `modules`).
"""

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from envfactory_dagster.language.embedded.world import View

Row = dict[str, Any]
"""A row as modules see it: column names without `$`."""
Schema = dict[str, Any]
Effect = Literal["read", "create", "change", "delete"]

# -- JSON Schema of parameters and results -----------------------------------------------------------------------------


def integer(
    about: str = "", minimum: int | None = None, maximum: int | None = None, default: int | None = None
) -> Schema:
    limits = {"minimum": minimum, "maximum": maximum, "default": default}
    return _schema("integer", about, {name: limit for name, limit in limits.items() if limit is not None})


def number(about: str = "") -> Schema:
    return _schema("number", about, {})


def boolean(about: str = "") -> Schema:
    return _schema("boolean", about, {})


def text(about: str = "", longest: int = 200) -> Schema:
    """Free text of at least one character."""
    return _schema("string", about, {"minLength": 1, "maxLength": longest})


def choice(about: str, *values: str) -> Schema:
    return _schema("string", about, {"enum": list(values)})


def day(about: str = "") -> Schema:
    return _schema("string", about, {"pattern": r"^\d{4}-\d{2}-\d{2}$"})


def moment(about: str = "") -> Schema:
    return _schema("string", about, {"pattern": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$"})


def ident(role: str, about: str = "") -> Schema:
    """The id of a row of a role, as a parameter."""
    return integer(about or f"Id of the ${role.capitalize()}.", minimum=1)


def optional(schema: Schema) -> Schema:
    """A parameter that may be left out; the code sees None."""
    return nullable(schema) | {"default": None}


def nullable(schema: Schema) -> Schema:
    result = schema | {"type": [schema["type"], "null"]}
    if "enum" in schema:
        result["enum"] = [*schema["enum"], None]
    return result


def many(items: "Schema | RowOf", about: str = "") -> Schema:
    return {"type": "array", "items": items} | ({"description": about} if about else {})


@dataclass(frozen=True)
class RowOf:
    """In a result: an object with columns of a role (types, enums and NULLs come from the table) and more fields."""

    role: str
    columns: tuple[str, ...]
    more: Schema = field(default_factory=dict)


def row_of(role: str, *columns: str, **more: Schema) -> RowOf:
    """Columns and keyword names are written without `$`, as everywhere in Python."""
    return RowOf(role, columns, more)


def _schema(kind: str, about: str, limits: Schema) -> Schema:
    return {"type": kind} | ({"description": about} if about else {}) | limits


# -- the parts of a module ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entity:
    """One table, named by the plural of its role's noun. One column or table constraint per line."""

    role: str
    columns: str
    purpose: str
    when: str = ""


@dataclass(frozen=True)
class Rule:
    """A rule of the domain. Its id is also a flag: code that enforces it stands between `#: if ID` and `#: end`."""

    id: str
    text: str
    when: str = ""


@dataclass(frozen=True)
class Tool:
    name: str
    about: str
    effect: Effect
    params: Schema
    returns: dict[str, Any]
    code: str
    """The body of the function; its signature and docstring are made from `params` and `about`."""
    good: "Callable[[View], dict[str, Any]]"
    """Arguments that succeed on the rows of a world; names without `$`."""
    bad: "Callable[[View], dict[str, Any]] | None" = None
    """Arguments that are refused; None when nothing can be refused."""
    principal: Literal["assistant", "user"] = "assistant"
    when: str = ""
    imports: str = ""


@dataclass(frozen=True)
class Goal:
    """What must have become true: a query on the final database whose column `n` must equal a number.

    The query uses values of its step as named parameters (`:slot_id`). It must not hold in the initial state.
    """

    name: str
    sql: str
    equals: int = 1


@dataclass(frozen=True)
class Fact:
    """What the user wants to be told: a query on the initial database whose column `value` is the answer."""

    name: str
    sql: str


@dataclass(frozen=True)
class Allow:
    """Changes a step may leave behind in a role's table: so many new rows, so many changed rows, in these columns only.

    `ids` limits which rows may change; None: any (where the task leaves a choice).
    """

    role: str
    created: int = 0
    changed: int = 0
    deleted: int = 0
    columns: tuple[str, ...] = ()
    ids: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Step:
    """One thing a user wants, in three voices with the same values: words, a program, and checks."""

    text: str
    """An imperative clause without its full stop; `{name}` is a value, `$Booking` a word."""
    solve: str
    """The body of a function of `tools` and the values. It returns the values of `facts`, in their order; of a refusal,
    what the user is told (see `attempt`)."""
    values: Mapping[str, Any]
    goals: tuple[Goal, ...] = ()
    allows: tuple[Allow, ...] = ()
    facts: tuple[Fact, ...] = ()
    otherwise: tuple[tuple[str, str], ...] = ()
    """For a step that leaves a choice: what makes it in the program, and what makes it otherwise; as often as there
    are choices."""


@dataclass(frozen=True)
class Ask:
    """A kind of step. `make` looks into a world for rows that fit, and returns None when there are none."""

    name: str
    make: "Callable[[View], Step | None]"
    rule: str | None = None
    """Set for a refusal: the rule it rests on."""
    when: str = ""


def attempt(call: str, first: str = "") -> str:
    """The program of a refusal: look first, try the call, tell the user why it was refused."""
    lines = textwrap.dedent(first).strip().splitlines()
    tail = ["try:", f"    {call}", "except tools.Error as error:", '    return f"I cannot do that: {error}"']
    return "\n".join([*lines, *tail])


@dataclass(frozen=True)
class Module:
    """A capability: the part of a domain that one file describes. The guide is the docstring of `modules`."""

    name: str
    about: str
    """A clause for theme descriptions: "members book courts and join waiting lists"."""
    roles: Mapping[str, tuple[str, ...]]
    """Every role this module owns, with default nouns."""
    entities: tuple[Entity, ...]
    rules: tuple[Rule, ...]
    tools: tuple[Tool, ...]
    asks: tuple[Ask, ...]
    generate: "Callable[[View], None]"
    provides: Mapping[str, str] = field(default_factory=dict)
    """Capability → role that offers it to other modules."""
    links: tuple[str, ...] = ()
    """Capabilities this module refers to when another module of the plan provides them."""
    options: tuple[str, ...] = ()
    """Structural switches; each is a flag."""
    settings: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Numbers of the rules; each is a placeholder, and `view.setting(name)` in Python."""
    keywords: tuple[str, ...] = ()
    """Words in a user's text that call for this module."""
