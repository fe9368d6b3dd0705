"""Exercises for a policy from scratch: short conversations about nothing, in words drawn by lot.

Belongs here: conversations in which a tool has to be found by its name, a row by one of its values, and a value to be
copied. Does not: the words (`lots`), episodes of environments (`examples`), or the same ones in other words
(`rewording`).

Who cannot find and copy yet learns it where there is little else: first with a row or two of short words that it knows,
in the end with rows like those of environments and words it has never seen, and with requests for two things that two
tools list. Several requests are about the same rows, since reading them is most of the work. Each of them ends with a
report, as episodes do; the form of its answers is that of all requests, and what is not due is null. No environment is
in them: what it is good for, and which verbs do what, is left to be learned.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from envfactory_dagster.contracts.finish_tool import FINISH
from envfactory_dagster.contracts.reports import AnswerField, AnswerForm, finish_schema
from trainer.failures import RecipeError
from trainer.instants import in_prose
from trainer.lots import LEAST, LISTS, TEXTS, Field, Lot, asked_to
from trainer.plurals import plural
from trainer.rewording import name_words

_SYSTEM: dict[str, Any] = {"role": "system", "content": "It is 2026-01-01T09:00:00 now."}
_EASY = 0.25
"""Harder than that, a policy that knows nothing learns nothing."""
_NAMINGS = ("name", "title", "subject", "code")
"""Fields that rows are often called by. They are nothing else."""
_TRIES = 4
"""To ask for what was not asked for yet; in the easiest exercises there is little to ask for."""
_NAMED_LATE = 0.3
"""So often the name of a row may stand anywhere in it."""
_OWNER = Field("name", "text", "name")
_SAME = 0.7
"""So often rows of two things have an owner in common, where they may."""
_SHARED = 0.5
"""So often two things have fields and owners in common, and of these each so often."""
_ALIKE = 0.3
"""So often there is a field beside an amount of money that is called like it, such as `unit` beside `unit_cents`."""
_OPTIONAL = 0.3
"""So often what is told to a tool that does something may be left unsaid."""
_SPAN, _COUNTED, _WRITTEN = 0.05, 0.3, 0.25
"""So often a tool that does something is told from when and until when; and of the rest, how many of something, or what
somebody wrote."""
_PHRASES = 0.25
"""So often rows are called by several words."""
_OTHERWISE, _ANOTHER = 0.2, 0.4
"""So often requests have another verb than the tool that does it; and of these, say what is to be another one."""
_ASIDE = 0.15
"""So often a request that hands nothing over says something that no tool has to be told."""
_KIN = 0.4
"""So often things have a word of their names in common, such as a tasting and a tasting seat."""
_LASTING = 0.3
"""So often rows tell when something begins and when it ends: the same day, hours apart."""
_OF_A_DAY = 0.25
"""So often what only another tool tells is told of one day."""
_LISTED = 0.3
"""So often there is a tool that lists what things are of, and that nobody asks for."""
_TAKEN = {"report": "taken"}
_UNUSED = 0.4
"""So often a tool has parameters that nobody asks for."""


class Exercises:
    """In the words that the names in these rows consist of. The same every time, from the same seed."""

    def __init__(self, rows: Sequence[Mapping[str, Any]], seed: int) -> None:
        self._words = sorted({word for row in rows for word in name_words(row["tools"])} - {*_NAMINGS, *TEXTS})
        if len(self._words) < LEAST:
            raise RecipeError(
                f"Exercises need {LEAST} different words in the names of tools; there are {len(self._words)}."
            )
        self._chance = Random(seed)

    def another(self, done: float) -> dict[str, Any]:
        """`done`: how much of its time for exercises a policy has behind it, from 0 to 1. The first half is easy."""
        return _Exercise(self._words, max(_EASY, 1.5 * done - 0.5), self._chance).row()


@dataclass(frozen=True, slots=True)
class _Part:
    """One thing that is asked for."""

    text: str
    about: tuple[str, str]
    """The thing, and its field or what is done with it."""
    steps: list[dict[str, Any]]
    """The calls and results beside that of the rows."""
    answer: str = ""
    value: Any = None
    """What is told, as the tools say it."""


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a request: which message of the row is to report it, and the parts that it was asked for in."""

    place: int
    parts: list[_Part]

    @property
    def answer(self) -> str:
        return "; ".join(one.answer for one in self.parts if one.answer) or "It is done."


class _Exercise:
    """A thing with some fields or two things, and tools that have to be told from theirs. `hard`: up to 1."""

    def __init__(self, words: Sequence[str], hard: float, chance: Random) -> None:
        self._hard, self._chance = hard, chance
        self._lot = lot = Lot(words, hard, chance)
        number = 2 if hard > _EASY and chance.random() < hard / 2 else 1
        first = lot.name()
        self._things = [_Thing(first, lot, hard, chance, 6 // number, 2 + 4 // number)]
        if number > 1:
            like = self._things[0] if chance.random() < _SHARED else None
            self._things.append(_Thing(self._other(first), lot, hard, chance, 6 // number, 2 + 4 // number, like))
        self._others = [self._other(first) for _ in range(lot.most(3) - 1)]
        self._asked = set[str]()

    def _other(self, name: str) -> str:
        return self._lot.kin(name) if self._chance.random() < _KIN * self._hard else self._lot.name()

    def row(self) -> dict[str, Any]:
        messages, listed, ends = [_SYSTEM], set[str](), list[_End]()
        for _ in range(max(2, self._lot.most(4))):
            parts = self._parts(known=bool(listed))
            messages += [_result(_TAKEN)] if ends else []
            messages.append(_asks(f"Please {' Finally, '.join(one.text for one in parts)}"))
            for part, thing in zip(parts, map(self._thing, parts), strict=True):
                if thing.name not in listed:
                    listed.add(thing.name)
                    messages += thing.listed
                messages += part.steps
            ends.append(_End(len(messages), parts))
            messages.append({})
        fields = _fields([one for end in ends for one in end.parts if one.answer])
        for end in ends:
            told = {fields[one.about].name: one.value for one in end.parts if one.answer}
            messages[end.place] = _reports(dict.fromkeys(field.name for field in fields.values()) | told, end.answer)
        return {"tools": [*self._tools(), _finish(list(fields.values()))], "messages": messages}

    def _parts(self, *, known: bool) -> list[_Part]:
        """One or two; at first all things are asked for."""
        if known or len(self._things) == 1:
            number = 1 + (self._chance.random() < self._hard / 5)
            things = self._chance.choices(self._things, k=number)
        else:
            things = self._chance.sample(self._things, len(self._things))
        parts = list[_Part]()
        for thing in things:
            for _ in range(_TRIES):
                part = thing.asked_for(known=known, but=[one.about for one in parts])
                if part and part.text not in self._asked:
                    break
            parts += [part] if part else []
        self._asked |= {one.text for one in parts}
        return parts or self._parts(known=known)  # soon something is done: that can always be asked for

    def _thing(self, part: _Part) -> "_Thing":
        return next(one for one in self._things if one.name == part.about[0])

    def _tools(self) -> list[dict[str, Any]]:
        chance, plain = self._chance, [one for one in self._things if one.said_otherwise is None]
        names = [name for one in plain for name in (one.name, one.target)] + self._others
        fields = [field.name for one in self._things for field in one.fields]
        tools = {}
        for other in chance.choices(names, k=self._lot.most(5) - 1) if names else ():
            name = f"{self._lot.verb()}_{other}"
            tools[name] = _tool(name, f"{other}_id", *chance.sample(fields, chance.randint(0, 1)))
        for other in self._others:
            name = f"{chance.choice(LISTS)}_{plural(other)}"
            tools[name] = _tool(name)
        for owner in [one for thing in self._things for one in thing.owners if chance.random() < _LISTED * self._hard]:
            name = f"{chance.choice(LISTS)}_{plural(owner)}"
            tools[name] = _tool(name)
        for thing in self._things:
            tools |= thing.tools()
        for name, tool in tools.items():
            if chance.random() < _UNUSED * self._hard:
                unused = [field for field in fields if field not in self._told_to(name)]
                _may_be_told(tool, chance.sample(unused, min(len(unused), chance.randint(1, 2))))
        return chance.sample(list(tools.values()), len(tools))

    def _told_to(self, tool: str) -> list[str]:
        """What a request that asks for this to be done may say: the fields by which its row is known, and all times, of
        which it does not say what they are."""
        done = [one for one in self._things if one.doing == tool]
        times = [field.name for one in self._things for field in one.fields if field.is_time and done]
        return times + [field.name for one in done for field in one.fields]


class _Thing:
    """Its rows, a tool that lists them, one that does something with one of them, later one that tells more of it. Each
    row may be said to be of other things; then it may be one of those that something is done with, or more told of.
    `like`: another one, with which it has fields and owners in common."""

    def __init__(
        self,
        name: str,
        lot: Lot,
        hard: float,
        chance: Random,
        most_fields: int,
        most_rows: int,
        like: "_Thing | None" = None,
    ) -> None:
        self.name, self._lot, self._hard, self._chance = name, lot, hard, chance
        shared = [lot.like(one) for one in like.fields if chance.random() < _SHARED][:most_fields] if like else []
        self.fields: list[Field] = chance.sample(shared, len(shared)) or [lot.field()]
        self.fields += [lot.field() for _ in range(lot.most(most_fields) - len(self.fields))]
        self.fields += [lot.measured_in(one) for one in self.fields if one.kind == "money" and chance.random() < _ALIKE]
        self._span = lot.span() if chance.random() < _LASTING * hard else []
        self.fields = [*[one for one in self.fields if not self._span or not one.is_time], *self._span]
        # Last stands what may be changed: nothing may be asked of it afterwards.
        self.fields = chance.sample(self.fields, len(self.fields))
        self._named = self._naming()
        """The field that a row is called by."""
        self._owners = self._owner_names()
        """What each row is of."""
        self._meant = self._owners[0] if self._owners and chance.random() < 0.5 else None
        """The one of them that something is done with. Its id is told, its name only now and then."""
        self._told_owners = [one for one in self._owners if one != self._meant or chance.random() < 0.5]
        self._told_owners += [one for one in like._told_owners if chance.random() < _SHARED] if like else []
        self._changed = self._changed_fields()
        """What is told to the tool that does something."""
        self._optional = chance.random() < _OPTIONAL
        """Whether it may be left unsaid."""
        self.said_otherwise = lot.other_verb() if chance.random() < _OTHERWISE * hard else None
        """What requests say for the verb of the tool that does something: then no other tool does it with that."""
        self._outdated = set[int]()
        """Rows in which a field was changed. It is not asked for: nothing shows what it is now."""
        self._more = lot.field()
        """What only another tool tells: of the thing itself, or of something that belongs to it."""
        self._belongs = lot.name() if chance.random() < 0.5 else None
        self._known_by = self._lot.field_of(chance.choice(("name", lot.name())), "text")
        self._of_owner = self._known_by.name != "name" and chance.random() < 0.5
        """Whether what belongs to it is known by the name of an owner, else by a field."""
        self._day = lot.day() if chance.random() < _OF_A_DAY * hard and not self._more.is_time else None
        """The day of which that tool has to be told."""
        self._listing = f"{chance.choice(LISTS)}_{plural(self.name)}"
        self._verb = lot.verb()
        self._closer = self._closer_name()
        self._like: Sequence[Mapping[str, Any]] = like._rows if like else []
        self._rows: list[dict[str, Any]] = self._drawn_rows(lot.most(most_rows))
        self.listed = [_call(self._listing, {}), _result({plural(self.name): self._rows})]
        """Before anything is done with them."""
        self._shown = dict[tuple[int, Any], list[dict[str, Any]]]()

    def asked_for(self, *, known: bool, but: Sequence[tuple[str, str]]) -> _Part | None:
        """None where it cannot be told, or would be asked for twice. Before the rows are known, nobody can tell which
        of its fields only another tool tells."""
        meant, kind, asked = self._chance.choice(self._rows), self._chance.random(), self._chance.choice(self.fields)
        about = asked.name
        if kind >= 0.5:
            closer = self._hard > _EASY and kind > 1 - self._hard / 4 and (known or self._belongs or self._meant)
            about = self._more.name if closer else self.doing
        outdated = about in [one.name for one in self._changed] and meant["id"] in self._outdated
        if outdated or (self.name, about) in but:
            return None
        if about == self.doing:
            return self._done(meant)
        return self._told(meant, asked) if about == asked.name else self._told_more(meant)

    @property
    def doing(self) -> str:
        return f"{self._verb}_{self.target}"

    @property
    def owners(self) -> list[str]:
        """What the rows are of, without the from and to of several."""
        return list(dict.fromkeys(re.sub(r"^(from|to)_", "", one) for one in self._owners))

    @property
    def target(self) -> str:
        """What something is done with, and more is told of."""
        return self._meant or self.name

    def tools(self) -> dict[str, dict[str, Any]]:
        one, changed = f"{self.target}_id", [one.name for one in self._changed]
        listing, doing = _tool(self._listing), _tool(self.doing, one, *([] if self._optional else changed))
        if self._optional:
            _may_be_told(doing, changed)
        told = [one, *([self._day.name] if self._day else [])]
        closer = {self._closer: _tool(self._closer, *told)} if self._hard > _EASY else {}
        return {self._listing: listing, **closer, self.doing: doing}

    def _told(self, meant: Mapping[str, Any], asked: Field) -> _Part:
        text = f"{asked.asked_of(self._which(meant, asked))}."
        return _Part(text, (self.name, asked.name), [], asked.answered(meant[asked.name]), meant[asked.name])

    def _told_more(self, meant: Mapping[str, Any]) -> _Part:
        one, which = self._of_target(meant)
        told = {self._day.name: self._lot.value(self._day)} if self._day else {}
        rows = self._shown.setdefault((one, *told.values()), self._closer_rows(one))
        row = self._chance.choice(rows)
        if self._belongs:
            known = self._known(row) if len(rows) > 1 else ""
            which = f"the {_said(self._belongs)}{known} of {which}"
        shown: dict[str, Any] = {plural(self._belongs): rows} if self._belongs else {self.target: row}
        if self._belongs and self._closer == f"get_{self.target}":
            shown = {self.target: {"id": one}, **shown}
        steps = [_call(self._closer, {f"{self.target}_id": one, **told}), _result(shown)]
        value = row[self._more.name]
        text = self._more.asked_of(which) + "".join(f" on {in_prose(day)}" for day in told.values())
        return _Part(f"{text}.", (self.name, self._more.name), steps, self._more.answered(value), value)

    def _closer_rows(self, of: int) -> list[dict[str, Any]]:
        if self._belongs is None:
            return [{"id": of, self._more.name: self._lot.value(self._more)}]
        names = self._lot.names(self._known_by, self._lot.most(3))
        ids = self._chance.sample(range(1, 16), len(names))
        known_by = f"{self._known_by.name}_name" if self._of_owner else self._known_by.name
        return [
            {"id": one, known_by: name, self._more.name: self._lot.value(self._more, names)}
            for one, name in zip(ids, names, strict=True)
        ]

    def _known(self, row: Mapping[str, Any]) -> str:
        """How one of what belongs to it is told from the others."""
        if self._of_owner:
            return f" of the {self._known_by.said} “{row[f'{self._known_by.name}_name']}”"
        by_name = "" if self._known_by.name == "name" else f" with {self._known_by.said}"
        return f"{by_name} “{row[self._known_by.name]}”"

    def _done(self, meant: Mapping[str, Any]) -> _Part:
        one, which = self._of_target(meant)
        values = dict[Field, Any]()
        arguments = {f"{self.target}_id": one}
        if self._changed and not (self._optional and self._chance.random() < 0.5):
            values = {field: self._lot.value(field, list(meant.values())) for field in self._changed}
            arguments |= {field.name: value for field, value in values.items()}
            self._outdated.add(meant["id"])
        steps = [_call(self.doing, arguments), _result({"ok": 1})]
        verb = self.said_otherwise or self._verb
        if self.said_otherwise and self._chance.random() < _ANOTHER:
            others = [field.said for field in values if not field.is_time and field.kind != "count"]
            verb, which = ("give", f"{which} another {others[0]}") if others else (verb, which)
        said, optional = (_said(verb), _said(self.target), which), self._optional
        text = asked_to(*said, values, self._hard, self._chance, optional=optional)
        if not values and self._chance.random() < _ASIDE * self._hard:
            text += self._lot.aside()
        return _Part(f"{text}.", (self.name, self.doing), steps)

    def _of_target(self, meant: Mapping[str, Any]) -> tuple[int, str]:
        """The id of what something is done with, and how it is spoken of."""
        if self._meant is None:
            return meant["id"], self._which(meant)
        return meant[f"{self._meant}_id"], f"the {_said(self._meant)} of {self._which(meant)}"

    def _which(self, meant: Mapping[str, Any], asked: Field | None = None) -> str:
        """What it is called, or now and then another value that no other row has, and that is not asked for."""
        by, chance = self._chance.choice(self.fields), self._chance
        thing = f"{'my' if '_my_' in self._listing else 'the'} {_said(self.name)}"
        sign = by not in self._changed and by != asked and by.kind != "money"
        if sign and self._only(by.name, meant) and chance.random() < self._hard / 2:
            return f"{thing} {by.sign(meant[by.name])}"
        for owner in chance.sample(self._told_owners, len(self._told_owners)):
            name = f"{owner}_name"
            if owner != self._meant and self._only(name, meant) and chance.random() < self._hard / 2:
                return f"{thing} of the {_said(owner)} “{meant[name]}”"
        by_name = "" if self._named.name in ("name", "title") else f"with {self._named.said} "
        return f"{thing} {by_name}“{meant[self._named.name]}”"

    def _only(self, name: str, meant: Mapping[str, Any]) -> bool:
        """Whether no other row has its value there."""
        return [row[name] for row in self._rows].count(meant[name]) == 1

    def _drawn_rows(self, number: int) -> list[dict[str, Any]]:
        """Each with another id and another text to be known by, the fields in one order."""
        chance, names = self._chance, self._lot.names(self._named, number)
        order = chance.sample([one.name for one in self.fields], len(self.fields))
        # Mostly the name comes first, as in environments: who reads a value knows already whose it is.
        order.insert(chance.randint(0, len(order)) if chance.random() < _NAMED_LATE else 0, self._named.name)
        ids, owners = chance.sample(range(1, 16), number), chance.sample(range(1, 16), number)
        rows = list[dict[str, Any]]()
        for one, owner, name in zip(ids, owners, names, strict=True):
            values = {field.name: self._lot.value(field, [*names, *self._in_like(field.name)]) for field in self.fields}
            values |= self._lot.span_of(self._span, [row[self._span[0].name] for row in rows]) if self._span else {}
            values[self._named.name] = name
            rows.append({"id": one} | {name: values[name] for name in order} | self._owned(owner, names))
        return rows

    def _owned(self, owner: int, names: Sequence[str]) -> dict[str, Any]:
        ids = {f"{self._meant}_id": owner} if self._meant else {}
        return ids | {f"{one}_name": self._owner(f"{one}_name", names) for one in self._told_owners}

    def _owner(self, name: str, but: Sequence[str]) -> Any:
        """Mostly one that owns a row of the other thing as well, where both have such owners."""
        known = [one for one in self._in_like(name) if one not in but]
        return self._chance.choice(known) if known and self._chance.random() < _SAME else self._lot.value(_OWNER, but)

    def _in_like(self, name: str) -> list[Any]:
        return [row[name] for row in self._like if name in row]

    def _naming(self) -> Field:
        chance = self._chance
        if chance.random() < self._hard / 4:
            return self._lot.field_of("code", "code")
        name = chance.choice(("name", *_NAMINGS[:-1])) if chance.random() < 0.8 else self._lot.name()
        return self._lot.field_of(name, "phrase" if chance.random() < _PHRASES * self._hard else "text")

    def _owner_names(self) -> list[str]:
        """None, one, or two of a kind, such as from where and to where."""
        if self._chance.random() >= self._hard / 2:
            return []
        owner = self._lot.name()
        return [f"from_{owner}", f"to_{owner}"] if self._chance.random() < 0.3 else [owner]

    def _changed_fields(self) -> list[Field]:
        """None, one, or several, but one time only or a span of it; of a thing itself at most one that rows show."""
        lot, chance = self._lot, self._chance
        number = lot.most(3) if chance.random() < 0.6 else 0
        if number and chance.random() < _SPAN * self._hard:
            return [*lot.span(), *[lot.count()][: number - 1]]
        fields = [] if self._meant else self.fields[-1:]
        while len(fields) < number:
            if chance.random() < _COUNTED * self._hard:
                field = lot.count()
            else:
                field = lot.written(self._named.name) if chance.random() < _WRITTEN * self._hard else lot.field()
            times = any(one.is_time and field.is_time for one in fields)
            if not times and field.name not in [one.name for one in fields]:
                fields.append(field)
        return fields[:number]

    def _closer_name(self) -> str:
        """It may be named after the thing as well, and still is not the tool that lists it."""
        if self._belongs is None or self._chance.random() < 0.5:
            return f"get_{self.target}" + ("_day" if self._day and self._chance.random() < 0.5 else "")
        return f"{self._chance.choice(LISTS)}_{plural(self._belongs)}" + self._chance.choice(
            ("", *[f"_of_{self.target}"] * 2)
        )


def _said(name: str) -> str:
    return name.replace("_", " ")


def _tool(name: str, *parameters: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {one: {} for one in parameters}, "required": list(parameters)}
    return {"type": "function", "function": {"name": name, "parameters": schema}}


def _may_be_told(tool: Mapping[str, Any], names: Iterable[str]) -> None:
    """Give it parameters that may be left out."""
    properties = tool["function"]["parameters"]["properties"]
    properties |= {name: {} for name in names if name not in properties}


def _asks(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def _call(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function", "function": function}]}


def _result(found: Mapping[str, Any]) -> dict[str, Any]:
    return {"role": "tool", "content": json.dumps(found, separators=(",", ":")), "tool_call_id": "c"}


def _fields(told: Sequence[_Part]) -> dict[tuple[str, str], AnswerField]:
    """The field of each thing that is told; what two things have in common has the thing in its name."""
    abouts = dict.fromkeys(one.about for one in told)
    alike, types = Counter(field for _, field in abouts), {one.about: one.value for one in told}
    return {
        about: AnswerField(
            name=about[1] if alike[about[1]] == 1 else "_".join(about),
            type="text" if isinstance(types[about], str) else "number",
            description=_said(" ".join(reversed(about))),
        )
        for about in abouts
    }


def _finish(fields: list[AnswerField]) -> dict[str, Any]:
    parameters = finish_schema(AnswerForm(fields=fields), [])
    return {"type": "function", "function": {"name": FINISH, "parameters": parameters}}


def _reports(answers: Mapping[str, Any], message: str) -> dict[str, Any]:
    return _call(FINISH, {"outcome": "done", "answers": answers, "reason": None, "message": message})
