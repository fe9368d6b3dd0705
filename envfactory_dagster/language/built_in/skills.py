"""What the built-in model can be asked: for every schema name, the context it is shown and how it is answered.

Belongs here: the table of skills. Does not: the skills (`inspector`, `judge`), or how a question arrives (`app`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from envfactory_dagster.contracts import judge_requests, requests, task_reading
from envfactory_dagster.contracts.base import Contract
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.language.built_in import inspector, judge


@dataclass(frozen=True, slots=True)
class Skill:
    context: type[Contract]
    answer: Callable[[Any], Contract]


SKILLS: Mapping[str, Skill] = {
    "inspection_tests": Skill(judge_requests.InspectionTestsContext, inspector.inspection_tests),
    "inspection_check": Skill(judge_requests.InspectionCheckContext, inspector.inspection_check),
    "clerk_review": Skill(judge_requests.ClerkReviewContext, inspector.clerk_review),
    "inspection_ratings": Skill(judge_requests.InspectionRatingsContext, inspector.inspection_ratings),
    "inspection_revision": Skill(judge_requests.InspectionRevisionContext, inspector.inspection_revision),
    "judge_code_augmented": Skill(judge_requests.JudgeCodeAugmentedContext, judge.judge_code_augmented),
    "judge_rubric": Skill(judge_requests.JudgeRubricContext, judge.judge_rubric),
    "judge_message": Skill(judge_requests.JudgeMessageContext, judge.judge_message),
    "report_reading": Skill(judge_requests.ReportReadingContext, judge.report_reading),
    "task_review": Skill(task_reading.TaskReviewContext, judge.task_review),
    "task_reading": Skill(task_reading.TaskReadingContext, judge.task_reading),
    "free_messages": Skill(requests.FreeMessagesContext, judge.free_messages),
}


class CannotAnswer(Exception):
    """A question that takes a language model; the text says so."""


def answer(schema: str, context: Mapping[str, Any]) -> Contract:
    """Raises CannotAnswer for what it has no skill for, UsageError for a context that does not fit."""
    skill = SKILLS.get(schema)
    if skill is None:
        raise CannotAnswer(
            f"The built-in model cannot answer {schema}: it judges and embeds, and writes nothing. Set a language "
            "model: ENVFACTORY_LLM_BASE_URL, ENVFACTORY_LLM_API_KEY and ENVFACTORY_MODEL."
        )
    try:
        shown = skill.context.model_validate(context)
    except ValidationError as error:
        raise UsageError(f"the context does not fit the schema {schema!r}: {error}") from error
    return skill.answer(shown)
