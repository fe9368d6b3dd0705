"""A mirror has the tools of the service that it stands in for: those names, those parameters, those answers."""

from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.authoring.discovery import read_service
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.authoring.source_tools import differences
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.sources import SourceDocument, SourceTool
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.runtime.runtime import Runtime
from tests.authoring.line_kit import line
from tests.authoring.mirror_kit import WEB_SEARCH, author, author_of_versions, service, spec
from tests.support.alpine_author import Answer, Asked, alpine_author, huts


def on_other_rows(asked: Asked, answer: Answer) -> Answer:
    """The author shows one of the tools at a time and on rows of its own."""
    for function in answer["functions"] if asked.schema == "server_code" else ():
        if function["name"] == "sign_up_for_tour":
            two_left = {"table": "tour_dates", "id": 2, "values": {"places": 2}}
            function |= {"given": [two_left], "clock": "2026-07-05T09:00:00"}
    return answer


async def test_a_mirror_of_the_huts_is_built_and_answers(
    proposal: PooledProposal, settings: AuthoringSettings, runtime: Runtime, tmp_path: Path
) -> None:
    document = await read_service(service(tmp_path, spec()))
    app = alpine_author(on_other_rows, instead=author)
    async with line(app, runtime, tmp_path / "home", settings) as running:
        records = await running.run(proposal.model_copy(update={"document": document}))
        assert {name: record.reason for name, record in records.items() if record.status != "ok"} == {}
        bundle = running.bundle("alpine-huts")
    given = {tool["name"]: tool for tool in spec()["tools"] if tool["name"] != WEB_SEARCH["name"]}
    assert [tool.name for tool in bundle.tools] == list(given)
    assert {tool.principal for tool in bundle.tools} == {"assistant"}
    for tool in bundle.tools:
        assert tool.inputSchema == given[tool.name]["inputSchema"]
        assert tool.outputSchema == given[tool.name].get("outputSchema", tool.outputSchema)
    spec_record = records["tool_spec"]
    assert spec_record.metadata["left_out"] == [
        {"tool": "searchTheWeb", "reason": "live_data", "detail": "It searches the web."}
    ]
    assert [(one.name, one.reason) for one in bundle.provenance.left_out] == [("searchTheWeb", "live_data")]
    async with await runtime.open(bundle) as session:
        called = await session.call("getHut", bundle.tool_tests["getHut"].good_call)
        bought = await session.call("buy_membership", {"person_id": 4, "plan_id": 4, "from": "2026-08-01"})
    assert (called.outcome, bought.outcome) == ("ok", "ok")
    shown = bundle.tool_tests["sign_up_for_tour"]
    assert (shown.clock, [row.id for row in shown.given]) == ("2026-07-05T09:00:00", [2])


async def test_sixty_tools_are_asked_about_in_batches_that_are_shown_whole(
    proposal: PooledProposal, settings: AuthoringSettings, runtime: Runtime, tmp_path: Path
) -> None:
    result = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
    tools = [
        {"name": f"tool{n}", "description": "x" * 3_000, "inputSchema": {"type": "object"}, "outputSchema": result}
        for n in range(60)
    ]

    def of_all(asked: Asked) -> Answer | None:
        if asked.schema != "mirrored_tools":
            return author(asked)
        told = {"description": "", "read_only": True, "destructive": False, "outputSchema": None}
        return {"tools": [told | {"name": name} for name in asked.context["wanted"]], "left_out": []}

    document = await read_service(service(tmp_path, {"tools": tools}))
    app = alpine_author(instead=of_all)
    async with line(app, runtime, tmp_path / "home", settings) as running:
        records = await running.run(proposal.model_copy(update={"document": document}), "tool_spec")
    assert records["tool_spec"].metadata["source_tools_realized"] == 1.0
    asked = [one.context for one in app.state.asked if one.schema == "mirrored_tools"]
    assert len(asked) > 3
    assert all([tool["name"] for tool in one["source"]["tools"]] == one["wanted"] for one in asked)
    assert sum(len(one["wanted"]) for one in asked) == 60


async def test_a_mirror_of_sixty_tools_is_built_and_all_of_them_work(
    proposal: PooledProposal, settings: AuthoringSettings, runtime: Runtime, tmp_path: Path
) -> None:
    """The service offers each of its tools under several names, as services do that have grown."""
    given = spec()["tools"][:-1]
    copies = [tool | {"name": f"{tool['name']}V{n}"} for n in range(2, 9) for tool in given]
    tools = [*given, *copies][:60]
    document = await read_service(service(tmp_path, {"name": "huts", "tools": tools}))
    app = alpine_author(instead=author_of_versions)
    async with line(app, runtime, tmp_path / "home", settings) as running:
        records = await running.run(proposal.model_copy(update={"document": document}))
        assert {name: record.reason for name, record in records.items() if record.status != "ok"} == {}
        bundle = running.bundle("alpine-huts")
    assert [tool.name for tool in bundle.tools] == [tool["name"] for tool in tools]
    for name, test in bundle.tool_tests.items():
        async with await runtime.open(bundle, clock=test.clock) as session:
            for call in test.before:
                await session.call(call.tool, call.arguments)
            called = await session.call(name, test.good_call)
        assert called.outcome == "ok", (name, called)


def without_results(answer: Answer) -> Answer:
    return answer | {"tools": [one | {"outputSchema": None} for one in answer["tools"]]}


def with_words_as_days(answer: Answer) -> Answer:
    of_words = {"type": "string", "format": "date"}
    schema = {"type": "object", "properties": {"status": of_words}, "required": ["status"]}
    return answer | {"tools": [one | {"outputSchema": schema} for one in answer["tools"]]}


def with_other_hints(answer: Answer) -> Answer:
    return answer | {"tools": [one | {"read_only": False} for one in answer["tools"]]}


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda answer: answer | {"tools": answer["tools"][1:]}, "Nothing is said of"),
        (lambda answer: answer | {"tools": [*answer["tools"], answer["tools"][0]]}, "is told of twice"),
        (without_results, "say what it answers"),
        (with_words_as_days, "outputSchema.status has the format date, but the column status holds other texts"),
        (with_other_hints, "the service says that it changes nothing"),
    ],
    ids=["one is forgotten", "one is told of twice", "no result", "words as days", "another hint"],
)
async def test_the_author_of_a_mirror_is_asked_again_for_what_is_missing(
    spoil: Any, said: str, proposal: PooledProposal, settings: AuthoringSettings, runtime: Runtime, tmp_path: Path
) -> None:
    def at_first(asked: Asked, answer: Answer) -> Answer:
        first = asked.schema == "mirrored_tools" and huts().tools[0].name in asked.context["wanted"]
        changed: Answer = spoil(answer) if first and not asked.reports else answer
        return changed

    document = await read_service(service(tmp_path, spec()))
    app = alpine_author(at_first, instead=author)
    async with line(app, runtime, tmp_path / "home", settings) as running:
        records = await running.run(proposal.model_copy(update={"document": document}), "tool_spec")
    assert records["tool_spec"].status == "ok"
    (report,) = [report for one in app.state.asked for report in one.reports]
    assert said in report


def definition(**schema: Any) -> ToolDefinition:
    whole = {"type": "object", "properties": {"kind": {"type": "string", "enum": ["a", "b"]}}, "required": ["kind"]}
    return ToolDefinition(
        name="find",
        description="Finds.",
        inputSchema=whole | schema,
        outputSchema={"type": "object"},
        annotations={"readOnlyHint": True},  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({}, ""),
        ({"required": []}, "inputSchema.required differs"),
        ({"properties": {"kind": {"type": "string", "enum": ["a"]}}}, "inputSchema.kind.enum is ['a']"),
        ({"properties": {"kind": {"type": "integer", "enum": ["a", "b"]}}}, "inputSchema.kind.type is 'integer'"),
        ({"properties": {"sort": {"type": "string", "enum": ["a", "b"]}}}, "inputSchema.properties differ: kind, sort"),
    ],
)
def test_every_difference_from_the_service_is_told(schema: dict[str, Any], said: str) -> None:
    source = SourceTool(name="find", inputSchema=definition().inputSchema)
    found = differences(source, definition(**schema))
    assert bool(found) == bool(said) and all(one.startswith(said) for one in found)


# -- reading a service -------------------------------------------------------------------------------------------------

NODE: dict[str, Any] = {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/N"}}}}
ODD = {
    "a tree": {"name": "plant", "inputSchema": {**NODE, "$defs": {"N": NODE}}},
    "a hyphen": {"name": "get-forecast", "inputSchema": {"type": "object"}},
    "a parameter with a hyphen": {"name": "book", "inputSchema": {"type": "object", "properties": {"start-date": {}}}},
    "a word of Python as ours": {"name": "let", "inputSchema": {"type": "object", "properties": {"from_": {}}}},
    "a choice": {"name": "chosen", "inputSchema": {"oneOf": [NODE, {"type": "object"}]}},
    "a tree without a name": {"name": "grow", "inputSchema": {"type": "object", "properties": {"twig": {"$ref": "#"}}}},
    "a type that is none": {"name": "typed", "inputSchema": {"type": "object", "properties": {"a": {"type": {}}}}},
    "no schema": {"name": "broken", "inputSchema": {"type": "object", "properties": {"a": {"type": "shape"}}}},
}
REASONS = {
    "plant": "recursive_schema",
    "grow": "recursive_schema",
    "chosen": "schema",
    "broken": "schema",
    "typed": "schema",
}
REASONS |= dict.fromkeys(("get-forecast", "book", "let"), "name")
FINE = {"name": "fine", "inputSchema": {"type": "object"}}


async def read(tmp_path: Path, *tools: dict[str, Any]) -> SourceDocument:
    return await read_service(service(tmp_path, {"tools": list(tools)}))


async def test_tools_that_cannot_be_offered_are_listed_and_the_others_read(tmp_path: Path) -> None:
    document = await read(tmp_path, *ODD.values(), FINE, FINE)
    assert [tool.name for tool in document.tools] == ["fine"]
    assert {one.name: one.reason for one in document.unusable} == {**REASONS, "fine": "repeated_name"}
    assert "leads back to itself" in document.unusable[0].detail


@pytest.mark.parametrize("word", ["from", "class", "None", "env", "self"])
async def test_a_parameter_may_be_a_word_of_python(tmp_path: Path, word: str) -> None:
    schema = {"type": "object", "properties": {word: {"type": "string"}}, "required": [word]}
    (tool,) = (await read(tmp_path, {"name": "book", "inputSchema": schema})).tools
    assert tool.inputSchema == schema | {"additionalProperties": False}


async def test_what_stands_behind_a_reference_or_says_anything_is_written_out(tmp_path: Path) -> None:
    whole = {"type": "object", "properties": {"any": True, "ids": {"type": "array", "items": True}}}
    document = await read(tmp_path, {"name": "fine", "inputSchema": {"$ref": "#/$defs/W", "$defs": {"W": whole}}})
    (tool,) = document.tools
    assert tool.inputSchema["properties"] == {"any": {}, "ids": {"type": "array", "items": {}}}


async def test_names_that_differ_only_in_case_are_two_tools(tmp_path: Path) -> None:
    document = await read(tmp_path, FINE, FINE | {"name": "Fine"})
    assert [tool.name for tool in document.tools] == ["fine", "Fine"]


async def test_what_is_not_checked_is_told_and_names_types_and_enums_stay(tmp_path: Path) -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {
            "size": {"type": "integer", "format": "int32", "nullable": True, "minimum": 0, "exclusiveMinimum": True},
            "kind": {"type": "string", "enum": ["a", "b"], "not": {"const": "b"}},
        },
        "required": ["kind"],
        "minProperties": 1,
    }
    (tool,) = (await read(tmp_path, {"name": "fine", "inputSchema": schema})).tools
    assert tool.loosened == ["inputSchema.kind.not", "inputSchema.minProperties"]
    assert tool.inputSchema == {
        "type": "object",
        "properties": {
            "size": {"type": ["integer", "null"], "exclusiveMinimum": 0},
            "kind": {"type": "string", "enum": ["a", "b"]},
        },
        "required": ["kind"],
        "additionalProperties": False,
    }


API = """
openapi: 3.0.3
info: {title: Ferry, description: Trips over the fjord.}
paths:
  /trips/{tripId}:
    parameters:
      - {name: tripId, in: path, required: true, schema: {type: string}}
      - {name: X-Request-Id, in: header, schema: {type: string}}
    get:
      operationId: getTrip
      parameters: [{name: fields, in: query, schema: {type: array, items: {type: string}}}]
      responses: {200: {content: {application/json: {schema: {$ref: '#/components/schemas/Trip'}}}}}
    patch:
      operationId: changeTrip
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Change'}}}}
      responses: {204: {description: done}}
  /trips:
    get:
      responses:
        200: {content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Trip'}}}}}
components:
  schemas:
    Trip: {type: object, required: [id], properties: {id: {type: string}, day: {type: string, format: date}}}
    Change: {type: object, required: [day], properties: {day: {type: string, format: date}, note: {type: string}}}
"""


async def test_operations_become_tools_by_their_ids(tmp_path: Path) -> None:
    path = tmp_path / "ferry.yaml"
    path.write_text(API)
    document = await read_service(str(path))
    get, change, listing = document.tools
    assert [(tool.name, tool.operation) for tool in document.tools] == [
        ("getTrip", "GET /trips/{tripId}"), ("changeTrip", "PATCH /trips/{tripId}"), ("get_trips", "GET /trips"),
    ]  # fmt: skip
    assert get.inputSchema["properties"].keys() == {"tripId", "fields"}
    assert get.inputSchema["required"] == ["tripId"]
    assert get.outputSchema is not None and get.outputSchema["properties"].keys() == {"id", "day"}
    assert get.loosened == ["header parameter X-Request-Id"]
    assert change.inputSchema["properties"].keys() == {"tripId", "day", "note"}
    assert change.inputSchema["required"] == ["tripId", "day"]
    assert change.outputSchema is None
    assert listing.outputSchema is not None and listing.outputSchema["properties"]["result"]["type"] == "array"


@pytest.mark.parametrize("wrap", [lambda tools: tools, lambda tools: {"jsonrpc": "2.0", "result": {"tools": tools}}])
async def test_a_list_of_tools_is_read_as_it_came(tmp_path: Path, wrap: Any) -> None:
    document = await read_service(service(tmp_path, wrap([FINE])))
    assert [tool.name for tool in document.tools] == ["fine"] and document.mirror


# -- reading an OpenAPI document ---------------------------------------------------------------------------------------


def operation(name: str, **more: Any) -> dict[str, Any]:
    return {"operationId": name, "responses": {"200": {"description": "Done."}}, **more}


async def read_api(tmp_path: Path, **operations: dict[str, Any]) -> SourceDocument:
    paths = {f"/{name}": {"post": operation(name, **more)} for name, more in operations.items()}
    return await read_service(service(tmp_path, {"openapi": "3.0.0", "info": {"title": "Huts"}, "paths": paths}))


def body(schema: Any) -> dict[str, Any]:
    return {"requestBody": {"content": {"application/json": {"schema": schema}}}}


async def test_operations_that_make_no_sense_are_listed_and_the_others_read(tmp_path: Path) -> None:
    document = await read_api(
        tmp_path,
        numbered={"parameters": 5},
        mapped={"parameters": {"day": {"in": "query"}}},
        required=body({"type": "object", "properties": {"day": {"type": "string"}}, "required": True}),
        typed=body({"type": "object", "properties": {"day": {"type": {"string": True}}}}),
        fine={"parameters": [{"name": "day", "in": ["query"], "schema": {"type": "string"}}]},
    )
    assert [tool.name for tool in document.tools] == ["fine"]
    assert {one.name: one.reason for one in document.unusable} == dict.fromkeys(
        ("numbered", "mapped", "required", "typed"), "schema"
    )


@pytest.mark.parametrize("order", [["path", "query"], ["query", "path"]])
async def test_of_two_parameters_of_one_name_that_of_the_path_counts_and_the_other_is_told(
    tmp_path: Path, order: list[str]
) -> None:
    types = {"path": "integer", "query": "string"}
    both = [
        {"name": "id", "in": place, "required": place == "path", "schema": {"type": types[place]}} for place in order
    ]
    (tool,) = (await read_api(tmp_path, find={"parameters": both})).tools
    assert (tool.inputSchema["properties"], tool.inputSchema["required"]) == ({"id": {"type": "integer"}}, ["id"])
    assert tool.loosened == ["query parameter id"]
