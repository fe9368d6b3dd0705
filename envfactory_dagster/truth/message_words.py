"""Whether the words of a message contradict the report it comes with, as a judge reads them.

Belongs here: the question that is asked where a judge is not asked about the episode anyway, and what becomes of the
verdict. Does not: values that a message states (`messages`), which code holds against the report.
"""

from dataclasses import dataclass

from envfactory_dagster.authoring.loop import Question, author, has_no_other_answer
from envfactory_dagster.authoring.texts import stands_in
from envfactory_dagster.contracts.judge_requests import JudgeMessageAnswer, JudgeMessageContext
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.truth import Signal, Verdict
from envfactory_dagster.runtime.checks import MESSAGE_CHECK
from envfactory_dagster.truth.judging import EPISODE_SHOWN, EpisodeToJudge, Judge, shown

MESSAGE_WORDS = f"""\
{EPISODE_SHOWN}
Judge one thing only: do the words of the report's `message` contradict the rest of the report, or what the steps and
changes show? You do not judge whether the task was done well, or whether the report is right.
- It contradicts when it says that something was done which the outcome, the steps or the changes say was not, or that
  something was not done which was; when it gives another reason than the report; when it states as a fact (a name, a
  day, an amount, who, where, how it was paid, what comes next) something that the results and changes show otherwise
  or that nothing shows; when it takes back or leaves open what the report says.
- It does not contradict when it leaves something out, says it in other words, rounds, adds a courtesy, an advice or an
  offer, or explains a rule rightly. Where you are not sure, it does not contradict.

Give `contradictions`: for each the words of the message as `quote`, copied as they stand there, and `against`: what
they contradict. `agrees` is true when there is none, false when there is one, and null when you cannot tell at all.
"""


@dataclass(frozen=True, slots=True)
class Words:
    """What a judge says of a message. `agrees` None: nothing usable, and `problem` says why where it was garbage."""

    agrees: bool | None
    contradicted: tuple[str, ...] = ()
    problem: str = ""


async def judge_words(judge: Judge, episode: EpisodeToJudge) -> Words:
    """Whether the message of an episode's report agrees with it."""
    report = episode.trajectory.report
    context = JudgeMessageContext(episode=shown(episode))

    async def gate(answer: JudgeMessageAnswer) -> list[Problem]:
        told = report.message if report is not None else ""
        made_up = [one.quote for one in answer.contradictions if not stands_in(one.quote, told)]
        said = [f"{quote!r} does not stand in the message." for quote in made_up]
        if answer.agrees is not None and answer.agrees is bool(answer.contradictions):
            said.append("`agrees` is true exactly where there are no contradictions.")
        return [Problem(fault="answer", message=one) for one in said]

    question = Question("judge_message", JudgeMessageAnswer, MESSAGE_WORDS, context)
    found = await author(judge.gateway, judge.caller, question, gate, attempts=judge.attempts)
    if found.value is None and has_no_other_answer(found.attempts[-1]):
        return Words(None)  # it has only answers that were recorded
    if found.value is None:
        return Words(None, problem=f"the judge's answer was {found.rejection()}")
    against = tuple(f"The message says “{one.quote}”: {one.against}" for one in found.value.contradictions)
    return Words(found.value.agrees, against)


def with_words(verdict: Verdict, words: Words) -> Verdict:
    """The verdict with what a judge says of the message: a guard like that of its values."""
    if words.agrees is None:
        return verdict
    if words.agrees:
        return verdict.model_copy(update={"message": "judged"})
    signals = [one for one in verdict.signals if one.name != MESSAGE_CHECK]
    reasons = [*verdict.reasons, "guard broken: message agrees with report", *words.contradicted]
    broken = [*signals, Signal(name=MESSAGE_CHECK, value=False)]
    return verdict.model_copy(update={"score": 0.0, "signals": broken, "reasons": reasons, "message": "judged"})
