"""Wordings with slots: what a person says, with the parameters of an instance in it.

Belongs here: which slots a wording has, and filling them. Does not: what else a text must not say (`acceptance`).
"""

import re
from collections.abc import Mapping
from datetime import date
from string import Formatter

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.families import SLOTS_BY_FORMAT

_NAME = re.compile(r"[a-z][a-z0-9_]*")


class WordingProblem(Exception):
    """Why a wording is none, or cannot be said of an instance."""


def slots(wording: str) -> dict[str, str]:
    """The slots of a wording, each with the form it is written in."""
    try:
        parts = list(Formatter().parse(wording))
    except ValueError as error:
        raise WordingProblem(f"The wording cannot be read: {error}.") from error
    found: dict[str, str] = {}
    for _, name, form, conversion in parts:
        if name is None:
            continue
        if not _NAME.fullmatch(name) or conversion or form not in SLOTS_BY_FORMAT:
            forms = ", ".join(f"{{name:{form}}}" if form else "{name}" for form in SLOTS_BY_FORMAT)
            raise WordingProblem(f"{{{name}}} is no slot of a wording; write one of: {forms}.")
        found[name] = form or ""
    return found


def said(wording: str, p: Mapping[str, Json]) -> str:
    """The wording with its slots filled. A slot for which there is nothing to say is an error. What is a sentence
    already gets no second full stop."""
    slots(wording)
    text = ""
    for literal, name, form, _ in Formatter().parse(wording):
        is_ended = text.endswith((".", "!", "?")) and literal.startswith(".")
        text += literal[1:] if is_ended else literal
        text += _filled(name, form or "", p) if name is not None else ""
    return text.strip()


def _filled(name: str, form: str, p: Mapping[str, Json]) -> str:
    if name not in p:
        raise WordingProblem(f"The wording has a slot {{{name}}}, and the instance has no {name}.")
    value = p[name]
    if value is None or value == [] or (isinstance(value, str) and not value.strip()):
        raise WordingProblem(f"The slot {{{name}}} is empty: the instance gives {value!r}.")
    text = _written(form, value)
    if text is None:
        raise WordingProblem(f"The slot {{{name}}} takes {SLOTS_BY_FORMAT[form]}; the instance gives {value!r}.")
    return text


def _written(form: str, value: Json) -> str | None:
    if form == "date":
        return _as_day(value)
    if form == "money":
        if not isinstance(value, int) or isinstance(value, bool):
            return None
        return f"{value // 100}" if value % 100 == 0 else f"{value / 100:.2f}"
    if form == "list":
        if not isinstance(value, list) or not all(isinstance(one, str) and one.strip() for one in value):
            return None
        names = [str(one) for one in value]
        return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def _as_day(value: Json) -> str | None:
    try:
        day = date.fromisoformat(str(value))
    except ValueError:
        return None
    return f"{day:%A} {day.day} {day:%B} {day.year}"
