"""The answer form of a walk: what is to be told, as typed fields with plain names.

Belongs here: the type, name and description of every telling, and how a field's value is made from what a tool shows.
Does not: choosing what is asked for (`asking`), the program that answers (`program`), and where an answer stands in the
database (`facts`).

A moment becomes two fields, a date and a time. A code with underscores is told with spaces.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.reports import AnswerField, AnswerForm, AnswerType
from envfactory_dagster.runtime.answer_values import readings
from envfactory_dagster.runtime.facts import ColumnRef, ToolFact, ToolFacts
from envfactory_dagster.tasks.graph_tasks.reading import forms, item_noun, kind_of, name_of, noun, schema_at, words
from envfactory_dagster.tasks.graph_tasks.steps import Item, Sign, Walked, WantedAnswer
from envfactory_dagster.truth.start_rows import StartRows

Part = Literal["whole", "day", "time", "exact_time", "words"]
"""What of the value that a tool shows is told: all of it, the day or the time of a moment, a code in words."""

CURRENCY = "EUR"
"""Where neither rows nor words say which currency it is."""
MOST_CHOICES = 10
_MOST_NAME = 48
_CURRENCIES = {
    "EUR": r"\bEUR\b|€|\beuros?\b",
    "USD": r"\bUSD\b|\$\s?\d|\bdollars?\b",
    "GBP": r"\bGBP\b|£|\bpounds? sterling\b",
    "CHF": r"\bCHF\b|\b(?:swiss )?francs?\b",
}
_UNITS = {"m": "metres", "km": "kilometres", "kg": "kilograms", "g": "grams", "l": "litres", "pct": "percent"}
_UNIT_WORDS = frozenset(("percent", "nights", "weeks", "months", "years", "seconds", "points", "pages", "miles"))
_VERB = re.compile(r"^(\w+(?:ed|en|wn|ld|nt|rts|nds|ens|ses|ves))_(?:on|at)$")
"""`written_on`, `opens_on`: what happened or happens then."""
_OF_ITSELF = frozenset(("happened", "arrived", "departed", "started", "ended", "expired", "joined", "returned"))
_TIMES = ("minutes", "hours", "days")


@dataclass(frozen=True, slots=True)
class AskedField:
    """One field of the form, and the telling that it is made from."""

    telling: WantedAnswer
    field: AnswerField
    part: Part = "whole"

    @property
    def value(self) -> Json:
        """What a right report answers."""
        return told(self.telling.value, self.part)


def told(value: Json, part: Part) -> Json:
    """This part of a value."""
    if not isinstance(value, str) or part == "whole":
        return value
    parts = {"day": value[:10], "time": value[11:16], "exact_time": value[11:], "words": value.replace("_", " ")}
    return parts[part]


def column_of(telling: WantedAnswer, fact: ToolFact | None) -> ColumnRef | None:
    """The one column that a value comes from unchanged."""
    path = f"{telling.path}[].{telling.field}" if telling.field else telling.path
    for output in fact.outputs if fact is not None else ():
        if output.path == path and output.exact and len(output.columns) == 1:
            return output.columns[0]
    return None


def form_of(fields: Sequence[AskedField]) -> AnswerForm:
    return AnswerForm(fields=[one.field for one in fields])


def fields_of(walked: Walked, bundle: Bundle, facts: ToolFacts, start_rows: StartRows) -> list[AskedField]:
    """The fields of all tellings, in their order, no two of one name."""
    former = _Former(bundle, facts, start_rows)
    found: list[AskedField] = []
    taken: Counter[str] = Counter()
    for telling in walked.tellings:
        for one in former.fields(telling, walked):
            taken[one.field.name] += 1
            number = taken[one.field.name]
            name = f"{one.field.name}_{number}" if number > 1 else one.field.name
            found.append(AskedField(telling, one.field.model_copy(update={"name": name}), one.part))
    return found


def currency_of(bundle: Bundle, start_rows: StartRows) -> str:
    """The currency of an environment: the one in its rows, else the one its words speak of most often, else euros."""
    held = {row[column] for rows in start_rows.rows.values() for row in rows for column in row if column == "currency"}
    if len(held) == 1 and re.fullmatch(r"[A-Z]{3}", str(next(iter(held)))):
        return str(next(iter(held)))
    theme = bundle.theme
    said = " ".join(
        [
            theme.description,
            *(rule.text for rule in theme.rules),
            *(task.text for task in bundle.tasks),
            *(tool.description for tool in bundle.tools),
        ]
    )
    counted = {code: len(re.findall(pattern, said, re.IGNORECASE)) for code, pattern in _CURRENCIES.items()}
    most = max(counted, key=lambda code: counted[code])
    return most if counted[most] else CURRENCY


def description(telling: WantedAnswer) -> str:
    """What is to be told, in plain words."""
    if telling.about:
        return telling.about
    if telling.how == "count":
        return f"How many {words(telling.path)} there are"
    path = telling.field or telling.path
    what = _plain(path)
    if telling.how == "total":
        return f"The {what} of all {words(telling.path)} together"
    if telling.item is not None:
        thing = f"{item_noun(telling.path)} {_known_by(telling.item)}"
    else:
        holder = telling.path.rpartition(".")[0]
        thing = noun(holder) if holder else ""
    if thing and kind_of(path, telling.value) in ("day", "moment") and (verb := _VERB.search(name_of(path))):
        plain = verb[1].replace("_", " ")
        active = plain.endswith("s") or plain in _OF_ITSELF
        return f"When the {thing} {plain}" if active else f"When the {thing} was {plain}"
    return f"The {what} of the {thing}" if thing else f"The {what}"


def _plain(path: str) -> str:
    """A name as words, without its unit."""
    plain = words(path)
    first, _, last = plain.rpartition(" ")
    return first if first and (last in _UNITS or (last == "amount" and "price" in first)) else plain


def _known_by(item: Item) -> str:
    return "with " + " and ".join(map(_sign, item.signs))


def _sign(sign: Sign) -> str:
    if sign.relation == "is":
        return f"the {_plain(sign.field)} {forms(sign.field, sign.value)[0]}"
    kind = kind_of(sign.field, sign.value)
    extreme = {"least": "lowest", "most": "highest"} if kind in ("money", "number") else {"least": "earliest"}
    return f"the {extreme.get(sign.relation, 'latest')} {_plain(sign.field)}"


@dataclass(frozen=True, slots=True)
class _Former:
    bundle: Bundle
    facts: ToolFacts
    start_rows: StartRows

    def fields(self, telling: WantedAnswer, walked: Walked) -> Iterator[AskedField]:
        path = telling.field or telling.path
        kind = "number" if telling.how == "count" else kind_of(path, telling.value)
        name, what = _name(telling), description(telling)
        if kind == "moment":
            plain = re.sub(r"_(at|on|time|date)$", "", name)
            yield AskedField(telling, AnswerField(name=f"{plain}_date", type="date", description=f"{what}: day"), "day")
            part: Part = "time" if str(telling.value)[16:] in ("", ":00") else "exact_time"
            time = AnswerField(name=f"{plain}_time", type="time", description=f"{what}: time of day")
            yield AskedField(telling, time, part)
        elif kind == "day":
            yield AskedField(telling, AnswerField(name=name, type="date", description=what))
        elif kind == "money":
            unit = currency_of(self.bundle, self.start_rows)
            yield AskedField(telling, AnswerField(name=name, type="money", description=what, unit=unit))
        elif kind == "flag":
            yield AskedField(telling, AnswerField(name=name, type="yes_no", description=what))
        elif kind == "number":
            kind_of_number, unit = _number(telling)
            yield AskedField(telling, AnswerField(name=name, type=kind_of_number, description=what, unit=unit))
        else:
            choices = self._choices(telling, walked)
            kind_of_words: AnswerType = "choice" if choices else "text"
            field = AnswerField(name=name, type=kind_of_words, description=what, choices=choices)
            yield AskedField(telling, field, "words" if "_" in str(telling.value) else "whole")

    def _choices(self, telling: WantedAnswer, walked: Walked) -> list[str]:
        """All that could stand there, where it is few: what the tool's schema or a check of the column lists, or what
        the rows of a column hold that repeats itself."""
        step = walked.step(telling.step)
        path = f"{telling.path}[].{telling.field}" if telling.field else telling.path
        tool = next(tool for tool in self.bundle.tools if tool.name == step.tool)
        listed = [one for one in schema_at(tool.outputSchema, path).get("enum", []) if isinstance(one, str)]
        column = column_of(telling, self.facts.tools.get(step.tool))
        if not listed and column is not None:
            listed = _checked(self.start_rows, column) or _repeated(self.start_rows, column)
        found = sorted({one.replace("_", " ") for one in listed})
        unclear = any(len(readings({"type": "choice", "choices": found}, one)) != 1 for one in found)
        known = isinstance(telling.value, str) and telling.value.replace("_", " ") in found
        return found if known and not unclear and 1 < len(found) <= MOST_CHOICES else []


def _name(telling: WantedAnswer) -> str:
    what = re.sub(r"\W+", "_", _plain(telling.field or telling.path).lower()).strip("_")
    if telling.how == "count":
        name = f"number_of_{what}"
    elif telling.how == "total":
        name = f"total_of_{name_of(telling.path)}" if what.startswith("total") else f"total_{what}"
    else:
        holder = item_noun(telling.path) if telling.item is not None else noun(telling.path.rpartition(".")[0])
        stem = re.sub(r"\W+", "_", holder.lower()).strip("_")
        name = what if not stem or what.startswith(stem) else f"{stem}_{what}"
    plain = re.sub(r"^[^a-z]+", "", name)[:_MOST_NAME].rstrip("_")
    return plain or "answer"


def _number(telling: WantedAnswer) -> tuple[AnswerType, str]:
    """The type of a number, and its unit as far as its name says it."""
    whole = isinstance(telling.value, int)
    if telling.how == "count":
        return "integer", words(telling.path)
    last = name_of(telling.field or telling.path).rsplit("_", 1)[-1]
    if last in _TIMES:
        return "duration", last
    return ("integer" if whole else "number"), _UNITS.get(last, last if last in _UNIT_WORDS else "")


def _checked(start_rows: StartRows, column: ColumnRef) -> list[str]:
    """What a check of the table allows in this column."""
    sql = start_rows.schema.tables[column.table].sql
    found = re.search(rf'\bCHECK\s*\(\s*"?{re.escape(column.column)}"?\s+IN\s*\(([^)]*)\)', sql, re.IGNORECASE)
    return [one.replace("''", "'") for one in re.findall(r"'((?:[^']|'')*)'", found[1])] if found else []


def _repeated(start_rows: StartRows, column: ColumnRef) -> list[str]:
    """What the rows hold, where they are more than what they hold."""
    values = [value for row in start_rows.rows[column.table] if isinstance(value := row[column.column], str) and value]
    return list(dict.fromkeys(values)) if len(values) > len(set(values)) else []
