"""The tool specification: the tools of a world as MCP lists them, before there is any code.

Belongs here: the prompt for it and its gate. Does not: the functions behind the tools (`server_code`).
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from envfactory_dagster.authoring import (
    column_formats,
    file_words,
    mirrored_tools,
    named_things,
    source_tools,
    texts,
    trade_review,
)
from envfactory_dagster.authoring import source_document as sources
from envfactory_dagster.authoring.column_formats import parts
from envfactory_dagster.authoring.database_schema import keeps
from envfactory_dagster.authoring.loop import Authored, Question, author, outcome
from envfactory_dagster.authoring.named_things import NamedThings
from envfactory_dagster.authoring.samples import sample_rows
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.authoring.trade_review import TradeReview
from envfactory_dagster.contracts.base import Json, content_hash, repeated
from envfactory_dagster.contracts.database import DatabaseSchema, SeedRows, Table, TableRows
from envfactory_dagster.contracts.domain import Task, TaskSet, Theme
from envfactory_dagster.contracts.parameter_names import parameter_name, property_name
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.requests import SourcedToolSpecAnswer, ToolSpecAnswer, ToolSpecContext
from envfactory_dagster.contracts.sources import LeftOutTool, SourceDocument
from envfactory_dagster.contracts.stages import SOURCE_DOCUMENT, StageInput, StageOutcome
from envfactory_dagster.contracts.tools import ToolDefinition, ToolSpec
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.runtime.facts import Schema, SchemaTable, load_schema
from envfactory_dagster.runtime.json_schema import SchemaError, compile_schema

INSTRUCTIONS = """\
You specify the tools of the service that `theme` describes: the only way to its database, whose `tables` and
`sample_rows` you are shown. An assistant works with them for user 1, the person who brings the `tasks`.

`tools`: at least `least_tools` definitions as MCP lists them, as compact JSON: without indentation, for the answer is
long. Each has
- `name`: snake_case, a verb first: `search_rooms`, `get_booking`, `cancel_booking`.
- `description`: one to three sentences: what it does, what it refuses, what it leaves alone.
- `inputSchema` and `outputSchema`: JSON Schema of `"type": "object"`, see below.
- `annotations`: `readOnlyHint` true exactly for tools that change nothing; `destructiveHint` true for those that
  take something away for good; `idempotentHint`, `openWorldHint` false as a rule.
- `principal`: `assistant`; `user` for what only the person can do: confirm a payment, accept terms, sign, show up.
- `confirmed_by`: of a tool of the assistant that waits for the person, the tools of the person whose effect it needs;
  left out for all others.

What the set of tools must be
- Every task can be done with them, in several steps: search or list, look at one, then change it. Every table is
  read or written by some tool. Every id or code that a tool takes is shown by another one.
- Single steps, not whole tasks: no tool that does what a task asks for in one go.
- A command enforces the rules of the theme itself: its description says which, and no parameter switches a rule off.
- Tools never ask who is calling: no `user_id`. "My" bookings are those of user 1.
- What can be entered can be put right: a wrong entry corrected, a state left again, the person in a place exchanged
  for another, wherever the desk of such a service does so and no rule forbids it.
- Where people of this trade confirm something themselves (a code, a consent, a signature, a payment in their own app),
  one or two tools of the person do it, and leave it in the database: `sign_lease`. A later tool of the assistant needs
  that effect, names the person's tool in `confirmed_by`, and refuses without it, which its description says:
  `hand_over_keys`. A tool of the person that nothing waits for is of no use. Where the trade has nothing of the kind,
  there are none.

Schemas
- Keywords: type, enum, const, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, minLength, maxLength,
  pattern, format (date, time, date-time, email, uri, uuid), properties, required, additionalProperties, items,
  minItems, maxItems, uniqueItems, anyOf, oneOf, allOf, `$ref` to the root's `$defs`, description, default, title.
  No other keyword. A `pattern` is short and has no lookahead, lookbehind, reference to a group, `\\b` or flag.
- Every object lists its `properties` and `required` and has `"additionalProperties": false`; every array has `items`.
- Every parameter has a `type` and a `description`. An optional one is absent from `required`; when a value stands for
  it, that is its `default`, otherwise leaving it out means no restriction. It is never null: a function cannot tell
  that from leaving it out, so an empty text or a tool of its own takes a value off.
- A parameter that names a row is called after its table, `booking_id`, and is of the type of that column. Where an
  enum lists values of a column, they are exactly those of its CHECK.
- A bound says in its name or description that it is included: `min_price_cents`, `first_day`, "at most".
- A result is always an object; a list of rows is a property of it (`{"bookings": [ … ]}`). Fields have the names of the
  columns they show. A value that may be missing is of type `["string", "null"]`. Days have the format date, moments
  date-time, whatever their column is called: `sample_rows` tell what it holds. Money is an integer as the tables have
  it.
"""

GATE = 1

_READING = frozenset({"get", "list", "search", "find", "show", "count", "summarize", "view", "browse", "compare"})
_WRITING = frozenset(
    {"create", "add", "remove", "delete", "update", "cancel", "submit", "send", "set", "pay", "transfer"}
)
_DESTROYING = frozenset({"delete", "erase", "purge"})
_IDENTITY = frozenset({"user_id", "current_user_id", "my_id", "caller_id"})
_SNAKE = re.compile(r"[a-z][a-z0-9_]*")
MOST_TOOLS = 128
"""An agent can be given this many tools at most."""
_ROW_NAME = re.compile(r"(.+)_ids?")
_SHAPED = ("type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref")


class ToolSpecStage:
    name = "tool_spec"
    upstream = ("theme", "task_set", "database_schema", "seed_rows", SOURCE_DOCUMENT)
    code_version = content_hash([INSTRUCTIONS, trade_review.INSTRUCTIONS, GATE])[:12]

    def __init__(self, gateway: Gateway, settings: AuthoringSettings) -> None:
        self._gateway = gateway
        self._settings = settings

    def settings_hash(self) -> str:
        return self._settings.hash_for(self.name)

    async def make(self, stage_input: StageInput) -> StageOutcome:
        seed = SeedRows.model_validate(stage_input.artifact("seed_rows"))
        context = ToolSpecContext(
            theme=Theme.model_validate(stage_input.artifact("theme")),
            tasks=TaskSet.model_validate(stage_input.artifact("task_set")).tasks,
            tables=DatabaseSchema.model_validate(stage_input.artifact("database_schema")).tables,
            sample_rows=sample_rows(seed),
            least_tools=self._settings.least_tools,
            source=sources.shown_to(stage_input),
        )
        caller = Caller(self.name, stage_input.partition, Role.AUTHOR)
        attempts, document = self._settings.attempts, sources.document_of(stage_input)
        if document is not None and document.mirror:
            made = await mirrored_tools.author_mirror(self._gateway, caller, context, document, attempts)
            return _outcome(made, document)
        texts_there = trade_review.documents_in(seed)
        review = TradeReview(self._gateway, caller, attempts, context, texts_there, MOST_TOOLS)
        if text := named_things.description_in(document):
            return await self._author_described(caller, context, text, review)
        if document is None or not document.tools:
            made = await self._author(caller, context, review, document.unusable if document is not None else ())
        else:
            made = await self._author_sourced(caller, context, review, document)
        return _outcome(made, document, review)

    async def _author(
        self, caller: Caller, context: ToolSpecContext, review: TradeReview, left_out: Sequence[LeftOutTool]
    ) -> Authored[ToolSpec]:
        async def gate(answer: ToolSpecAnswer) -> list[Problem]:
            return problems_of(answer.tools, context.tasks, context.tables, context.sample_rows, context.least_tools)

        question = _question(context)
        authored = await author(self._gateway, caller, question, gate, attempts=self._settings.attempts)
        authored = await review.mended(question, gate, authored)
        spec = None if authored.value is None else ToolSpec(tools=authored.value.tools, left_out=list(left_out))
        return Authored(spec, authored.attempts)

    async def _author_described(
        self, caller: Caller, context: ToolSpecContext, text: str, review: TradeReview
    ) -> StageOutcome:
        """With everything that somebody named who described the world, or with the rest of it told."""
        judge = Caller(self.name, caller.partition, Role.JUDGE)
        named = NamedThings(self._gateway, judge, text, context, self._settings.attempts)
        done_without = set[str]()

        async def gate(answer: ToolSpecAnswer) -> list[Problem]:
            problems = problems_of(
                answer.tools, context.tasks, context.tables, context.sample_rows, context.least_tools
            )
            return problems or await named.problems_of(answer.tools, done_without)

        question = _question(context)
        authored = await author(self._gateway, caller, question, gate, attempts=self._settings.attempts)
        spec = named.settled(authored)
        if spec is not None:
            done_without |= {one.words for one in spec.named if one.left_out is not None}
            settled = Authored(ToolSpecAnswer(tools=spec.tools), authored.attempts)
            authored = await review.mended(question, gate, settled)
            spec = named.settled(authored)
        made = Authored(spec, [*authored.attempts, *named.asked])
        return _outcome(made, None, review, named_untold=named.untold)

    async def _author_sourced(
        self, caller: Caller, context: ToolSpecContext, review: TradeReview, document: SourceDocument
    ) -> Authored[ToolSpec]:
        """With every tool of the source that there is room to show."""
        shown = {str(tool["name"]) for tool in context.source.tools} if context.source else set()

        async def gate(answer: SourcedToolSpecAnswer) -> list[Problem]:
            of_the_source = {name for name in shown if name in {tool.name for tool in answer.tools}}
            problems = problems_of(
                answer.tools, context.tasks, context.tables, context.sample_rows, context.least_tools, of_the_source
            )
            return [*problems, *source_tools.problems_of(answer, document, shown)]

        question = Question("tool_spec", SourcedToolSpecAnswer, INSTRUCTIONS + sources.FOR_TOOLS, context)
        authored = await author(self._gateway, caller, question, gate, attempts=self._settings.attempts)
        authored = await review.mended(question, gate, authored)
        if authored.value is None:
            return Authored(None, authored.attempts)
        left_out = source_tools.all_left_out(authored.value, document, shown)
        return Authored(ToolSpec(tools=authored.value.tools, left_out=left_out), authored.attempts)


def _question(context: ToolSpecContext) -> Question[ToolSpecAnswer]:
    instructions = sources.with_source(INSTRUCTIONS, context.source, sources.FOR_TOOLS)
    if context.theme.storage == "files":
        instructions += file_words.FOR_TOOLS
    return Question("tool_spec", ToolSpecAnswer, instructions, context)


def _outcome(
    authored: Authored[ToolSpec],
    document: SourceDocument | None,
    review: TradeReview | None = None,
    *,
    named_untold: str = "",
) -> StageOutcome:
    """`review`: of a mirror there is none."""
    if authored.value is None:
        return outcome(authored, None)
    spec = authored.value
    return outcome(
        authored,
        spec,
        tool_count=len(spec.tools),
        commands=sum(not tool.annotations.readOnlyHint for tool in spec.tools),
        user_tools=len(spec.of("user")),
        waited_for=len({name for tool in spec.tools for name in tool.confirmed_by}),
        tools=[_shown(tool) for tool in spec.tools],
        **_of_the_source(spec, document),
        **named_things.as_metadata(spec.named, named_untold),
        **(review.as_metadata(spec.tools) if review is not None else {}),
    )


def _of_the_source(spec: ToolSpec, document: SourceDocument | None) -> dict[str, Json]:
    if document is None or not (document.tools or document.unusable):
        return {}
    return {
        "source_tools": len(document.tools) + len(document.unusable),
        "source_tools_realized": round(source_tools.share_realized(spec.tools, document), 3),
        "left_out": [{"tool": one.name, "reason": one.reason, "detail": one.detail} for one in spec.left_out],
    }


def problems_of(
    tools: Sequence[ToolDefinition],
    tasks: Sequence[Task],
    tables: Sequence[Table],
    rows: Sequence[TableRows],
    least_tools: int,
    of_the_source: Collection[str] = (),
) -> list[Problem]:
    """Everything that keeps these definitions from being the tools of this world. `of_the_source`: tools that are
    called, and name their parameters, as a source has it."""
    schema = load_schema(DatabaseSchema(tables=list(tables)).sql())
    problems = [*_of_the_list(tools, least_tools)]
    if len(tools) > MOST_TOOLS:
        return problems
    for tool in tools:
        problems += _of_the_schemas(tool)
        schemas = {"inputSchema": tool.inputSchema, "outputSchema": tool.outputSchema}
        problems += column_formats.problems_of(tool.name, schemas, rows)
        if tool.name in of_the_source:
            problems += _of_the_form_of_parameters(tool)
        else:
            problems += [*_of_the_name(tool), *_of_the_parameters(tool, schema), *_of_the_hints(tool)]
    return [*problems, *_of_confirmations(tools), *_of_coverage(tools, tasks, tables, schema)]


def _of_the_list(tools: Sequence[ToolDefinition], least_tools: int) -> Iterator[Problem]:
    if not least_tools <= len(tools) <= MOST_TOOLS:
        yield _problem(f"There are {len(tools)} tools; give at least {least_tools} and at most {MOST_TOOLS}.")
    for name in repeated(tool.name for tool in tools):
        yield _problem(f"Two tools are called {name}.")
    for reads, what in ((True, "reads"), (False, "changes something")):
        if not any(tool.annotations.readOnlyHint is reads and tool.principal == "assistant" for tool in tools):
            yield _problem(f"No tool of the assistant {what}.")


def _of_confirmations(tools: Sequence[ToolDefinition]) -> Iterator[Problem]:
    """Only what the person does to the database can be waited for, and only by a tool of the assistant that writes."""
    by_name = {tool.name: tool for tool in tools}
    for tool in tools:
        if tool.confirmed_by and (tool.principal == "user" or tool.annotations.readOnlyHint):
            yield _problem(f"{tool.name}: only a tool of the assistant that changes something has `confirmed_by`.")
        for name in tool.confirmed_by:
            other = by_name.get(name)
            if other is None:
                yield _problem(f"{tool.name}: it is confirmed by {name}, which is no tool.")
            elif other.principal != "user" or other.annotations.readOnlyHint:
                yield _problem(
                    f"{tool.name}: it is confirmed by {name}, which must be of the principal user and change something."
                )


# -- one tool ----------------------------------------------------------------------------------------------------------


def _of_the_schemas(tool: ToolDefinition) -> Iterator[Problem]:
    for label, schema in (("inputSchema", tool.inputSchema), ("outputSchema", tool.outputSchema)):
        try:
            compile_schema(schema, label)
        except SchemaError as error:
            yield _problem(f"{tool.name}: {error}.")
            continue
        for path, part in parts(schema, label):
            if "properties" in part or part.get("type") == "object":
                yield from _of_an_object(tool.name, path, part)
            elif "array" in _types(part) and "items" not in part:
                yield _problem(f"{tool.name}: {path} is an array without `items`.")
    if not tool.outputSchema.get("properties"):
        yield _problem(f"{tool.name}: its result has no properties; say what it answers.")
    elif not tool.outputSchema.get("required"):
        yield _problem(f"{tool.name}: no property of its result is required; list those that are always there.")


def _of_an_object(tool: str, path: str, part: Mapping[str, Any]) -> Iterator[Problem]:
    properties = part.get("properties")
    if properties is None:
        yield _problem(f"{tool}: {path} is an object without `properties`.")
        return
    if part.get("additionalProperties") is not False:
        yield _problem(f'{tool}: {path} needs "additionalProperties": false.')
    if unknown := [name for name in part.get("required", []) if name not in properties]:
        yield _problem(f"{tool}: {path} requires {', '.join(unknown)}, which is none of its properties.")


def _of_the_name(tool: ToolDefinition) -> Iterator[Problem]:
    if not _SNAKE.fullmatch(tool.name):
        yield _problem(f"{tool.name}: the name of a tool is in snake_case, unless the source has it otherwise.")


def _of_the_form_of_parameters(tool: ToolDefinition) -> Iterator[Problem]:
    required = tool.inputSchema.get("required", [])
    for name, part in tool.inputSchema.get("properties", {}).items():
        if not isinstance(part, dict) or not any(word in part for word in _SHAPED):
            yield _problem(f"{tool.name}: the parameter {name} has no type.")
            continue
        if not str(part.get("description", "")).strip():
            yield _problem(f"{tool.name}: the parameter {name} has no description.")
        if not name.isidentifier() or property_name(parameter_name(name)) != name:
            yield _problem(f"{tool.name}: {name!r} cannot be the name of a parameter.")
        if "default" in part:
            yield from _of_the_default(tool.name, name, part, name in required)


def _of_the_parameters(tool: ToolDefinition, schema: Schema) -> Iterator[Problem]:
    yield from _of_the_form_of_parameters(tool)
    for name in tool.inputSchema.get("properties", {}):
        if (name in _IDENTITY and not _is_a_thing(name, schema)) or texts.SECRET.search(name):
            yield _problem(f"{tool.name}: leave out the parameter {name}; who is calling is known.")
        if not _names_rows(name, schema):
            yield _problem(f"{tool.name}: the parameter {name} is called after no table; which rows does it name?")


def _of_the_default(tool: str, name: str, part: Mapping[str, Any], required: bool) -> Iterator[Problem]:
    if required:
        yield _problem(f"{tool}: the parameter {name} is required and has a default; it can only be one of them.")
    try:
        wrong = compile_schema(part, name)(part["default"])
    except SchemaError:
        return  # reported with the whole schema
    if wrong is not None:
        yield _problem(f"{tool}: the default of {name} does not fit its own schema: {wrong}.")


def _is_a_thing(parameter: str, schema: Schema) -> bool:
    """Whether there is a table of that name, and it is not that of the people."""
    wanted = texts.words(_spaced(parameter.removesuffix("_id")))
    return any(texts.words(_spaced(table)) == wanted for table in list(schema.tables)[1:])


def _names_rows(parameter: str, schema: Schema) -> bool:
    """Whether `room_id`, `room_ids` or `from_room_id` can be traced to a table `rooms` or to a column `room_id`."""
    found = _ROW_NAME.fullmatch(parameter)
    if found is None:
        return True
    known = {frozenset(texts.words(_spaced(table))) for table in schema.tables}
    for table in schema.tables.values():
        known |= {frozenset(texts.words(_spaced(c.name[:-3]))) for c in table.columns if c.name.endswith("_id")}
    parts = found[1].split("_")
    return any(
        frozenset(texts.words(" ".join(parts[start:]))) <= words for start in range(len(parts)) for words in known
    ) or any(
        _are_singular_and_plural("_".join(parts[start:]), table)
        for start in range(len(parts))
        for table in schema.tables
    )


def _are_singular_and_plural(one: str, other: str) -> bool:
    """Of a word that is not English, as `assenza` and `assenze`: both end in a vowel, and differ in nothing else."""
    return len(one) > 4 and one[:-1] == other[:-1] and {one[-1], other[-1]} <= set("aeiou")


def _of_the_hints(tool: ToolDefinition) -> Iterator[Problem]:
    verb = tool.name.partition("_")[0]
    hints = tool.annotations
    if hints.readOnlyHint and hints.destructiveHint:
        yield _problem(f"{tool.name}: it cannot be both readOnlyHint and destructiveHint.")
    if verb in _READING and not hints.readOnlyHint:
        yield _problem(f"{tool.name}: a tool of that name changes nothing: readOnlyHint is true, or rename it.")
    if verb in _WRITING and hints.readOnlyHint:
        yield _problem(f"{tool.name}: a tool of that name changes something: readOnlyHint is false, or rename it.")
    if verb in _DESTROYING and not hints.readOnlyHint and not hints.destructiveHint:
        yield _problem(f"{tool.name}: a tool that {verb}s is destructive: destructiveHint is true.")


# -- all tools together ------------------------------------------------------------------------------------------------


def _of_coverage(
    tools: Sequence[ToolDefinition], tasks: Sequence[Task], tables: Sequence[Table], schema: Schema
) -> Iterator[Problem]:
    spoken = [_spaced(" ".join(_spoken(tool))) for tool in tools]
    said = texts.words(" ".join(spoken))
    fields = {name for tool in tools for name in _fields(tool)}
    served = [
        table
        for table in tables
        if _is_served(schema.tables[table.name], said) or _is_shown_by_reference(table.name, schema, fields)
    ]
    for table in tables:
        if table not in served:
            yield _problem(f"No tool reads or writes the table {table.name}.", table.ddl)
    for task in tasks:
        for entity in task.entities:
            if not texts.mentioned(entity, spoken) and not any(keeps(table, entity) for table in served):
                yield _problem(f"No tool speaks of {entity!r}, which the task {task.id} needs.", task.text)


def _is_served(table: SchemaTable, said: set[str]) -> bool:
    """Whether the tools speak of any part of its name, or of most of what it holds. Code will tell exactly; this is to
    notice early what has been forgotten altogether."""
    own = [texts.words(_spaced(column.name)) for column in table.columns if column.name not in table.primary_key]
    return bool(texts.words(_spaced(table.name)) & said) or 2 * sum(words <= said for words in own) >= len(own) > 0


def _is_shown_by_reference(table: str, schema: Schema, fields: Collection[str]) -> bool:
    """Whether a field is called after a column that refers to the table: `booked_by_name` is read from the staff."""
    keys = [key for other in schema.tables.values() for key in other.foreign_keys if key.parent == table]
    referring = {f"{column.removesuffix('_id')}_" for key in keys for column in key.columns}
    return any(field.startswith(column) and not field.endswith("_id") for column in referring for field in fields)


def _spoken(tool: ToolDefinition) -> Iterator[str]:
    yield from (tool.name, tool.description, *_fields(tool))
    for schema in (tool.inputSchema, tool.outputSchema):
        yield from (str(part.get("description", "")) for _, part in parts(schema, ""))


def _fields(tool: ToolDefinition) -> Iterator[str]:
    for schema in (tool.inputSchema, tool.outputSchema):
        for _, part in parts(schema, ""):
            yield from part.get("properties", {})


def _types(part: Mapping[str, Any]) -> list[Any]:
    declared = part.get("type", [])
    return declared if isinstance(declared, list) else [declared]


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _shown(tool: ToolDefinition) -> Json:
    return {
        "tool": tool.name,
        "by": tool.principal,
        "confirmed by": ", ".join(tool.confirmed_by),
        "reads": tool.annotations.readOnlyHint,
        "parameters": ", ".join(tool.inputSchema.get("properties", {})),
        "description": tool.description,
    }


def _problem(message: str, snippet: str = "") -> Problem:
    return Problem(fault="spec", message=message, snippet=snippet)
