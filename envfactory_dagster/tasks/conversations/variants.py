"""Variants of a conversation: a value that has to be asked for, and a question for no tool.

Belongs here: making them, and the programs of those that change nothing. Does not: the conversations they are made from
(`making`), tasks without their tools (`impossible`), refusals, which are tasks of the environment already, and the
truth gate (`proving`).
"""

from collections.abc import Sequence
from dataclasses import replace

from pydantic import ValidationError

from envfactory_dagster.authoring.loop import Question
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.conversations import (
    MissingParameterAnswer,
    MissingParameterContext,
    RulesQuestionAnswer,
    RulesQuestionContext,
)
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.reports import AnswerForm, Report
from envfactory_dagster.runtime.reports import UnreadableReport, read_report
from envfactory_dagster.tasks.conversations.held_back import open_values, times
from envfactory_dagster.tasks.conversations.making import SpokenEnvironment, Talk, Writer
from envfactory_dagster.tasks.conversations.planning import inside_words, lost, problem
from envfactory_dagster.tasks.conversations.refinements import Wording
from envfactory_dagster.tasks.conversations.values import holds, values_in
from envfactory_dagster.truth.messages import states
from envfactory_dagster.truth.telling import single_answers

MISSING_PARAMETER = """\
You rewrite what one person says to the assistant of a service so that it will have to ask a question. `turns` are what
is said now, with the `goal` of each and the `calls` that the assistant makes for it. One value is to be left out, which
the requests write as one of `spellings`; no tool can tell it, so that nobody can go on without asking.

- `requests`: one for each turn, in their order, in the voice of `persona`. Leave the value out as somebody does who
  forgot to say it, so that it can be seen that it is missing. Say nothing that gives it away, put no other value in its
  place, and leave everything else as it is.
- `goals`: the `goal` of each turn, without the value.
- `answers`: what the person says when asked for it: one sentence, with the value as it was written.
"""

RULES_QUESTION = """\
You write a question for which an assistant needs no tool. The service is called `name`, it is `clock` there, and the
assistant knows its `rules` by heart.

- `request`: what a person asks in one or two sentences, so that one of the rules, named by its id as `rule`, answers it
  alone. They want to know it and nothing else: nothing is to be looked up or changed. Not one of `asked`.
- `answer_form`: what the request asks to be told, one to three fields, one for each thing. A field has a `name` in
  snake_case, a `description` in plain words that does not give the answer away, and a `type`: `integer`, `number`,
  `money` (with the currency as `unit`), `date`, `time`, `duration` (with `minutes`, `hours` or `days` as `unit`),
  `text`, `yes_no`, `choice` (with all `choices`). A number is the best of all; a text is one or two words.
- `answers`: the right value of every field, by its name; money in cents, and whole where the currency has none. Each
  stands in the text of the rule, and not in the request.
- `message`: what the person is told, in one sentence. It says every answer, and no other number.
- `scenario`, `persona`: what has come up for this person, who they are, how they talk; each in one or two sentences.
"""

# -- a value to be asked for -------------------------------------------------------------------------------------------


def askable(spoken: SpokenEnvironment, talk: Talk) -> list[list[str]]:
    """The values that could be left out, each as the ways in which the requests write it: what a change needs and no
    tool can tell, said once. None where the assistant has to ask already."""
    if talk.asks_back:
        return []
    calls = talk.parent.solution.calls
    return [list(value.written) for value in open_values(spoken.bundle, spoken.internals, calls, talk.text)]


async def missing_parameter(writer: Writer, talk: Talk, written: Sequence[str]) -> Talk:
    """The conversation without this value, which the person says when asked."""
    context = MissingParameterContext(
        clock=talk.clock, scenario=talk.scenario, persona=talk.persona, turns=talk.shown, spellings=list(written)
    )

    async def gate(answer: MissingParameterAnswer) -> list[Problem]:
        return problems_of_missing(context, talk, answer)

    question = Question("missing_parameter", MissingParameterAnswer, MISSING_PARAMETER, context)
    answer = await writer.write(question, gate)
    answers = (*talk.wording.answers, *answer.answers)
    turns = tuple(turn.model_copy(update={"goal": goal}) for turn, goal in zip(talk.turns, answer.goals, strict=True))
    wording = Wording(tuple(answer.requests), answers, talk.wording.refinements)
    return replace(talk, turns=turns, wording=wording)


def problems_of_missing(context: MissingParameterContext, talk: Talk, answer: MissingParameterAnswer) -> list[Problem]:
    if not len(context.turns) == len(answer.requests) == len(answer.goals):
        counted = f"There are {len(context.turns)} turns, {len(answer.requests)} requests, {len(answer.goals)} goals."
        return [problem(counted)]
    problems = []
    said, told = " ".join(answer.requests), " ".join(answer.answers)
    left_out = {value for one in context.spellings for value in values_in(one)} | {
        s.casefold() for s in context.spellings
    }
    if any(times(one, text) for one in context.spellings for text in (said, *answer.goals)):
        problems.append(problem(f"{context.spellings[0]} is still said, in a request or in a goal."))
    if not any(times(one, told) for one in context.spellings):
        problems.append(problem(f"No answer says {context.spellings[0]}."))
    problems += lost(talk.text, answer.requests, "{0} is left out as well.", but=sorted(left_out))
    new = sorted(v for v in values_in(said) if v[:1].isdigit() and not holds(talk.text, v))
    problems += [problem(f"{', '.join(new)} was not said before.")] * bool(new)
    return problems + inside_words([*answer.requests, *answer.goals, *answer.answers], talk.secrets)


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
    report = _report(context, answer)
    if isinstance(report, str):
        return [problem(f"The form or its answers cannot be used: {report}.")]
    problems = []
    for field, value in single_answers(AnswerForm(fields=answer.answer_form), report):
        if field.type == "yes_no":
            continue
        if not states(field, value, rule):
            problems.append(problem(f"The rule does not say {value!r}, which is to be the answer {field.name}.", rule))
        if field.type != "choice" and states(field, value, answer.request):
            problems.append(problem(f"The request says {value!r} itself."))
        if not states(field, value, answer.message):
            problems.append(problem(f"The message does not say {value!r}."))
    more = sorted(value for value in values_in(answer.message) if value[:1].isdigit() and not holds(rule, value))
    problems += [problem(f"The message says {', '.join(more)} besides.")] * bool(more)
    if answer.request in context.asked:
        problems.append(problem("That was asked already."))
    inside = sorted(name for name in names if times(name, f"{answer.request} {answer.scenario}"))
    return problems + [problem(f"Nobody would say {name!r}: that is a name inside the service.") for name in inside]


def _report(context: RulesQuestionContext, answer: RulesQuestionAnswer) -> Report | str:
    """The report that an answer makes; or why it makes none."""
    try:
        form = AnswerForm(fields=answer.answer_form)
    except ValidationError as error:
        return str(error.errors()[0]["msg"])
    given = {"outcome": "done", "answers": answer.answers, "reason": None, "message": answer.message}
    read = read_report(given, form, [rule.id for rule in context.rules])
    if isinstance(read, UnreadableReport):
        return read.problem
    missing = [field.name for field in form.fields if read.answers.get(field.name) is None]
    return f"nothing is answered in {', '.join(missing)}" if missing else read


def answered(question: RulesQuestionAnswer) -> Report:
    """What a right answer to the question reports."""
    return Report(outcome="done", answers=question.answers, message=question.message)


def reporting(report: Report) -> str:
    """The program that only reports."""
    return f"def solve(tools):\n    return {report.model_dump(mode='json')!r}\n"
