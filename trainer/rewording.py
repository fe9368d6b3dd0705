"""The same example in other words, so that a policy learns to look names up instead of knowing them by heart.

Belongs here: exchanging the words that tools, parameters and the fields of results are named with, everywhere in an
example alike: in the list of tools and its descriptions, the request, the calls, the results. Does not: choosing
examples (`sft`).

What is exchanged is taken from the names of other environments, or put together from two of them, so that there is
always something new to copy. The frame of a tool's schema keeps its words. Before that, tools that list something may
be named with another verb: whether a thing is listed, searched or found, only the list of tools tells. And the list of
tools is another one, so that who knows the environment by them knows nothing: in another order, without some that are
not called, with some of other environments.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from trainer.cells import rows_of
from trainer.naming import about
from trainer.plurals import plural, singular

_WORD = re.compile(r"[A-Za-z]+")
_SAID = ("name", "description", "required", "enum", "default")
"""Where a schema holds words of the environment; `properties` beside."""
_OF_REPORTS = (
    "finish",
    "outcome",
    "answer",
    "reason",
    "message",
    "done",
    "refused",
    "impossible",
    "need",
    "information",
)
_COMMON = frozenset(("list", "search", "find", "get", "name", "cent", "day", "the", "for", "from", "what", "with"))
_COMMON = _COMMON.union(_OF_REPORTS)
"""What they say of a tool or a field is the same everywhere, or requests or reports are made of them."""
_PROSE = frozenset(("since", "until", "most", "least", "own"))
"""Fields of results have them in their names, and requests for other things: exchanged where tools have them too."""
_LISTING = re.compile(r"(?:list|search|find)_(my_)?(.+)")
_LISTING_VERBS = ("list", "search", "find")
_OTHER_OWNER = 0.3
"""So often a tool that lists something loses its `my`, or gets one."""
_SHARE = 0.7
"""Of the words of an example's names, and of its tools that list something, so many are exchanged."""
_LEFT_OUT = 0.3
"""Of the tools that are not called, so many are not offered; about as many of other environments are."""
_INVENTED = 0.2
"""Of the words that come instead, so many are in no environment: they are read letter by letter, which takes time."""


def reworded(rows: Sequence[Mapping[str, Any]], copies: int, seed: int) -> list[dict[str, Any]]:
    """Copies of the rows, each in words and among tools of its own; `copies` for each in the mean, more of what is
    rare."""
    if not copies:
        return []
    known = sorted({word for row in rows for word in _exchangeable(row)})
    others = list({one["function"]["name"]: one for row in rows for one in row["tools"]}.values())
    chance, found = Random(seed), list[dict[str, Any]]()
    for row, wanted in zip(rows, _allotted(rows, copies), strict=True):
        for _ in range(int(wanted + chance.random())):
            other = offered_otherwise(row, others, chance)
            other = with_names(other, listed_otherwise(other["tools"], chance))
            found.append(in_other_words(other, exchanged(other, known, chance)))
    return found


def _allotted(rows: Sequence[Mapping[str, Any]], copies: int) -> list[float]:
    """Of rows with the same calls, four times as many get twice as many copies. What every environment has, such as
    somebody's own profile, would else be most of what is learned."""
    calls = [_called(row) for row in rows]
    times = Counter(calls)
    weights = [times[one] ** -0.5 for one in calls]
    return [copies * len(rows) * weight / sum(weights) for weight in weights]


def _called(row: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(call["function"]["name"] for one in row["messages"] for call in one.get("tool_calls") or [])


def offered_otherwise(row: Mapping[str, Any], others: Sequence[Mapping[str, Any]], chance: Random) -> dict[str, Any]:
    """The row with its tools in another order, among others: of those that are not called some are left out, and some
    of other environments are offered, if they are about something else. What stands beside a tool tells nothing."""
    called = _called(row)
    kept = [one for one in row["tools"] if one["function"]["name"] in called or chance.random() >= _LEFT_OUT]
    wanted = chance.randint(0, round(2 * _LEFT_OUT * len(row["tools"])))
    taken = {about(one["function"]["name"]) for one in row["tools"]}
    for other in chance.sample(others, min(wanted, len(others))):
        if about(other["function"]["name"]) not in taken:
            taken.add(about(other["function"]["name"]))
            kept.append(dict(other))
    return {**row, "tools": chance.sample(kept, len(kept))}


def name_words(tools: Iterable[Mapping[str, Any]]) -> set[str]:
    """The words that tools and parameters are named with, in the singular; not the shortest, such as `my` and `id`, and
    none that everybody has."""
    return _words(name for tool in tools for name in (tool["function"]["name"], *_parameters(tool)))


def _exchangeable(row: Mapping[str, Any]) -> set[str]:
    """Beside those of the tools the words of fields that only results have: of two answers in three nothing else says
    what was asked for, and there are so few of them that they would be known by heart."""
    told = [one for one in row["messages"] if one["role"] == "tool"]
    return name_words(row["tools"]) | (_words(name for one in told for name in _fields(one.get("content"))) - _PROSE)


def _words(names: Iterable[str]) -> set[str]:
    return {singular(word.lower()) for name in names for word in _WORD.findall(name) if len(word) > 2} - _COMMON


def _fields(content: Any) -> Iterable[str]:
    return {field for row in rows_of(str(content)) for field in row.cells}


def listed_otherwise(tools: Iterable[Mapping[str, Any]], chance: Random) -> dict[str, str]:
    """Tool → what it is called in a copy. No two have one name; where one's own and all are listed, `my` stays."""
    taken = [tool["function"]["name"] for tool in tools]
    listed = Counter(listing[2] for name in taken if (listing := _LISTING.fullmatch(name)))
    names = dict[str, str]()
    for name in tuple(taken):
        listing = _LISTING.fullmatch(name)
        if listing is not None and chance.random() < _SHARE:
            other_owner = listed[listing[2]] == 1 and chance.random() < _OTHER_OWNER
            mine = (listing[1] is not None) != other_owner
            other = f"{chance.choice(_LISTING_VERBS)}_{'my_' if mine else ''}{listing[2]}"
            if other not in taken:
                names[name] = other
                taken.append(other)
    return names


def with_names(row: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The row with tools called otherwise, where they are offered and where they are called."""

    def named(one: Mapping[str, Any]) -> dict[str, Any]:
        return {
            **one,
            "function": {**one["function"], "name": names.get(one["function"]["name"], one["function"]["name"])},
        }

    def told(one: Mapping[str, Any]) -> Mapping[str, Any]:
        """Its calls, and of a result which tool told it."""
        calls = {"tool_calls": [named(call) for call in one["tool_calls"]]} if one.get("tool_calls") else {}
        return {**one, **calls, **({"name": names.get(one["name"], one["name"])} if "name" in one else {})}

    return {**row, "tools": [named(tool) for tool in row["tools"]], "messages": [told(one) for one in row["messages"]]}


def exchanged(row: Mapping[str, Any], known: Sequence[str], chance: Random) -> dict[str, str]:
    """Word → the word that stands for it in a copy of this row."""
    own = sorted(_exchangeable(row))
    strange = [word for word in known if word not in own]
    if len(strange) < len(own):
        return {}
    chosen = [word for word in own if chance.random() < _SHARE]
    instead = chance.sample(strange, len(chosen))
    return {word: _new(other, strange, chance) for word, other in zip(chosen, instead, strict=True)}


def in_other_words(row: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    tools = [{**tool, "function": _schema(tool["function"], words)} for tool in row["tools"]]
    return {**row, "tools": tools, "messages": [_message(one, words) for one in row["messages"]]}


def _text(given: str, words: Mapping[str, str]) -> str:
    return _WORD.sub(lambda match: _instead(match[0], words), given)


def _whole(given: Any, words: Mapping[str, str]) -> Any:
    """Every text in it, however deep."""
    if isinstance(given, str):
        return _text(given, words)
    if isinstance(given, list):
        return [_whole(one, words) for one in given]
    if isinstance(given, dict):
        return {_text(name, words): _whole(one, words) for name, one in given.items()}
    return given


def _schema(given: Any, words: Mapping[str, str]) -> Any:
    """Only what the environment says in it: names, values, descriptions."""
    if not isinstance(given, dict):
        return given
    changed = {name: _schema(one, words) for name, one in given.items()}
    if isinstance(given.get("properties"), dict):
        changed["properties"] = {_text(name, words): _schema(one, words) for name, one in given["properties"].items()}
    return changed | {name: _whole(given[name], words) for name in _SAID if name in given}


def _message(given: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    changed = {**given, "content": _whole(given.get("content"), words)}
    if "name" in given:
        changed["name"] = _text(given["name"], words)
    if given.get("tool_calls"):
        changed["tool_calls"] = [
            {**call, "function": {name: _text(one, words) for name, one in call["function"].items()}}
            for call in given["tool_calls"]
        ]
    return changed


def _instead(word: str, words: Mapping[str, str]) -> str:
    found = words.get(singular(word.lower()))
    if found is None:
        return word
    found = plural(found) if singular(word.lower()) != word.lower() else found
    return found.capitalize() if word[0].isupper() else found


def _new(word: str, known: Sequence[str], chance: Random) -> str:
    """The word itself, or now and then its beginning with the end of another one."""
    if chance.random() >= _INVENTED:
        return word
    other = chance.choice(known)
    return word[: (len(word) + 1) // 2] + other[len(other) // 2 :]


def _parameters(tool: Mapping[str, Any]) -> Iterable[str]:
    found: Iterable[str] = tool["function"]["parameters"].get("properties", {})
    return found
