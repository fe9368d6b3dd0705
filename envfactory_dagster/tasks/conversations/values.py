"""What a person says that must not get lost: days, times, numbers, quoted words and names, however they are written.

Belongs here: finding them in a text, in a form in which the same is equal. Does not: what a text must hold
(`refinements`), and identifiers of the service (`identifiers`).
"""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta

from envfactory_dagster.contracts.base import Json

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MONTH = "|".join(_MONTHS).replace("may", "(?-i:May|MAY)")
"""Without a capital, "4 may" goes on to say what four of them may do."""
_DAY = re.compile(
    rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th)? (?:of )?({_MONTH}),?(?: (\d{{4}}))?"
    rf"|({_MONTH}) (\d{{1,2}})(?:st|nd|rd|th)?\b,?(?: (\d{{4}}))?|(\d{{4}})-(\d{{2}})-(\d{{2}}))",
    re.IGNORECASE,
)
_NTH = r"\d{1,2}(?:st|nd|rd|th)?"
_NEXT = r"(?: (?:to|until|till|through|and|or) (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?| ?[-–] ?)"
_SPAN = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?={_NEXT}{_NTH} (?:of )?({_MONTH})\b)", re.IGNORECASE)
"""A day whose month is said with the next one: the 15 of "from 15 to 20 September"."""
_TIME = re.compile(r"(?<![\d:])(?:T(?=\d))?(\d{1,2}):(\d{2})(?::\d{2}(?:[+-]\d{2}:\d{2})?)?")
"""With what follows the minutes in a moment as machines write it, which nobody says."""
_QUOTE = re.compile(r"[\"“]([^\"“”]+)[\"”]")
_CODE = re.compile(r"(?<!\w)(?:[A-Z]{1,5}-\d[\w-]*|\+\d[\d-]{6,})")
_NUMBER = re.compile(r"(?<![\w.,:-])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w:-])")
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NAME = re.compile(r"\b[A-Z][\w'’-]*")
_ENDING = re.compile(r"['’](?:s|d|ll|m|re|ve)?$", re.IGNORECASE)
"""What is added to a word, and no part of a name: "Bruno's", "I'd"."""
_NOT = re.compile(r"n['’]t$", re.IGNORECASE)
_BEGINS = re.compile(r"(?:^|[.!?:;“\"(—–\n]\s*)$")
_NOW = re.compile(
    r"\b(?:it[’']s|it is|today[’']s|today is)\b.*?(?=,? (?:and|so|but)\b|[.;!?](?:\s|$)|$)", re.IGNORECASE
)
"""A clause that says what day it is."""
_WORDS_OF_AN_HOUR = re.compile(
    r"(?:\s|it[’']?s?|is|now|today|just|already|only|on|at|in|the|morning|afternoon|evening|a|little|few|minutes|past"
    rf"|to|after|half|quarter|o[’']clock|{'|'.join(_WORDS)}|twenty|[,.;!’'])+",
    re.IGNORECASE,
)
"""What is left of "it is twenty past two on Wednesday" without the day and the hour."""
_NO_NAMES = frozenset(("i", "yyyy-mm-dd", "yyyy", "mm", "dd"))
_FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and as at because but by could did do does for from has have how if in is it my no not of on once or our"
        " please should so that the their then there this to unless until what when where which while who whose why"
        " with would yes you your",
    )
)
"""Words that are no names, wherever somebody writes them with a capital."""


def values_in(text: str) -> set[str]:
    """Every value of a text; equal for equal values."""
    rest, found = _without_days(text)
    quotes = {quote.casefold().strip() for quote in _QUOTE.findall(rest)}
    bare = _QUOTE.sub(" ", rest)
    codes = set(_CODE.findall(bare))
    bare = _CODE.sub(" ", bare)
    return found | quotes | codes | set(_numbers(bare)) | set(_names(bare))


def numbers_in(text: str) -> Counter[str]:
    """Every whole number that is no part of a day, a time, a code or a quotation, as often as it is said."""
    rest, _ = _without_days(text)
    return Counter(_numbers(_CODE.sub(" ", _QUOTE.sub(" ", rest))))


def holds(text: str, value: str) -> bool:
    """Whether a text says a value; a name or a quotation also at the beginning of a sentence, or without its marks, and
    a small number also as a word."""
    if value in values_in(text):
        return True
    if value.isdigit():
        word = _WORDS[int(value) - 1 : int(value)]
        return bool(word) and re.search(rf"\b{word[0]}\b", text, re.IGNORECASE) is not None
    return not value[:1].isdigit() and value.casefold() in text.casefold()


def days_meant(text: str, clock: str) -> str:
    """The days that a text says without their dates, as "today", "tomorrow" or a weekday of the days to come."""
    now = datetime.fromisoformat(clock)
    said = [
        ahead
        for ahead in range(-1, 7)
        if re.search(rf"\b(?:{_relative(ahead, now)})\b", text, re.IGNORECASE) is not None
    ]
    return "; ".join(f"on {day:%A} {day.day} {day:%B %Y}" for day in (now + timedelta(days=ahead) for ahead in said))


def _relative(ahead: int, now: datetime) -> str:
    near = {-1: "yesterday", 0: "today|tonight|this (?:morning|afternoon|evening)", 1: "tomorrow"}
    words = [near[ahead]] if ahead in near else []
    return "|".join([*words, f"{now + timedelta(days=ahead):%A}"] if ahead > 0 else words)


def of_now(text: str, clock: str) -> list[str]:
    """What a text says of the day and the hour at which it is said: nobody tells this to who can see it."""
    now = datetime.fromisoformat(clock)
    hours = re.compile(rf"{now:%A}|0?{now.hour}:{now:%M}", re.IGNORECASE)
    told = [
        found
        for match in _NOW.finditer(text)
        if (found := values_in(match[0]))
        and (f"{now:%m-%d}" in found or _WORDS_OF_AN_HOUR.fullmatch(hours.sub(" ", match[0])))
    ]
    return sorted(set().union(*told) - values_in(_NOW.sub(" ", text)))


def spellings(value: Json) -> list[str]:
    """The ways in which a person may write an argument; of a number of cents also as an amount."""
    if isinstance(value, bool) or value is None:
        return []
    if isinstance(value, int):
        return [f"{value / 100:.2f}", str(value), *_WORDS[max(0, value - 1) : max(0, value)][: value > 1]]
    if isinstance(value, float):
        return [f"{value:.2f}", f"{value:g}"]
    moment = _moment(str(value))
    if moment is None:
        return [str(value)]
    month = _MONTHS[moment.month - 1].capitalize()
    days = [f"{moment.day} {month} {moment.year}", f"{month} {moment.day}, {moment.year}", f"{moment.date()}"]
    if len(str(value)) == 10:
        return days
    clock = f"{moment:%H:%M}"
    return [f"{day}{between}{clock}" for day in days for between in (" at ", ", ", " ", "T")]


def _without_days(text: str) -> tuple[str, set[str]]:
    text = _SPAN.sub(lambda match: f"{match[1]} {match[2]} ", text)
    found = {_day(match) for match in _DAY.finditer(text)}
    rest = _DAY.sub(" ", text)
    found |= {f"{int(hour):02d}:{minute}" for hour, minute in _TIME.findall(rest)}
    return _TIME.sub(" ", rest), found


def _day(match: re.Match[str]) -> str:
    d, m, _, month, day, _, iso_y, iso_m, iso_d = match.groups()
    if iso_y:
        return f"{iso_m}-{iso_d}"
    return f"{_MONTHS.index((m or month).lower()) + 1:02d}-{int(d or day):02d}"


def _numbers(bare: str) -> Iterator[str]:
    for match in _NUMBER.finditer(bare):
        whole, _, part = match[0].replace(",", "").partition(".")
        yield f"{whole}.{part}".rstrip("0").rstrip(".") if part else whole


def _names(bare: str) -> Iterator[str]:
    """Words with capitals that do not begin a sentence, without what is added to them."""
    for match in _NAME.finditer(bare):
        name = _ENDING.sub("", match[0]).casefold()
        is_name = name not in _NO_NAMES | _FUNCTION_WORDS and not _NOT.search(name)
        if is_name and not _BEGINS.search(bare[: match.start()]):
            yield name


def _moment(text: str) -> datetime | None:
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?)?", text):
        return None
    try:
        return (
            datetime.fromisoformat(text)
            if "T" in text
            else datetime.combine(date.fromisoformat(text), datetime.min.time())
        )
    except ValueError:
        return None
