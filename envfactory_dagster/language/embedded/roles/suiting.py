"""Whether a tool does what a request asks for at all: the service may have none that does.

Belongs here: what speaks against a change that is the likeliest of all. Does not: choosing among tools (`planning`).
"""

import re

from envfactory_dagster.language.embedded.roles.binding import Bound
from envfactory_dagster.language.embedded.roles.catalogue import Catalogue, Tool
from envfactory_dagster.language.embedded.roles.request import Part
from envfactory_dagster.language.embedded.roles.words import stem, stems

_BEGIN = "take join book reserve add put place order enrol sign offer save start open make plan buy"
_END = "leave release quit give withdraw cancel remove undo scrap resolve close stop return drop"
_NAMED = re.compile(r"(?<=\w )[A-Z]\w*(?:['’]s)?(?: [a-z]+)?")
"""A name with what it is the name of."""
_OPPOSITES = tuple(frozenset(map(stem, words.split())) for words in (_BEGIN, _END))


def suits(tool: Tool, bound: Bound, part: Part, catalogue: Catalogue) -> bool:
    """Whether the change may be what is asked for: it has to do with the things that the request speaks of, takes the
    values that are given, and is not the opposite."""
    own = {*stems(tool.name)[:1], *stems(tool.description)[:1]}
    said = {part.verb, *part.stems[:2]}
    is_named = part.verb in own
    if not is_named and _is_opposite(said, own):
        return False
    things = _things(part, catalogue)
    about = {*tool.head, *(word for one in tool.parameters if one.refers for word in one.thing)}
    if things and not any(thing & about for thing in things):
        return False
    return is_named or not _leaves_values(bound, part)


def _is_opposite(said: set[str], own: set[str]) -> bool:
    begins, ends = _OPPOSITES
    if said & begins and said & ends:
        return False
    return bool(
        (said & begins and own & ends and not own & begins) or (said & ends and own & begins and not own & ends)
    )


def _things(part: Part, catalogue: Catalogue) -> list[frozenset[str]]:
    """The things that the service knows and the request speaks of, each under its longest name."""
    groups = {frozenset(stems(group)) for tool in catalogue.tools if tool.reads for group in tool.outline.groups}
    said = set(stems(_NAMED.sub(" ", part.text)))
    spoken = [group for group in groups if group and group <= said]
    return [one for one in spoken if not any(one < other for other in spoken)]


def _leaves_values(bound: Bound, part: Part) -> bool:
    """Whether a number or code that is said has nothing to do with the call, once all that it refers to was found."""
    if any(one.refers for one in bound.missing):
        return False
    held = {str(value) for value in bound.arguments.values()}
    rows = {str(value) for row in bound.rows for value in row.values.values()}
    street = part.address or ""
    counted = [n for n, _ in part.numbers if n == int(n) and str(int(n)) not in street]
    taken = {str(int(number * by)) for number in counted for by in (1, 100)} & (held | rows)
    return any(code not in held | rows for code in part.codes) or (len(counted) == 1 and not taken)
