"""Arguments for a tool: from what the request says, and from rows that were read.

Belongs here: a value for one parameter, or the reason why there is none yet. Does not: reading more (`planning`).
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from envfactory_dagster.language.embedded.roles.catalogue import Parameter, Tool
from envfactory_dagster.language.embedded.roles.evidence import Evidence
from envfactory_dagster.language.embedded.roles.fitting import extreme, has_superlative, named
from envfactory_dagster.language.embedded.roles.request import Part
from envfactory_dagster.language.embedded.roles.rows import LABELS, Row
from envfactory_dagster.language.embedded.roles.words import overlap, stem, stems

SURE = 2.0
_PHRASE = re.compile(
    r"(?:\bfor|\bto|\bbecause(?: it was)?|\bwith|\bcalled|\bsaying|\bas|\bof|:|,)\s+(?:an? |the )?([^,:;]+?)"
    r"(?=\s+(?:for|to|with|on|at|in|from|until|and|which|that|as|of)\b|[,:;]|$)"
)
_COLON = re.compile(r":\s+([A-Za-z][^,:;\d]*)(?=[,:;]|$)")
_OPPOSITES = (
    frozenset(map(stem, ("hide", "hidden", "anonymous", "anonymously", "secret", "secretly", "unnamed", "private"))),
    frozenset(map(stem, ("show", "shown", "showing", "visible", "public", "publicly", "openly"))),
)
"""Words that say the same, and words that say the opposite."""
_NO = re.compile(r"\b(?:not|no|without|never)\b")


@dataclass
class Bound:
    """What is known of a call."""

    arguments: dict[str, Any] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    """The rows its references came from."""
    chosen: dict[str, Row] = field(default_factory=dict)
    """The same, by the name of the reference."""
    missing: list[Parameter] = field(default_factory=list)
    unsure: list[Parameter] = field(default_factory=list)
    """What has a value that may not be the one that is meant."""
    indirect: list[Parameter] = field(default_factory=list)
    """What was only seen as an id in rows about something else."""


def bind(
    tool: Tool, part: Part, evidence: Evidence, focus: dict[str, Any], barred: Collection[tuple[str, Any]] = ()
) -> Bound:
    """Every argument that can be told; first those that name things, so that their words are not used twice.
    `barred`: values that a reference must not take."""
    bound = Bound()
    for one in tool.parameters:
        if one.refers:
            _bind_reference(one, tool, part, evidence, focus, bound, barred)
    spent = _spent(bound.rows, part)
    quotes = [quote for quote in part.quotes if not _is_of_rows(quote, bound.rows)]
    plain = [one for one in tool.parameters if one.is_words]
    announced = {one.name for one in plain if _announced(one, part, quotes) is not None}
    told = {_announced(one, part, quotes) for one in plain}
    quotes = [quote for quote in quotes if quote in told or quote not in part.titles]
    days = iter([day for day in part.days if day not in spent] or part.days)
    times = iter([moment for moment in part.times if moment not in spent] or part.times)
    numbers = list(part.numbers)
    counted = {one.name for one in tool.optional if one.kind in ("integer", "number")}
    for one in sorted(tool.parameters, key=lambda one: (one.name not in counted, one.name not in announced)):
        if one.refers or one.name in bound.arguments:
            continue
        value = _direct(one, part, quotes, days, times, numbers, bound.rows)
        if value is None and one.required:
            value = _of_rows(one, bound.rows)
        if value is not None:
            bound.arguments[one.name] = value
        elif one.required:
            bound.missing.append(one)
    _doubt(bound, tool, part, evidence)
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
    one: Parameter,
    tool: Tool,
    part: Part,
    evidence: Evidence,
    focus: dict[str, Any],
    bound: Bound,
    barred: Collection[tuple[str, Any]],
) -> None:
    coded = next((code for code in part.codes if one.kind == "string" and _matches(one, code)), None)
    if coded is not None:
        bound.arguments[one.name] = coded
        return
    taken = {bound.arguments.get(other.name) for other in tool.parameters if other.refers and other.thing == one.thing}
    known = [pair for pair in candidates(one, evidence) if pair[0] not in taken and (one.name, pair[0]) not in barred]
    alike = [pair for pair in known if not one.thing or _is_kind(pair[1], set(one.thing))]
    known = alike or (known if one.kind == "integer" or not one.thing else [])
    part = part.target if part.target is not None and not any(row.source.own for _, row in known) else part
    if part.about_before and one.name in focus:
        bound.arguments[one.name] = focus[one.name]
        return
    chosen = choose(_placed(one, [row for _, row in known], part), part, evidence, tool.head)
    if chosen is None:
        (bound.missing if one.required else []).append(one)
        return
    row, score = chosen
    if not one.required and (score < SURE + 1.5 or not set(one.thing) & part.all_stems):
        return
    bound.arguments[one.name] = next(value for value, of in known if of is row)
    bound.rows.append(row)
    bound.chosen[one.name] = row
    if not alike:
        bound.indirect.append(one)
    if score < SURE and len(known) > 1:
        bound.unsure.append(one)


def _placed(one: Parameter, rows: list[Row], part: Part) -> list[Row]:
    """For what something comes from or goes to: the row that the request names there; else none that it names as the
    other end."""
    about = f"{one.name.replace('_', ' ')} {one.description}".lower()
    ends = [end for end in ("from", "to") if re.search(rf"\b{end}\b", about.split(".")[0])]
    if len(ends) != 1:
        return rows
    other = "to" if ends == ["from"] else "from"
    here = [row for row in rows if _follows(ends[0], row, part)]
    return here or [row for row in rows if not _follows(other, row, part)]


def _follows(preposition: str, row: Row, part: Part) -> bool:
    names = [value for name, value in row.values.items() if name in LABELS and isinstance(value, str)]
    return any(re.search(rf"\b{preposition} (?:the )?{re.escape(name)}\b", part.text, re.IGNORECASE) for name in names)


def _of_rows(one: Parameter, rows: Sequence[Row]) -> Any:
    """A number that the request only describes, as it stands in a row it names: what something costs."""
    if one.kind not in ("integer", "number") or "cent" not in one.words:
        return None
    priced = [v for row in rows[::-1] for n, v in row.values.items() if "cent" in stems(n) and isinstance(v, int)]
    return priced[0] if priced else None


def _doubt(bound: Bound, tool: Tool, part: Part, evidence: Evidence) -> None:
    """Where the request names something that the call has nothing to do with, what has another name may be wrong."""
    writes = any(one.is_words for one in tool.parameters)
    texts = {value for name, value in bound.arguments.items() if isinstance(value, str)}
    called = [
        one for one in part.called if one not in texts and (not writes or one not in part.quotes or one in part.titles)
    ]
    near = [
        other for row in bound.rows for other in [row, *evidence.linked(row), *([row.around] if row.around else [])]
    ]
    held = " ".join(str(value) for row in near for value in row.values.values()).casefold()
    if part.is_free or all(one.casefold() in held for one in called):
        return
    for one in tool.parameters:
        row = bound.chosen.get(one.name)
        if row is not None and one not in bound.unsure and not all(named(row, replace(part, text=c)) for c in called):
            bound.unsure.append(one)


def choose(rows: Sequence[Row], part: Part, evidence: Evidence, hint: Sequence[str] = ()) -> tuple[Row, float] | None:
    """The row that the request means, and how sure that is."""
    if not rows:
        return None
    used = not has_superlative(part) and not part.is_free
    scores = {id(row): evidence.fit(row, part, hint, used) for row in rows}
    best = max(scores.values())
    fitting = [row for row in rows if scores[id(row)] >= best - 0.01]
    superlative = extreme(fitting, part) if len(fitting) > 1 else None
    if superlative is not None:
        return superlative, best + SURE
    return fitting[0], best + (SURE if part.is_free else 0.0)


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
        return at_ten if day and one.required and part.is_free and _matches(one, at_ten) else None
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


def told_in(one: Parameter, part: Part) -> Any:
    """The value for one parameter that a text names which is about nothing else."""
    return _direct(one, part, list(part.quotes), iter(part.days), iter(part.times), list(part.numbers), [])


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
    """By its own words, or else by those that say the same or the opposite of its description."""
    spoken = part.all_stems if one.required else {stem(word) for word in one.name.split("_") if word in part.spoken}
    plain = {word: True for word in stems(one.name) if word in spoken}
    about = set(stems(f"{one.name} {one.description}"))
    for said, unsaid in (_OPPOSITES, _OPPOSITES[::-1]):
        if about & said:
            plain = dict.fromkeys(unsaid, False) | dict.fromkeys(said, True) | plain
    for match in re.finditer(r"\w+", part.text.lower()):
        if (meant := plain.get(stem(match[0]))) is not None:
            before = part.text.lower()[max(0, match.start() - 12) : match.start()]
            return meant == (_NO.search(before) is None)
    return None


def _number(one: Parameter, part: Part, numbers: list[tuple[float, str]]) -> Any:
    """The number that stands nearest to the parameter's words; money in its smallest unit."""
    about = set(one.words)
    fitting = [(len(about & set(stems(around))), -place) for place, (_, around) in enumerate(numbers)]
    if one.schema.get("maximum") == 1 and one.schema.get("minimum") == 0:
        return _switched([0, 1], part)
    if not fitting:
        least = one.schema.get("minimum", 1)
        return least if one.required and part.is_free else None
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
    if part.address is not None and "address" in one.name + one.description.lower():
        return part.address
    announced = _announced(one, part, quotes)
    if announced is not None:
        quotes.remove(announced)
        return announced
    if one.required and quotes:
        return quotes.pop(0)
    if not one.required:
        near = set(stems(one.name)) & part.all_stems
        return quotes.pop(0) if quotes and near else None
    if {"word", "part"} & set(one.words) and part.names:
        return part.names[-1]
    taken = {str(v).casefold() for row in rows for v in row.values.values()}
    if stem("name") in one.words or "who" in one.description.lower():
        named = next((name for name in part.names if name.casefold() not in taken), None)
        if named is not None:
            return named
    if (told := _COLON.search(part.text)) is not None and told[1].casefold() not in taken and len(part.codes) < 3:
        return told[1].strip()
    phrases = [match[1].strip() for match in _PHRASE.finditer(part.text)]
    plain = [
        p for p in phrases if p.casefold() not in taken and not re.search(r"\d|\b(?:my|me)\b|^(?:which|that|who)\b", p)
    ]
    return plain[-1] if plain else None


def _announced(one: Parameter, part: Part, quotes: Sequence[str]) -> str | None:
    """The quote that the request gives the parameter's name just before."""
    for quote in quotes:
        before = part.text[: part.text.index(quote)][-30:] if quote in part.text else ""
        if set(stems(one.name)) & set(stems(re.split(r"[\"“”]", before.rstrip('"“ '))[-1])):
            return quote
    return None


def _type_fits(value: Any, one: Parameter) -> bool:
    if one.kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, str) and (not one.pattern or _matches(one, value))
