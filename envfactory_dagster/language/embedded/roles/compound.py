"""Requests that reckon and decide: figures, what depends on them, and what is done to all that fit.

Belongs here: conditions, and the changes that follow from a list. Does not: the figures themselves (`figures`).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from envfactory_dagster.language.embedded.roles.binding import told_in
from envfactory_dagster.language.embedded.roles.catalogue import Tool
from envfactory_dagster.language.embedded.roles.chains import chained
from envfactory_dagster.language.embedded.roles.figures import figures, number, phrases
from envfactory_dagster.language.embedded.roles.fitting import extreme
from envfactory_dagster.language.embedded.roles.planning import Call
from envfactory_dagster.language.embedded.roles.request import Part
from envfactory_dagster.language.embedded.roles.rows import Row
from envfactory_dagster.language.embedded.roles.things import Reader, UnclearError, Unread, named_by, refers_to
from envfactory_dagster.language.embedded.roles.transcript import CONDITION

_ELSE = re.compile(
    r"^(?:otherwise|or else|else|if not|should it not(?: be)?|if (?:it|that) (?:is|does) not|in the other case)\b"
    r"[,;:]?\s*(?:then )?(?P<body>.*)$",
    re.IGNORECASE,
)
_IF = re.compile(
    r"^(?:if|should|in case|when)\b"
    r"(?P<that>[^,;]*(?:\b(?:larger|greater|higher|bigger|smaller|lower|less|fewer)\b|\d)[^,;]*)"
    r"(?:[,;]\s*(?:then )?(?P<body>.*))?$",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\b(?P<how>more than|over|above|at least|less than|under|below|at most) (?P<limit>\d+(?:\.\d+)?)"
)
_DIFFERENCE = re.compile(r"\b(?:differ|differs|difference|how far apart)\b", re.IGNORECASE)
_SHARE = re.compile(
    r"\b(?:largest|highest|biggest)\b.*\b(?:share|contribut\w*|together)\b|^go through\b", re.IGNORECASE
)
_ALL = re.compile(r"\b(?:all (?:of )?(?:my|the)|every one of|each of|each and every|all of them)\b", re.IGNORECASE)
_DO_ALL = re.compile(r"^(?P<verb>[a-z]+(?: [a-z]+)??) (?P<things>(?:all|every|each|my|the)\b.+)$", re.IGNORECASE)
_AND_NO_OTHERS = re.compile(r",? (?:(?:and )?no others?|each and every one|all of them|instead)$")
_VERB = r"(?P<verb>[a-z]+(?: (?:off|up|out|back|down|in|over))?)"
_OF_THESE = re.compile(rf"^(?:of|among|from) (?P<things>(?:my|the) .+?),? {_VERB} the (?P<which>.+)$")
_AMONG = re.compile(rf"^{_VERB} the (?P<which>.+?) among (?P<things>(?:my|the|all) .+)$")
_THE_ONE = re.compile(rf"^{_VERB} the (?P<which>[\w' -]+)$")

Ranked = Callable[[Part], Sequence[tuple[Tool, float]]]
"""The changes that a part may ask for, the likeliest first."""


@dataclass(slots=True)
class Step:
    """What to do about a part, or what it came to."""

    calls: list[Call] = field(default_factory=list)
    final: bool = False
    told: str = ""
    figures: dict[str, float] = field(default_factory=dict)
    among: str = ""
    """The things among which one was chosen."""


def joined(todo: Sequence[Part]) -> list[Part]:
    """A condition goes with what follows it; what is to be counted before anything changes comes first."""
    found: list[Part] = []
    for part in todo:
        waits = found and _is_bare(found[-1].text)
        text = f"{found[-1].text}, {part.text}" if waits else part.text
        found[len(found) - bool(waits) :] = [replace(part, text=text)]
    return sorted(found, key=lambda part: re.search(r"\bbefore (?:you begin|anything)", part.text) is None)


def step(part: Part, reader: Reader, known: dict[str, float], among: str, ranked: Ranked) -> Step | None:
    """The next step, where the part can be understood in this way. `known`: figures so far; `among`: the things that
    one was chosen among before."""
    try:
        return _step(part, reader, known, among, ranked)
    except Unread:
        return Step(list({repr(call): call for call in reader.wanted}.values()))
    except UnclearError:
        return None


def _is_bare(text: str) -> bool:
    otherwise, condition = _ELSE.match(text), _IF.match(text)
    return not otherwise["body"] if otherwise is not None else condition is not None and not condition["body"]


def _step(part: Part, reader: Reader, known: dict[str, float], among: str, ranked: Ranked) -> Step:
    otherwise, condition = _ELSE.match(part.text), _IF.match(part.text)
    if (otherwise is not None and CONDITION in known) or condition is not None:
        holds = known[CONDITION] == 0.0 if otherwise is not None else _holds(condition["that"], known)  # type: ignore[index]
        body = (otherwise or condition)["body"] or ""  # type: ignore[index]
        met = {} if otherwise is not None else {CONDITION: float(holds)}
        inner = replace(part, text=re.sub(r"^(?:also|then)\s+", "", body))
        if not holds:
            things = _things(inner.text) or among
            looked = f" I looked among {things}." if things else ""
            return Step(told=f"That is not the case.{looked}", figures=met, among=things)
        found = _step(inner, reader, known, among, ranked)
        return replace(found, figures=found.figures | met, told=f"That is the case. {found.told}")
    return _asked(part, reader, known) if _is_asking(part) else _done(part, reader, among, ranked)


def _is_asking(part: Part) -> bool:
    return part.is_question or _SHARE.search(part.text) is not None or _DIFFERENCE.search(part.text) is not None


def _holds(that: str, known: dict[str, float]) -> bool:
    values = [value for name, value in known.items() if name != CONDITION]
    against = _AGAINST.search(that)
    if against is not None and values:
        value, limit = values[-1], float(against["limit"])
        less = {"less than": value < limit, "under": value < limit, "below": value < limit}
        more = {"at least": value >= limit, "at most": value <= limit}
        return (less | more).get(against["how"], value > limit)
    if len(values) < 2:
        raise UnclearError(that)
    first, second = values[-2:] if "second" not in that else reversed(values[-2:])
    return first < second if re.search(r"\b(?:smaller|lower|less|fewer)\b", that) else first > second


def _asked(part: Part, reader: Reader, known: dict[str, float]) -> Step:
    asked = phrases(part.text)
    if asked:
        found = figures(asked, reader)
        values = {phrase: figure.value for phrase, figure in zip(asked, found, strict=True)}
        return Step(told=" ".join(figure.told for figure in found), figures=values)
    values_so_far = [value for name, value in known.items() if name != CONDITION]
    if _DIFFERENCE.search(part.text) and len(values_so_far) > 1:
        first, second = values_so_far[-2:]
        return Step(told=f"They are {number(first)} and {number(second)}, {number(abs(first - second))} apart.")
    if values_so_far and _SHARE.search(part.text):
        return Step(told="That is all there is to say of it.")
    return Step(told=chained(part, reader))


def _things(text: str) -> str:
    match = _OF_THESE.match(text) or _AMONG.match(text)
    return match["things"] if match is not None else ""


def _done(part: Part, reader: Reader, among: str, ranked: Ranked) -> Step:
    """Changes to all that fit, or to the one that is chosen among some."""
    text = _AND_NO_OTHERS.sub("", _AND_NO_OTHERS.sub("", part.text.strip(" .")))
    do_all = _DO_ALL.match(text) if _ALL.search(part.text) is not None else None
    if do_all is not None:
        rows = reader.rows(do_all["things"])
        return Step([_change(row, part, ranked) for row in rows], final=bool(rows), told="There are none.")
    chosen = _OF_THESE.match(text) or _AMONG.match(text) or (_THE_ONE.match(text) if among else None)
    if chosen is None:
        raise UnclearError(part.text)
    things = chosen.groupdict().get("things") or among
    row = extreme(reader.rows(things), replace(part, text=chosen["which"]))
    if row is None:
        raise UnclearError(part.text)
    meant = replace(part, text=f"{chosen['verb']} the {row.group.replace('_', ' ')}")
    return Step([_change(row, meant, ranked)], final=True, among=things)


def _change(row: Row, part: Part, ranked: Ranked) -> Call:
    """The change that the part asks for, of this thing and nothing else."""
    for tool, _ in ranked(part):
        keys = [one for one in tool.required if refers_to(one, row)]
        if len(keys) == 1:
            told = {one.name: told_in(one, part) for one in tool.required if one is not keys[0]}
            if None in told.values():
                raise UnclearError(tool.name)
            return tool.name, told | {keys[0].name: named_by(keys[0], row)}
    raise UnclearError(part.text)
