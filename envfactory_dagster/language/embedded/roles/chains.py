"""What hangs on a thing by several steps: "the phone of the contact of the alert that was raised first".

Belongs here: following such a chain from its end to what is asked for. Does not: lists of things (`things`).
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from envfactory_dagster.language.embedded.roles.answering import plainly
from envfactory_dagster.language.embedded.roles.binding import told_in
from envfactory_dagster.language.embedded.roles.catalogue import Tool
from envfactory_dagster.language.embedded.roles.fitting import extreme, has_superlative, own_fit
from envfactory_dagster.language.embedded.roles.request import Part
from envfactory_dagster.language.embedded.roles.rows import Row
from envfactory_dagster.language.embedded.roles.things import Reader, UnclearError, Unread, named_by, refers_to
from envfactory_dagster.language.embedded.roles.words import stems, thing_of

_ASKED = re.compile(r"\bthe (?P<field>[a-z][a-z -]*?) of (?P<chain>(?:the|my) .+)$")
_LINK = re.compile(r" of (?=(?:the|my) )")
_THING = re.compile(
    r"^(?P<whose>the|my) (?P<head>[a-z][a-z -]*?)"
    r"(?P<said>(?: (?:with|that|which|who|whose|among|since|from|on|in)\b| [“\"]).*)?$"
)
_NAMED = re.compile(r"^(?:the|my) [a-z -]+ [“\"]([^”\"]+)[”\"]$")
_ENDS = re.compile(r"(?:,? in (?:cents|grams)|[.?])$")


def chained(part: Part, reader: Reader) -> str:
    """The value that is asked for, in a sentence."""
    match = _ASKED.search(_ENDS.sub("", part.text))
    if match is None:
        raise UnclearError(part.text)
    links = _LINK.split(match["chain"])
    if len(links) > 1 and _NAMED.match(links[-1]):
        *links, last, name = links
        links.append(f"{last} {name}")
    row = _first(links[-1], part, reader)
    for link in reversed(links[:-1]):
        row = _next(link, row, part, reader)
    value = _value(match["field"], row, part, reader)
    return f"The {match['field']} is {plainly(value)}."


def _first(link: str, part: Part, reader: Reader) -> Row:
    thing = _parsed(link)
    return _chosen(reader.rows(f"{thing['whose']} {thing['head']}"), link, part)


def _next(link: str, row: Row, part: Part, reader: Reader) -> Row:
    """What a row names, or what hangs on it."""
    thing = _parsed(link)
    wanted = set(stems(thing["head"]))
    field = next((name for name in row.values if set(thing_of(name)) == wanted and row.values[name] is not None), None)
    if field is None:
        return _chosen(reader.of_one(thing["head"], row), link, part)
    for tool in reader.catalogue.tools:
        keys = [one for one in tool.required if one.refers]
        if tool.reads and len(tool.required) == len(keys) == 1 and set(keys[0].thing) & wanted:
            found = [one for one in reader.call(tool, {keys[0].name: row.values[field]}) if set(one.about) == wanted]
            if len(found) == 1:
                return found[0]
    same = [one for one in reader.rows(f"the {thing['head']}") if one.identity == row.values[field]]
    if not same:
        raise UnclearError(link)
    return same[0]


def _parsed(link: str) -> dict[str, str]:
    match = _THING.match(link.strip())
    if match is None:
        raise UnclearError(link)
    return {name: value or "" for name, value in match.groupdict().items()}


def _chosen(rows: Sequence[Row], link: str, part: Part) -> Row:
    meant = replace(part, text=link)
    if not rows:
        raise UnclearError(link)
    fit = {id(row): own_fit(row, meant, ()) for row in rows}
    best = max(fit.values())
    fitting = [row for row in rows if fit[id(row)] >= best - 0.01]
    if len(fitting) > 1 and has_superlative(meant) and (row := extreme(fitting, meant)) is not None:
        return row
    if len(fitting) > 1:
        raise UnclearError(link)
    return fitting[0]


def _value(field: str, row: Row, part: Part, reader: Reader) -> Any:
    """The field of the row, or else of what a tool tells about just that thing."""
    telling = [(tool, _dated(tool, part)) for tool in reader.catalogue.tools if _tells(tool, field, row)]
    of_time = [(tool, dated) for tool, dated in telling if dated]
    name = _same_name(field, row)
    if name is not None and not of_time:
        return row.values[name]
    unread = False
    for tool, dated in of_time or telling:
        try:
            found = reader.call(tool, dated | {tool.required[0].name: named_by(tool.required[0], row)})
        except Unread:
            unread = True
            continue
        told = [one.values[same] for one in found if (same := _same_name(field, one)) is not None]
        if len(told) == 1:
            return told[0]
    if unread:
        raise Unread
    raise UnclearError(field)


def _tells(tool: Tool, field: str, row: Row) -> bool:
    """Whether a tool tells this of just that thing."""
    fields = (name for names in tool.outline.groups.values() for name in names)
    return (
        tool.reads
        and len(tool.required) == 1
        and refers_to(tool.required[0], row)
        and any(_says(name, field) for name in fields)
    )


def _dated(tool: Tool, part: Part) -> dict[str, Any]:
    values = {one.name: told_in(one, part) for one in tool.optional if one.pattern and part.days}
    return {name: value for name, value in values.items() if value is not None}


def _same_name(field: str, row: Row) -> str | None:
    exact = [name for name in row.values if name.replace("_", " ") == field]
    return next(iter(exact or [name for name in row.values if _says(name, field)]), None)


def _says(name: str, field: str) -> bool:
    """Whether a field is called so, its unit aside."""
    about = [word for word in name.lower().split("_") if word not in ("cents", "grams")]
    return about == re.findall(r"[a-z]+", field) or (bool(stems(field)) and stems(" ".join(about)) == stems(field))
