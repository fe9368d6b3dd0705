"""The solver: works through a request part by part, with nothing but the tools it is shown and what they return.

Belongs here: one message of the assistant, from what a chat shows. Does not: how tools are chosen (`planning`) and
arguments found (`binding`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from envfactory_dagster.language.embedded.roles import transcript
from envfactory_dagster.language.embedded.roles.answering import answer
from envfactory_dagster.language.embedded.roles.compound import Step, joined, step
from envfactory_dagster.language.embedded.roles.dial import Dial, Mistake, random_of
from envfactory_dagster.language.embedded.roles.evidence import Evidence
from envfactory_dagster.language.embedded.roles.planning import Call, Move, Planner, signature
from envfactory_dagster.language.embedded.roles.reporting import CANNOT, NO_WAY, NOTHING, finish_in, report
from envfactory_dagster.language.embedded.roles.request import Part, parts
from envfactory_dagster.language.embedded.roles.rules import from_rules
from envfactory_dagster.language.embedded.roles.things import Reader
from envfactory_dagster.language.embedded.roles.transcript import ASK, Notes, Transcript, need
from envfactory_dagster.language.embedded.roles.words import thing_of

_MOST_READINGS, _MOST_ROUNDS = 3, 4
"""Messages that a question and a change may take before what is known has to do."""
_MOST_QUESTIONS = 2
_MOST_TRIES = 6
"""So many things are tried where the person does not mind which."""
_LIST_TOOLS, _CALL_TOOL = "list_tools", "call_tool"


@dataclass(frozen=True, slots=True)
class _Said:
    """What to say, with the notes that go with it."""

    calls: list[Call]
    notes: Notes
    text: str = ""


def solve(
    messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]], dial: Dial, seed: int
) -> dict[str, Any]:
    """The next message, in the OpenAI form."""
    finish = finish_in(tools)
    tools = [one for one in tools if one is not finish]
    seen = transcript.read(messages, tools)
    if finish is not None and not tools:
        return _reporting(seen.said or seen.notes.told, finish, seen)
    names = {(one.get("function") or {}).get("name") for one in tools}
    if {_LIST_TOOLS, _CALL_TOOL} <= names and not seen.catalogue.wrapped:
        return _message(_Said([(_LIST_TOOLS, {})], seen.notes), "I have to know which tools there are.", wrapped=False)
    known = from_rules(seen.request, seen.rules) if seen.is_new else None
    if known is not None and finish is not None:
        return _reporting([known], finish, seen)
    if known is not None:
        return _message(_Said([], seen.notes, known), "The rules say it.", seen.catalogue.wrapped)
    todo = joined(parts(seen.request, seen.now))
    said = _next(seen, todo, dial, seed)
    if not said.calls and finish is not None and said.text != ASK:
        return _reporting(said.notes.told, finish, seen)
    thought = (
        f"Part {said.notes.part + 1} of {len(todo)}." if said.calls else "Everything was tried; I tell the result."
    )
    return _message(said, thought, seen.catalogue.wrapped)


def _next(seen: Transcript, todo: Sequence[Part], dial: Dial, seed: int) -> _Said:
    notes = _carried_on(seen, todo)
    while notes.part < len(todo):
        part = todo[notes.part]
        mistake = dial.mistake(seen.request, notes.part, seed)
        if mistake == "stops_early":
            return _closing(replace(notes, part=len(todo)))
        if mistake == "over_asking" and notes.asked < _MOST_QUESTIONS:
            return _Said([], replace(notes, asked=notes.asked + 1), ASK)
        reckoned = _reckoned(seen, part, notes)
        if reckoned is not None:
            known = replace(notes, figures=notes.figures | reckoned.figures, among=reckoned.among or notes.among)
            if reckoned.calls:
                return _Said(reckoned.calls, replace(known, final=reckoned.final))
            notes, seen = _leave(known, reckoned.told), replace(seen, of_part=Evidence(), results={})
            continue
        calls, final = _moves(seen, part, notes)
        may_ask = seen.can_ask and not notes.added and not notes.refused
        if not calls and may_ask and (lacking := _planner(seen, part, notes).lacking()):
            return _Said([], notes, " ".join([*notes.told, need(notes.part, lacking)]))
        if calls:
            spoiled = _spoiled(calls, mistake, final, random_of("spoil", seen.request, notes.part, seed))
            return _Said(spoiled, replace(notes, final=final, focus=calls[-1][1] if final else notes.focus))
        notes = _leave(notes, _declined(notes) if notes.refused else _found(seen, part))
        seen = replace(seen, of_part=Evidence(), results={})
    return _closing(notes)


def _carried_on(seen: Transcript, todo: Sequence[Part]) -> Notes:
    """Where the work stands now that the last message was answered."""
    notes = seen.notes
    if not seen.latest or not notes.final:
        return replace(notes, round=notes.round + len(seen.latest[:1]))
    refused = next((one for one in seen.latest if one.error), None)
    if refused is None:
        return replace(_leave(notes, "That is done."), focus=notes.focus | _ids_of(seen.latest[-1].value))
    declined = replace(notes, final=False, refused=[*notes.refused, [refused.tool, refused.arguments, refused.error]])
    if todo[notes.part].is_free and len(declined.refused) <= _MOST_TRIES:
        return declined
    return _leave(declined, _declined(declined))


def _declined(notes: Notes) -> str:
    reasons = dict.fromkeys(str(error) for *_, error in notes.refused)
    return f"{CANNOT}{'; '.join(reasons)}."


def _ids_of(value: Any) -> dict[str, Any]:
    """What a change has made."""
    return {name: one for name, one in value.items() if thing_of(name)} if isinstance(value, dict) else {}


def _leave(notes: Notes, told: str) -> Notes:
    return replace(notes, part=notes.part + 1, round=0, final=False, told=[*notes.told, told], refused=[], added={})


def _moves(seen: Transcript, part: Part, notes: Notes) -> tuple[list[Call], bool]:
    planner = _planner(seen, part, notes)
    patient = notes.round < (_MOST_READINGS if part.is_question else _MOST_ROUNDS)
    if part.is_question:
        move: Move = planner.question(patient)
        if not move.calls and patient:
            move = planner.follow_ups()
    else:
        move = planner.command(patient)
    return move.calls, move.final


def _reckoned(seen: Transcript, part: Part, notes: Notes) -> Step | None:
    """What reckoning comes to, where that is what the part asks for."""
    if notes.refused or notes.added or notes.round > _MOST_ROUNDS:
        return None
    planner = _planner(seen, part, notes)
    reader = Reader(seen.catalogue, seen.results)
    return step(part, reader, notes.figures, notes.among, lambda one: replace(planner, part=one).ranked(reads=False))


def _planner(seen: Transcript, part: Part, notes: Notes) -> Planner:
    declined = frozenset(signature(name, arguments) for name, arguments, _ in notes.refused)
    may_ask = seen.can_ask and not notes.added
    return Planner(
        seen.catalogue, part, _current(seen, part), seen.made | declined, notes.focus, notes.added, can_ask=may_ask
    )


def _current(seen: Transcript, part: Part) -> Evidence:
    """What was read for this part; a part that goes on about the one before it sees that one's as well."""
    return seen.evidence if part.about_before else seen.of_part


def _found(seen: Transcript, part: Part) -> str:
    told = None
    if part.is_question:
        planner = Planner(seen.catalogue, part, seen.of_part, seen.made, {})
        likely = {tool.name: score for tool, score in planner.ranked(reads=True)}
        told = answer(part, seen.of_part, seen.catalogue.rarity, likely)
    return told or f"{NO_WAY}{part.text}."


def _closing(notes: Notes) -> _Said:
    return _Said([], notes, " ".join(notes.told) or NOTHING)


def _spoiled(calls: list[Call], mistake: Mistake | None, final: bool, rng: Any) -> list[Call]:
    if mistake == "hallucinated_tool":
        return [(f"{calls[0][0]}_directly", calls[0][1]), *calls[1:]]
    if mistake == "malformed_arguments" and calls[0][1]:
        name = rng.choice(sorted(calls[0][1]))
        return [(calls[0][0], calls[0][1] | {name: {"value": calls[0][1][name]}}), *calls[1:]]
    if mistake == "wrong_entity" and final:
        whole = [name for name, value in calls[0][1].items() if isinstance(value, int) and not isinstance(value, bool)]
        wrong = {name: max(1, calls[0][1][name] + rng.choice([-1, 1, 2])) for name in whole[:1]}
        return [(calls[0][0], calls[0][1] | wrong)]
    return calls


def _reporting(told: Sequence[str], finish: Mapping[str, Any], seen: Transcript) -> dict[str, Any]:
    call = finish["function"]["name"], report(told, finish, seen.rules)
    return _message(_Said([call], seen.notes), "Everything was tried; I hand in my report.", wrapped=False)


def _message(said: _Said, thought: str, wrapped: bool) -> dict[str, Any]:
    if not said.calls:
        return {"role": "assistant", "content": said.text, "reasoning_content": thought}
    return {
        "role": "assistant",
        "content": said.notes.written(),
        "reasoning_content": thought,
        "tool_calls": [_call(place, call, said.notes, wrapped) for place, call in enumerate(said.calls)],
    }


def _call(place: int, call: Call, notes: Notes, wrapped: bool) -> dict[str, Any]:
    name, arguments = call
    if wrapped:
        name, arguments = _CALL_TOOL, {"tool_name": name, "arguments": arguments}
    identity = f"call_{notes.part}_{notes.round}_{place}"
    return {
        "id": identity,
        "type": "function",
        "function": {"name": name, "arguments": orjson.dumps(arguments).decode()},
    }
