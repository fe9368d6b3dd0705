"""The reference solution of a walk, as a program: it looks up each item by its signs, and no number of a row is in it.
At its end it reports what it found.

Belongs here: writing the program. Does not: running it (`tasks.proving`).
"""

from collections.abc import Sequence
from typing import Any

from envfactory_dagster.tasks.graph_tasks.fields import AskedField, Part, description
from envfactory_dagster.tasks.graph_tasks.reading import placed
from envfactory_dagster.tasks.graph_tasks.steps import (
    Chosen,
    Here,
    Item,
    KnownValue,
    Loop,
    LoopCall,
    Shown,
    Sign,
    Source,
    Walked,
    WantedAnswer,
)
from envfactory_dagster.truth.programs import call_text

DONE = "It is done."


class _Code(str):
    """An expression, as it stands."""

    def __repr__(self) -> str:
        return str(self)


def program(walked: Walked, fields: Sequence[AskedField]) -> str:
    """A module with `solve(tools)`. `fields` are those of the answer form."""
    names = {item: f"item_{number}" for number, item in enumerate(walked.items(), 1)}
    lines: list[str] = []
    for step in walked.steps:
        given: Any = placed({path: _expression(source, names) for path, source in step.arguments.items()})
        lines.append(f"shown_{step.number} = {call_text(step.tool, given)}")
        lines += [f"{name} = {_found(item)}" for item, name in names.items() if item.step == step.number]
    if walked.loop is not None:
        lines += _gone_through(walked.loop, names)
    lines += _report(walked, fields, names)
    return "def solve(tools):\n" + "".join(f"    {line}\n" for line in lines)


def _expression(source: Source, names: dict[Item, str]) -> Any:
    if isinstance(source, KnownValue):
        return source.value
    if isinstance(source, Chosen):
        return _Code(f"{names[source.item]}[{source.field!r}]")
    return _Code(_at(f"shown_{source.step}", source.path)) if isinstance(source, Shown) else None


def _gone_through(loop: Loop, names: dict[Item, str]) -> list[str]:
    """Everything is looked up before anything is done: what a deed changes decides nothing."""
    lines = ["found = []", f"for row_0 in {_at(f'shown_{loop.listed}', loop.path)}:"]
    depth = 1

    def add(line: str) -> None:
        lines.append("    " * depth + line)

    if loop.only is not None:
        add(f"if row_0[{loop.only.field!r}] == {loop.only.value!r}:")
        depth += 1
    for place, one in enumerate(loop.rounds, 1):
        if one.path:
            add(f"for row_{place} in {_at(_called(one, names), one.path)}:")
            depth += 1
        else:
            add(f"row_{place} = {_called(one, names)}")
        if one.only is not None:
            add(f"if {_at(f'row_{place}', one.only.field)} == {one.only.value!r}:")
            depth += 1
    rows = ", ".join(f"row_{place}" for place in range(len(loop.rounds) + 1))
    add(f"found.append(({rows},))")
    if loop.deed is not None:
        lines += [f"for ({rows},) in found:", f"    {_called(loop.deed, names)}"]
    return lines


def _called(one: LoopCall, names: dict[Item, str]) -> str:
    given: Any = placed(
        {
            path: _Code(_at(f"row_{source.place}", source.path))
            if isinstance(source, Here)
            else _expression(source, names)
            for path, source in one.arguments.items()
        }
    )
    return call_text(one.tool, given)


def _at(variable: str, path: str) -> str:
    return variable + "".join(f"[{part!r}]" for part in path.split("."))


def _found(item: Item) -> str:
    items = _at(f"shown_{item.step}", item.path)
    if item.signs[0].relation != "is":
        function = "min" if item.signs[0].relation == "least" else "max"
        return f"{function}({items}, key=lambda item: item[{item.signs[0].field!r}])"
    return f"next(item for item in {items} if {' and '.join(map(_condition, item.signs))})"


def _condition(sign: Sign) -> str:
    return f"item[{sign.field!r}] == {sign.value!r}"


# -- the report --------------------------------------------------------------------------------------------------------


def _report(walked: Walked, fields: Sequence[AskedField], names: dict[Item, str]) -> list[str]:
    lines = [f"answer_{n} = {_told(one.telling, names)}{_PARTS[one.part]}" for n, one in enumerate(fields, 1)]
    answers = ", ".join(f"{one.field.name!r}: answer_{n}" for n, one in enumerate(fields, 1))
    sentences = [repr(DONE)] if walked.changes else []
    sentences += [_sentence(telling, fields) for telling in walked.tellings]
    return [
        *lines,
        "return {",
        "    'outcome': 'done',",
        f"    'answers': {{{answers}}},",
        "    'reason': None,",
        f"    'message': ' '.join([{', '.join(sentences)}]),",
        "}",
    ]


def _told(telling: WantedAnswer, names: dict[Item, str]) -> str:
    if telling.about:
        return "len(found)" if telling.how == "count" else f"sum({_at('rows[-1]', telling.field)} for rows in found)"
    result = _at(f"shown_{telling.step}", telling.path)
    if telling.how == "count":
        return f"len({result})"
    if telling.how == "total":
        return f"sum(item[{telling.field!r}] for item in {result})"
    return result if telling.item is None else f"{names[telling.item]}[{telling.field!r}]"


_PARTS: dict[Part, str] = {
    "whole": "",
    "day": "[:10]",
    "time": "[11:16]",
    "exact_time": "[11:]",
    "words": ".replace('_', ' ')",
}


def _sentence(telling: WantedAnswer, fields: Sequence[AskedField]) -> str:
    """A telling as a person is told it: what it is, with its value and unit."""
    said = [(n, one) for n, one in enumerate(fields, 1) if one.telling is telling]
    values = " at ".join(_form(one) for _, one in said)
    given = ", ".join(f"answer_{n} / 100" if one.field.type == "money" else f"answer_{n}" for n, one in said)
    if telling.how == "count":
        return f"{f'There are {values}.'!r}.format({given})"
    return f"{f'{_braced(description(telling))}: {values}.'!r}.format({given})"


def _form(asked: AskedField) -> str:
    if asked.field.type == "money":
        return f"{{:.2f}} {asked.field.unit}"
    return f"{{}} {_braced(asked.field.unit)}" if asked.field.unit else "{}"


def _braced(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
