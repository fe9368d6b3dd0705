"""Reading text, JSON and YAML that anybody may have written.

Belongs here: what makes such a text unreadable, in a sentence for whoever put it there. Does not: what a readable text
says (`tables`, `authoring.discovery`).
"""

from typing import Any

import orjson
import yaml

DEEPEST = 100
MOST_VALUES = 300_000
YAML = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class UnreadableFile(Exception):
    """A file or an entry cannot be read. The message tells the person who put it there what is wrong."""


def decoded(data: bytes) -> str:
    if b"\0" in data:
        raise UnreadableFile("is binary, not text")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"is not UTF-8 text: byte {error.start} cannot be decoded") from error
    if not text.strip():
        raise UnreadableFile("is empty")
    return text


def parse_json(text: str, what: str = "") -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise UnreadableFile(f"{what}is not valid JSON: {error}") from error


def parse_yaml(text: str) -> Any:
    try:
        _refuse_depth(text)
        return yaml.load(text, Loader=YAML)
    except (yaml.YAMLError, ValueError, TypeError) as error:
        raise UnreadableFile(f"is not valid YAML: {' '.join(str(error).split())[:200]}") from error


def as_json(document: Any) -> Any:
    """What YAML gave as JSON would have it: keys are texts, so are dates, every alias is written out, and one that
    stands within itself is nothing."""
    left = MOST_VALUES

    def plain(value: Any, around: tuple[int, ...]) -> Any:
        nonlocal left
        left -= 1
        if left < 0 or len(around) > DEEPEST:
            raise UnreadableFile(
                f"is too large: it has more than {MOST_VALUES:,} values once its aliases are written out"
            )
        if not isinstance(value, dict | list):
            return value if value is None or isinstance(value, str | bool | int | float) else str(value)
        if id(value) in around:
            return None
        inside = (*around, id(value))
        if isinstance(value, dict):
            return {str(key): plain(inner, inside) for key, inner in value.items()}
        return [plain(inner, inside) for inner in value]

    return plain(document, ())


def _refuse_depth(text: str) -> None:
    """The loader written in C ends the whole process when a document is nested too deeply, so look before."""
    depth = 0
    for event in yaml.parse(text, Loader=YAML):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise UnreadableFile(f"is not valid YAML: it is nested more than {DEEPEST} levels deep")
