"""Right messages in a model's own words, which the check of what people are told has to accept, and one that lies in
words, which the judge has to find.

Belongs here: the one question about all tasks of an environment, and what becomes of its answers. Does not: the check
itself (`messages`), and other forms of the same report (`reported`).

A message that code accepts is a variant that was accepted. One that code refuses is shown to a judge first, since the
model that wrote it may be wrong: where the judge finds nothing against it, a right end would earn nothing, and the task
is dropped. It is dropped too where the judge finds nothing against a message that says the opposite of the report.
Where nobody can tell, such a message is no trial: code checks values only.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import orjson

from envfactory_dagster.authoring.loop import ATTEMPTS, Question, author
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.finish_tool import MOST_MESSAGE_CHARACTERS
from envfactory_dagster.contracts.records import Attempt, Problem
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.requests import CallShown, FreeMessagesAnswer, FreeMessagesContext, ToldTask
from envfactory_dagster.contracts.trajectory import Observation, Step, ToolRequest, Trajectory
from envfactory_dagster.contracts.truth import Dropped, GatedVerifier, ReferenceSolution, RowChange, TracedStep, Trial
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.truth.judging import EpisodeToJudge, Judge
from envfactory_dagster.truth.message_words import judge_words
from envfactory_dagster.truth.messages import contradictions
from envfactory_dagster.truth.reported import LYING_IN_WORDS, lying_in_words

MESSAGES = 3
RESULT_CHARS = 600
OPERATOR = "free_message"

INSTRUCTIONS = f"""\
You write what people are told when their requests to the service that `service` describes are settled. For each of
`tasks` you see the request (`text`), the `calls` that were made for it with their results, the `answer_form` that says
what had to be found out, and the `report` of how it ended. Amounts of money in the report and the results are in cents,
and whole where the currency has none.

Give for each task, by its name, {MESSAGES} `messages` to the person. Each is right, stands by itself, and is in words
of its own:
1. one or two short sentences, as somebody writes who is in a hurry;
2. one that shows how it was found: what was looked at, what else there was, how a sum was made;
3. a warm one that gives numbers, amounts, days and times in another form than the report does, in words for instance.
A message says what the report says, and nothing that the calls do not show. Where something was refused it says why, in
plain words.
"""


@dataclass(frozen=True)
class Told:
    """What was tried for each task, which tasks are dropped for it, and every answer that was asked for."""

    trials: dict[str, list[Trial]] = field(default_factory=dict)
    dropped: list[Dropped] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)

    def beside(self, gated: GatedVerifier) -> GatedVerifier:
        """A verifier with these trials beside those that it stood."""
        trials = [*gated.gate.trials, *self.trials.get(gated.gate.task, [])]
        return gated.model_copy(update={"gate": gated.gate.model_copy(update={"trials": trials})})


async def try_free_messages(
    gateway: Gateway,
    bundle: Bundle,
    stage: str,
    solved: Sequence[tuple[Task, ReferenceSolution]],
    attempts: int = ATTEMPTS,
) -> Told:
    """Where no model writes any, none are tried."""
    golds = {task.id: (task, gold) for task, gold in solved}
    if not golds:
        return Told()
    context = FreeMessagesContext(
        service=f"{bundle.theme.name}: {bundle.theme.description}",
        rules=list(bundle.theme.rules),
        tasks=[_told(task, gold) for task, gold in golds.values()],
    )

    async def gate(answer: FreeMessagesAnswer) -> list[Problem]:
        unknown = sorted({one.task for one in answer.tasks} - golds.keys())
        return [Problem(fault="answer", message=f"There is no task {', '.join(unknown)}.")] if unknown else []

    question = Question("free_messages", FreeMessagesAnswer, INSTRUCTIONS, context)
    written = await author(gateway, Caller(stage, bundle.key, Role.JUDGE), question, gate, attempts=attempts)
    judge, trials, dropped = Judge(gateway, stage, bundle.key), dict[str, list[Trial]](), list[Dropped]()
    if written.value is not None and not written.value.tasks:
        return Told(attempts=written.attempts)  # a model without words of its own reads none
    lies = await asyncio.gather(*(_try_lie(judge, bundle, *one) for one in golds.values()))
    for name, lie in zip(golds, lies, strict=True):
        if lie is not None:
            trials[name] = [lie]
            if not lie.right:
                reason = f"a message that lies would pass: {lie.what}"
                dropped.append(Dropped(task=name, reason=reason, stage=stage))
    for one in written.value.tasks if written.value is not None else []:
        tried = [await _try(judge, bundle, *golds[one.task], text) for text in one.messages[:MESSAGES]]
        told = [trial for trial in tried if trial is not None]
        trials[one.task] = [*told, *trials.get(one.task, [])]
        refused = next((trial for trial in told if not trial.right), None)
        if refused is not None and all(other.task != one.task for other in dropped):
            reason = f"a right message would score 0: {refused.what} {refused.reason}"
            dropped.append(Dropped(task=one.task, reason=reason, stage=stage))
    return Told(trials, dropped, written.attempts)


async def _try(judge: Judge, bundle: Bundle, task: Task, gold: ReferenceSolution, text: str) -> Trial | None:
    """None: the message itself is wrong, or nobody can tell."""
    report = gold.report.model_copy(update={"message": text[:MOST_MESSAGE_CHARACTERS]})
    against = contradictions(report, gold.form, task.text, gold.calls)
    episode = as_episode(bundle, task, gold.calls, gold.changes, gold.state_hash, report)
    if against and not (await judge_words(judge, episode)).agrees:
        return None
    return Trial(
        kind="variant",
        operator=OPERATOR,
        what=f"tells the person: “{report.message}”",
        expected="accept",
        score=0.0 if against else 1.0,
        right=not against,
        reason=" ".join(against),
    )


async def _try_lie(judge: Judge, bundle: Bundle, task: Task, gold: ReferenceSolution) -> Trial | None:
    """None: the judge cannot tell."""
    what, report = lying_in_words(gold.report)
    words = await judge_words(judge, as_episode(bundle, task, gold.calls, gold.changes, gold.state_hash, report))
    if words.agrees is None:
        return None
    return Trial(
        kind="mutant",
        operator=LYING_IN_WORDS,
        what=f"{what}: “{report.message}”",
        expected="reject",
        score=1.0 if words.agrees else 0.0,
        right=not words.agrees,
        reason=" ".join(words.contradicted),
    )


def _told(task: Task, gold: ReferenceSolution) -> ToldTask:
    calls = [call_shown(call) for call in gold.calls]
    return ToldTask(task=task.id, text=task.text, calls=calls, answer_form=gold.form, report=gold.report)


def call_shown(call: TracedStep) -> CallShown:
    result = call.error if call.error is not None else orjson.dumps(call.value).decode()
    cut = result if len(result) <= RESULT_CHARS else f"{result[:RESULT_CHARS]}…"
    return CallShown(tool=call.tool, arguments=call.arguments, outcome=call.outcome, result=cut)


def as_episode(
    bundle: Bundle,
    task: Task,
    calls: Sequence[TracedStep],
    changes: list[RowChange],
    state_hash: str,
    report: Report,
) -> EpisodeToJudge:
    """What a program did, as an agent would have played it, with this report."""
    trajectory = Trajectory(
        environment=bundle.key,
        bundle_version=bundle.version,
        task=task.id,
        state=task.state,
        clock=bundle.states[task.state].clock,
        protocol="native",
        model="reference solution",
        seed=0,
        opening=task.text,
        steps=[_step(number, call) for number, call in enumerate(calls)],
        ending="answered",
        report=report,
        state_hash=state_hash,
    )
    return EpisodeToJudge(bundle, task, trajectory, changes)


def _step(number: int, call: TracedStep) -> Step:
    request = ToolRequest(id=f"c{number}", name=call.tool, arguments=call.arguments, principal=call.principal)
    seen = Observation(call=request.id, outcome=call.outcome, value=call.value, error=call.error)
    return Step(number=number, calls=[request], observations=[seen])
