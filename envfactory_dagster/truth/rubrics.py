"""The rubric of a task: what an episode must meet, line by line, and which of the lines code can settle.

Belongs here: typing criteria, and settling those about the report and those that the verifier checks. Does not: asking
a judge about the others (`judging`), and what a rubric is worth (`rewards`).
"""

from collections.abc import Sequence

from envfactory_dagster.contracts.reports import AnswerForm, Report
from envfactory_dagster.contracts.trajectory import Criterion, CriterionJudgement, TypedCriterion
from envfactory_dagster.contracts.truth import ReferenceSolution, Verdict
from envfactory_dagster.runtime.answer_values import same_answer
from envfactory_dagster.runtime.checks import MESSAGE_CHECK
from envfactory_dagster.truth.verifier_texts import meanings

_OF_THE_MESSAGE = TypedCriterion(
    id=MESSAGE_CHECK,
    kind="message",
    text="The words of the message contradict neither the rest of the report nor what results and changes show.",
)
"""Of every task."""


def rubric_for(gold: ReferenceSolution, verifier: str, written: Sequence[Criterion] = ()) -> list[TypedCriterion]:
    """What the report has to say, then the checks of the verifier in words and what was written for the task. Of a task
    that leaves a choice, only the judge can tell which answers fit."""
    due = [_typed("report_outcome", "outcome", f"Reports {gold.report.outcome}.", expected=gold.report.outcome)]
    if gold.report.reason is not None:
        due.append(_typed("report_reason", "reason", f"Names the rule {gold.report.reason}.", gold.report.reason))
    for field in gold.form.fields if not gold.alternatives else ():
        value = gold.report.answers.get(field.name)
        text = f"Answers {field.name} with {value}." if value is not None else f"Leaves {field.name} unanswered."
        due.append(_typed(f"answer_{field.name}", "answer", text, value, field=field.name))
    lines = [*rubric_of(verifier), *(TypedCriterion(kind="statement", **one.model_dump()) for one in written)]
    taken = {one.id for one in due} | {MESSAGE_CHECK}
    return [*due, *(one for one in lines if one.id not in taken), _OF_THE_MESSAGE]


def rubric_of(verifier: str) -> list[TypedCriterion]:
    """The checks of a verifier in words, as a rubric: what each of them says it is for."""
    return [TypedCriterion(id=name, text=meaning, kind="check") for name, meaning in meanings(verifier).items()]


def settled(
    criteria: Sequence[TypedCriterion], report: Report | None, form: AnswerForm, verdict: Verdict | None
) -> list[CriterionJudgement]:
    """Judge the criteria about the report by comparing values, and those of the verifier by its result."""
    signals = {one.name: one for one in verdict.signals} if verdict is not None else {}
    found = []
    for one in criteria:
        if one.kind in ("outcome", "reason", "answer"):
            found.append(_by_report(one, report, form))
        signal = signals.get(one.id)
        if signal is None or signal.error is not None or not isinstance(signal.value, bool):
            continue
        if one.kind == "check" or (one.kind == "message" and not signal.value):
            reason = f"The verifier says {'so' if signal.value else 'otherwise'}."
            found.append(CriterionJudgement(criterion=one.id, met=signal.value, reason=reason))
    return found


def _by_report(criterion: TypedCriterion, report: Report | None, form: AnswerForm) -> CriterionJudgement:
    if report is None:
        return CriterionJudgement(criterion=criterion.id, met=False, reason="There is no report.")
    if criterion.kind == "answer":
        given = report.answers.get(criterion.field or "")
        field = next((one for one in form.fields if one.name == criterion.field), None)
        met = field is not None and same_answer(field.model_dump(), criterion.expected, given)
        return CriterionJudgement(criterion=criterion.id, met=met, reason=f"The report answers {given!r}.")
    given = report.outcome if criterion.kind == "outcome" else report.reason
    return CriterionJudgement(
        criterion=criterion.id, met=given == criterion.expected, reason=f"The report says {given}."
    )


def _typed(name: str, kind: str, text: str, expected: object = None, field: str | None = None) -> TypedCriterion:
    return TypedCriterion.model_validate({"id": name, "kind": kind, "text": text, "expected": expected, "field": field})
