"""When two values of a report say the same: numbers in words, money in either unit, dates in other forms.

Belongs here: reading one value of an answer field in every form a careful person might give it, and equality of two.
Does not: reports, forms, verdicts, imports of ours or of a third party; verifiers and stand-alone judges share this.

A value is read by its field's type, never searched for in a text: `about 3 or 4` is not a number. Where a form leaves
open which of two values is meant (a bare 1250 may be cents or the whole amount), both are its readings, and two values
are the same when they share one.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from envfactory_dagster.runtime.amounts import decimal_of, money_of
from envfactory_dagster.runtime.moments import MINUTES, days_of, minutes_of, seconds_of

Field = Mapping[str, Any]
"""A field of an answer form, as `AnswerField` dumps it."""
Readings = frozenset[Any]
"""What a value may mean; empty when it cannot be read as its type."""

_NOTHING: Readings = frozenset()
_LONGEST_ANSWER = 4_000
_ROUNDING = Decimal("0.005")
"""Numbers are told to two decimals; those below 0.1 to two digits."""
_NOISE = Decimal("1e-9")
"""What computing with fractions adds to a number, so that what should be 0 is nearly 0."""


def same_answer(field: Field, expected: object, reported: object) -> bool:
    """Whether a reported value of this field says what was expected. `None` is the same as `None` only. What is
    expected of money is in minor units (cents), and of a duration in the unit of the field."""
    return _same(field, expected, reported, _is_expected)


def unreadable(field: Field, reported: object) -> str | None:
    """Why a reported value is none of its field's type, as a sentence about the field; None when it can be read."""
    if reported is None:
        return None
    if field.get("many"):
        if not isinstance(reported, list | tuple):
            return f"`{field['name']}` is a list"
        problems = (unreadable({**field, "many": False}, item) for item in reported)
        return next(filter(None, problems), None)
    if readings(field, reported):
        return None
    shown = f"{reported!r}"[:60]
    if field["type"] == "choice":
        return f"`{field['name']}` is one of {', '.join(field['choices'][:20])}; {shown} is not"
    return f"`{field['name']}` must be {_KINDS[field['type']]}; {shown} cannot be read as one"


_KINDS = {
    "integer": "a whole number",
    "number": "a number",
    "money": "an amount of money",
    "date": "a date such as 2026-03-14",
    "time": "a time of day such as 18:30",
    "duration": "a duration",
    "text": "a text",
    "yes_no": "true or false",
}


def alike(field: Field, one: object, other: object) -> bool:
    """Whether two values that were both reported may mean the same."""
    return _same(field, one, other, _alike_one)


def _same(field: Field, one: object, other: object, same_one: Callable[[Field, object, object], bool]) -> bool:
    if one is None or other is None:
        return one is None and other is None
    if not field.get("many"):
        return same_one(field, one, other)
    if not isinstance(one, list | tuple) or not isinstance(other, list | tuple) or len(one) != len(other):
        return False
    if field.get("ordered"):
        return all(same_one(field, a, b) for a, b in zip(one, other, strict=True))
    return _same_in_any_order([[n for n, b in enumerate(other) if same_one(field, a, b)] for a in one])


def _alike_one(field: Field, one: object, other: object) -> bool:
    if field["type"] == "text":
        return _same_texts(field, one, other)
    if field["type"] in ("number", "duration"):
        return _are_near(field, readings(field, one), readings(field, other))
    return bool(readings(field, one) & readings(field, other))


def readings(field: Field, value: object) -> Readings:
    """Everything this value may mean in a field of this type."""
    if isinstance(value, str) and len(value) > _LONGEST_ANSWER:
        return _NOTHING
    read: Callable[[Mapping[str, Any], object], Readings] = _READERS[field["type"]]
    return read(field, value)


def same_text(one: object, other: object) -> bool:
    """Whether two texts are the same but for case, a leading article, quotation marks and final punctuation."""
    return isinstance(one, str) and isinstance(other, str) and folded(one) == folded(other)


def folded(text: str) -> str:
    """A text without case, accents of typography, quotation marks, article and final punctuation. Codes of a service
    are read as words: `in_review` is `in review`."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("_", " ")
    plain = " ".join(_QUOTES.sub("", plain).replace("’", "'").split()).rstrip(" .!?;:,")
    return _ARTICLE.sub("", plain)


_QUOTES = re.compile("[\"“”„«»‘`]|(?<!\\w)['’]|['’](?!\\w)")
_ARTICLE = re.compile(r"^(?:the|an|a)\s+(?=\S)")


def _is_expected(field: Field, expected: object, reported: object) -> bool:
    if field["type"] != "money":
        return _alike_one(field, expected, reported)
    amount = decimal_of(expected)  # what a verifier expects is in one unit only
    return amount is not None and amount in readings(field, reported)


def _are_near(field: Field, one: Readings, other: Readings) -> bool:
    """Whether numbers are the same to two decimals; durations, which are read in minutes, in the field's own unit."""
    unit = MINUTES[field["unit"]] if field["type"] == "duration" else 1
    return any(abs(a - b) <= _rounding(a / unit) * unit for a in one for b in other)


def _rounding(expected: Decimal) -> Decimal:
    """How far a told number may lie from the exact one: 0.001 is not 0.004, and nothing is not 0.004."""
    by_digits = Decimal(5).scaleb(expected.adjusted() - 2) if expected else _NOISE
    return max(_NOISE, min(_ROUNDING, by_digits))


def _same_in_any_order(fits: Sequence[Sequence[int]]) -> bool:
    """Whether every value finds another one of its own. `fits`: for each, the places of those that are the same."""
    taken: dict[int, int] = {}

    def place(value: int, seen: set[int]) -> bool:
        for other in fits[value]:
            if other not in seen:
                seen.add(other)
                if other not in taken or place(taken[other], seen):
                    taken[other] = value
                    return True
        return False

    return all(place(value, set()) for value in range(len(fits)))


# -- numbers -----------------------------------------------------------------------------------------------------------


def _without_unit(field: Field, value: object) -> object:
    """`3 nights` in a field of nights is 3."""
    unit = str(field.get("unit") or "").strip().casefold()
    if not isinstance(value, str) or not unit:
        return value
    names = {unit, _singular(unit), *_UNIT_NAMES.get(unit, ()), *_UNIT_NAMES.get(_singular(unit), ())}
    name = "|".join(re.escape(one) for one in sorted(names | {f"{one}s" for one in names}, key=len, reverse=True))
    return re.sub(rf"\s*(?<![^\W\d])(?:{name})\.?$", "", value.strip().casefold()) or value


_UNITS = (
    ("percent", "%", "per cent", "pct"),
    ("kilogram", "kg", "kilo"),
    ("gram", "g"),
    ("kilometre", "km", "kilometer"),
    ("metre", "m", "meter"),
    ("centimetre", "cm", "centimeter"),
    ("litre", "l", "liter"),
    ("person", "people"),
)
_UNIT_NAMES = {name: names for names in _UNITS for name in names}
"""Other names of what is counted or measured."""


def _without_remark(field: Field, value: object) -> object:
    """`1 more sign-off` is 1, `ten euros more` are ten euros; `3 or 4` and `about 3` are no number, and `72 minutes` is
    none of hours."""
    if not isinstance(value, str) or len(value) > 100:
        return value
    words = value.split()
    for length in range(len(words) - 1, 0, -1):
        head, tail = " ".join(words[:length]), [word.casefold().strip("()[].,;!") for word in words[length:]]
        if not _is_remark(field, tail):
            return value
        if decimal_of(head) is not None or (field["type"] == "money" and money_of(field["unit"], head)):
            return head
    return value


def _is_remark(field: Field, words: Sequence[str]) -> bool:
    """Whether words beside a number only say what is counted, or that it is all."""
    about = (
        f"{field.get('unit') or ''} {field.get('description') or ''} {str(field.get('name') or '').replace('_', ' ')}"
    )
    known = frozenset(re.findall(r"[\w-]+", about.casefold())) - _TAKES_BACK
    known |= {word.removesuffix("s") for word in known} | _HARMLESS
    unit = str(field.get("unit") or "").casefold()
    abbreviated = {unit[:1], *(name for name, minutes in MINUTES.items() if minutes == MINUTES.get(unit))} - {""}
    other_time = any(word in MINUTES and word not in abbreviated for word in words) if unit in MINUTES else False
    fits = all(word in known | abbreviated or word.removesuffix("s") in known for word in words)
    return len(words) <= 6 and fits and not other_time


_HARMLESS = frozenset(("more", "in", "total", "altogether", "left", "only", "exactly", "so", "far", "each", "together"))
_TAKES_BACK = frozenset(
    {
        *("not", "no", "nor", "neither", "never", "wrong", "false", "untrue", "but", "except", "without", "instead"),
        *("rather", "than", "less", "fewer", "under", "over", "least", "most", "about", "around", "roughly", "or"),
        *("either", "maybe", "perhaps", "possibly", "other", "others", "any", "all", "every", "if", "unless"),
        *(
            "don't",
            "doesn't",
            "isn't",
            "wasn't",
            "aren't",
            "can't",
            "cannot",
            "be",
            "should",
            "would",
            "could",
            "might",
        ),
        *("alternatively", "alternative", "besides", "nobody", "none", "everyone", "everybody", "formerly", "former"),
        *("previously", "initially", "originally", "unavailable", "cancelled", "canceled", "unsure", "unclear"),
    }
)
"""Words beside a value after which it is no longer just this value."""
_LEAVES_A_YES = frozenset(
    {
        *("under", "over", "about", "around", "all", "any", "every", "be", "should", "would", "could", "none"),
        *("nobody", "everyone", "everybody", "besides", "formerly", "former", "previously", "initially"),
        *("originally", "unavailable", "cancelled", "canceled"),
    }
)
"""Those of them that leave a yes what it is: `yes, one is under way`."""


def _number(field: Field, value: object) -> Readings:
    number = decimal_of(_without_unit(field, value))
    if number is None:
        number = decimal_of(_without_remark(field, value))
    return _NOTHING if number is None else frozenset((number,))


def _integer(field: Field, value: object) -> Readings:
    return frozenset(number for number in _number(field, value) if number == number.to_integral_value())


def _money(field: Field, value: object) -> Readings:
    """Amounts in minor units. A bare whole number may be either; an amount of another currency is unreadable."""
    return money_of(field["unit"], value) or money_of(field["unit"], _without_remark(field, value))


# -- words -------------------------------------------------------------------------------------------------------------


def _text_readings(field: Field, value: object) -> Readings:
    """The words as they stand. `Tveit, Kari` is Kari Tveit too; titles, a remark in parentheses, and what the field
    is about anyway (`berth G2` of a field `guest_berth`) may be there or not."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return _NOTHING
    plain = folded(str(value))
    forms = {plain}
    remark = _REMARK.search(plain)
    if remark and not frozenset(re.findall(r"[\w']+", remark[1])) & _TAKES_BACK:
        forms.add(plain[: remark.start()])
    forms |= {f"{name[2]} {name[1]}" for form in forms if (name := _LAST_FIRST.fullmatch(form))}
    return frozenset(filter(None, forms | {_bare(field, form) for form in forms}))


def _same_texts(field: Field, one: object, other: object) -> bool:
    """Of two texts that end in parentheses these count: `Room 5 (north)` is not `Room 5 (south)`, nor is `Mr Berg`
    `Mrs Berg`."""
    if all(isinstance(text, str) and _REMARK.search(folded(text)) for text in (one, other)):
        return same_text(one, other)
    titles = [_TITLE.match(folded(str(text))) for text in (one, other)]
    if titles[0] and titles[1] and (titles[0][1] == "mr") != (titles[1][1] == "mr"):
        return False
    return bool(_text_readings(field, one) & _text_readings(field, other))


_REMARK = re.compile(r"\s*\(([^()]*)\)$")
_TITLE = re.compile(r"(mr|mrs|ms|miss)\b")
_LAST_FIRST = re.compile(r"([^\W\d]+(?:-[^\W\d]+)*), ([^\W\d]+(?:[ -][^\W\d]+)?)")
_TITLES = frozenset(("mr", "mr.", "mrs", "mrs.", "ms", "ms.", "miss", "dr", "dr.", "prof", "prof."))


def _bare(field: Field, form: str) -> str:
    """Without titles, and without the words of the field's name at either end."""
    named = frozenset(str(field.get("name", "")).split("_")) - _TAKES_BACK
    about = _TITLES | named | {word.removesuffix("s") for word in named} | {"the"}
    words = form.split()
    if about.issuperset(words):  # `morning class` of a field `morning_or_evening_class`
        return form
    while len(words) > 1 and words[0] in about:
        words = words[1:]
    while len(words) > 1 and words[-1] in about:
        words = words[:-1]
    return " ".join(words)


_NEGATIONS = frozenset(
    {
        *("no", "not", "nor", "neither", "never", "without"),
        *("don't", "doesn't", "isn't", "wasn't", "aren't", "can't", "cannot"),
    }
)
_YES, _NO = frozenset(("yes", "true", "y", "correct")), frozenset(("no", "false", "n"))


def _yes_no(_: Mapping[str, Any], value: object) -> Readings:
    if isinstance(value, bool):
        return frozenset((value,))
    plain = folded(value) if isinstance(value, str) else ""
    said = re.fullmatch(r"(yes|no)(?:[,.;:!]| [(–—-])(.*)", plain, flags=re.DOTALL)
    if said:
        leaves = _LEAVES_A_YES if said[1] == "yes" else _LEAVES_A_YES | _NEGATIONS
        taken_back = (_TAKES_BACK | _YES | _NO) - leaves
        plain = plain if taken_back & frozenset(re.findall(r"[\w']+", said[2])) else said[1]
    return frozenset((plain in _YES,)) if plain in _YES | _NO else _NOTHING


def _choice(field: Field, value: object) -> Readings:
    """The one choice that is meant: by its name, in the singular or the plural, its words in another order or with a
    remark, or a part of it that no other choice has. One that fits two is neither."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or len(value) > 300:
        return _NOTHING
    said = _words_of(value)
    fits: tuple[Callable[[str], bool], ...] = (
        lambda choice: folded(choice) == folded(value),
        lambda choice: _singular(folded(choice)) == _singular(folded(value)),
        lambda choice: (
            _tells_apart(_words_of(choice))
            and _words_of(choice) <= said
            and _harmless(said, choice)
            and not _names_another(said - _words_of(choice), choice, field["choices"])
            and not _is_beside(folded(choice), folded(value))
        ),
        lambda choice: _tells_apart(said) and said <= _words_of(choice) and _harmless(_words_of(choice), value),
    )
    for fit in fits:
        alike = [choice for choice in field["choices"] if fit(choice)]
        if alike:
            return frozenset(_longest(alike))
    return _NOTHING


def _words_of(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\w']+", folded(text)))


def _tells_apart(words: frozenset[str]) -> bool:
    """Whether words are those of a name: no route from one place to another, and not only short ones."""
    return not words & {"to", "from"} and any(len(word) > 2 for word in words - _TAKES_BACK)


def _harmless(more: frozenset[str], than: str) -> bool:
    """Whether what is said beyond a name takes nothing back."""
    return not (more - _words_of(than)) & _TAKES_BACK


def _names_another(more: frozenset[str], than: str, choices: Sequence[str]) -> bool:
    """Whether words beyond the name of a choice are of another one that has none of its words: `Ana Silva, Bo`."""
    others = [_words_of(other) for other in choices if not _words_of(other) & _words_of(than)]
    return any(more & words for words in others)


def _is_beside(choice: str, text: str) -> bool:
    """`the room next to the Garden room`, `before Monday`."""
    return not _PLACES.isdisjoint(re.findall(r"\w+", text.partition(choice)[0])) if choice in text else False


_PLACES = frozenset(
    ("after", "before", "until", "next", "behind", "opposite", "beside", "near", "above", "below", "between")
)


def _longest(choices: Sequence[str]) -> Sequence[str]:
    """The choice that holds all words of the others: `North wing` where there is a `North` too. Else none is meant."""
    if len(choices) == 1:
        return choices
    whole = [choice for choice in choices if all(_words_of(other) <= _words_of(choice) for other in choices)]
    return whole if len(whole) == 1 else ()


def _singular(text: str) -> str:
    for plural, single in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if text.endswith(plural):
            return text.removesuffix(plural) + single
    return text if text.endswith("ss") else text.removesuffix("s")


_READERS: dict[str, Callable[[Mapping[str, Any], object], Readings]] = {
    "integer": _integer,
    "number": _number,
    "money": _money,
    "date": lambda _, value: days_of(value),
    "time": lambda _, value: seconds_of(value),
    "duration": lambda field, value: minutes_of(field["unit"], value),
    "text": _text_readings,
    "yes_no": _yes_no,
    "choice": _choice,
}
