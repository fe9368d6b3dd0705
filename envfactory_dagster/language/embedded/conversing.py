"""The embedded author of conversations: turns out of a task's words and calls.

Belongs here: its answers to everything that is asked on the way to a conversation. Does not: playing one (`rollouts`).

It understands little: which part of a text a call serves it tells by the words they share. It refines nothing, and has
nobody change their mind.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.conversations import (
    ChosenWishes,
    ConversationAnswer,
    ConversationContext,
    FurtherWishesAnswer,
    FurtherWishesContext,
    MissingParameterAnswer,
    MissingParameterContext,
    RulesQuestionAnswer,
    RulesQuestionContext,
    TaskToTell,
    ToldTask,
    ToldTurn,
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
_NUMBER = re.compile(r"(?<![\w.,:-])\d+(?:\.\d+)?(?![\w:-]|\.\d)")
_LEAST_TURNS, _MOST_TOOLS = 3, 5
_LOOKING_UP = ("list_", "search_", "find_", "get_", "summarize_")
_SITUATIONS = (
    "A busy week is about to begin, and before it does everything is to be settled.",
    "After a long absence a few things have piled up that want to be dealt with.",
    "A visit of the family is coming up, and there should be no loose ends by then.",
    "Going through old notes brought up things that were left undone.",
)
_INSISTING = (
    ("make an exception for once", "Could you not make an exception for once?"),
    ("say that it matters a lot and ask for another way", "It matters a lot to me. Is there really no way?"),
)
_PERSONAS = (
    "Somebody friendly and brief, who comes to the point and knows what they want.",
    "A careful person who names things exactly and takes one thing after the other.",
    "A regular of the service, in a hurry, who talks plainly.",
)


# -- from tasks to conversations --------------------------------------------------------------------------------------


def further_wishes(context: FurtherWishesContext, seed: int) -> FurtherWishesAnswer:
    """The first of each tool."""
    chosen = []
    for task in context.tasks:
        first = {wish.tool: wish.number for wish in reversed(task.wishes)}
        chosen.append(ChosenWishes(task=task.task, wishes=sorted(first.values())[: task.most]))
    return FurtherWishesAnswer(tasks=chosen)


def conversation(context: ConversationContext, seed: int) -> ConversationAnswer:
    return ConversationAnswer(conversations=[_told(task) for task in context.tasks])


def _told(task: TaskToTell) -> ToldTask:
    """Each wish of the text in a turn, with the calls that share its words; where that makes too few, what has to be
    looked up is asked for first."""
    own = [part for part in task.parts if not part.besides]
    ends = list(accumulate(len(part.calls) for part in own))
    cuts = [end for end, after in zip(ends, own[1:], strict=False) if not after.goes_on]
    calls = [call for part in own for call in part.calls]
    turns: list[tuple[str, int]] = []
    done = 0
    for stretch in _Division(_parts(task.text), calls, [*cuts, ends[-1]]).best():
        begin, done = done, done + stretch.calls
        turns.append((stretch.goal, sum(begin < end <= done for end in ends)))
    place = 0
    while place < len(turns) and len(turns) + len(task.parts) - len(own) < _LEAST_TURNS:
        goal, parts = turns[place]
        [first, *more] = own[sum(parts for _, parts in turns[:place])].calls
        place += 1
        if parts > 1 and not more and first.tool.startswith(_LOOKING_UP):
            turns[place - 1 : place] = [
                (f"show me the {' '.join(first.tool.split('_')[1:])} first", 1),
                (goal, parts - 1),
            ]
    turns += [(_AND.join(f"tell me {one[:1].lower()}{one[1:]}" for one in part.besides), 1)
              for part in task.parts if part.besides]  # fmt: skip
    said = [ToldTurn(kind="wish", parts=parts, goal=goal, request=_request(goal)) for goal, parts in turns]
    if task.refused:
        lacking = max(0, _LEAST_TURNS - len(said))
        said += [ToldTurn(kind="insist", parts=0, goal=goal, request=request) for goal, request in _INSISTING[:lacking]]
    rng = rng_of(task.task, "conversation")
    return ToldTask(
        task=task.task,
        scenario=rng.choice(_SITUATIONS),
        persona=rng.choice(_PERSONAS),
        turns=said,
    )


def _request(goal: str) -> str:
    return " ".join(f"{'Also, please' if n else 'Please'} {wish}." for n, wish in enumerate(goal.split(_AND)))


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
class _Stretch:
    goal: str
    calls: int


@dataclass(frozen=True)
class _Division:
    """The parts of a text, and the calls that are to be divided among them at the cuts."""

    parts: Sequence[str]
    calls: Sequence[CallShown]
    cuts: Sequence[int]

    def best(self) -> list[_Stretch]:
        """Stretches of calls for stretches of the text, so that each call stands with the words it shares most."""
        ends = [0, *self.cuts]

        @cache
        def divided(part: int, begin: int) -> tuple[float, tuple[tuple[int, int], ...]]:
            if part == len(self.parts) and begin == len(self.calls):
                return 0.0, ()
            found = [
                (score + self._fit(part, next_part, begin, end), ((next_part, end), *rest))
                for next_part in range(part + 1, len(self.parts) + 1)
                for end in ends
                if end > begin and self._tools(begin, end) <= _MOST_TOOLS
                for score, rest in [divided(next_part, end)]
            ]
            return max(found, key=lambda one: one[0], default=(-1e9, ()))

        _, chosen = divided(0, 0)
        if not chosen:  # more stretches than parts: the last part takes what is left
            return self._by_force()
        turns: list[_Stretch] = []
        part, begin = 0, 0
        for next_part, end in chosen:
            turns.append(_Stretch(goal=_AND.join(self.parts[part:next_part]), calls=end - begin))
            part, begin = next_part, end
        return turns

    def _by_force(self) -> list[_Stretch]:
        """Turns of as many calls as may be; those after the first go on about the same."""
        turns: list[_Stretch] = []
        begin, calls = 0, len(self.calls)
        while begin < calls:
            fitting = [e for e in self.cuts if e > begin and self._tools(begin, e) <= _MOST_TOOLS]
            end = max(fitting, default=calls)
            goal = _AND.join(self.parts) if not turns else f"go on with this: {self.parts[-1]}"
            turns.append(_Stretch(goal=goal, calls=end - begin))
            begin = end
        return turns

    def _fit(self, part: int, next_part: int, begin: int, end: int) -> float:
        """How many words the calls share with each part of the text; a little for every turn, to have many."""
        texts = [one.lower() for one in self.parts[part:next_part]]
        return 0.3 + sum(_shared(text, call) for call in self.calls[begin:end] for text in texts) / len(texts)

    def _tools(self, begin: int, end: int) -> int:
        return len({call.tool for call in self.calls[begin:end]})


def _shared(text: str, call: CallShown) -> float:
    words = {word[:5] for word in _STEM.findall(text)}
    named = {word[:5] for word in _STEM.findall(call.tool.replace("_", " "))}
    said = sum(isinstance(value, str) and value.lower() in text for value in call.arguments.values())
    return len(words & named) + 3.0 * said


# -- variants ----------------------------------------------------------------------------------------------------------


def missing_parameter(context: MissingParameterContext, seed: int) -> MissingParameterAnswer:
    requests, goals = [turn.request for turn in context.turns], [turn.goal for turn in context.turns]
    for written in context.spellings:
        without = [_without(request, written) for request in requests]
        if without != requests:
            goals = [_without(goal, written) for goal in goals]
            return MissingParameterAnswer(goals=goals, requests=without, answers=[f"It is {written}."])
    return MissingParameterAnswer(goals=goals, requests=requests, answers=[])


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
    scenario, persona = _SITUATIONS[len(context.asked) % len(_SITUATIONS)], _PERSONAS[0]
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
