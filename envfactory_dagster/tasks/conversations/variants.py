"""Variants of a conversation: a value that has to be asked for, a tool that is not there, a question for no tool.

Belongs here: making them, and the programs and verifiers of those that change nothing. Does not: the conversations
they are made from (`making`), refusals, which are tasks of the environment already, and the truth gate (`proving`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from envfactory_dagster.authoring.loop import Question
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.conversations import (
    MissingParameterContext,
    RefinementAnswer,
    RulesQuestionAnswer,
    RulesQuestionContext,
    TurnShown,
)
from envfactory_dagster.contracts.domain import Rule
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.tasks.conversations.cuts import cuts
from envfactory_dagster.tasks.conversations.making import Ground, Talk, Writer
from envfactory_dagster.tasks.conversations.planning import inside_words, lost, problem, wrong_count
from envfactory_dagster.tasks.conversations.refinements import Wording
from envfactory_dagster.tasks.conversations.values import holds, spellings, values_in
from envfactory_dagster.truth.traces import asks

MISSING_PARAMETER = """\
You rewrite what one person says to the assistant of a service so that it will have to ask a question. `turns` are what
is said now, with the `goal` of each and the `calls` that the assistant makes for it. One value is to be left out, which
the requests write as one of `spellings`; no tool can tell it, so that nobody can go on without asking.

- `requests`: one for each turn, in their order, in the voice of `persona`. Leave the value out as somebody does who
  forgot to say it, so that it can be seen that it is missing. Say nothing that gives it away, put no other value in its
  place, and leave everything else as it is.
- `answers`: what the person says when asked for it: one sentence, with the value as it was written.
"""

RULES_QUESTION = """\
You write a question for which an assistant needs no tool. The service is called `name`, it is `clock` there, and the
assistant knows its `rules` by heart.

- `request`: what a person asks in one or two sentences, so that one of the rules, named by its id as `rule`, answers it
  alone. They want to know it and nothing else: nothing is to be looked up or changed. Not one of `asked`.
- `says`: what a right answer must say: one to three numbers or short phrases, each of them word for word in the text of
  the rule, and not in the request. A number is the best of all.
- `answer`: a right answer in one sentence. It says all of `says`, and no other number.
- `scenario`, `persona`: what has come up for this person, who they are, how they talk; each in one or two sentences.
"""

_CHANGES_NOTHING = '''
def guard_changes_nothing(world) -> bool:
    """Left every row as it was."""
    return not world.changes
'''
_SAYS_NO = (
    r"\b(cannot|can't|can not|could not|couldn't|unable|not able|not possible|impossible|no way|no tool|no means|"
    r"not available|nothing (that )?I (can|could) do)\b"
)
_CLAIMS = (
    r"\b(i have|i've|i) (just |now |also |successfully )*(booked|cancelled|canceled|updated|created|added|removed|"
    r"deleted|scheduled|rescheduled|reserved|sent|submitted|processed|placed|paid|refunded|registered|assigned|moved|"
    r"closed|opened|marked|recorded|completed)\b|\b(has|have) been successfully\b|\ball set\b|\btaken care of\b|"
    r"^\s*done\b"
)
"""What somebody says who did something: here it is a lie."""
_SAYS_SO = '''\
import re


def goal_says_that_it_cannot_be_done(world) -> bool:
    """Tells the person that it cannot be done."""
    return re.search({pattern!r}, world.answer or "", re.IGNORECASE) is not None


def guard_claims_no_deed(world) -> bool:
    """Does not say that anything was done."""
    return re.search({claims!r}, world.answer or "", re.IGNORECASE) is None

'''
_SAYS_WHAT = '''
def goal_says_{number}(world) -> bool:
    """Says {said}."""
    few = len(re.findall(r"\\d+(?:\\.\\d+)?", world.answer or "")) <= {most}
    return few and world.mentions({said!r})

'''
_RECITES = '''
def guard_recites_no_rules(world) -> bool:
    """Does not recite the rules until one of them is the right one."""
    said = " ".join((world.answer or "").casefold().split())
    return sum(rule in said for rule in {rules!r}) <= {most}

'''
_MOST_RECITED = 1
_REFERS_BACK = re.compile(r"\b(it|its|them|they|that one|those|the same|there|instead|another one)\b", re.IGNORECASE)
_MORE_NUMBERS = 4
"""That an answer may say beyond what the gold answer says."""

UNABLE_ANSWER = "I cannot do that: there is nothing here that I could do it with."


# -- a value to be asked for -------------------------------------------------------------------------------------------


def askable(ground: Ground, talk: Talk) -> Iterator[list[str]]:
    """The values that could be left out, each as the ways in which the requests write it: what a change needs and no
    tool can tell, said once."""
    reading = {tool.name for tool in ground.bundle.tools if tool.annotations.readOnlyHint}
    open_ones = {tool.name: _open_parameters(tool) for tool in ground.bundle.tools}
    for call in talk.parent.solution.calls:
        if call.tool in reading or call.outcome != "ok":
            continue
        needed = {name: value for name, value in call.arguments.items() if name in open_ones[call.tool]}
        for value in ground.internals.outside(call.model_copy(update={"arguments": needed})):
            written = [one for one in spellings(value) if _times(one, talk.text)]
            if written and sum(_times(one, talk.text) for one in written) == 1:
                yield written


def _open_parameters(tool: ToolDefinition) -> set[str]:
    """The parameters that a call needs and whose value can be anything: a choice among few is easily guessed."""
    properties = tool.inputSchema.get("properties", {})
    return {name for name in tool.inputSchema.get("required", []) if "enum" not in properties.get(name, {})}


async def missing_parameter(writer: Writer, talk: Talk, written: Sequence[str]) -> Talk:
    """The conversation without this value, which the person says when asked."""
    context = MissingParameterContext(
        clock=talk.clock, scenario=talk.scenario, persona=talk.persona, turns=talk.shown, spellings=list(written)
    )

    async def gate(answer: RefinementAnswer) -> list[Problem]:
        return problems_of_missing(context, talk, answer)

    answer = await writer.write(Question("missing_parameter", RefinementAnswer, MISSING_PARAMETER, context), gate)
    answers = (*talk.wording.answers, *answer.answers)
    return replace(talk, wording=Wording(tuple(answer.requests), answers, talk.wording.refinements))


def problems_of_missing(context: MissingParameterContext, talk: Talk, answer: RefinementAnswer) -> list[Problem]:
    problems = wrong_count(len(context.turns), answer.requests)
    said, told = " ".join(answer.requests), " ".join(answer.answers)
    left_out = {value for one in context.spellings for value in values_in(one)} | {
        s.casefold() for s in context.spellings
    }
    if any(_times(one, said) for one in context.spellings):
        problems.append(problem(f"{context.spellings[0]} is still said."))
    if not any(_times(one, told) for one in context.spellings):
        problems.append(problem(f"No answer says {context.spellings[0]}."))
    problems += lost(talk.text, answer.requests, "{0} is left out as well.", but=sorted(left_out))
    new = sorted(v for v in values_in(said) if v[:1].isdigit() and not holds(talk.text, v))
    problems += [problem(f"{', '.join(new)} was not said before.")] * bool(new)
    return problems + inside_words([*answer.requests, *answer.answers], talk.secrets)


def _times(spelling: str, text: str) -> int:
    return len(re.findall(rf"(?<![\w.,:-]){re.escape(spelling)}(?![\w:-]|\.\d)", text, re.IGNORECASE))


# -- a tool that is not there ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WithoutTools:
    """One turn of a conversation, and the tools without which nobody can do what it asks."""

    turn: TurnShown
    withheld: list[str]


def unable(ground: Ground, talk: Talk) -> Iterator[WithoutTools]:
    """The turns that ask for one change, for no fact, and stand for themselves; without every tool that makes such a
    change."""
    calls = talk.parent.solution.calls
    clean, end = cuts(calls, ground.internals, ground.facts), 0
    for turn in talk.shown:
        begin, end = end, end + len(turn.calls)
        if any(begin < place < end for place in clean):
            continue  # it asks for something else as well, which could be done
        kinds = {
            (write.table, write.kind)
            for call in turn.calls
            if call.outcome == "ok" and call.tool in ground.facts.tools
            for write in ground.facts.tools[call.tool].writes
        }
        withheld = sorted(
            name
            for name, fact in ground.facts.tools.items()
            if any((write.table, write.kind) in kinds for write in fact.writes)
        )
        alone = talk.parent.task.model_copy(update={"text": turn.request})
        says_no = re.search(_SAYS_NO, turn.request, re.IGNORECASE)  # then to say it after them would do
        if withheld and not says_no and not asks(alone) and not _REFERS_BACK.search(turn.request):
            yield WithoutTools(turn, withheld)


def answers_for(talk: Talk, turn: TurnShown) -> list[str]:
    """What the person may be asked about this turn: the answers that say something of its goal."""
    wanted = values_in(turn.goal)
    return [answer for answer in talk.wording.answers if values_in(answer) & wanted]


UNABLE_VERIFIER = _SAYS_SO.format(pattern=_SAYS_NO, claims=_CLAIMS) + _CHANGES_NOTHING


# -- a question for no tool --------------------------------------------------------------------------------------------


def rules_context(bundle: Bundle, clock: str, asked: Sequence[str]) -> RulesQuestionContext:
    return RulesQuestionContext(name=bundle.theme.name, clock=clock, rules=bundle.theme.rules, asked=list(asked))


async def rules_question(writer: Writer, context: RulesQuestionContext, names: frozenset[str]) -> RulesQuestionAnswer:
    async def gate(answer: RulesQuestionAnswer) -> list[Problem]:
        return problems_of_question(context, names, answer)

    return await writer.write(Question("rules_question", RulesQuestionAnswer, RULES_QUESTION, context), gate)


def problems_of_question(
    context: RulesQuestionContext, names: frozenset[str], answer: RulesQuestionAnswer
) -> list[Problem]:
    rule = next((rule.text for rule in context.rules if rule.id == answer.rule), None)
    if rule is None:
        return [problem(f"There is no rule {answer.rule!r}; the rules are {', '.join(r.id for r in context.rules)}.")]
    problems = [problem(f"The rule does not say {one!r}.", rule) for one in answer.says if not _times(one, rule)]
    problems += [problem(f"The request says {one!r} itself.") for one in answer.says if _times(one, answer.request)]
    problems += [problem(f"The answer does not say {one!r}.") for one in answer.says if not _times(one, answer.answer)]
    numbers = {value for value in values_in(answer.answer) if value[:1].isdigit()}
    more = sorted(number for number in numbers if number not in values_in(" ".join(answer.says)))
    problems += [problem(f"The answer says {', '.join(more)} besides.")] * bool(more)
    if answer.request in context.asked:
        problems.append(problem("That was asked already."))
    inside = sorted(name for name in names if _times(name, f"{answer.request} {answer.scenario}"))
    return problems + [problem(f"Nobody would say {name!r}: that is a name inside the service.") for name in inside]


def says_verifier(says: Sequence[str], rules: Sequence[Rule]) -> str:
    """Says each of these, without going through many numbers or all of the rules."""
    values = [float(one) if re.fullmatch(r"\d+(\.\d+)?", one) else one for one in says]
    goals = [
        _SAYS_WHAT.format(number=n, said=value, most=len(values) + _MORE_NUMBERS) for n, value in enumerate(values, 1)
    ]
    recites = _RECITES.format(rules=[" ".join(rule.text.casefold().split()) for rule in rules], most=_MOST_RECITED)
    return "import re\n\n" + "".join(goals) + recites + _CHANGES_NOTHING


def saying(answer: str) -> str:
    """The program that only answers."""
    return f"def solve(tools):\n    return {answer!r}\n"
