"""Telling a person the fact they asked for, out of what was read.

Belongs here: which row and which of its fields are meant; counts and sums. Does not: reading (`planning`).
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from envfactory_dagster.language.embedded.roles.binding import choose
from envfactory_dagster.language.embedded.roles.evidence import Evidence
from envfactory_dagster.language.embedded.roles.fitting import extreme, has_superlative, measure
from envfactory_dagster.language.embedded.roles.request import Part
from envfactory_dagster.language.embedded.roles.rows import LABELS, Row
from envfactory_dagster.language.embedded.roles.words import Rarity, akin, is_identity, stems, thing_of

_SUM = re.compile(r"\b(?:altogether|together|in all|in total|add up|sum)\b", re.IGNORECASE)
_HOW_MUCH = re.compile(r"\bhow (?:much|many|high|low|long|far|often)\b", re.IGNORECASE)
_DAY = re.compile(r"\b(?:day|date|when|until)\b", re.IGNORECASE)
_WHO = re.compile(r"\b(?:who|whom|which|what|name|title|where)\b", re.IGNORECASE)
_MONEY = re.compile(r"\b(?:cents|cost|costs|price|worth|fee|fees|paid|spent)\b", re.IGNORECASE)
_MOST_TOLD = 5


def answer(part: Part, evidence: Evidence, rarity: Rarity, likely: Mapping[str, float]) -> str | None:
    """The fact in a sentence, or None when nothing that was read bears on it.
    `likely`: how well each tool fits the request."""
    rows = [row for row in evidence.rows if row.values]
    if not rows:
        return None
    said = [_answer(one, rows, evidence, rarity, likely) for one in _questions(part)]
    return " ".join(filter(None, said)) or None


def _questions(part: Part) -> list[Part]:
    """ "How much has X raised, and how many backers has it" asks twice about X."""
    first, *more = re.split(r",? and (?=how (?:many|much)\b)", part.text)
    if not more or not re.search(r"\bhow (?:many|much)\b", first):
        return [part]
    return [replace(part, text=first), *(replace(part, text=f"{one} ({', '.join(part.names)})") for one in more)]


def _answer(
    part: Part, rows: Sequence[Row], evidence: Evidence, rarity: Rarity, likely: Mapping[str, float]
) -> str | None:
    lists = _lists(rows)
    told = _attribute(part, lists, evidence, rarity, likely)
    if told is not None:
        return told
    if part.counts or _SUM.search(part.text):
        told = _total(part, rows, lists, evidence, likely)
        if told is not None:
            return told
    group = _meant(part, lists, evidence, rarity, likely)
    chosen = _row(part, lists[group], evidence)
    if chosen is None:
        return None
    compared = measure(lists[group], part) if _HOW_MUCH.search(part.text) else None
    return _sentence(part, chosen, evidence, compared)


def _attribute(
    part: Part,
    lists: Mapping[tuple[str, str], Sequence[Row]],
    evidence: Evidence,
    rarity: Rarity,
    likely: Mapping[str, float],
) -> str | None:
    """What hangs on a thing under the name that is asked for: a field of its row, or a row that it names."""
    if part.attribute is None:
        return None
    asked, bearer = set(stems(part.attribute[0])), part.attribute[1]
    own = {key: rows for key, rows in lists.items() if key[1] and rows[0].source.own} if bearer.is_mine_at_all else {}
    group = _meant(bearer, own or lists, evidence, rarity, {} if bearer.called else likely)
    row = _row(bearer, lists[group], evidence)
    if row is None or not asked:
        return None
    held = {name: value for name, value in row.values.items() if asked <= set(stems(name)) and not thing_of(name)}
    same = [row, *(one for one in _same(row, evidence) if one.has_identity)]
    bearing = [*same, *(one for one in evidence.rows if any(one.around is other for other in same))]
    for one in bearing:
        for other in evidence.linked(one):
            if asked <= set(other.about):
                held |= {f"{other.group} {name}": other.values[name] for name in _labels(other)[:1]}
        if held:
            break
    said = ", ".join(f"the {name.replace('_', ' ')} is {plainly(value)}" for name, value in held.items())
    return f"{said[:1].upper()}{said[1:]}." if held else None


def _lists(rows: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    found: defaultdict[tuple[str, str], dict[str, Row]] = defaultdict(dict)
    for row in rows:
        found[row.tool, row.group][repr(sorted(row.values.items()))] = row
    return {key: list(unlike.values()) for key, unlike in found.items()}


def _meant(
    part: Part,
    lists: Mapping[tuple[str, str], Sequence[Row]],
    evidence: Evidence,
    rarity: Rarity,
    likely: Mapping[str, float],
) -> tuple[str, str]:
    """The list or object that the request is about: by its name, its fields, and how well its best row fits."""

    def fit(key: tuple[str, str]) -> float:
        tool, group = key
        fields = {name for row in lists[key] for name in row.values}
        about = rarity.likeness(part.stems, stems(group)) + _fields_asked(part, fields)
        best = max(evidence.fit(row, part) for row in lists[key])
        several = 1.0 if has_superlative(part) and len(lists[key]) > 1 else 0.0
        mine = 1.0 if part.is_mine_at_all and lists[key][0].source.own else 0.0
        return about + likely.get(tool, 0.0) + 0.3 * best + several + mine

    return max(lists, key=fit)


def _fields_asked(part: Part, fields: set[str]) -> float:
    plain = [set(stems(name)) - {"name", "title"} for name in fields]
    score = sum(1.0 for words in plain if words and words <= part.all_stems)
    score += (
        1.0 if (part.after_today or part.days) and any(name.endswith(("_at", "_on", "day")) for name in fields) else 0.0
    )
    if _MONEY.search(part.text) and any("cent" in stems(name) for name in fields):
        score += 1.5
    if _DAY.search(part.text) and any(re.search(r"_(?:on|at|by|day|until|from)$", name) for name in fields):
        score += 0.7
    return score


def _row(part: Part, rows: Sequence[Row], evidence: Evidence) -> Row | None:
    chosen = choose(rows, part, evidence)
    if chosen is None:
        return None
    row, _ = chosen
    linked = [one for one in rows if any(one is other for mine in evidence.rows for other in evidence.linked(mine))]
    best = evidence.fit(row, part)
    if len(rows) > 1 and extreme(rows, part) is None and best < 1.0 and linked:
        return linked[0]
    return row


def _total(
    part: Part,
    rows: Sequence[Row],
    lists: Mapping[tuple[str, str], Sequence[Row]],
    evidence: Evidence,
    likely: Mapping[str, float],
) -> str | None:
    """A number of things, or a sum over them: as a tool gives it, or else counted here."""
    money = _MONEY.search(part.text) is not None
    summed = _added_up(part, rows, likely) if not money and _SUM.search(part.text) else None
    counted = summed or _given_total(part, rows, evidence, money)
    if counted is not None:
        return counted
    key = max(lists, key=lambda one: len(set(stems(f"{one[0]} {one[1]}")) & part.all_stems) + (len(lists[one]) > 1))
    held = lists[key]
    scores = [evidence.fit(row, part) for row in held]
    best = max(scores)
    fitting = [row for row, score in zip(held, scores, strict=True) if score >= best - 0.01] if best > 0.9 else held
    if part.counts and not _summed(part, fitting, money):
        return f"The number is {len(fitting)}."
    name = _summed(part, fitting, money)
    if name is None:
        return None
    return f"Together it is {plainly(sum(_amount(row, name) for row in fitting))}."


def _compounds(name: str, spoken: set[str]) -> int:
    """Words of a field that are made with a word of the request: "overdue" with "due"."""
    words = name.split("_")
    return sum(any(len(one) > 2 and word != one and word.endswith(one) for one in spoken) for word in words)


def _added_up(part: Part, rows: Sequence[Row], likely: Mapping[str, float]) -> str | None:
    """The sum of a field that the request names, over the rows of the likeliest list that has it; none where a tool
    has added it up already."""
    fields: defaultdict[tuple[str, str, str], list[Row]] = defaultdict(list)
    counted = re.search(r"\bhow many (\w+)", part.text.lower())
    wanted = set(stems(counted[1])) if counted is not None else part.all_stems
    for row in rows:
        for name, value in row.values.items():
            about = set(stems(name))
            if isinstance(value, int | float) and about & wanted and "cent" not in about and name not in row.flags:
                fields[row.tool, row.group, name].append(row)
    if not fields or any(not group for _, group, _ in fields):
        return None
    key = max(fields, key=lambda one: (likely.get(one[0], 0.0), len(fields[one])))
    return f"Together it is {plainly(sum(_amount(row, key[2]) for row in fields[key]))}."


def _given_total(part: Part, rows: Sequence[Row], evidence: Evidence, money: bool) -> str | None:
    """A field that holds the number already, in a row that fits: `by_status` rows, counts, totals."""
    best: tuple[float, str] | None = None
    for row in rows:
        for name, value in row.values.items():
            if not isinstance(value, int | float) or isinstance(value, bool) or is_identity(name) or thing_of(name):
                continue
            about = set(stems(name))
            is_money = "cent" in about
            if is_money != money:
                continue
            shared = len(about & part.all_stems - {"cent"}) + _compounds(name, part.spoken)
            plain = name in ("total", "n", "count") or (is_money and about <= {"cent", "total", "sum"})
            if not shared and not (plain and akin(stems(f"{row.tool} {row.group}"), part.all_stems)):
                continue
            if _SUM.search(part.text) and row.has_identity:
                continue  # a single thing among those that are to be added up
            if _is_one_of_many(row, name, rows, part, evidence):
                continue
            score = 1.2 * shared + (0.5 if plain else 0.0) + evidence.fit(row, part)
            score += 0.8 * len(set(stems(f"{row.tool} {row.group}")) & part.all_stems)
            if plain and row.group == "" and _filters(part, rows, row):
                score -= 2.0
            if best is None or score > best[0]:
                best = score, f"The {name.replace('_', ' ')} is {plainly(value)}."
    return best[1] if best is not None and best[0] > 0.4 else None


def _is_one_of_many(row: Row, name: str, rows: Sequence[Row], part: Part, evidence: Evidence) -> bool:
    """Whether other rows beside it hold the same field and fit as well: then no single one is the total."""
    beside = [
        one for one in rows if one.group == row.group and one.tool == row.tool and one.group and name in one.values
    ]
    here = evidence.fit(row, part)
    return any(
        one is not row and dict(one.values) != dict(row.values) and evidence.fit(one, part) > here - 1.0
        for one in beside
    )


def _filters(part: Part, rows: Sequence[Row], total: Row) -> bool:
    """Whether the request speaks of a state that only some of the listed rows are in."""
    mine = [row for row in rows if row.around is total]
    states = {value for row in mine for value in row.values.values() if isinstance(value, str) and value.islower()}
    spoken = {value for value in states if set(stems(value)) & part.all_stems}
    return bool(spoken) and len(states) > 1


def _summed(part: Part, rows: Sequence[Row], money: bool) -> str | None:
    fields = {name for row in rows for name in row.values}
    numeric = [f for f in sorted(fields) if all(isinstance(row.values.get(f), int | float) for row in rows)]
    numeric = [f for f in numeric if not is_identity(f) and not thing_of(f)]
    named = [f for f in numeric if set(stems(f)) & part.all_stems - {"cent"}]
    if named and _SUM.search(part.text):
        return named[0]
    return next((f for f in numeric if money and "cent" in stems(f)), None)


def _amount(row: Row, name: str) -> float:
    value = row.values.get(name)
    return float(value) if isinstance(value, int | float) else 0.0


def _sentence(part: Part, row: Row, evidence: Evidence, compared: str | None = None) -> str:
    """The row's name, and the fields that were asked for. `compared`: the one it was chosen by, told as well."""
    told: dict[str, Any] = {}
    linked = {id(other): other for other in [*evidence.linked(row), *_same(row, evidence)]}
    people = bool({"who", "whom"} & part.spoken)
    if _WHO.search(part.text):
        labels = _labels(row)
        if people:
            labels.sort(key=lambda name: name == "title" or (name == "name" and str(row.values[name]) in part.text))
        told |= {name: row.values[name] for name in labels[: 3 if people else 1]}
    if compared is not None and row.values.get(compared) is not None:
        told.setdefault(compared, row.values[compared])
    if _WHO.search(part.text):
        for other in linked.values():
            if set(other.about) & part.all_stems or people:
                told |= {f"{other.group} {name}": other.values[name] for name in _labels(other)[: 2 if people else 1]}
    fields = dict(row.values.items())
    for other in linked.values():
        fields |= {f"{other.group} {name}": v for name, v in other.values.items() if fields.get(name) != v}
    own = {f"{other.group} {name}": name for other in linked.values() for name in other.values}
    told = _unlike(told)
    asked = {name: _asked(part, own.get(name, name), value) for name, value in fields.items()}
    for name in sorted(fields, key=lambda name: -asked[name])[:_MOST_TOLD]:
        if asked[name] > 0.5 and fields[name] not in told.values():
            told.setdefault(name, fields[name])
    if not told:
        told = dict(list(row.values.items())[:_MOST_TOLD])
    said = ", ".join(f"the {name.replace('_', ' ')} is {plainly(value)}" for name, value in told.items())
    return f"{said[:1].upper()}{said[1:]}."


def _unlike(told: Mapping[str, Any]) -> dict[str, Any]:
    """Nothing twice."""
    return {name: value for name, value in told.items() if next(n for n, v in told.items() if v == value) == name}


def _same(row: Row, evidence: Evidence) -> list[Row]:
    """Other readings of the same thing, and what was told beside them."""
    about = set(row.about)
    same = [
        one
        for one in evidence.rows
        if one is not row and one.has_identity and one.identity == row.identity and about & set(one.about)
    ]
    beside = [one.around for one in [row, *same] if one.around is not None and not one.around.has_identity]
    return [*same, *beside]


def _labels(row: Row) -> list[str]:
    """Fields that tell a person which thing it is."""
    known = [name for name in row.values if name in LABELS or name.endswith(tuple(f"_{one}" for one in LABELS))]
    texts = [n for n, v in row.values.items() if isinstance(v, str) and not re.match(r"\d{4}-", v) and " " in v]
    return list(dict.fromkeys([*known, *texts]))


def _asked(part: Part, name: str, value: Any) -> float:
    if value is None or is_identity(name) or thing_of(name):
        return 0.0
    about = set(stems(name))
    score = 1.5 * len(about & part.all_stems) / max(1, len(about))
    if _DAY.search(part.text) and isinstance(value, str) and re.match(r"\d{4}-\d{2}-\d{2}", value):
        score += 0.6
    if _MONEY.search(part.text) and "cent" in about:
        score += 1.0
    return score


def plainly(value: Any) -> str:
    """A value as people say it."""
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    moment = re.fullmatch(r"(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):\d{2}", str(value))
    return f"{moment[1]} at {moment[2]}" if moment is not None else str(value)
