"""How well a row fits the words of a request, looked at by itself.

Belongs here: names, days, states, numbers and superlatives that a request says and a row holds. Does not: what other
rows add to that (`evidence`).
"""

import re
from collections.abc import Sequence

from envfactory_dagster.language.embedded.roles.request import Part
from envfactory_dagster.language.embedded.roles.rows import MOMENT, Row, Scalar
from envfactory_dagster.language.embedded.roles.states import state_fit
from envfactory_dagster.language.embedded.roles.words import is_identity, overlap, stem, stems, thing_of

_LEAST = "lowest least cheapest smallest fewest first earliest oldest next soonest shortest"
_MOST = "highest best largest biggest latest last newest longest furthest dearest greatest top"
_OF_TIME = "first earliest oldest next soonest latest last newest"
LEAST, MOST, _IN_TIME = (frozenset(map(stem, words.split())) for words in (_LEAST, _MOST, _OF_TIME))
_NEEDED = frozenset(map(stem, ("needed", "required", "mandatory", "compulsory")))


def own_fit(row: Row, part: Part, hint: Sequence[str]) -> float:
    return named(row, part) + _dated(row, part) + _worded(row, part, hint) + _numbered(row, part)


def named(row: Row, part: Part) -> float:
    """Values that the request says, or words it says that a value holds."""
    score, text = 0.0, part.text.casefold()
    wanted = [one.casefold() for one in [*part.quotes, *part.names, *part.codes]]
    for value in row.values.values():
        if not isinstance(value, str) or len(value) < 3 or MOMENT.match(value):
            continue
        folded = value.casefold()
        if re.search(rf"(?<!\w){re.escape(folded)}(?!\w)", text) and (" " in value or not value.islower()):
            score += 4.0 + 0.5 * len(folded.split())
        elif any(one in folded or (folded in one and len(folded) > 4) for one in wanted if len(one) > 2):
            score += 2.0
    return score


def _dated(row: Row, part: Part) -> float:
    score = 0.0
    for value in row.moments:
        match = MOMENT.match(value)
        assert match is not None
        day = match[1]
        if part.after_today:
            score += 1.0 if day > part.now[:10] else -3.0
        elif part.is_range and len(part.days) > 1:
            score += 3.0 if part.days[0] <= day <= part.days[1] else -3.0
        elif day in part.days:
            exact = any(value == moment for moment in part.times)
            score += 4.0 + (3.0 if exact else 0.0) - (3.0 if part.times and match[2] and not exact else 0.0)
    return score


def _worded(row: Row, part: Part, hint: Sequence[str]) -> float:
    """States in small letters, and yes-or-no fields, that the request speaks of."""
    score = 0.0
    for name, value in row.values.items():
        if isinstance(value, str) and value.islower() and len(value) < 24:
            words = set(stems(value))
            verb = set() if part.is_question else {part.verb}
            if set(re.findall(r"[a-z]+", value)) & part.denied:
                score -= 3.0
            elif words and words <= part.all_stems and not words & verb:
                score += 2.5
            elif (told := state_fit(value, part)) != 0.0:
                score += told
            elif words and words <= set(hint[1:]) and not words & {part.verb}:
                score += 1.0
            elif words & {part.verb} and not part.is_question:
                score -= 1.0  # what is asked for was done already
        elif isinstance(value, bool) or name in row.flags:
            about = set(stems(name))
            if about and len(about & part.all_stems) >= max(1, len(about) - 1):
                denied = any(stem(word) in about for word in part.denied)
                score += 1.5 if bool(value) != denied else -1.5
            elif "optional" in part.spoken and about & _NEEDED:
                score += 1.5 if not value else -1.5
        if isinstance(value, str) and MOMENT.match(value):
            score += _expired(name, value, part)
    return score


def _expired(name: str, value: str, part: Part) -> float:
    """A day until which something holds, where the request speaks of what has expired."""
    if "expir" not in part.all_stems or not set(stems(name)) & {"expir", "valid", "until", "end"}:
        return 0.0
    over = value[:10] < part.now[:10]
    return 2.0 if over != ("expired" in part.denied) else -2.0


def _numbered(row: Row, part: Part) -> float:
    over = limited(row, part)
    if over:
        return over
    said = {number for number, _ in part.numbers}
    numbered = re.search(r"\bnumber (\d+)\b", part.text)
    if numbered is not None and row.identity == int(numbered[1]):
        return 4.0
    exact = {round(100 * number) for number in said if number != int(number)}
    held = {value for value in row.values.values() if isinstance(value, int | float) and not isinstance(value, bool)}
    return 1.5 * len(exact & held) + 0.4 * len({n for n in said if n > 9} & held)


def limited(row: Row, part: Part) -> float:
    """What costs more than it may does not fit."""
    prices = [v for name, v in row.values.items() if "cent" in stems(name) and isinstance(v, int)]
    return -4.0 if part.limit is not None and any(price > 100 * part.limit for price in prices) else 0.0


def extreme(rows: Sequence[Row], part: Part) -> Row | None:
    """The row that a superlative of the request means; None when it has none."""
    wanted = [word for word in part.all_stems if word in LEAST | MOST]
    expensive = "expensiv" in part.all_stems
    if re.search(r"(?<!at )\bmost\b", part.text.lower()):
        wanted.append("most")
    if not wanted and not expensive:
        return None
    least = bool(set(wanted) & LEAST) and not expensive
    name = _measure(rows, part, in_time=bool(set(wanted) & _IN_TIME))
    if name is None:
        return rows[0] if rows else None
    held = [row for row in rows if row.values.get(name) is not None]
    if not held:
        return None
    return (min if least else max)(held, key=lambda row: row.values[name])  # type: ignore[arg-type,return-value]


def measure(rows: Sequence[Row], part: Part) -> str | None:
    """The field that a superlative of the request is about."""
    return _measure(rows, part, in_time=bool(part.all_stems & _IN_TIME)) if has_superlative(part) else None


def has_superlative(part: Part) -> bool:
    said = part.all_stems & (LEAST | MOST | {"expensiv"})
    return bool(said) or re.search(r"(?<!at )\bmost\b", part.text.lower()) is not None


def _measure(rows: Sequence[Row], part: Part, in_time: bool) -> str | None:
    """The field by which rows are compared: one that the request names, else a day, a price or a rank."""
    fields = list(dict.fromkeys(name for row in rows for name in row.values))
    numeric = [
        f
        for f in fields
        if all(_is_number(row.values.get(f)) for row in rows) and not is_identity(f) and not thing_of(f)
    ]
    dated = [f for f in fields if any(isinstance(v := row.values.get(f), str) and MOMENT.match(v) for row in rows)]
    asked = part.all_stems
    money = [f for f in numeric if "cent" in stems(f) or "price" in stems(f)]
    if money and ({"cheapest", "expensiv"} & asked or {"least", "cost"} <= asked):
        return money[0]
    numeric = [f for f in numeric if any(row.values[f] not in (0, 1) for row in rows)]
    near = max(numeric, key=lambda f: overlap(stems(f), asked), default=None)
    if near is not None and set(stems(near)) & asked - {"cent"}:
        return near
    if in_time and dated:
        return max(dated, key=lambda f: overlap(stems(f), asked))
    if money and ({"least"} & asked or "cost" in asked):
        return money[0]
    varied = [f for f in numeric if len({row.values[f] for row in rows}) > 1]
    return next(iter(varied or money), None)


def _is_number(value: Scalar) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
