"""The tools of a mirror: names and parameters as the service has them, and from the author only what it does not tell.

Belongs here: the questions, in batches, and their gate. Does not: the words of the prompt (`source_document`), or the
functions behind the tools (`server_code`).
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence

from envfactory_dagster.authoring import column_formats
from envfactory_dagster.authoring import source_document as sources
from envfactory_dagster.authoring.loop import Authored, Question, author, joined
from envfactory_dagster.authoring.source_tools import differences
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.database import TableRows
from envfactory_dagster.contracts.records import Attempt, Problem
from envfactory_dagster.contracts.requests import (
    MirroredTool,
    MirroredToolsAnswer,
    MirroredToolsContext,
    ToolSpecContext,
)
from envfactory_dagster.contracts.sources import LeftOutTool, SourceDocument, SourceTool
from envfactory_dagster.contracts.tools import ToolAnnotations, ToolDefinition, ToolSpec
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller
from envfactory_dagster.runtime.json_schema import SchemaError, compile_schema

BATCH = 20


async def author_mirror(
    gateway: Gateway, caller: Caller, context: ToolSpecContext, document: SourceDocument, attempts: int
) -> Authored[ToolSpec]:
    """Every tool of the document as it is, or among those that are left out."""
    batches = sources.in_batches(document.tools, BATCH)
    questions = (_author_batch(gateway, caller, context, document, batch, attempts) for batch in batches)
    authored = joined(await asyncio.gather(*questions))
    if authored.value is None:
        return Authored(None, authored.attempts)
    told = {tool.name: tool for answer in authored.value for tool in answer.tools}
    by_author = [LeftOutTool(**one.model_dump()) for answer in authored.value for one in answer.left_out]
    tools = [_definition(tool, told[tool.name]) for tool in document.tools if tool.name in told]
    problems = [_problem(f"{tool.name}: {said}.") for tool in tools for said in _not_as_given(tool, document.tools)]
    if not tools:
        problems = [_problem(f"no tool is left; a database can stand in for none of {len(by_author)}.")]
    if problems:
        return Authored(None, [*authored.attempts, Attempt(number=1, problems=problems)])
    return Authored(ToolSpec(tools=tools, left_out=[*by_author, *document.unusable]), authored.attempts)


async def _author_batch(
    gateway: Gateway,
    caller: Caller,
    context: ToolSpecContext,
    document: SourceDocument,
    batch: Sequence[SourceTool],
    attempts: int,
) -> Authored[MirroredToolsAnswer]:
    wanted = {tool.name: tool for tool in batch}

    async def gate(answer: MirroredToolsAnswer) -> list[Problem]:
        return list(problems_of(answer, wanted, context.sample_rows))

    question = Question(
        "mirrored_tools",
        MirroredToolsAnswer,
        sources.FOR_MIRROR,
        MirroredToolsContext(
            theme=context.theme,
            tasks=context.tasks,
            tables=context.tables,
            sample_rows=context.sample_rows,
            source=sources.with_tools(document, batch),
            wanted=list(wanted),
        ),
    )
    return await author(gateway, caller, question, gate, attempts=attempts)


def problems_of(
    answer: MirroredToolsAnswer, wanted: Mapping[str, SourceTool], rows: Sequence[TableRows]
) -> Iterator[Problem]:
    """Every tool that was asked for is told of once, and what it answers can be checked."""
    named = [tool.name for tool in answer.tools] + [one.name for one in answer.left_out]
    for name in dict.fromkeys(named):
        if name not in wanted:
            yield _problem(f"{name} was not asked for.")
        elif named.count(name) > 1:
            yield _problem(f"{name} is told of twice; it is one of `tools` or in `left_out`.")
    if missing := [name for name in wanted if name not in named]:
        yield _problem(f"Nothing is said of {', '.join(missing)}.")
    for tool in answer.tools:
        if tool.name in wanted:
            yield from _of_one(tool, wanted[tool.name], rows)


def _of_one(tool: MirroredTool, source: SourceTool, rows: Sequence[TableRows]) -> Iterator[Problem]:
    if not source.description and not tool.description.strip():
        yield _problem(f"{tool.name}: the service does not say what it does; write its `description`.")
    if tool.read_only and tool.destructive:
        yield _problem(f"{tool.name}: it cannot be both read_only and destructive.")
    hint = source.annotations.get("readOnlyHint")
    if isinstance(hint, bool) and hint is not tool.read_only:
        said = "changes nothing: read_only is true" if hint else "changes something: read_only is false"
        yield _problem(f"{tool.name}: the service says that it {said}.")
    if source.outputSchema is not None:
        return  # it stays as it is
    schema = tool.outputSchema
    if schema is None or schema.get("type") != "object" or not schema.get("properties"):
        yield _problem(
            f"{tool.name}: `outputSchema` is the schema of an object with `properties`; say what it answers."
        )
        return
    try:
        compile_schema(schema, "outputSchema")
    except SchemaError as error:
        yield _problem(f"{tool.name}: {error}.")
    if not schema.get("required"):
        yield _problem(f"{tool.name}: no property of its result is required; list those that are always there.")
    yield from column_formats.problems_of(tool.name, {"outputSchema": schema}, rows)


def _definition(source: SourceTool, told: MirroredTool) -> ToolDefinition:
    hints = source.annotations
    return ToolDefinition(
        name=source.name,
        description=source.description or told.description,
        inputSchema=source.inputSchema,
        outputSchema=source.outputSchema if source.outputSchema is not None else told.outputSchema or {},
        annotations=ToolAnnotations(
            readOnlyHint=told.read_only,
            destructiveHint=told.destructive,
            idempotentHint=_hint(hints, "idempotentHint"),
            openWorldHint=_hint(hints, "openWorldHint"),
        ),
    )


def _hint(hints: Mapping[str, Json], name: str) -> bool:
    return hints.get(name) is True


def _not_as_given(tool: ToolDefinition, given: Sequence[SourceTool]) -> list[str]:
    return differences(next(source for source in given if source.name == tool.name), tool)


def _problem(message: str) -> Problem:
    return Problem(fault="spec", message=message)
