"""The gate of the truth for tasks that are made here: the same one that the author's own tasks pass.

Belongs here: from a task, a program and a verifier to the proof that they belong together, or to what is wrong. Does
not: writing any of the three, and the trials themselves (`truth`).
"""

from collections.abc import Sequence

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.requests import ReferenceSolutionAnswer
from envfactory_dagster.contracts.truth import GatedVerifier, ReferenceSolution, TracedStep, Verifier
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.gate import try_verifier
from envfactory_dagster.truth.solutions import SolutionCheck
from envfactory_dagster.truth.verifiers import problems_of, reaches_beyond


async def solve(
    runtime: Runtime, bundle: Bundle, task: Task, source: str, form: AnswerForm, alternatives: Sequence[str] = ()
) -> ReferenceSolution | list[Problem]:
    """The program, run twice to the same end, with everything that came of it; or what is wrong with it. `form` is what
    the task asks to be told."""
    checking = SolutionCheck(runtime, bundle, task)
    problems = await checking.problems(
        ReferenceSolutionAnswer(source=source, answer_form=form.fields, alternatives=list(alternatives))
    )
    if problems:
        return problems
    assert checking.solution is not None
    return checking.solution


async def verify(
    runtime: Runtime,
    bundle: Bundle,
    task: Task,
    gold: ReferenceSolution,
    source: str,
    donors: Sequence[TracedStep] = (),
) -> GatedVerifier | list[Problem]:
    """The verifier with the trials it stood; or the ends it judged wrongly. `donors`: writing calls of other tasks in
    the same state, which are wrong here."""
    if problem := reaches_beyond(source):
        return [problem]
    verifier = Verifier(task=task.id, source=source)
    try:
        gate = await try_verifier(runtime, bundle, task, gold, verifier=verifier, donors=list(donors))
    except EnvironmentFault as fault:
        return [Problem(fault="code", message=f"The environment broke under it: {fault}")]
    return GatedVerifier(verifier=verifier, gate=gate) if gate.passed else problems_of(gate)
