"""What a user brought goes whole through the line: shown to every author it concerns, held against what they make."""

import dataclasses
from pathlib import Path
from typing import Any

import orjson
import pytest

from envfactory_dagster.authoring.discovery.tool_formats import mcp_document
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.authoring.source_document import (
    CHARS_SHOWN,
    FOR_DATA,
    SECTION_CHARS,
    SourceDocumentStage,
    shown,
    with_source,
)
from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.errors import InfrastructureFault
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.sources import (
    DocumentKind,
    SourceDocument,
    SourceSection,
    SourceShown,
    SourceTask,
    SourceTool,
)
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.memo import run_stage
from tests.authoring.line_kit import line
from tests.support.alpine_author import Answer, Asked, Spoil, alpine_author, huts

UNTIL = "tool_spec"
WEATHER = {"name": "avalanche_bulletin", "description": "Today's bulletin.", "inputSchema": {"type": "object"}}
FIRST = "search_huts"


def source_of(*more: dict[str, Any]) -> SourceDocument:
    """The first tools of the huts as a server would list them, and others."""
    listed = [tool.mcp() for tool in huts().tools[:4]]
    return mcp_document({"tools": [*listed, *more]}, "huts", "mcp_specs/huts.json")


def left_out(*entries: dict[str, str]) -> Spoil:
    """The right answers, with something said of what is not among the tools."""
    return lambda asked, answer: answer | {"left_out": list(entries)} if asked.schema == UNTIL else answer


async def made_from(
    document: SourceDocument | None,
    spoil: Spoil,
    proposal: PooledProposal,
    settings: AuthoringSettings,
    runtime: Runtime,
    folder: Path,
) -> tuple[dict[str, Any], list[Asked]]:
    app = alpine_author(spoil)
    async with line(app, runtime, folder, settings) as running:
        records = await running.run(proposal.model_copy(update={"document": document}), UNTIL)
    return records, app.state.asked


async def test_every_author_it_concerns_is_shown_the_source(
    proposal: PooledProposal, settings: AuthoringSettings, runtime: Runtime, tmp_path: Path
) -> None:
    records, asked = await made_from(source_of(), left_out(), proposal, settings, runtime, tmp_path)
    seen: dict[str, Any] = {one.schema: one.context["source"] for one in asked if "source" in one.context}
    assert seen.keys() == {"theme", "task_set", "database_schema", UNTIL}
    names = [tool.name for tool in huts().tools[:4]]
    assert [tool["name"] for tool in seen["theme"]["tools"]] == names
    assert seen["theme"]["tools"][0]["inputSchema"] == huts().tools[0].inputSchema
    assert records[UNTIL].metadata["source_tools_realized"] == 1.0
    assert records["source_document"].metadata["hash"]


async def test_a_tool_of_the_source_is_missed_until_it_is_there_or_its_absence_has_a_reason(
    proposal: PooledProposal, settings: AuthoringSettings, runtime: Runtime, tmp_path: Path
) -> None:
    entry = {"name": WEATHER["name"], "reason": "live_data", "detail": "It changes by the hour."}

    def at_first_silent(asked: Asked, answer: Answer) -> Answer:
        return answer | {"left_out": [entry] if asked.reports else []} if asked.schema == UNTIL else answer

    records, asked = await made_from(source_of(WEATHER), at_first_silent, proposal, settings, runtime, tmp_path)
    (report,) = next(one.reports for one in asked if one.schema == UNTIL and one.reports)
    assert "avalanche_bulletin, a tool of the source, is missing" in report
    spec = records[UNTIL]
    assert spec.artifact is not None
    assert spec.artifact["left_out"] == [entry]
    assert (spec.metadata["source_tools"], spec.metadata["source_tools_realized"]) == (5, 0.8)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"required": ["region", "ski_pass"]}, "lacks the parameter ski_pass"),
        (
            {"properties": {"region": {"type": "array", "items": {"type": "string"}}}},
            "is of type string; in the source",
        ),
    ],
    ids=["a required parameter is missing", "another type"],
)
async def test_a_tool_must_take_what_the_source_requires(
    change: dict[str, Any],
    said: str,
    proposal: PooledProposal,
    settings: AuthoringSettings,
    runtime: Runtime,
    tmp_path: Path,
) -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"region": {"type": "string"}}, "required": ["region"]}
    schema["properties"]["ski_pass"] = {"type": "string"}
    other = {"name": "list_regions", "description": "Regions.", "inputSchema": schema | change}

    def with_it(asked: Asked, answer: Answer) -> Answer:
        if asked.schema != UNTIL:
            return answer
        mine = {"region": {"type": "string", "description": "Which."}}
        closed = {"type": "object", "additionalProperties": False}
        result = closed | {"properties": {"regions": {"type": "string"}}, "required": ["regions"]}
        tool = {
            "name": "list_regions",
            "description": "Lists regions.",
            "inputSchema": closed | {"properties": mine, "required": ["region"]},
            "outputSchema": result,
            "annotations": {"readOnlyHint": True},
        }
        return answer | {"tools": [*answer["tools"], tool], "left_out": []}

    only_once = dataclasses.replace(settings, attempts=1)
    records, _ = await made_from(source_of(other), with_it, proposal, only_once, runtime, tmp_path)
    assert [said in problem.message for problem in records[UNTIL].attempts[0].problems] == [True]


async def test_how_many_tasks_of_the_source_were_kept_is_told(
    proposal: PooledProposal, settings: AuthoringSettings, runtime: Runtime, tmp_path: Path
) -> None:
    first = " ".join(huts().tasks[0].text.split()[:12])
    tasks = [SourceTask(text=first), SourceTask(text="Translate this poem about pirates into Welsh.")]
    document = SourceDocument(kind="task_set", tasks=tasks)
    app = alpine_author()
    async with line(app, runtime, tmp_path, settings) as running:
        records = await running.run(proposal.model_copy(update={"document": document}), "task_set")
    told = records["task_set"].metadata
    assert (told["source_tasks"], told["source_tasks_kept"]) == (2, 1)
    assert [task["text"] for task in app.state.asked[-1].context["source"]["tasks"]] == [task.text for task in tasks]


@pytest.mark.parametrize(("hints", "problems"), [({"readOnlyHint": True}, 0), ({}, 1)], ids=["reads", "may write"])
async def test_a_mirror_that_only_reads_needs_no_task_that_changes_something(
    hints: dict[str, Any],
    problems: int,
    proposal: PooledProposal,
    settings: AuthoringSettings,
    runtime: Runtime,
    tmp_path: Path,
) -> None:
    tool = SourceTool(name="find", inputSchema={"type": "object"}, annotations=hints)
    document = SourceDocument(kind="mcp_spec", tools=[tool], mirror=True)

    def only_questions(asked: Asked, answer: Answer) -> Answer:
        if asked.schema != "task_set":
            return answer
        return {
            "tasks": [one | ({"kind": "information"} if one["kind"] == "action" else {}) for one in answer["tasks"]]
        }

    app = alpine_author(only_questions)
    once = dataclasses.replace(settings, attempts=1)
    async with line(app, runtime, tmp_path, once) as running:
        records = await running.run(proposal.model_copy(update={"document": document}), "task_set")
    assert [one.message for one in records["task_set"].attempts[0].problems] == ["No task changes."] * problems


async def test_what_has_no_source_is_made_from_the_same_inputs_as_ever(
    proposal: PooledProposal, settings: AuthoringSettings, runtime: Runtime, tmp_path: Path
) -> None:
    app = alpine_author()
    async with line(app, runtime, tmp_path, settings) as running:
        records = await running.run(proposal, "task_set")
        (theme, task_set) = (running.stages[name] for name in ("theme", "task_set"))
        assert "document" not in proposal.model_dump(mode="json")
        as_before = {"proposal": content_hash(proposal.model_dump(mode="json"))}
        assert records["theme"].inputs == _inputs(theme, as_before)
        assert records["task_set"].inputs == _inputs(task_set, {"theme": records["theme"].version})
    assert records["source_document"].artifact["kind"] == "none"  # type: ignore[index]
    assert all("source" not in one.context for one in app.state.asked)


def _inputs(stage: Any, parents: dict[str, str]) -> str:
    return content_hash({"code": stage.code_version, "settings": stage.settings_hash(), "parents": parents})


async def test_what_has_a_source_is_not_made_without_it(
    proposal: PooledProposal, settings: AuthoringSettings, runtime: Runtime, tmp_path: Path
) -> None:
    async with line(alpine_author(), runtime, tmp_path, settings) as running:
        del running.stages["source_document"]
        with pytest.raises(InfrastructureFault, match="source document of alpine-huts is not made yet"):
            await running.run(proposal.model_copy(update={"document": source_of()}), "theme")
        await run_stage(running.records, SourceDocumentStage(), proposal.key)
        assert (await run_stage(running.records, running.stages["theme"], proposal.key)).status == "ok"


def test_a_long_document_is_cut_by_parts_and_says_what_is_left_out() -> None:
    sections = [SourceSection(title=f"Part {n}", text=f"{n} " * 9_000) for n in range(10)]
    long = SourceDocument(
        kind="prd", title="Long", sections=[SourceSection(title="Huge", text="x" * 50_000), *sections]
    )
    part = shown(long)
    assert len(orjson.dumps(part.model_dump(mode="json"))) < CHARS_SHOWN + 2_000
    assert [section.title for section in part.sections] == ["Huge", "Part 0", "Part 1", "Part 2", "Part 3", "Part 4"]
    assert len(part.sections[0].text) == SECTION_CHARS
    assert part.not_shown == [
        "the end of the section 'Huge': 30,000 characters",
        "5 of 11 sections: Part 5, Part 6, Part 7, Part 8, Part 9",
    ]


def test_tools_are_shown_whole_in_form_or_in_short_as_there_is_room() -> None:
    """A field that is called `description` stays: only what is said of fields goes."""
    said = {"type": "string", "pattern": "^BLD-[0-9]{6}$", "description": "How buildings are called, at length. " * 10}
    schema = {"type": "object", "properties": {"building": said, "description": said}, "required": ["building"]}

    def told(count: int) -> SourceShown:
        tools = [SourceTool(name=f"tool_{n}", inputSchema=schema, outputSchema=schema) for n in range(count)]
        return shown(SourceDocument(kind="mcp_spec", title="Many", tools=tools))

    assert told(60).tools[0]["outputSchema"] == schema and told(60).not_shown == []
    form = {"type": "string", "pattern": "^BLD-[0-9]{6}$"}
    bare = {"type": "object", "properties": {"building": form, "description": form}, "required": ["building"]}
    assert told(200).tools[0] == {"name": "tool_0", "inputSchema": bare, "outputSchema": bare}
    assert told(200).not_shown == ["descriptions of the parameters and fields of the tools"]
    assert "required" in told(1_000).tools[0]


def test_many_tools_are_shown_by_what_they_require_and_the_rest_by_name() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["a"]}
    described = "What it does, at length. " * 10
    tools = [SourceTool(name=f"tool_{n}", description=described, inputSchema=schema) for n in range(1_000)]
    part = shown(SourceDocument(kind="mcp_spec", title="Many", tools=tools, tasks=[SourceTask(text="Do it.")]))
    assert part.tools[0] == {
        "name": "tool_0",
        "description": described[:160],
        "required": {"a": {"type": "string"}},
    }
    assert len(part.tools) + int(part.not_shown[1].split()[0]) == 1_000
    assert f"tool_{len(part.tools)}, " in part.not_shown[1]


def test_what_documents_of_a_place_say_holds_and_other_sources_are_told_of_as_before() -> None:
    def told(kind: DocumentKind) -> str:
        source = SourceShown(kind=kind, title="Office", description="Its papers.")
        return with_source("Write a theme.", source, " `source` is what it is made from.")

    assert with_source("Write a theme.", None, " …") == "Write a theme."
    assert told("prd") == "Write a theme. `source` is what it is made from."
    assert told("data") == told("prd") + FOR_DATA
