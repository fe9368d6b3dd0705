"""Whether the message to the person contradicts the report it comes with, as far as values go.

Belongs here: finding the numbers, amounts, days, times and choices that a message states, and holding them against the
answers. Does not: whether the answers are right (verifiers), and what words without values say (a judge). Python's
standard library only: the text is part of every bundle's `judge.py`; a field of an answer form is the mapping that
`AnswerField` dumps, a report the mapping that `Report` dumps.

A message need not repeat an answer. It contradicts one when it does not state it, and states another value of its kind
that neither the task nor another answer has. Whoever shows their work states the answer as well. A list is contradicted
by as many other values as the message leaves out of it; how many there are and what they come to may be said instead.
Another value of a text is one that the tools gave under the same name.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import chain, islice
from typing import Any

from envfactory_dagster.runtime.amounts import CURRENCY_NAMES, SYMBOLS, TWO_FIGURES, minor_units, names_a_currency
from envfactory_dagster.runtime.answer_values import Field, Readings, folded, readings, same_answer

_MONTH_NAME = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)(?![a-z])\.?"
)
"""A market is no March."""
_DAY_STATED = re.compile(
    rf"\b\d{{4}}[-/]\d{{2}}[-/]\d{{2}}|\b\d{{1,2}}\.\s?\d{{1,2}}\.\s?\d{{4}}|\b\d{{1,2}}/\d{{1,2}}/\d{{4}}"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)?\.? (?:of )?{_MONTH_NAME}(?:,? \d{{4}})?\b"
    rf"|\b{_MONTH_NAME} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?\b",
    re.IGNORECASE,
)
_DAY_OF_THE_SAME_MONTH = re.compile(
    r"(?<![\d.-])(\d{1,2})(?:st|nd|rd|th)?(?: (?:to|and|until|or) | ?[–&-] ?)"
    rf"(?=\d{{1,2}}(?:st|nd|rd|th)?\.? (?:of )?({_MONTH_NAME}(?:,? \d{{4}})?))",
    re.IGNORECASE,
)
"""`2 to 12 August`: the second of August too."""
_TIME_STATED = re.compile(
    r"\b\d{1,2}[:.h]\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b\.?| in the (?:morning|afternoon|evening))?"
    r"|\b\d{1,2}\s?(?:[ap]\.?m\b\.?|o'clock)",
    re.IGNORECASE,
)
_DOTTED = re.compile(r"\d{1,2}\.\d{2}")
"""Half past six, or an amount: `6.30`."""
_CODE = re.compile(r"\b[A-Za-z]+\d+/\d+\b|\b(?=[\w-]{0,60}[A-Za-z_])(?=[\w-]{0,60}\d)\w+(?:-\w+)*\b|#\d+")
"""`BK-00187`, `LX26/62`, `room 4b`, `3rd`: figures that are part of a name and state no number."""
_BEFORE_A_UNIT = re.compile(
    r"\b(\d+)-(?=(?:minute|hour|day|night|week|month|year|person|people|seat|place|euro|pound|dollar|cent)s?\b)",
    re.IGNORECASE,
)
"""`a 90-minute inspection`: a number and what it counts, and no name."""
_AT_A_UNIT = re.compile(r"(?<=\d)(?=(?:kg|g|km|m|cm|mm|l|ml|h|hrs?|mins?)\b)", re.IGNORECASE)
"""`2.5kg`: no name either."""
_NUMBER_WORDS = (
    "zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    "|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand"
)
"""Without `one` and `no`, which more often count nothing: `the one you like`, `no problem`."""
_ORDINALS = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth"
_BEFORE_AN_AMOUNT = rf"[{SYMBOLS}]|\b(?:(?-i:[A-Z]{{3}})|kr\.?)(?=\s)"
_AFTER_AN_AMOUNT = rf"(?:[{SYMBOLS}]|(?:cents?|{CURRENCY_NAMES}|(?-i:[A-Z]{{3}}))(?!\w))"
_BESIDE_AN_AMOUNT = re.compile(rf"^(?:{_BEFORE_AN_AMOUNT})|{_AFTER_AN_AMOUNT}$", re.IGNORECASE)
_WITH_SPACES = (
    rf"\d{{1,3}}(?:[ \u00a0]\d{{3}})+(?=[.,]\d{{2}}|\s?{_AFTER_AN_AMOUNT})(?:[.,]\d{{2}})?"
    r"|\d{1,3}(?:\.\d{3})+,\d{2}"
)
"""`1 250.50 EUR`, `1.250,50`."""
_NUMBER_STATED = re.compile(
    rf"(?:{_BEFORE_AN_AMOUNT})?\s?(?<![\w.,])-?(?:{_WITH_SPACES}|\d+(?:,\d{{3}})*(?:[.,]\d+)?)"
    rf"(?:\s?{_AFTER_AN_AMOUNT})?(?!\w)"
    rf"|\b(?:{_NUMBER_WORDS}|(?:one|a) (?:hundred|thousand))(?:[ -](?:and )?(?:{_NUMBER_WORDS}|one))*\b"
    rf"(?!-(?:{_ORDINALS})\b)",  # the twenty-second of April
    re.IGNORECASE,
)
_COUNT_SAID = (
    rf"(?:\d+(?:,\d{{3}})*|(?:a (?=hundred|thousand))?(?:{_NUMBER_WORDS}|one)"
    rf"(?:[ -](?:and )?(?:{_NUMBER_WORDS}|one)){{0,8}})"
)
_EUROS_AND_CENTS_SAID = re.compile(
    rf"(?<![\w.,-]){_COUNT_SAID} (?:euro|dollar|pound)s?"
    rf"(?:,? and {_COUNT_SAID} (?:cents?|pence)| {TWO_FIGURES}(?![.,:]\d))\b",
    re.IGNORECASE,
)
"""`seven euros and thirty cents`, `seven euros thirty`: one amount, not two."""
_HOURS_AND_MINUTES_SAID = re.compile(
    rf"(?<![\w.,-]){_COUNT_SAID} ?(?:hours?|hrs?|h)(?:,? and|,)? {_COUNT_SAID} ?(?:minutes?|mins?)\b"
    r"|(?<![\w.,-])\d{1,2} ?h ?\d{2}\b",
    re.IGNORECASE,
)
"""`eleven hours and ten minutes`, `1 h 30`: one duration."""
_WITH_A_UNIT_OF_TIME = re.compile(
    rf"(?<![\w.,-])(?:\d+[.,]\d+|{_COUNT_SAID}) ?(?:hour|hr|h|minute|min|day|week)s?\b", re.IGNORECASE
)
_COUNTED = re.compile(
    r"\s?(%|percent|min|minute|hour|day|night|week|month|year|people|person|guest|place|seat|time)s?(?!\w)",
    re.IGNORECASE,
)
"""What rules and explanations count most."""
_CURRENCY = re.compile(rf"\s?(?:[{SYMBOLS}]|(?:cents?|{CURRENCY_NAMES}|pence|(?-i:[A-Z]{{3}}))(?!\w))", re.IGNORECASE)
_COMES_TO = (
    r"\b(?:is|are|was|were|be|costs?|total|makes?|comes? to|need(?:s|ed)?|have|has|had|takes?|took|lasts?|weighs?)|[:=]"
)
_YEAR = re.compile(r"(?:19|20)\d{2}")
"""`in October 2029`: a bare number of this size is taken for no count and no amount."""
_SENTENCES = re.compile(r"(?<=[.!?;])\s+")
_OF_OTHERS = re.compile(r"\b(?:next best|others|alternatives?|if you(?:['’]d| would| want| wish))\b", re.IGNORECASE)
"""From here to the end of its sentence a message speaks of what was not chosen, or offers something."""
_LEAVES_OUT = re.compile(
    r"\b(?:not?|never|nor|neither|except|but|without|besides|apart|instead|rather|unlike|than|from|only)\b|n['’]t\b",
    re.IGNORECASE,
)
"""What a sentence like this names may be what is none of them: `all but Monday`, `Lena is not free`."""
_NUMERIC: frozenset[str] = frozenset(("integer", "number", "money", "duration"))
_MOST_VALUES = 200
_MOST_LISTED = 30
"""A longer list is not looked for in a message."""
_MOST_SUMMED = 6
"""Of so many values at the beginning of a list any sum may be said; beyond them only that of all."""


def contradictions(
    report: Mapping[str, Any], fields: Sequence[Field], asked: str, told: Iterable[Any] = ()
) -> list[str]:
    """One sentence for each answer that the message contradicts. `asked`: the words of the task. An amount of money
    that a tool `told` may be spoken of beside the answer."""
    found = []
    answers, message = report["answers"], report["message"]
    told = list(told)
    amounts = {amount for value in told for amount in _numbers(value)}
    for field in fields:
        values = _single_values(field, answers.get(field["name"]))
        if len(values) > _MOST_LISTED:
            continue
        unstated = [value for value in values if not states(field, value, message)]
        if not unstated:
            continue
        known = _known(field, answers, fields, asked)
        known |= {one for value in values if value not in unstated for one in readings({**field, "many": False}, value)}
        claims = _claims(message, of_a_list=field["many"] or field["type"] == "text")
        if field["type"] == "text":
            others = _other_texts(field, unstated, claims, told, known)
            others = [one for one in others if not states(field, one, asked)]
        else:
            known |= _of_the_whole(field, values)
            stated = _stated(field, unstated[0], claims)
            others = [
                one for one in stated if _may_be_of(field, one, claims, fields) and not _is_known(field, one, known)
            ]
            if field["type"] == "money":
                others = [one for one in others if not _amounts(field, one) & amounts]
                others = others or _said_of(field, stated, len(values), claims, asked)
        missing = [value for value in unstated if not _is_hinted_at(field, value, others, message)]
        if missing and len(_different(field, others)) >= max(len(_different(field, unstated)), _least(field)):
            said, meant = (", ".join(str(one).strip() for one in each) for each in (others, missing))
            found.append(f"The message says {said} where the answer {field['name']} is {meant}.")
    return found


def _said_of(field: Field, stated: Sequence[str], count: int, claims: str, asked: str) -> list[str]:
    """The amounts of a message that has no others, and says that the field itself, by its name or its description, is
    these: `Total spent: 38.00`. A tool may have told them; they are not the answer all the same."""
    in_task = frozenset().union(*(_amounts(field, one) for one in _stated(field, None, asked)))
    new = [one for one in stated if not _amounts(field, one) & in_task]
    if len(new) != count:
        return []
    before = claims.partition(new[0])[0]
    sentence = re.split("[.!?;]", before)[-1].rstrip()
    about = (field["name"].replace("_", " "), re.split("[;(]", field["description"])[0])
    is_named = any(_words(words) <= _words(sentence) for words in about)
    return new if is_named and re.search(rf"(?:{_COMES_TO})$", sentence, re.IGNORECASE) else []


def _is_hinted_at(field: Field, value: Any, others: Sequence[str], message: str) -> bool:
    """Whether a message may state a value in another form: a name by one of its words, one of several days by its
    number alone."""
    if field["type"] in ("text", "choice"):
        words = _words(str(value)).difference(*map(_words, others))
        return any(len(word) > 3 or not word.isalpha() for word in words & _words(message))
    if field["type"] == "date" and field["many"]:
        return any(
            re.search(rf"(?<!\d)0?{day.day}(?!\d)", message) for day in readings({**field, "many": False}, value)
        )
    return False


def _least(field: Field) -> int:
    """How many other values speak against an answer: a message may count something else beside a list of numbers."""
    return 2 if field["many"] and field["type"] in _NUMERIC and field["type"] != "money" else 1


def _claims(message: str, *, of_a_list: bool) -> str:
    """Without what is said of what was not chosen; where a list is looked for, without sentences that leave out."""
    sentences = _SENTENCES.split(message)
    kept = [one for one in sentences if not (of_a_list and _LEAVES_OUT.search(one))]
    return " ".join(_OF_OTHERS.split(sentence, 1)[0] for sentence in kept)


def _of_the_whole(field: Field, values: Sequence[Any]) -> Readings:
    """What may be said of a list in its values' place: how many there are, and what some or all of them come to."""
    if not field["many"] or field["type"] not in _NUMERIC:
        return frozenset()
    shape = {**field, "many": False}
    read = [found for value in values if (found := readings(shape, value))]
    sums: Readings = frozenset((Decimal(0),))
    for found in read[:_MOST_SUMMED]:
        sums |= {some + one for some in sums for one in found}
    return sums | {sum(map(min, read)), sum(map(max, read))} | readings(shape, len(values))


def _different(field: Field, values: Iterable[Any]) -> frozenset[Readings]:
    return frozenset(readings({**field, "many": False}, value) or frozenset((str(value),)) for value in values)


def _other_texts(field: Field, unstated: Sequence[Any], claims: str, told: Sequence[Any], known: Readings) -> list[str]:
    """Texts that tools gave under the same name as an answer, and that the message states."""
    plain = folded(claims)
    by_name: dict[str, set[str]] = {}
    for name, text in _named_texts(told):
        by_name.setdefault(name, set()).add(folded(text))
    meant = {folded(str(value)) for value in unstated}
    named = set().union(*(texts for texts in by_name.values() if texts & meant)) - meant
    return sorted(
        text
        for text in named
        if text in plain
        and re.search(rf"(?<!\w){re.escape(text)}(?!\w)", plain)
        and not readings({**field, "many": False}, text) & known
    )


def _named_texts(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every text in what a tool told, with the name it goes by."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _named_texts(inner, key)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _named_texts(inner, name)
    elif isinstance(value, str) and value.strip():
        yield name, value


def _words(text: str) -> set[str]:
    return {word.removesuffix("s") for word in re.findall(r"\w+", folded(text))}


def _may_be_of(field: Field, stated: str, message: str, fields: Sequence[Field]) -> bool:
    """Whether a number can only be meant for this field: none but it is one of numbers, or it says what it counts."""
    if field["type"] not in _NUMERIC or _HOURS_AND_MINUTES_SAID.fullmatch(stated) or stated not in message:
        return True  # minutes that are not said as a figure are those of hours and minutes
    alone = not field["many"] and sum(other["type"] in _NUMERIC for other in fields) == 1
    if alone and re.search(rf"(?:{_COMES_TO})\s*{re.escape(stated)}", message, re.IGNORECASE):
        return True
    if field["type"] == "money":
        named = re.search(rf"{re.escape(stated)}[\s-]?(?:cent|{CURRENCY_NAMES})", message, re.IGNORECASE)
        return re.search(r"[^\d\s-]", stated) is not None or named is not None
    following = re.search(rf"{re.escape(stated)}[\s-]?([a-z]+|%)", message, re.IGNORECASE)
    if following is None:
        return False
    counted = following[1].casefold()
    return counted == field["unit"].casefold() or (
        len(counted) > 2 and counted in f"{field['unit']} {field['description']}".casefold()
    )


def _numbers(value: Any) -> Iterator[Decimal]:
    """Every number in what a tool told."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _numbers(inner)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield Decimal(str(value))


def _amounts(field: Field, stated: str) -> frozenset[Decimal]:
    """A stated amount as a tool may have told it, in the smallest unit or in the whole one."""
    smallest = readings({**field, "many": False}, stated)
    return frozenset(smallest) | frozenset(amount / minor_units(field["unit"]) for amount in smallest)


def states(field: Field, value: Any, text: str) -> bool:
    """Whether a text states this single value of a field. Of yes or no nobody can tell by code."""
    if field["type"] == "text":
        return re.search(rf"(?<!\w){re.escape(folded(str(value)))}(?!\w)", folded(text)) is not None
    stated = list(islice(_values(field, value, text, of_any_unit=True), _MOST_VALUES))
    meant = [value, -value] if isinstance(value, int | float) and value < 0 else [value]
    return any(_is(field, each, one) for one in stated for each in meant)  # who owes 40 does not say -40


def _single_values(field: Field, value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if field["many"] and isinstance(value, list) else [value]


def _stated(field: Field, value: Any, text: str) -> list[str]:
    """What a text states of the kind of this field, as it stands there."""
    return list(islice(_values(field, value, text), _MOST_VALUES))


def _values(field: Field, value: Any, text: str, *, of_any_unit: bool = False) -> Iterator[str]:
    if field["type"] == "date":
        days = readings({**field, "many": False}, value)
        year = str(next(iter(days)))[:4] if days else ""
        shared = (f"{one[1]} {one[2]}" for one in _DAY_OF_THE_SAME_MONTH.finditer(text))
        for day in chain(_DAY_STATED.findall(text), shared):
            yield day if re.search(r"\d{4}", day) else f"{day.rstrip('.')} {year}"
    elif field["type"] == "time":
        yield from _TIME_STATED.findall(_DAY_STATED.sub(" ", text))
    elif field["type"] in _NUMERIC:
        plain = _TIME_STATED.sub(
            lambda time: time[0] if _DOTTED.fullmatch(time[0]) else " ", _DAY_STATED.sub(" ", text)
        )
        plain = _CODE.sub(" ", _BEFORE_A_UNIT.sub(r"\1 ", _AT_A_UNIT.sub(" ", plain)))
        if field["type"] == "money":
            yield from _EUROS_AND_CENTS_SAID.findall(plain)
            plain = _EUROS_AND_CENTS_SAID.sub(" ", plain)
        for said in _HOURS_AND_MINUTES_SAID.findall(plain):
            yield from _in_the_unit_of(field, said)
        plain = _HOURS_AND_MINUTES_SAID.sub(" ", plain)
        if field["type"] == "duration":
            yield from _WITH_A_UNIT_OF_TIME.findall(plain)
            plain = _WITH_A_UNIT_OF_TIME.sub(" ", plain)
        # An integer may be an amount in whole kronor: `1680 kr` says 1680.
        is_amount = of_any_unit or names_a_currency(re.sub("[()]", " ", field["unit"]))
        for number in _NUMBER_STATED.finditer(plain):
            if of_any_unit or not _is_of_another_unit(field, plain[number.end() :]):
                stated = number[0].strip()
                yield _BESIDE_AN_AMOUNT.sub("", stated).strip() if is_amount and field["type"] != "money" else stated
    elif field["type"] == "choice":
        plain = folded(text)
        yield from (
            choice for choice in field["choices"] if re.search(rf"(?<!\w){re.escape(folded(choice))}(?!\w)", plain)
        )


def _in_the_unit_of(field: Field, said: str) -> Iterator[str]:
    """Hours and minutes as a field of durations has them, or one that counts minutes."""
    if field["type"] == "duration":
        yield said
    elif "minute" in f"{field['unit']} {field['description']}".casefold():
        yield from map(str, readings({**field, "type": "duration", "unit": "minutes", "many": False}, said))


def _is_of_another_unit(field: Field, following: str) -> bool:
    """Whether a number is followed by the name of something that the field does not ask for: `within 36 hours`."""
    money = _CURRENCY.match(following)
    if money is not None and field["type"] != "money":
        return True
    counted = _COUNTED.match(following)
    if counted is None:
        return False
    name = counted[1].casefold()
    about = f"{field['unit']} {field['description']}".casefold()
    return (name not in about) if name != "%" else not re.search("%|per ?cent", about)


def _is(field: Field, value: Any, stated: str) -> bool:
    shape = {**field, "many": False}
    if same_answer(shape, value, stated):  # told to two decimals
        return True
    if field["type"] == "time" and stated[:1] != "0" and same_answer(shape, value, f"{stated} pm"):
        return True  # nobody says in which half of the day where it is plain
    return bool(readings(shape, value) & readings(shape, stated))


def _known(field: Field, answers: Mapping[str, Any], fields: Sequence[Field], asked: str) -> Readings:
    """What a value of this field may be that another answer, or the task itself, has."""
    shape = {**field, "many": False}
    others = [other for other in fields if other["name"] != field["name"]]
    given = [value for other in others for value in _single_values(other, answers.get(other["name"]))]
    return frozenset().union(*(readings(shape, value) for value in [*given, *_stated(field, None, asked)]))


def _is_known(field: Field, stated: str, known: Readings) -> bool:
    meant = readings({**field, "many": False}, stated)
    if not meant or (field["type"] == "time" and _DOTTED.fullmatch(stated)):
        return field["type"] != "money" or not names_a_currency(stated)  # no other currency is asked for
    if field["type"] in _NUMERIC and _YEAR.fullmatch(stated):
        return True
    return bool(meant & known)
