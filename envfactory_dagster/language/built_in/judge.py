"""The built-in judge: from what it is shown of an episode to a judgement, and nothing else.

Belongs here: judging by the signals, the steps and the words of the task. Does not: anything that knows how tasks are
made.
"""

import re
from collections.abc import Sequence

from envfactory_dagster.contracts.judge_requests import (
    CallJudged,
    CheckJudged,
    EpisodeJudged,
    JudgeCodeAugmentedAnswer,
    JudgeCodeAugmentedContext,
    JudgeMessageAnswer,
    JudgeMessageContext,
    JudgeRubricAnswer,
    JudgeRubricContext,
    ReportReadingAnswer,
    ReportReadingContext,
)
from envfactory_dagster.contracts.requests import (
    FreeMessagesAnswer,
    FreeMessagesContext,
)
from envfactory_dagster.contracts.task_reading import (
    ReviewedTask,
    TaskRead,
    TaskReadingAnswer,
    TaskReadingContext,
    TaskReviewAnswer,
    TaskReviewContext,
)
from envfactory_dagster.contracts.trajectory import CriterionJudgement, Evidence, OutcomeClass

_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)")
_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][\w'-]+")
"""A capital inside a sentence: a name, as far as words can tell."""
_NEED_NO_RESULT = ("refusal", "unable", "no_tool", "underspecified")
"""Kinds of tasks whose answer rests on no result."""
_OUTCOMES = {"refusal": "refused", "unable": "impossible", "underspecified": "needs_information"}
"""What a report says of a task of such a kind when it is right; of all others it says `done`."""
Found = tuple[OutcomeClass, str, list[Evidence]]


def judge_code_augmented(context: JudgeCodeAugmentedContext) -> JudgeCodeAugmentedAnswer:
    """The class of an episode: by the checks where there are any, else by the steps."""
    episode = context.episode
    outcome, reasoning, evidence = _by_checks(episode, context.checks) if context.checks else _by_steps(episode)
    return JudgeCodeAugmentedAnswer(reasoning=reasoning, outcome=outcome, evidence=evidence)


def judge_rubric(context: JudgeRubricContext) -> JudgeRubricAnswer:
    """It cannot read criteria: that takes a language model."""
    reason = "The built-in judge reads no words: set a model for the role judge."
    return JudgeRubricAnswer(
        criteria=[CriterionJudgement(criterion=one.id, met=None, reason=reason) for one in context.criteria]
    )


def judge_message(context: JudgeMessageContext) -> JudgeMessageAnswer:
    """It cannot read words: that takes a language model."""
    return JudgeMessageAnswer(agrees=None)


def report_reading(context: ReportReadingContext) -> ReportReadingAnswer:
    """It cannot read what a text reports: that takes a language model."""
    return ReportReadingAnswer(outcome=None)


def task_review(context: TaskReviewContext) -> TaskReviewAnswer:
    """It cannot read what a person means, and says nothing against any task."""
    return TaskReviewAnswer(tasks=[ReviewedTask(task=one.task) for one in context.tasks])


def task_reading(context: TaskReadingContext) -> TaskReadingAnswer:
    """It knows no trade, and says nothing against any task."""
    return TaskReadingAnswer(tasks=[TaskRead(task=one.task, verdict="natural") for one in context.tasks])


def free_messages(context: FreeMessagesContext) -> FreeMessagesAnswer:
    """It has no words of its own: that takes a language model."""
    return FreeMessagesAnswer(tasks=[])


# -- four classes ------------------------------------------------------------------------------------------------------


def _by_checks(episode: EpisodeJudged, checks: Sequence[CheckJudged]) -> Found:
    failed = [check for check in checks if check.holds is not True]
    evidence = [Evidence(check=check.name, shows=_finding(check)) for check in failed or checks]
    if not failed:
        return "completed", "Every goal is reached and every guard holds.", evidence
    if broken := _broken(episode):
        return "environment_error", "The service itself failed, and the task was not completed.", broken + evidence
    if wrong := [check.name for check in failed if check.name.startswith("guard_")]:
        return "agent_error", f"Something was done that must not be: {', '.join(wrong)}.", evidence
    goals = [check for check in checks if check.name.startswith("goal_")]
    if any(goal.holds for goal in goals):
        return "partially_completed", f"{len(failed)} of {len(goals)} goals are not reached.", evidence
    return "agent_error", "None of the goals is reached.", evidence


def _by_steps(episode: EpisodeJudged) -> Found:
    if broken := _broken(episode):
        return "environment_error", "The service itself failed.", broken
    calls = _calls(episode)
    number = episode.steps[-1].number if episode.steps else None
    last = [Evidence(step=number, shows=f"The last word was: {episode.answer or 'nothing'}")]
    if not episode.answer:
        return "agent_error", "The person got no answer.", last
    if wrong := _wrong_report(episode):
        return "agent_error", wrong, last
    written = [call for call in calls if call.outcome == "ok" and not call.read_only]
    if episode.task.kind != "action":
        if written:
            return "agent_error", f"{written[0].tool} changed something that nobody asked to change.", last
        if episode.task.kind in _NEED_NO_RESULT or _is_founded(episode):
            return "completed", "The answer rests on what the service told, and nothing was changed.", last
        return "agent_error", "The answer says what no result shows.", last
    if not written:
        return "agent_error", "Nothing was done that would change anything.", last
    if calls[-1].outcome != "ok":
        return "partially_completed", f"Something was done, but {calls[-1].tool} failed in the end.", last
    return "completed", "What was called succeeded, and the person was told.", last


def _broken(episode: EpisodeJudged) -> list[Evidence]:
    """The calls that failed by no fault of the agent."""
    return [
        Evidence(step=step.number, shows=f"{call.tool} failed: {call.result or call.outcome}")
        for step in episode.steps
        for call in step.calls
        if call.outcome in ("environment", "infrastructure")
    ]


def _finding(check: CheckJudged) -> str:
    if check.holds is None:
        return f"{check.meaning or check.name} No result: {check.error or 'it returned no boolean'}."
    return f"{check.meaning or check.name} {'Holds' if check.holds else 'Does not hold'}."


def _wrong_report(episode: EpisodeJudged) -> str:
    """Why the report is not that of such a task; empty where it is, or where there is none."""
    if episode.report is None:
        return ""
    due, outcome = _OUTCOMES.get(episode.task.kind, "done"), episode.report.outcome
    if outcome != due:
        return f"It is reported as {outcome}; a task of kind {episode.task.kind} is {due} when it is completed."
    if episode.report.reason != episode.task.rule:
        return f"The reason that is reported is {episode.report.reason}, and the rule is {episode.task.rule}."
    return ""


def _is_founded(episode: EpisodeJudged) -> bool:
    """Whether what was told holds a number or name that some result shows; an amount may be there in cents."""
    results = " ".join(call.result for call in _calls(episode) if call.outcome == "ok")
    told = _definite(_told(episode))
    told += [value.replace(".", "") for value in told if re.fullmatch(r"\d+\.\d{2}", value)]
    return any(_occurs(value, results) for value in told)


def _told(episode: EpisodeJudged) -> str:
    """Everything that was said to the person, the answers of the report included."""
    answers = [] if episode.report is None else list(episode.report.answers.values())
    return " ".join([episode.answer, *(f"is {answer}" for answer in answers if answer is not None)])


def _calls(episode: EpisodeJudged) -> list[CallJudged]:
    return [call for step in episode.steps for call in step.calls]


def _definite(text: str) -> list[str]:
    """The numbers and names in a text: what is either there or not."""
    return [*_NUMBER.findall(text), *_NAME.findall(text)]


def _occurs(value: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE) is not None
