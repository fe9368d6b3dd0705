"""Words and values for exercises, drawn by lot.

Belongs here: names of things, fields with their values, and how people speak of them. Does not: what is asked
(`exercises`).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random
from string import ascii_uppercase
from typing import Any

from trainer.instants import in_prose
from trainer.plurals import plural, singular

_DRAWN = 20
"""So often another value is drawn."""
WORDS = 48
"""Different ones that an exercise is made of."""
LEAST = 28
"""So many there must be. Where they do not suffice, others are put together from them."""
_OF_VALUES = 12
"""So many of them are in values, and the others in names: each belongs to one thing or one field."""
_SCARCE = 20
"""When so many words for names are left, names are one word each: there are enough for that."""
LISTS = ("list", "list_my", "search", "find")
_CHANGES = ("book", "cancel", "open", "start", "move", "close", "submit", "withdraw", "rename", "order")
_PIECES = (2, 2, 3)
"""Of so many pieces, of two to four letters, a word is put together that is in no environment."""
_TO_A_TIME = ("on", "from", "to", "until")
_SPANS = (("starts_on", "ends_on"), ("starts_at", "ends_at"), ("begins_at", "ends_at"), ("from_day", "until_day"))
_TIMES = ("starts_at", "starts_on", "begins_at", "begins_on", "ends_at", "ends_on", "opens_at", "closes_at")
_USUAL = 0.4
"""So often a time is called as many are: else who has read of a start expects an end, though there is none."""
_FOR_SO_MANY, _FOR_ME, _THE_SAME, _CHANGED_TO = 0.7, 0.3, 0.2, 0.3
"""So often things are said in these ways where they could be."""
_MINE = ("for me", "in my name")
TEXTS = ("title", "body", "text", "note", "message", "reason")
"""What people write is often called like this."""
_DAYS = ("day", "date", "on_day", "on_date")
_SMALL_WORDS = ("a", "and", "but", "for", "in", "it", "much", "no", "of", "some", "the", "too", "was", "we", "when")
"""Between the others, where several words are written."""
_SIMPLE = ("text", "number", "date")
_KINDS = (*_SIMPLE, *_SIMPLE, "money", "money", "state", "code", "code", "measure", "day", "moment", "phrase")


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    kind: str
    said: str
    """As people call it; of days and moments what is done then, as in “when it starts”."""
    states: tuple[str, ...] = ()
    """All values it may have."""
    prefix: str = ""
    """Of its codes."""

    @property
    def is_time(self) -> bool:
        return self.kind in ("day", "moment")

    def asked_of(self, which: str) -> str:
        """How somebody asks for it."""
        if self.is_time:
            return f"tell me {'on which day' if self.kind == 'day' else 'when'} {which} {self.said}"
        return f"tell me the {self.said} of {which}" + (" in cents" if self.kind == "money" else "")

    def answered(self, value: Any) -> str:
        if self.kind == "money":
            return f"{self.said}: {value} cents"
        return f"{self.name.replace('_', ' ')}: {value}"

    def sign(self, value: Any) -> str:
        """How a row is told from others by it."""
        if self.is_time:
            return f"that {self.said} on {in_prose(value)}"
        return f"with {self.said} {self.given(value)}"

    def given(self, value: Any) -> Any:
        """The value in a sentence."""
        if not isinstance(value, str) or self.kind == "state":
            return value
        return in_prose(value) or f"“{value}”"


def asked_to(
    verb: str, thing: str, which: str, values: Mapping[Field, Any], hard: float, chance: Random, *, optional: bool
) -> str:
    """A request that something be done, with what is told to the tool: “move the walk “Lake” for 2 hours to 4 March
    2026 at 14:00, with label “North””. The harder, the more ways there are to say it. Money is told in units. What is
    `optional` is called by its name."""
    rest, parts = dict(values), [verb, which]
    if [field.kind for field in rest] == ["number"] and not optional and chance.random() < hard / 2:
        parts = [verb, f"{rest.popitem()[1]} of", which]
    for field in [field for field in rest if field.kind == "count" and chance.random() < _FOR_SO_MANY]:
        parts.append(f"for {rest.pop(field)} {field.said}")
    if chance.random() < _FOR_ME * hard:
        parts.append(chance.choice(_MINE))
    times = [field for field in rest if field.is_time]
    ways = ["from", "until"] if len(times) > 1 else [chance.choice(_TO_A_TIME) if chance.random() < hard else "on"]
    parts += [f"{way} {in_prose(rest.pop(field))}" for way, field in zip(ways, times, strict=False)]
    if times and chance.random() < _THE_SAME * hard:
        parts.append(f"on the same {thing}")
    *first, last = [_told(field, value) for field, value in rest.items()] or [""]
    said = f"{', '.join(first)} and {last}" if first else last
    mark = " to" if chance.random() < _CHANGED_TO * hard else ", with"
    return " ".join(parts) + (f"{mark} {said}" if said else "")


def _told(field: Field, value: Any) -> str:
    if field.kind == "count":
        return f"{value} {field.said}"
    return f"{field.said} " + (f"{value / 100:.2f}" if field.kind == "money" else str(field.given(value)))


def _usual(name: str) -> Field:
    return Field(name, "moment" if name.endswith("_at") else "day", name.partition("_")[0])


class Lot:
    """What one exercise draws. `hard`: up to 1; the harder, the more words are new, names long, and values strange."""

    def __init__(self, words: Sequence[str], hard: float, chance: Random) -> None:
        self._words, self._hard, self._chance = words, hard, chance
        self._two_words = min(0.4, 0.8 * hard)
        drawn = list[str]()
        while len(drawn) < WORDS:
            drawn += [word for word in (self._word(),) if word not in drawn]
        self._of_values, self._of_names = drawn[:_OF_VALUES], drawn[_OF_VALUES:]
        self._span = chance.choice(_SPANS)
        self._times = [one for one in chance.sample(_TIMES, len(_TIMES)) if one not in self._span]

    def most(self, number: int) -> int:
        """One at first, up to so many in the end."""
        return self._chance.randint(1, 1 + round((number - 1) * self._hard))

    def name(self) -> str:
        words = [self._of_names.pop()]
        if self._chance.random() < self._two_words and len(self._of_names) > _SCARCE:
            words.append(self._of_names.pop())
        return "_".join(words)

    def kin(self, name: str) -> str:
        """A name that has a word in common with this one: “tasting seat” beside “tasting”, “room lease” beside “room
        key”, “car lease” beside “room lease”."""
        first, *more = name.split("_")
        other = self._of_names.pop()
        return f"{other}_{more[-1]}" if more and self._chance.random() < 0.5 else f"{first}_{other}"

    def verb(self) -> str:
        return self._chance.choice(_CHANGES) if self._chance.random() < 0.5 else self._word()

    def other_verb(self) -> str:
        """As people say it, whatever the tool is called: “open”, “take charge of”."""
        if self._chance.random() < 0.5:
            return self.verb()
        return f"{self._chance.choice(_CHANGES)} {self._chance.choice(self._of_values)} of"

    def aside(self) -> str:
        """What is said beside, and told to no tool: “, with a note on what was found”."""
        one, other = self._chance.sample(self._of_values, 2)
        return self._chance.choice((f", with a {one} on what was {other}ed", f" and its {one}", f", {one} or not"))

    def text(self) -> str:
        number = 1 + (self._chance.random() < 0.2 + self._two_words)
        return " ".join(self._chance.choices(self._of_values, k=number)).capitalize()

    def _several(self, least: int, most: int) -> str:
        chance = self._chance
        words = [
            chance.choice(_SMALL_WORDS if chance.random() < 0.5 else self._of_values)
            for _ in range(chance.randint(least, most))
        ]
        if chance.random() < 0.3:
            words[len(words) // 2 - 1] += ","
        return " ".join(words).capitalize()

    def names(self, of: Field, number: int) -> list[str]:
        """All different."""
        found = list[str]()
        while len(found) < number:
            found += [one for one in (self.value(of, found),) if one not in found]
        return found

    def field(self) -> Field:
        name, chance = self.name(), self._chance
        kind = chance.choice(_KINDS if chance.random() < self._hard else _SIMPLE)
        said = name.replace("_", " ")
        if kind in ("day", "moment"):
            if self._times and chance.random() < _USUAL:
                return _usual(self._times.pop())
            lasting = chance.random() < 0.5
            verb, end = (plural(name), plural(said)) if lasting else (f"{name}ed", f"was {said}ed")
            return Field(f"{verb}_{'on' if kind == 'day' else 'at'}", kind, end)
        if kind == "money":
            return Field(f"{name}_cents", kind, said + chance.choice(("", " amount")))
        return self.field_of(name, kind)

    def count(self) -> Field:
        """How many of something, such as hours."""
        name = plural(self.name())
        return Field(name, "count", name.replace("_", " "))

    def span(self) -> list[Field]:
        """From when, and until when."""
        return [_usual(name) for name in self._span]

    def written(self, but: str) -> Field:
        """What people write: a few words, or a sentence of its own. Called otherwise than `but`."""
        name = self._chance.choice([one for one in TEXTS if one != but]) if self._chance.random() < 0.7 else self.name()
        return self.field_of(name, self._chance.choice(("phrase", "sentence")))

    def day(self) -> Field:
        """The day of which something is told."""
        return Field(self._chance.choice(_DAYS), "day", "is")

    def span_of(self, span: Sequence[Field], but: Collection[Any] = ()) -> dict[str, Any]:
        """A beginning and its end: some hours later, mostly on the same day, or some days later."""
        first, last = span
        begin = datetime.fromisoformat(self.value(first, but))
        if first.kind == "day":
            return {
                first.name: f"{begin:%Y-%m-%d}",
                last.name: f"{begin + timedelta(self._chance.randint(1, 9)):%Y-%m-%d}",
            }
        begin = begin.replace(minute=self._chance.choice((0, 30)))
        end = begin + timedelta(minutes=30 * self._chance.randint(1, 6))
        return {first.name: begin.isoformat(), last.name: end.isoformat()}

    def like(self, field: Field) -> Field:
        """The same field of another thing. Its states are others: who says one means one thing."""
        others = [one for one in self._of_values if one not in field.states]
        return replace(field, states=tuple(self._chance.sample(others, len(field.states))))

    def measured_in(self, money: Field) -> Field:
        """What is called like an amount of money, without the cents."""
        return self.field_of(money.name.removesuffix("_cents"), self._chance.choice(("text", "number", "state")))

    def field_of(self, name: str, kind: str) -> Field:
        states = tuple(self._chance.sample(self._of_values, 3)) if kind == "state" else ()
        prefix = "".join(self._chance.choices(ascii_uppercase, k=self._chance.randint(1, 3))) if kind == "code" else ""
        return Field(name, kind, name.replace("_", " "), states, prefix)

    def value(self, of: Field, but: Collection[Any] = ()) -> Any:
        """One that fits and is not among `but`, if there is another."""
        values = (self._value(of) for _ in range(_DRAWN))
        return next((one for one in values if one not in but), self._value(of))

    def _value(self, of: Field) -> Any:
        chance = self._chance
        match of.kind:
            case "text":
                return self.text()
            case "phrase":
                return self._several(3, 5)
            case "sentence":
                return f"{self._several(5, 10)}."
            case "state":
                return chance.choice(of.states)
            case "number":
                return chance.randrange(1, 100)
            case "count":
                return chance.randrange(1, 10)
            case "money":
                return chance.randrange(20, 1000) * 5
            case "measure":
                return chance.randrange(10_000) / 10
            case "code":
                return f"{of.prefix}-{chance.randrange(10 ** chance.randint(2, 5))}"
            case "moment":
                return self._moment()
        return self._day()

    def _day(self) -> str:
        chance = self._chance
        return f"{chance.randint(2025, 2026)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"

    def _moment(self) -> str:
        return f"{self._day()}T{self._chance.randrange(24):02}:{self._chance.randrange(60):02}:00"

    def _word(self) -> str:
        """One that can be told from its plural and back."""
        word = self._any_word()
        return word if singular(word) == word == singular(plural(word)) else self._word()

    def _any_word(self) -> str:
        chance = self._chance
        if chance.random() >= self._hard / 2:
            return chance.choice(self._words)
        pieces = list[str]()
        for word in chance.choices(self._words, k=chance.choice(_PIECES)):
            begin = chance.randrange(max(1, len(word) - 2))
            pieces.append(word[begin : begin + chance.randint(2, 4)])
        return "".join(pieces)
