"""What every artifact has in common: immutable, strict about its fields, versioned, hashed by content.

Belongs here: base classes and types that several contracts share. Does not: any one artifact (the modules beside this
one), or where artifacts lie (`store`).
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, ClassVar

import orjson
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    JsonValue,
    StringConstraints,
    ValidationError,
    field_validator,
)

from envfactory_dagster.contracts.errors import UsageError

Json = JsonValue

_LONGEST_PLACE = 300

SLUG_PATTERN = r"^[a-z0-9]+(?:-[a-z0-9]+)*$"
"""Environment keys are slugs: no commas (they break backfills in the UI), no slashes (they are folder names)."""

Slug = Annotated[str, StringConstraints(pattern=SLUG_PATTERN, max_length=64)]
Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=64)]
ToolName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]*$", max_length=64)]
"""Ours are identifiers; those of a service that somebody brought are spelled as it spells them."""


def canonical_json(value: object) -> bytes:
    """The one byte form that is hashed: sorted keys, no spaces, UTF-8."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def content_hash(value: object) -> str:
    """SHA-256 of the canonical JSON form, in hexadecimal."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


class Contract(BaseModel):
    """A part of an artifact."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Artifact(Contract):
    """A whole artifact as it is stored. A class raises the default of its `format` when older stored data could no
    longer be read, and says in `outdated` what is to be done about them."""

    format: int = 1
    outdated: ClassVar[Mapping[int, str]] = {}
    """Format → what data of this format are, and what to do."""

    @field_validator("format")
    @classmethod
    def _is_the_one_that_is_read(cls, found: int) -> int:
        """No `ValueError`, which readers take for damage: data of another version are as good as they ever were."""
        known = cls.model_fields["format"].default
        if found in cls.outdated:
            raise UsageError(cls.outdated[found])
        if found != known:
            raise UsageError(
                f"{cls.__name__} was stored by another version of this program, in format {found}; this one reads "
                f"format {known}. Use the version that stored it, or set ENVFACTORY_HOME to another folder and make it "
                "anew."
            )
        return found

    def content_hash(self) -> str:
        return content_hash(self.model_dump(mode="json"))


def first_problem(error: Exception, what: str = "it") -> str:
    """Where something first departs from its contract, and how; of any other error what it says. `what`: how the whole
    is called."""
    if not isinstance(error, ValidationError):
        return str(error)
    problem = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, problem['loc']))[:_LONGEST_PLACE] or what}: {problem['msg']}"


@contextmanager
def found_in(place: object) -> Iterator[None]:
    """Put the place where something lies before the message of a `UsageError` about it."""
    try:
        yield
    except UsageError as error:
        raise UsageError(f"{place}: {error}") from error


def repeated(values: Iterable[str]) -> list[str]:
    """What stands there more than once, in order. Lists that a model wrote may be long."""
    return sorted(value for value, times in Counter(values).items() if times > 1)


def unique(values: list[str], what: str) -> list[str]:
    """Refuse repeated names; used by validators of lists whose members are found by name."""
    if twice := repeated(values):
        raise ValueError(f"{what} must be unique; repeated: {', '.join(twice)}")
    return values


NonEmpty = Annotated[str, AfterValidator(lambda s: s.strip()), StringConstraints(min_length=1)]
