"""Arguments for a tool: from what the request says, and from rows that were read.

Belongs here: a value for one parameter, or the reason why there is none yet. Does not: reading more (`planning`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from envfactory_dagster.language.embedded.roles.catalogue import Parameter, Tool
from envfactory_dagster.language.embedded.roles.evidence import Evidence, Row, extreme
from envfactory_dagster.language.embedded.roles.request import Part
from envfactory_dagster.language.embedded.roles.words import overlap, stem, stems

SURE = 2.0
_PHRASE = re.compile(
    r"(?:\bfor|\bto|\bbecause(?: it was)?|\bwith|\bcalled|\bsaying|\bas|\bof|:|,)\s+(?:an? |the )?([^,:;]+?)"
    r"(?=\s+(?:for|to|with|on|at|in|from|until|and|which|that|as|of)\b|[,:;]|$)"
)
_ADDRESS = re.compile(r"\d+ [A-Z]\w+ \w+(?:, [A-Z]\w+)?")
_NO = re.compile(r"\b(?:not|no|without|never)\b")


@dataclass
class Bound:
    """What is known of a call."""

    arguments: dict[str, Any] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    """The rows its references came from."""
    missing: list[Parameter] = field(default_factory=list)
    unsure: list[Parameter] = field(default_factory=list)
    """What has a value that may not be the one that is meant."""
    indirect: list[Parameter] = field(default_factory=list)
    """What was only seen as an id in rows about something else."""


def bind(tool: Tool, part: Part, evidence: Evidence, focus: dict[str, Any]) -> Bound:
    """Every argument that can be told; first those that name things, so that their words are not used twice."""
    bound = Bound()
    for one in tool.parameters:
        if one.refers:
            _bind_reference(one, tool, part, evidence, focus, bound)
    spent = _spent(bound.rows, part)
    quotes = [quote for quote in part.quotes if not _is_of_rows(quote, bound.rows)]
    days = iter([day for day in part.days if day not in spent] or part.days)
    times = iter([moment for moment in part.times if moment not in spent] or part.times)
    numbers = list(part.numbers)
    counted = {one.name for one in tool.optional if one.kind in ("integer", "number")}
    for one in sorted(tool.parameters, key=lambda one: one.name not in counted):
        if one.refers or one.name in bound.arguments:
            continue
        value = _direct(one, part, quotes, days, times, numbers, bound.rows)
        if value is not None:
            bound.arguments[one.name] = value
        elif one.required:
            bound.missing.append(one)
    return bound


def candidates(parameter: Parameter, evidence: Evidence) -> list[tuple[Any, Row]]:
    """Values a reference might take, with the rows they come from; of each thing the latest reading."""
    found: dict[Any, tuple[Any, Row]] = {}
    thing = set(parameter.thing)
    for row in evidence.rows:
        value = row.values.get(parameter.name)
        if value is None and thing and _is_kind(row, thing):
            value = _identity(row, parameter)
        if value is not None and _type_fits(value, parameter):
            better = found.get(value)
            if better is None or len(row.values) >= len(better[1].values) or better[1].group != row.group:
                found[value] = (value, row)
    return list(found.values())


def _is_kind(row: Row, thing: set[str]) -> bool:
    about = set(row.about)
    return bool(about) and (thing <= about or about <= thing or overlap(thing, about) >= 0.5)


def _identity(row: Row, parameter: Parameter) -> Any:
    if parameter.kind == "string":
        return next((v for v in row.values.values() if isinstance(v, str) and _matches(parameter, v)), None)
    return row.identity


def _bind_reference(
    one: Parameter, tool: Tool, part: Part, evidence: Evidence, focus: dict[str, Any], bound: Bound
) -> None:
    coded = next((code for code in part.codes if one.kind == "string" and _matches(one, code)), None)
    if coded is not None:
        bound.arguments[one.name] = coded
        return
    known = candidates(one, evidence)
    alike = [pair for pair in known if not one.thing or _is_kind(pair[1], set(one.thing))]
    known = alike or known
    if part.about_before and one.name in focus:
        bound.arguments[one.name] = focus[one.name]
        return
    chosen = choose([row for _, row in known], part, evidence, tool.head)
    if chosen is None:
        (bound.missing if one.required else []).append(one)
        return
    row, score = chosen
    if not one.required and (score < SURE + 1.5 or not set(one.thing) & part.all_stems):
        return
    bound.arguments[one.name] = next(value for value, of in known if of is row)
    bound.rows.append(row)
    if not alike:
        bound.indirect.append(one)
    if (score < SURE and len(known) > 1) or _lacks_its_name(row, tool, part, evidence):
        bound.unsure.append(one)


def _lacks_its_name(row: Row, tool: Tool, part: Part, evidence: Evidence) -> bool:
    """Whether the request names one thing, the tool takes one, and this row is not called so."""
    writes_text = any(
        one.kind == "string" and one.required and not one.enum and not one.refers for one in tool.parameters
    )
    named = part.names if writes_text else [*part.names, *part.quotes]
    alone = sum(one.refers for one in tool.required) == 1
    return alone and len(named) == 1 and not _is_free(part) and not evidence.is_named(row, part)


def choose(rows: Sequence[Row], part: Part, evidence: Evidence, hint: Sequence[str] = ()) -> tuple[Row, float] | None:
    """The row that the request means, and how sure that is."""
    if not rows:
        return None
    scores = {id(row): evidence.fit(row, part, hint) for row in rows}
    best = max(scores.values())
    fitting = [row for row in rows if scores[id(row)] >= best - 0.01]
    superlative = extreme(fitting, part) if len(fitting) > 1 else None
    if superlative is not None:
        return superlative, best + SURE
    return fitting[0], best + (SURE if _is_free(part) else 0.0)


def _is_free(part: Part) -> bool:
    """Whether the person leaves a choice."""
    return bool({"any", "whichever", "whatever", "some"} & part.spoken)


def _spent(rows: Sequence[Row], part: Part) -> set[str]:
    """Days and moments that say which row is meant, so that they are no new values. One that is all there is stays."""
    held = {moment for row in rows for moment in row.moments} | {m[:10] for row in rows for m in row.moments}
    return held if len(part.days) > 1 else set()


def _is_of_rows(quote: str, rows: Sequence[Row]) -> bool:
    return any(isinstance(v, str) and quote.casefold() in v.casefold() for row in rows for v in row.values.values())


def _direct(
    one: Parameter,
    part: Part,
    quotes: list[str],
    days: Iterator[str],
    times: Iterator[str],
    numbers: list[tuple[float, str]],
    rows: Sequence[Row],
) -> Any:
    """A value the request itself names."""
    if one.enum:
        return _member(one, part)
    if one.kind == "boolean":
        return _yes_or_no(one, part)
    if one.kind in ("integer", "number"):
        return _number(one, part, numbers)
    if one.kind != "string":
        return None
    if one.pattern:
        if part.is_range or part.after_today:
            bounded = _end_of_range(one, part)
            if bounded is not None or not one.required:
                return bounded
        for pool in (times, days, iter(part.codes), iter(quotes)):
            if (value := _first(pool, one)) is not None:
                return value
        day = next(iter(part.days), None)
        at_ten = f"{day}T10:00:00"
        return at_ten if day and one.required and _is_free(part) and _matches(one, at_ten) else None
    return _text(one, part, quotes, rows)


def _end_of_range(one: Parameter, part: Part) -> str | None:
    """Of two days the one this parameter is for."""
    about = f"{one.name.replace('_', ' ')} {one.description}".lower()
    if part.after_today or len(part.days) < 2:
        return None
    if re.search(r"\b(?:on or after|from|first|since|starts?|begins?|earliest|later)\b", about):
        return part.days[0] if _matches(one, part.days[0]) else None
    if re.search(r"\b(?:on or before|to|until|last|by|ends?|earlier|latest)\b", about):
        return part.days[1] if _matches(one, part.days[1]) else None
    return None


def _first(pool: Iterator[str], one: Parameter) -> str | None:
    return next((value for value in pool if _matches(one, value)), None) if _might_match(pool, one) else None


def _might_match(pool: Iterator[str], one: Parameter) -> bool:
    return pool is not None and bool(one.pattern)


def _matches(one: Parameter, value: str) -> bool:
    try:
        return re.search(one.pattern, value) is not None
    except re.error:
        return False


def _member(one: Parameter, part: Part) -> Any:
    """The member the request speaks of, by its words or by how it begins."""
    said = part.all_stems
    if not one.required and {"order", "sort"} & set(one.words):
        wanted = {"price", "cost"} if {"cheapest", "least"} & said else set()
        return next((member for member in one.enum if set(stems(str(member))) & wanted), None)
    if set(map(str, one.enum)) <= {"0", "1"}:
        return _switched(one.enum, part)
    text = part.text.lower()
    spoken = set(re.findall(r"[a-z]+", text))
    for member in sorted(one.enum, key=lambda member: -text.rfind(str(member).lower())):
        words = stems(str(member))
        if words and set(re.findall(r"[a-z]+", str(member).lower())) <= part.spoken:
            return member
    if not one.required:
        return None
    for member in one.enum:
        if stems(str(member)) and set(stems(str(member))) <= said:
            return member
    for member in one.enum:
        short = str(member).lower()
        if len(short) >= 3 and any(
            word.startswith(short) or short.startswith(stem(word)) for word in spoken if len(word) > 3
        ):
            return member
    return None


def _switched(members: Sequence[Any], part: Part) -> Any:
    """Off for what is to be off, else on."""
    off = re.search(r"\b(?:disable|off|stop|hide|deactivate|unset|mute|no longer)\b", part.text.lower())
    return next((member for member in members if int(member) == (0 if off else 1)), None)


def _yes_or_no(one: Parameter, part: Part) -> bool | None:
    for word in stems(one.name):
        for match in re.finditer(r"\w+", part.text.lower()):
            if stem(match[0]) == word:
                before = part.text.lower()[max(0, match.start() - 12) : match.start()]
                return _NO.search(before) is None
    return None


def _number(one: Parameter, part: Part, numbers: list[tuple[float, str]]) -> Any:
    """The number that stands nearest to the parameter's words; money in its smallest unit."""
    about = set(one.words)
    fitting = [(len(about & set(stems(around))), -place) for place, (_, around) in enumerate(numbers)]
    if one.schema.get("maximum") == 1 and one.schema.get("minimum") == 0:
        return _switched([0, 1], part)
    if not fitting:
        least = one.schema.get("minimum", 1)
        return least if one.required and _is_free(part) else None
    shared, place = max(fitting, default=(0, 0))
    money = "cent" in about
    whole = numbers[-place][0] == int(numbers[-place][0])
    if not one.required and (shared == 0 or (money and whole and "cent" not in part.all_stems)):
        return None
    number, _ = numbers.pop(-place)
    in_cents = money and "cent" not in part.all_stems
    value = number * 100 if in_cents else number
    return round(value) if one.kind == "integer" else value


def _text(one: Parameter, part: Part, quotes: list[str], rows: Sequence[Row]) -> str | None:
    """Quoted words, an address, a name, or the phrase that stands where such a thing is said."""
    if one.required and quotes:
        return quotes.pop(0)
    if not one.required:
        near = set(stems(one.name)) & part.all_stems
        return quotes.pop(0) if quotes and near else None
    if {"word", "part"} & set(one.words) and part.names:
        return part.names[-1]
    address = _ADDRESS.search(part.text)
    if address is not None and "address" in one.name + one.description.lower():
        return address[0]
    taken = {str(v).casefold() for row in rows for v in row.values.values()}
    if "name" in one.words or "who" in one.description.lower():
        named = next((name for name in part.names if name.casefold() not in taken), None)
        if named is not None:
            return named
    phrases = [match[1].strip() for match in _PHRASE.finditer(part.text)]
    plain = [p for p in phrases if p.casefold() not in taken and not re.search(r"\d|\bmy\b|\bme\b", p)]
    return plain[-1] if plain else None


def _type_fits(value: Any, one: Parameter) -> bool:
    if one.kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, str) and (not one.pattern or _matches(one, value))
