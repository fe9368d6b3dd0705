"""The tool graph: which evidence makes which edge, who knows which value, and what a model may change."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import orjson
import pytest
import pytest_asyncio
from fastapi import FastAPI
from pydantic import ValidationError

from benchmarks.graph import figures
from envfactory_dagster.authoring.server_code import TriedCode
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import Artifact
from envfactory_dagster.contracts.database import DatabaseSchema, Table
from envfactory_dagster.contracts.graph import (
    INDEPENDENT,
    STRONG,
    WEAK,
    MisjudgedParameter,
    MissingEdge,
    SpuriousEdge,
    ToolGraph,
    ToolGraphRefinementAnswer,
)
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.stages import StageInput
from envfactory_dagster.contracts.tools import ToolSpec
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.runtime.facts import analyze_tools, screen_tools
from envfactory_dagster.tasks.graph.draft import GraphDraft, GraphLink
from envfactory_dagster.tasks.graph.evidence import by_both, by_facts, by_likeness
from envfactory_dagster.tasks.graph.refinement import problems_of, refined
from envfactory_dagster.tasks.graph.schema_paths import inputs, outputs
from envfactory_dagster.tasks.graph.semantics import Likeness, semantic_links
from envfactory_dagster.tasks.graph.stage import ToolGraphStage
from tests.tasks import labelled
from tests.tasks.graph_kit import THEME, edge, graph, lineage_of, node, tool
from tests.tasks.program_kit import gateway_of

NUMBER = {"type": "integer"}
WHO = Caller("test", "test", Role.EMBEDDER)


@pytest_asyncio.fixture(scope="module")
async def gateway(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Gateway]:
    async with Gateway(LanguageSettings(), tmp_path_factory.mktemp("home")) as gateway:
        yield gateway


def lineage_graph(name: str) -> ToolGraph:
    environment = labelled.load(name)
    return by_facts(environment.tools, lineage_of(environment)).graph()


def weights(graph: ToolGraph) -> dict[tuple[str, str], int]:
    return {(edge.source, edge.target): edge.weight for edge in graph.edges}


# -- the labelled environments -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", labelled.names())
def test_the_labelled_environments_are_sound(name: str) -> None:
    environment = labelled.load(name)
    tools = {tool.name: tool for tool in environment.tools}
    assert 6 <= len(tools) <= 10
    assert screen_tools(environment.source) == []
    assert not analyze_tools(environment.source, environment.schema_sql).problems
    assert {end for pair in environment.edges for end in pair} <= tools.keys()
    for owner, parameter in environment.internal:
        assert parameter in {leaf.path for leaf in inputs(tools[owner])}


async def test_the_edges_agree_with_those_labelled_by_hand(gateway: Gateway) -> None:
    measured = await figures(gateway, Likeness().threshold)
    assert measured["graph_f1_lineage"] >= 0.90
    assert measured["graph_f1_both"] >= 0.90
    assert 0.5 < measured["graph_f1_embeddings"] < measured["graph_f1_lineage"]
    assert measured["internal_right_both"] >= 0.95


# -- lineage -----------------------------------------------------------------------------------------------------------


def test_what_only_the_service_knows_makes_a_strong_edge_and_what_a_person_may_know_a_weak_one() -> None:
    found = weights(lineage_graph("ward_rounds"))
    assert found["formulary", "prescribe"] == STRONG, "the number of a drug"
    assert found["patients_on_ward", "chart"] == WEAK, "the number on the patient's record"


def test_a_foreign_key_counts_as_the_key_it_refers_to() -> None:
    links = [
        (link.output, link.parameter)
        for edge in lineage_graph("seed_library").edges
        if (edge.source, edge.target) == ("packets_of", "member_profile")
        for link in edge.links
    ]
    assert links == [("packets[].giver", "member_id")]


def test_the_parts_of_a_list_are_parameters_of_their_own() -> None:
    found = lineage_graph("choir_tour")
    programme = next(edge for edge in found.edges if (edge.source, edge.target) == ("repertoire", "set_programme"))
    assert [link.parameter for link in programme.links] == ["pieces[].piece_id"]


def test_nobody_learns_a_value_from_the_tool_that_had_to_be_given_it() -> None:
    found = weights(lineage_graph("ferry_line"))
    assert ("sailing_details", "buy_ticket") not in found
    assert ("rebook", "refund") not in found


def test_a_new_row_is_another_one_than_the_row_it_was_made_from() -> None:
    assert ("raise_queen", "requeen") in weights(lineage_graph("apiary_round"))


def test_a_code_that_tools_make_up_is_internal_and_one_that_stands_on_a_card_is_not() -> None:
    internal = lineage_of(labelled.load("tool_hire")).internal()
    assert ("extend_hire", "reference") in internal
    assert ("readings_of", "serial") not in lineage_of(labelled.load("meter_desk")).internal()


def test_a_value_that_the_schema_lists_needs_no_looking_up() -> None:
    environment = labelled.load("tool_hire")
    kinds = tool("machines_of_kind", {"kind": {"type": "string", "enum": ["saw", "digger"]}}, ["machines"])
    tools = [kinds if each.name == kinds.name else each for each in environment.tools]
    listed = labelled.Labelled(**{**environment_fields(environment), "tools": tools})
    assert ("machine_kinds", "machines_of_kind") in weights(lineage_graph("tool_hire"))
    assert ("machine_kinds", "machines_of_kind") not in weights(by_facts(tools, lineage_of(listed)).graph())


def environment_fields(environment: labelled.Labelled) -> dict[str, object]:
    return {field: getattr(environment, field) for field in environment.__dataclass_fields__}


# -- likeness ----------------------------------------------------------------------------------------------------------


async def test_names_make_edges_where_there_is_no_code(gateway: Gateway) -> None:
    tools = [tool("list_huts", gives=["hut_id"]), tool("book_hut", {"hut_id": NUMBER}, ["booking_id"])]
    alike = await semantic_links(gateway, WHO, tools, threshold=0.7)
    assert weights(by_likeness(tools, alike).graph()) == {("list_huts", "book_hut"): STRONG}


async def test_the_threshold_decides_what_is_alike(gateway: Gateway) -> None:
    tools = [tool("list_huts", gives=["hut_number"]), tool("book_hut", {"hut_id": NUMBER})]
    assert await semantic_links(gateway, WHO, tools, threshold=0.2)
    assert not await semantic_links(gateway, WHO, tools, threshold=0.95)


def test_names_count_only_where_the_facts_are_silent() -> None:
    environment = labelled.load("tool_hire")
    said = [
        GraphLink("quote", "total", "hire_machine", "agreed_price", "semantic"),
        GraphLink("my_hires", "hires[].machine", "quote", "machine_id", "semantic"),
        GraphLink("my_hires", "hires[].starts", "hire_machine", "starts", "semantic"),
    ]
    found = weights(by_both(environment.tools, lineage_of(environment), said).graph())
    assert ("quote", "hire_machine") in found, "a computed figure has no lineage"
    assert ("my_hires", "quote") not in found, "the facts tell that this is a label, not a machine's number"
    assert ("my_hires", "hire_machine") not in found, "two columns that are known and differ"


# -- who knows what ----------------------------------------------------------------------------------------------------


def test_the_user_says_what_no_tool_of_the_assistant_tells() -> None:
    tools = [
        tool("show_pin", gives=["pin"], principal="user"),
        tool("unlock", {"pin": NUMBER}),
        tool("ring", {"door_id": NUMBER}),
    ]
    draft = GraphDraft(
        tools,
        [GraphLink("show_pin", "pin", "unlock", "pin", "lineage")],
        frozenset({("unlock", "pin"), ("ring", "door_id")}),
    )
    judged = {tool.name: [p.internal for p in tool.parameters] for tool in draft.graph().tools}
    assert judged == {"show_pin": [], "unlock": [False], "ring": [False]}


def test_the_graph_of_one_side_holds_its_tools_alone() -> None:
    whole = lineage_graph("film_archive")
    assistant = whole.seen_by("assistant")
    assert {tool.name for tool in whole.tools} - {tool.name for tool in assistant.tools} == {"confirm_arrival"}
    assert ("send_print", "confirm_arrival") in weights(whole)
    assert weights(assistant).keys() == weights(whole).keys() - {("send_print", "confirm_arrival")}


def test_optional_and_nested_parameters() -> None:
    item = {"type": "object", "properties": {"id": NUMBER, "note": NUMBER}, "required": ["id"]}
    basket = tool("order", {"items": {"type": "array", "items": item}, "coupons": {"type": "array", "items": NUMBER}})
    assert {leaf.path: leaf.required for leaf in inputs(basket)} == {
        "items[].id": True,
        "items[].note": False,
        "coupons[]": True,
    }


def test_fields_behind_a_reference_and_of_what_may_be_nothing_are_fields_too() -> None:
    lot = {"type": "object", "properties": {"id": NUMBER, "place": {"$ref": "#/$defs/place"}}, "required": ["id"]}
    place = {"type": "object", "properties": {"code": {"type": "string", "format": "date"}}}
    results = {
        "type": "object",
        "properties": {
            "lots": {"type": "array", "items": {"$ref": "#/$defs/lot"}},
            "chosen": {"anyOf": [{"$ref": "#/$defs/lot"}, {"type": "null"}]},
        },
        "$defs": {"lot": lot, "place": place},
    }
    lots = tool("list_lots").model_copy(update={"outputSchema": results})
    assert [(leaf.path, leaf.format) for leaf in outputs(lots)] == [
        ("lots[].id", ""),
        ("lots[].place.code", "date"),
        ("chosen.id", ""),
        ("chosen.place.code", "date"),
    ]


@pytest.mark.parametrize("ends", [("look", "look"), ("look", "nothing")])
def test_an_edge_joins_two_different_tools_of_the_graph(ends: tuple[str, str]) -> None:
    with pytest.raises(ValidationError, match="two different tools of the graph"):
        graph([node("look")], edge(*ends))


def test_any_two_tools_are_joined_and_a_weak_edge_leads_both_ways() -> None:
    joined = graph(
        [node("list"), node("book", "hut"), node("rate", said=["hut"])],
        edge("list", "book", "hut"),
        edge("list", "rate", "hut", weight=WEAK),
    )
    assert (joined.weight("list", "book"), joined.weight("book", "list")) == (STRONG, INDEPENDENT)
    assert (joined.weight("list", "rate"), joined.weight("rate", "list")) == (WEAK, WEAK)
    assert joined.weight("book", "rate") == INDEPENDENT


# -- refinement --------------------------------------------------------------------------------------------------------

DRAFT = GraphDraft(
    [
        tool("list_huts", gives=["hut_id", "note"]),
        tool("book_hut", {"hut_id": NUMBER, "note": NUMBER}, ["booking_id"], read_only=False),
        tool("quote_stay", {"hut_id": NUMBER}, ["total"]),
        tool("clear_wishes", read_only=False),
        tool("list_wishes", gives=["wish"]),
    ],
    [
        GraphLink("list_huts", "hut_id", "book_hut", "hut_id", "lineage"),
        GraphLink("list_huts", "hut_id", "quote_stay", "hut_id", "lineage"),
        GraphLink("list_wishes", "wish", "book_hut", "note", "semantic"),
    ],
    frozenset({("book_hut", "hut_id"), ("quote_stay", "hut_id")}),
)


def changed(**parts: object) -> ToolGraphRefinementAnswer:
    return ToolGraphRefinementAnswer.model_validate({"missing": [], "spurious": [], **parts})


def test_a_model_adds_and_prunes_edges_and_corrects_judgements() -> None:
    answer = changed(
        missing=[
            MissingEdge(source="list_wishes", target="clear_wishes", reason="look before clearing"),
            MissingEdge(source="quote_stay", target="book_hut", output="total", parameter="note", reason="the price"),
        ],
        spurious=[SpuriousEdge(source="list_wishes", target="book_hut", reason="only a text")],
        misjudged=[
            MisjudgedParameter(tool="quote_stay", parameter="hut_id", internal=False, reason="it is on the door")
        ],
    )
    assert problems_of(DRAFT, answer) == []
    after = refined(DRAFT, answer).graph()
    assert weights(after) == {
        ("list_huts", "book_hut"): STRONG,
        ("list_huts", "quote_stay"): WEAK,
        ("list_wishes", "clear_wishes"): WEAK,
        ("quote_stay", "book_hut"): WEAK,
    }


REFUSED = {
    "cannot depend on itself": {"missing": [MissingEdge(source="list_huts", target="list_huts", reason="again")]},
    "no tool 'sleep'": {"missing": [MissingEdge(source="sleep", target="list_huts", reason="rest")]},
    "is there already": {"missing": [MissingEdge(source="list_huts", target="book_hut", reason="of course")]},
    "no output 'bed'": {
        "missing": [MissingEdge(source="list_huts", target="book_hut", output="bed", parameter="note", reason="x")]
    },
    "no parameter 'bed'": {
        "missing": [MissingEdge(source="list_huts", target="book_hut", output="note", parameter="bed", reason="x")]
    },
    "already linked": {
        "missing": [MissingEdge(source="list_huts", target="book_hut", output="hut_id", parameter="hut_id", reason="x")]
    },
    "given twice": {"missing": [MissingEdge(source="book_hut", target="quote_stay", reason="x")] * 2},
    "could be spurious": {"spurious": [SpuriousEdge(source="book_hut", target="list_huts", reason="x")]},
    "keep one of them": {"spurious": [SpuriousEdge(source="list_huts", target="book_hut", reason="x")]},
    "already": {"misjudged": [MisjudgedParameter(tool="book_hut", parameter="hut_id", internal=True, reason="x")]},
    "to be judged": {"misjudged": [MisjudgedParameter(tool="book_hut", parameter="bed", internal=True, reason="x")]},
    "cannot be internal": {
        "misjudged": [MisjudgedParameter(tool="book_hut", parameter="note", internal=True, reason="x")],
        "spurious": [SpuriousEdge(source="list_wishes", target="book_hut", reason="x")],
    },
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_an_answer_that_makes_no_sense_is_refused_with_a_sentence(sentence: str) -> None:
    problems = problems_of(DRAFT, changed(**REFUSED[sentence]))
    assert any(sentence in problem.message for problem in problems)


# -- the stage ---------------------------------------------------------------------------------------------------------


def stage_input(name: str) -> StageInput:
    environment = labelled.load(name)
    statements = [part.strip() for part in environment.schema_sql.split(";") if part.strip()]
    tables = [Table(name=statement.split()[2], ddl=statement) for statement in statements]
    artifacts: dict[str, Artifact] = {
        "theme": THEME,
        "database_schema": DatabaseSchema(tables=tables),
        "tool_spec": ToolSpec(tools=environment.tools),
        "server_code": TriedCode(source=environment.source, tests={}),
    }
    records = {
        stage: StageRecord(
            stage=stage,
            partition=name,
            status="ok",
            inputs="",
            version=artifact.content_hash(),
            artifact=artifact.model_dump(mode="json"),
        )
        for stage, artifact in artifacts.items()
    }
    return StageInput(name, records)


async def test_the_stage_makes_a_graph_of_what_stands_upstream(tmp_path: Path) -> None:
    async with gateway_of(tmp_path, lambda _: {"missing": [], "spurious": []}) as gateway:
        stage = ToolGraphStage(gateway, AuthoringSettings(), Likeness())
        outcome = await stage.make(stage_input("meter_desk"))
    made = ToolGraph.model_validate(outcome.artifact)
    assert {tool.name for tool in made.tools} == {tool.name for tool in labelled.load("meter_desk").tools}
    assert weights(made)["readings_of", "dispute_reading"] == STRONG
    assert outcome.metadata["tools"] == 9


async def test_a_model_that_never_gets_it_right_costs_the_environment_its_graph_and_says_why(tmp_path: Path) -> None:
    wrong = changed(missing=[MissingEdge(source="my_meters", target="my_meters", reason="again")])
    async with Gateway(LanguageSettings(), tmp_path, app=app_that_says(wrong)) as stubborn:
        stage = ToolGraphStage(stubborn, AuthoringSettings(attempts=2), Likeness())
        outcome = await stage.make(stage_input("meter_desk"))
    assert outcome.artifact is None
    assert "cannot depend on itself" in outcome.reason
    assert len(outcome.attempts) == 2


def app_that_says(answer: ToolGraphRefinementAnswer) -> FastAPI:
    app = FastAPI()

    @app.post("/v1/chat/completions")
    async def chat() -> dict[str, object]:
        message = {"role": "assistant", "content": answer.model_dump_json()}
        return {"id": "1", "object": "chat.completion", "choices": [{"index": 0, "message": message}]}

    @app.post("/v1/embeddings")
    async def embeddings(request: dict[str, Any]) -> dict[str, object]:
        vectors = [{"index": number, "embedding": [1.0, 0.0]} for number in range(len(request["input"]))]
        return {"object": "list", "data": vectors}

    return app


def test_another_threshold_or_embedder_makes_another_graph() -> None:
    def hash_with(likeness: Likeness) -> str:
        return ToolGraphStage(None, AuthoringSettings(), likeness).settings_hash()  # type: ignore[arg-type]

    assert len({hash_with(each) for each in (Likeness(), Likeness(threshold=0.8), Likeness(embedder="bge-m3"))}) == 3


def test_a_graph_is_stored_and_read_back_the_same() -> None:
    made = lineage_graph("choir_tour")
    assert ToolGraph.model_validate(orjson.loads(made.model_dump_json())) == made
