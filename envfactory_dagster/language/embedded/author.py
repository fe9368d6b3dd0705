"""The procedural author: for every schema name, the context it is shown and the correct answer to it.

Belongs here: the table of what can be answered, and the answers about one environment. Does not: discovery
(`discovery`), misbehaving on purpose (`faults`), or how a question arrives (`app`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from envfactory_dagster.contracts import conversations, families, graph, graph_tasks, program_tasks, requests
from envfactory_dagster.contracts.base import Contract
from envfactory_dagster.contracts.domain import INITIAL_STATE, Task, Theme
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.sources import LeftOutByAuthor
from envfactory_dagster.language.embedded import (
    compose,
    conversing,
    discovery,
    grapher,
    inspector,
    judge,
    programs,
    proofs,
    wording,
)
from envfactory_dagster.language.embedded.plan import Plan, draft_plan, plan_for
from envfactory_dagster.language.embedded.rehearsal import Rehearsal
from envfactory_dagster.language.embedded.tasks import Draft, draft_tasks
from envfactory_dagster.language.embedded.world import build_world

Seed = int


@dataclass(frozen=True, slots=True)
class Skill:
    context: type[Contract]
    answer: Callable[[Any, Seed], Contract]


def theme(context: requests.ThemeContext, seed: Seed) -> requests.ThemeAnswer:
    proposal = context.proposal
    entities = proposal.entities or discovery.entities_of(proposal)
    plan = draft_plan(context.key, proposal.name, proposal.category, entities, context.size)
    features = "; ".join(binding.prose(binding.module.about) for binding in plan.bindings)
    return requests.ThemeAnswer(
        name=proposal.name,
        category=proposal.category,
        description=f"{proposal.description.strip().rstrip('.')}. Here {features}.",
        entities=entities,
        rules=plan.rules()[: context.rules],
    )


def task_set(context: requests.TaskSetContext, seed: Seed) -> requests.TaskSetAnswer:
    drafts = draft_tasks(plan_for(context.theme), context.states, context.count)
    return requests.TaskSetAnswer(tasks=[draft.task for draft in drafts])


def database_schema(context: requests.DatabaseSchemaContext, seed: Seed) -> requests.DatabaseSchemaAnswer:
    return requests.DatabaseSchemaAnswer(tables=compose.tables(plan_for(context.theme)))


def seed_rows(context: requests.SeedRowsContext, seed: Seed) -> requests.SeedRowsAnswer:
    world = build_world(plan_for(context.theme), context.state)
    return requests.SeedRowsAnswer(clock=world.clock.isoformat(), tables=compose.rows(world))


def tool_spec(context: requests.ToolSpecContext, seed: Seed) -> requests.ToolSpecAnswer:
    tools = compose.tool_definitions(plan_for(context.theme))
    if context.source is None or not context.source.tools:
        return requests.ToolSpecAnswer(tools=tools)
    known = {tool.name for tool in tools}  # it writes worlds of its own, whatever the source has
    left_out = [
        LeftOutByAuthor(name=str(tool["name"]), reason="outside_theme", detail="This world has other tools for it.")
        for tool in context.source.tools
        if tool["name"] not in known
    ]
    return requests.SourcedToolSpecAnswer(tools=tools, left_out=left_out)


def server_code(context: requests.ServerCodeContext, seed: Seed) -> requests.ServerCodeAnswer:
    plan = plan_for(context.theme)
    world = build_world(plan, INITIAL_STATE)
    functions = compose.tool_functions(world)
    rehearsal = Rehearsal(
        compose.tables(plan), compose.rows(world), world.clock.isoformat(), compose.tool_definitions(plan), functions
    )
    wanted = [function for function in functions if function.name in context.wanted]
    return requests.ServerCodeAnswer(functions=[rehearsal.rehearsed(function) for function in wanted])


def reference_solutions(context: requests.ReferenceSolutionsContext, seed: Seed) -> requests.ReferenceSolutionsAnswer:
    plan = plan_for(context.theme)
    drafts = [_draft_of(task, context.theme, context.states, context.task_count) for task in context.tasks]
    return requests.ReferenceSolutionsAnswer(solutions=[_solution(plan, draft) for draft in drafts])


def _solution(plan: Plan, draft: Draft) -> requests.SolutionOfTask:
    solution = proofs.solution(plan, draft)
    return requests.SolutionOfTask(
        task=draft.task.id,
        answer_form=solution.form.fields,
        source=solution.source,
        alternatives=proofs.alternatives(plan, draft),
    )


def verifiers(context: requests.VerifiersContext, seed: Seed) -> requests.VerifiersAnswer:
    plan = plan_for(context.theme)
    drafts = [_draft_of(one.task, context.theme, context.states, context.task_count) for one in context.tasks]
    return requests.VerifiersAnswer(
        verifiers=[
            requests.VerifierOfTask(task=draft.task.id, source=proofs.verifier(plan, draft).source) for draft in drafts
        ]
    )


def _draft_of(task: Task, theme: Theme, states: Sequence[str], count: int) -> Draft:
    """The draft a task was worded from. Of a task that was not, the embedded author understands nothing."""
    drafts = draft_tasks(plan_for(theme), states, count)
    draft = next((draft for draft in drafts if draft.task == task), None)
    if draft is None:
        raise UsageError(f"the embedded model did not write the task {task.id!r} of {theme.key} and cannot solve it")
    return draft


def task_families(context: families.TaskFamiliesContext, seed: Seed) -> families.TaskFamiliesAnswer:
    return families.TaskFamiliesAnswer(families=[], declined="The built-in author writes none: set a model.")


def server_code_impasse(context: requests.ServerCodeImpasseContext, seed: Seed) -> requests.ServerCodeImpasseAnswer:
    """Specification and rows are its own, and so is the code: nothing else is ever at fault."""
    needed_by = [task.id for task in context.tasks]
    return requests.ServerCodeImpasseAnswer(
        tools=[
            requests.ToolImpasse(
                tool=one.tool.name, at_fault="code", reason="Its function is not right yet.", needed_by=needed_by
            )
            for one in context.stuck
        ]
    )


SKILLS: Mapping[str, Skill] = {
    "theme_proposals": Skill(requests.ThemeProposalsContext, discovery.theme_proposals),
    "crud_suitability": Skill(requests.CrudSuitabilityContext, discovery.crud_suitability),
    "task_filter": Skill(requests.TaskFilterContext, discovery.task_filter),
    "theme": Skill(requests.ThemeContext, theme),
    "task_set": Skill(requests.TaskSetContext, task_set),
    "database_schema": Skill(requests.DatabaseSchemaContext, database_schema),
    "seed_rows": Skill(requests.SeedRowsContext, seed_rows),
    "tool_spec": Skill(requests.ToolSpecContext, tool_spec),
    "task_families": Skill(families.TaskFamiliesContext, task_families),
    "server_code": Skill(requests.ServerCodeContext, server_code),
    "server_code_impasse": Skill(requests.ServerCodeImpasseContext, server_code_impasse),
    "inspection_tests": Skill(requests.InspectionTestsContext, inspector.inspection_tests),
    "inspection_check": Skill(requests.InspectionCheckContext, inspector.inspection_check),
    "clerk_review": Skill(requests.ClerkReviewContext, inspector.clerk_review),
    "inspection_ratings": Skill(requests.InspectionRatingsContext, inspector.inspection_ratings),
    "inspection_revision": Skill(requests.InspectionRevisionContext, inspector.inspection_revision),
    "judge_code_augmented": Skill(requests.JudgeCodeAugmentedContext, judge.judge_code_augmented),
    "judge_rubric": Skill(requests.JudgeRubricContext, judge.judge_rubric),
    "judge_message": Skill(requests.JudgeMessageContext, judge.judge_message),
    "report_reading": Skill(requests.ReportReadingContext, judge.report_reading),
    "task_review": Skill(requests.TaskReviewContext, judge.task_review),
    "free_messages": Skill(requests.FreeMessagesContext, judge.free_messages),
    "reference_solutions": Skill(requests.ReferenceSolutionsContext, reference_solutions),
    "verifiers": Skill(requests.VerifiersContext, verifiers),
    "program_task": Skill(program_tasks.ProgramTaskContext, programs.program_task),
    "graph_task_wording": Skill(graph_tasks.GraphTaskWordingContext, wording.word),
    "tool_graph_refinement": Skill(graph.ToolGraphRefinementContext, grapher.refine),
    "further_wishes": Skill(conversations.FurtherWishesContext, conversing.further_wishes),
    "conversation": Skill(conversations.ConversationContext, conversing.conversation),
    "missing_parameter": Skill(conversations.MissingParameterContext, conversing.missing_parameter),
    "rules_question": Skill(conversations.RulesQuestionContext, conversing.rules_question),
}


def answer(schema: str, context: Mapping[str, Any], seed: Seed) -> Contract:
    """The correct answer. An unknown schema, or a context that does not fit it, raises `UsageError`."""
    skill = SKILLS.get(schema)
    if skill is None:
        raise UsageError(f"the embedded model knows no schema {schema!r}; it knows {', '.join(sorted(SKILLS))}")
    try:
        shown = skill.context.model_validate(context)
    except ValidationError as error:
        raise UsageError(f"the context does not fit the schema {schema!r}: {error}") from error
    return skill.answer(shown, seed)
