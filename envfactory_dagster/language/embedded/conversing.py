"""The embedded author of conversations: turns out of a task's words and calls, and saying them as people do.

Belongs here: its answers to everything that is asked on the way to a conversation. Does not: playing one (`roles`).

It understands little: which part of a text a call serves it tells by the words they share. What it writes first names
things by the identifiers that the calls show, and how to find them; the refinements take that out again.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.conversations import (
    ArticulationAnswer,
    ArticulationContext,
    ConversationPlanAnswer,
    ConversationPlanContext,
    MissingParameterContext,
    PlannedTurn,
    RefinementAnswer,
    RefinementContext,
    RulesQuestionAnswer,
    RulesQuestionContext,
    TurnShown,
)
from envfactory_dagster.contracts.reports import AnswerField, AnswerType
from envfactory_dagster.contracts.requests import CallShown
from envfactory_dagster.language.embedded.seeds import rng_of

_QUOTE = re.compile(r"“[^”]*”|\"[^\"]*\"")
_OPENING = re.compile(r"^[^.:;?!]{0,60}:\s+")
_BREAK = re.compile(
    r";\s+(?:(?:and|also)\s+)?|\.\s+(?=[A-Z])|,\s+(?:and\s+)?(?:then|finally|lastly)\s+|,\s+(?=tell me\b)"
    r"|,?\s+and (?:then|finally)\s+"
)
_LEADING = re.compile(r"^(?:please|then|and|also|after that,|once that is done,|lastly,|finally,)\s+", re.IGNORECASE)
_IDLE = re.compile(r"^(?:that is all|there is nothing else)\b", re.IGNORECASE)
_STEM = re.compile(r"[a-z]{3,}")
_AND = "; "
_FOUND_UNDER = re.compile(r"look it up under [^,()]+(?:, )?")
_EMPTY = re.compile(r"\s*\(\s*\)")
_DAY_AND_TIME = re.compile(r"\bof ((\d{1,2}) ([A-Z][a-z]+) (\d{4})) at (\d{1,2}:\d{2})\b")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip
_NUMBER = re.compile(r"(?<![\w.,:-])\d+(?:\.\d+)?(?![\w:-]|\.\d)")
_TOGETHER = 0.4
"""How likely the next thing is said in the same breath."""
_SITUATIONS = (
    (
        "A busy week is about to begin, and before it does everything is to be settled.",
        "I want all settled before a busy week",
    ),
    (
        "After a long absence a few things have piled up that want to be dealt with.",
        "I am catching up after a long absence",
    ),
    (
        "A visit of the family is coming up, and there should be no loose ends by then.",
        "We expect a visit and I want no loose ends",
    ),
    (
        "Going through old notes brought up things that were left undone.",
        "I went through my notes and found things undone",
    ),
)
_PERSONAS = (
    "Somebody friendly and brief, who comes to the point and knows what they want.",
    "A careful person who names things exactly and takes one thing after the other.",
    "A regular of the service, in a hurry, who talks plainly.",
)


# -- the plan ----------------------------------------------------------------------------------------------------------


def conversation_plan(context: ConversationPlanContext, seed: int) -> ConversationPlanAnswer:
    parts = _parts(context.task.text)
    rng = rng_of(context.theme.key, context.task.id, "conversation")
    turns = _Division(parts, context).best()
    turns = _some_together(turns, context, rng.random)
    scenario, _ = rng.choice(_SITUATIONS)
    return ConversationPlanAnswer(scenario=scenario, persona=rng.choice(_PERSONAS), turns=turns)


def _parts(text: str) -> list[str]:
    """What a text asks for, one thing after the other."""
    quotes: list[str] = []

    def hide(match: re.Match[str]) -> str:
        quotes.append(match[0])
        return f"\x00{len(quotes) - 1}\x00"

    found = []
    for piece in _BREAK.split(_OPENING.sub("", _QUOTE.sub(hide, text.strip()))):
        said = _LEADING.sub("", _LEADING.sub("", piece.strip())).strip(" .;,")
        if len(said.split()) > 1 and not _IDLE.match(said):
            plain = said if said.startswith(("I ", "I'")) else said[0].lower() + said[1:]
            found.append(re.sub("\x00(\\d+)\x00", lambda match: quotes[int(match[1])], plain))
    return found or [text.strip(" .")]


@dataclass(frozen=True)
class _Division:
    """The parts of a text, and the calls that are to be divided among them."""

    parts: Sequence[str]
    context: ConversationPlanContext

    def best(self) -> list[PlannedTurn]:
        """Stretches of calls for stretches of the text, so that each call stands with the words it shares most."""
        ends = [0, *self.context.cuts]

        @cache
        def divided(part: int, begin: int) -> tuple[float, tuple[tuple[int, int], ...]]:
            if part == len(self.parts) and begin == len(self.context.calls):
                return 0.0, ()
            found = [
                (score + self._fit(part, next_part, begin, end), ((next_part, end), *rest))
                for next_part in range(part + 1, len(self.parts) + 1)
                for end in ends
                if end > begin and self._tools(begin, end) <= self.context.most_tools
                for score, rest in [divided(next_part, end)]
            ]
            return max(found, key=lambda one: one[0], default=(-1e9, ()))

        _, chosen = divided(0, 0)
        if not chosen:  # more stretches than parts: the last part takes what is left
            return self._by_force()
        turns: list[PlannedTurn] = []
        part, begin = 0, 0
        for next_part, end in chosen:
            turns.append(PlannedTurn(goal=_AND.join(self.parts[part:next_part]), calls=end - begin))
            part, begin = next_part, end
        return turns

    def _by_force(self) -> list[PlannedTurn]:
        """Turns of as many calls as may be; those after the first go on about the same."""
        turns: list[PlannedTurn] = []
        begin, calls = 0, len(self.context.calls)
        while begin < calls:
            fitting = [e for e in self.context.cuts if e > begin and self._tools(begin, e) <= self.context.most_tools]
            end = max(fitting, default=calls)
            goal = _AND.join(self.parts) if not turns else f"go on with this: {self.parts[-1]}"
            turns.append(PlannedTurn(goal=goal, calls=end - begin))
            begin = end
        return turns

    def _fit(self, part: int, next_part: int, begin: int, end: int) -> float:
        """How many words the calls share with each part of the text; a little for every turn, to have many."""
        texts = [one.lower() for one in self.parts[part:next_part]]
        return 0.3 + sum(_shared(text, call) for call in self.context.calls[begin:end] for text in texts) / len(texts)

    def _tools(self, begin: int, end: int) -> int:
        return len({call.tool for call in self.context.calls[begin:end]})


def _shared(text: str, call: CallShown) -> float:
    words = {word[:5] for word in _STEM.findall(text)}
    named = {word[:5] for word in _STEM.findall(call.tool.replace("_", " "))}
    said = sum(isinstance(value, str) and value.lower() in text for value in call.arguments.values())
    return len(words & named) + 3.0 * said


def _some_together(
    turns: list[PlannedTurn], context: ConversationPlanContext, random: Callable[[], float]
) -> list[PlannedTurn]:
    """Now and then two things in one turn, where they do not take too many tools."""
    found: list[PlannedTurn] = []
    begin = 0
    for turn in turns:
        end = begin + turn.calls
        first = begin - (found[-1].calls if found else 0)
        together = len({call.tool for call in context.calls[first:end]}) <= context.most_tools
        if found and together and _AND not in found[-1].goal and random() < _TOGETHER:
            found[-1] = PlannedTurn(goal=f"{found[-1].goal}{_AND}{turn.goal}", calls=found[-1].calls + turn.calls)
        else:
            found.append(turn)
        begin = end
    return found


# -- the first wording -------------------------------------------------------------------------------------------------


def articulation(context: ArticulationContext, seed: int) -> ArticulationAnswer:
    return ArticulationAnswer(
        requests=[_request(turn, context.turns[:number]) for number, turn in enumerate(context.turns)]
    )


def _request(turn: TurnShown, earlier: Sequence[TurnShown]) -> str:
    """Every goal as a sentence, with where to look and the numbers of what is meant, as the calls show them."""
    wishes = turn.goal.split(_AND)
    asides: dict[int, list[str]] = {}
    before = [call for one in earlier for call in one.calls]
    for call in turn.calls:
        place = max(range(len(wishes)), key=lambda n: (_shared(wishes[n].lower(), call), n))
        known = asides.setdefault(place, [])
        known += [one for one in _named(call, before) if one not in known]
        before.append(call)
    sentences = []
    for place, wish in enumerate(wishes):
        aside = ", ".join(asides.get(place, []))
        sentences.append(f"{'Also, please' if place else 'Please'} {wish}{f' ({aside})' if aside else ''}.")
    return " ".join(sentences)


def _named(call: CallShown, before: Sequence[CallShown]) -> Iterator[str]:
    """Where to look a thing up, and what number it has."""
    for name, value in call.arguments.items():
        if name.endswith("_id") and isinstance(value, int | str):
            told = next((one for one in reversed(before) if f":{_json(value)}" in one.result), None)
            if told is not None:
                yield f"look it up under {' '.join(told.tool.split('_')[1:])}"
            yield f"it is {name.removesuffix('_id').replace('_', ' ')} {value}"


def _json(value: Json) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


# -- saying it as people do --------------------------------------------------------------------------------------------


def implicit_reference(context: RefinementContext, seed: int) -> RefinementAnswer:
    numbers = "|".join(map(re.escape, context.identifiers)) or "(?!)"
    naming = re.compile(rf"(?:, )?\bit is [a-z ]+ (?:{numbers})(?!\w)")
    return RefinementAnswer(requests=[_tidy(naming.sub("", turn.request)) for turn in context.turns])


def action_compression(context: RefinementContext, seed: int) -> RefinementAnswer:
    brief = [_tidy(_FOUND_UNDER.sub("", turn.request)) for turn in context.turns]
    return RefinementAnswer(requests=[re.sub(r"\. Also, please ", "; and ", request) for request in brief])


def _tidy(request: str) -> str:
    return _EMPTY.sub("", re.sub(r",\s*\)", ")", re.sub(r"\(\s*,\s*", "(", request)))


def ambiguity(context: RefinementContext, seed: int) -> RefinementAnswer:
    """Leaves the time of day out where there is nothing else on that day."""
    requests, answers = [], []
    for turn in context.turns:
        match = _DAY_AND_TIME.search(turn.request)
        if match is None or not _is_alone(turn.calls, match):
            requests.append(turn.request)
            continue
        requests.append(turn.request.replace(f"{match[1]} at {match[5]}", match[1], 1))
        answers.append(f"I mean the one of {match[1]} at {match[5]}.")
    return RefinementAnswer(requests=requests, answers=answers)


def _is_alone(calls: Sequence[CallShown], match: re.Match[str]) -> bool:
    if match[3] not in _MONTHS:
        return False
    day = f"{match[4]}-{_MONTHS.index(match[3]) + 1:02d}-{int(match[2]):02d}"
    told = " ".join(call.result for call in calls)
    times: dict[str, set[str]] = {}
    for name, time in re.findall(rf'"(\w+)":"{day}T(\d{{2}}:\d{{2}})', told):
        times.setdefault(name, set()).add(time)
    return bool(times) and "…" not in told and all(len(each) == 1 for each in times.values())


def goal_expansion(context: RefinementContext, seed: int) -> RefinementAnswer:
    """Says in the first request what all is for."""
    requests = [turn.request for turn in context.turns]
    aim = next((aim for scenario, aim in _SITUATIONS if scenario == context.scenario), None)
    if aim is not None:
        requests[0] = f"{aim}: {requests[0][0].lower()}{requests[0][1:]}"
    return RefinementAnswer(requests=requests)


# -- variants ----------------------------------------------------------------------------------------------------------


def missing_parameter(context: MissingParameterContext, seed: int) -> RefinementAnswer:
    requests = [turn.request for turn in context.turns]
    for written in context.spellings:
        without = [_without(request, written) for request in requests]
        if without != requests:
            return RefinementAnswer(requests=without, answers=[f"It is {written}."])
    return RefinementAnswer(requests=requests)


def _without(request: str, written: str) -> str:
    quoted = re.compile(rf'(?:the )?((?:\w+ )?)[“"]{re.escape(written)}[”"]')
    if quoted.search(request):
        return quoted.sub(lambda match: f"some {match[1].strip() or 'words'}", request, count=1)
    if re.fullmatch(r"\d+\.\d+", written):
        vague = "a certain amount"
    elif re.search(r"[A-Z][a-z]+ \d{4}|\d{4}-\d{2}", written):
        vague = "a certain time"
    else:
        vague = "some" if written.isdigit() else "another one"
    return re.sub(rf"(?<![\w.,:-]){re.escape(written)}(?![\w:-]|\.\d)", vague, request, count=1)


def rules_question(context: RulesQuestionContext, seed: int) -> RulesQuestionAnswer:
    """A rule with a gap, and what belongs in it: a number where there is one."""
    scenario, persona = _SITUATIONS[len(context.asked) % len(_SITUATIONS)][0], _PERSONAS[0]
    with_numbers = sorted(context.rules, key=lambda rule: _NUMBER.search(rule.text) is None)
    for rule in with_numbers:
        found = _NUMBER.search(rule.text)
        gap = found[0] if found else max(re.findall(r"[A-Za-z]+", rule.text), key=len)
        if len(re.findall(rf"(?<!\w){gap}(?!\w)", rule.text, re.IGNORECASE)) > 1:
            continue
        told = re.sub(rf"(?<!\w){gap}(?!\w)", "…", rule.text).rstrip(".")
        request = f"I only have a question about your rules: “{told}”. What stands in the gap?"
        if request not in context.asked:
            break
    value: Json = gap if found is None else float(gap) if "." in gap else int(gap)
    kind: AnswerType = "text" if found is None else "number" if "." in gap else "integer"
    return RulesQuestionAnswer(
        scenario=scenario,
        persona=persona,
        rule=rule.id,
        request=request,
        answer_form=[AnswerField(name="gap", type=kind, description="what stands in the gap")],
        answers={"gap": value},
        message=f"It is {gap}.",
    )
