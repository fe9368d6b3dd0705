"""The procedural author: for every schema name, the context it is shown and the correct answer to it.

Belongs here: the table of what can be answered, and the answers about one environment. Does not: discovery
(`discovery`), misbehaving on purpose (`faults`), or how a question arrives (`app`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from envfactory_dagster.contracts import requests
from envfactory_dagster.contracts.base import Contract
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.language.embedded import compose, discovery
from envfactory_dagster.language.embedded.plan import draft_plan, plan_for
from envfactory_dagster.language.embedded.tasks import draft_tasks
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
    return requests.ToolSpecAnswer(tools=compose.tool_definitions(plan_for(context.theme)))


def server_code(context: requests.ServerCodeContext, seed: Seed) -> requests.ServerCodeAnswer:
    functions = compose.tool_functions(build_world(plan_for(context.theme), "initial"))
    return requests.ServerCodeAnswer(functions=[f for f in functions if f.name in context.wanted])


SKILLS: Mapping[str, Skill] = {
    "theme_proposals": Skill(requests.ThemeProposalsContext, discovery.theme_proposals),
    "crud_suitability": Skill(requests.CrudSuitabilityContext, discovery.crud_suitability),
    "task_filter": Skill(requests.TaskFilterContext, discovery.task_filter),
    "theme": Skill(requests.ThemeContext, theme),
    "task_set": Skill(requests.TaskSetContext, task_set),
    "database_schema": Skill(requests.DatabaseSchemaContext, database_schema),
    "seed_rows": Skill(requests.SeedRowsContext, seed_rows),
    "tool_spec": Skill(requests.ToolSpecContext, tool_spec),
    "server_code": Skill(requests.ServerCodeContext, server_code),
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
