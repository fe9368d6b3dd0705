"""A world whose state is files, from a proposal to its release."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import pytest_asyncio
from pydantic import SecretStr

from envfactory_dagster.authoring.accounts import AccountedStage
from envfactory_dagster.authoring.file_words import WORDS
from envfactory_dagster.authoring.file_worlds import filed, plain, problems_of_rows, problems_of_tables
from envfactory_dagster.authoring.line import environment_stages
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.authoring.trials.gate import CodeBasis, try_functions
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.database import DatabaseSchema, SeedRows, TableRows
from envfactory_dagster.contracts.families import TaskFamilies
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.requests import FilesSchemaAnswer, ToolFunction
from envfactory_dagster.contracts.truth import VerifierSet
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import BUILT_IN_MODEL, LanguageSettings
from envfactory_dagster.runtime.databases import check_files
from envfactory_dagster.runtime.facts import load_schema, screen_tools
from envfactory_dagster.runtime.images import read_rows
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.conversations.settings import ConversationSettings
from envfactory_dagster.tasks.families.settings import FamilySettings
from envfactory_dagster.tasks.graph_tasks.stage import GraphTaskSettings
from envfactory_dagster.tasks.line import TaskSettings, task_stages
from envfactory_dagster.tasks.program_tasks.settings import ProgramTaskSettings
from envfactory_dagster.truth.audit import audit
from envfactory_dagster.truth.line import truth_stages
from tests.authoring.line_kit import Line, proposal_of
from tests.support import shed_author as shed
from tests.support.alpine_author import Answer, Asked
from tests.support.shed_truth import FAMILY

SETTINGS = AuthoringSettings(size="small", tasks=5, rules_asked=3, states=("initial",))


@dataclass(frozen=True)
class Finished:
    line: Line
    records: dict[str, StageRecord]
    asked: list[Asked]

    @property
    def bundle(self) -> Bundle:
        return self.line.bundle(shed.KEY)


@pytest_asyncio.fixture(scope="module")
async def finished(runtime: Runtime, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Finished]:
    folder, app = tmp_path_factory.mktemp("shed"), shed.shed_author()
    proposal = proposal_of(shed.KEY, "Shared tool shed", "Neighbourhood", "A shed of tools that allotments share.")
    proposal = proposal.model_copy(update={"storage": "files"})
    models = {role: "author" for role in Role if role is not Role.EMBEDDER}
    language = LanguageSettings(base_url="http://model/v1", api_key=SecretStr("none at all"), models=models)
    graph, families = GraphTaskSettings(count=4), FamilySettings(families=1, instances=8)
    tasks = TaskSettings(BUILT_IN_MODEL, graph, ProgramTaskSettings(), ConversationSettings(), families)
    home = Home.resolve(folder)
    async with Gateway(language, folder, app=app) as gateway:
        bundles, records = BundleStore(home), RecordStore(home)
        stages = [
            *environment_stages(gateway, runtime, SETTINGS, bundles),
            *truth_stages(gateway, runtime, SETTINGS, bundles),
            *task_stages(gateway, runtime, SETTINGS, bundles, home, tasks),
        ]
        running = Line({stage.name: AccountedStage(stage, gateway, records) for stage in stages}, records, bundles)
        yield Finished(running, await running.run(proposal, until="release"), app.state.asked)


def test_every_gate_accepts_the_shed_at_once(finished: Finished) -> None:
    assert {name: record.reason for name, record in finished.records.items() if record.status != "ok"} == {}
    wrong = {
        name: [problem.message for attempt in finished.records[name].attempts for problem in attempt.problems]
        for name in ("database_schema", "seed_rows", "tool_spec", "server_code", "reference_solutions", "verifiers")
    }
    assert {name: found for name, found in wrong.items() if found} == {}


async def test_it_is_released_and_stands_an_audit(finished: Finished, runtime: Runtime) -> None:
    released = finished.bundle
    made = {task.id for task in released.tasks}
    assert made == set(released.verifiers) and made > {task["id"] for task in shed.TASKS}
    found = await audit(runtime, released, released.tasks)
    assert all(one.findings == [] for one in found.tasks) and found.inspection == []


def test_a_family_brings_records_that_the_file_does_not_have(finished: Finished) -> None:
    families = TaskFamilies.model_validate(finished.records["task_families"].artifact)
    assert [one.family.name for one in families.families] == [FAMILY["name"]] == [*finished.bundle.families]
    assert families.families[0].dropped == []


def test_the_graph_joins_tools_by_the_fields_of_files(finished: Finished) -> None:
    edges = {(edge["from"], edge["to"]): edge for edge in finished.records["tool_graph"].metadata["edges"]}
    assert edges["list_my_loans", "return_tool"]["evidence"] == "lineage"
    assert edges["search_documents", "read_document"]["what passes"] == "lines[].path → path"


def test_every_task_has_a_solution_and_a_verifier(finished: Finished) -> None:
    verified = VerifierSet.model_validate(finished.records["verifiers"].artifact)
    assert {one.verifier.task for one in verified.verifiers} == {task["id"] for task in shed.TASKS}
    assert all(one.gate.passed for one in verified.verifiers)


def test_the_bundle_has_the_files_that_its_author_named(finished: Finished) -> None:
    bundle = finished.bundle
    files = bundle.state_files["initial"]
    assert bundle.storage == "files" and bundle.theme.storage == "files"
    named = [one["file"] for one in shed.TABLES] + [one["path"] for one in shed.DOCUMENTS]
    assert sorted(files) == sorted(named)
    assert files["docs/house_rules.md"].decode() == shed.HOUSE_RULES
    members = json.loads(files["data/members.json"])
    assert members[0] == {"id": 1, "name": "Inês Carvalho", "plot": "A3", "note": None}
    assert members[2]["note"] == ""
    assert files["data/inventory.csv"].decode().splitlines()[2] == '2,"Hedge trimmer, cordless",power,3000,3.25'
    assert json.loads(files["log/loans.jsonl"].splitlines()[1])["returned_on"] is None


def test_the_tables_are_those_of_the_author_with_all_that_they_forbid(finished: Finished) -> None:
    written, kept = finished.bundle.schema_sql, [table["ddl"] for table in shed.TABLES]
    for said in ("CHECK (kind IN ('hand', 'power'))", "REFERENCES members (id)", "plot TEXT NOT NULL UNIQUE"):
        assert said in written and any(said in ddl for ddl in kept)
    assert "CREATE UNIQUE INDEX one_loan_at_a_time" in written
    image = finished.bundle.states["initial"].image
    for table in shed.ROWS["tables"]:
        rows = [list(row.values()) for row in read_rows(image, {table["table"]: table["columns"]})[table["table"]]]
        assert rows == table["rows"]


async def test_the_files_make_its_databases(finished: Finished, runtime: Runtime, tmp_path: Path) -> None:
    written = finished.bundle.write(tmp_path / shed.KEY)
    await check_files(runtime, Bundle.read(written))


async def test_a_tool_changes_the_record_and_nothing_else_in_its_file(finished: Finished, runtime: Runtime) -> None:
    look = "\n\ndef look(env, *, path: str) -> dict:\n    return {'text': env.files.read_text(path)}\n"
    shown = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
    tool = finished.bundle.tools[0].model_copy(
        update={"name": "look", "inputSchema": shown, "outputSchema": {"type": "object"}}
    )
    bundle = replace(
        finished.bundle, tools=[*finished.bundle.tools, tool], tools_source=finished.bundle.tools_source + look
    )
    before = {path: data.decode() for path, data in bundle.state_files["initial"].items()}
    async with await runtime.open(bundle) as session:
        returned = await session.call("return_tool", {"loan_id": 2})
        borrowed = await session.call("borrow_tool", {"tool_id": 1, "due_on": "2026-04-14"})
        after = {path: (await session.call("look", {"path": path})).value["text"] for path in before}
    assert returned.ok and borrowed.value["id"] == 9
    changed = after.pop("log/loans.jsonl").splitlines()
    kept = before.pop("log/loans.jsonl").splitlines()
    assert after == before
    assert changed[:1] + changed[2:8] == kept[:1] + kept[2:]
    assert json.loads(changed[1]) | {"status": "out", "returned_on": None} == json.loads(kept[1])
    assert json.loads(changed[8])["tool_id"] == 1


async def test_its_own_server_gives_what_the_sandbox_gives(finished: Finished, runtime: Runtime) -> None:
    server = str(finished.line.bundles.home.root / str((finished.records["environment"].artifact or {})["path"]))
    for tool, arguments in (("find_tools", {"free_only": True}), ("read_document", {"path": "docs/notice.txt"})):
        command = (sys.executable, "-I", "-S", f"{server}/server.py", "call", tool, json.dumps(arguments))
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        said = json.loads((await process.communicate())[0])
        async with await runtime.open(finished.bundle) as session:
            result = await session.call(tool, arguments)
        assert (said["outcome"], said["value"]) == (result.outcome, result.value)


def test_later_questions_show_in_which_file_a_table_is(finished: Finished) -> None:
    asked = {question.schema: question.context for question in finished.asked}
    for schema in ("seed_rows", "tool_spec", "server_code", "verifiers"):
        definitions = {table["name"]: table["ddl"] for table in asked[schema]["tables"]}
        assert definitions["loans"].startswith('CREATE TABLE loans ( -- "log/loans.jsonl"')
        assert "documents" in definitions
        assert asked[schema]["theme"]["storage"] == "files"
    assert [table["table"] for table in asked["server_code"]["sample_rows"]][-1] == "documents"


# -- what an author may get wrong --------------------------------------------------------------------------------------


def answer_with(**of_loans: object) -> FilesSchemaAnswer:
    tables = deepcopy(shed.TABLES)
    tables[2] |= {"indexes": []} | of_loans
    return FilesSchemaAnswer.model_validate({"tables": tables, "documents": shed.DOCUMENTS})


def wrong(answer: FilesSchemaAnswer) -> str:
    return " ".join(problem.message for problem in problems_of_tables(answer.tables, answer.documents))


_LOANS = "CREATE TABLE loans ({}, member_id INTEGER REFERENCES members (id){}) STRICT{}"


@pytest.mark.parametrize(
    ("of_loans", "said"),
    [
        ({}, ""),
        ({"file": "data/members.json"}, "data/members.json is named twice"),
        ({"file": "Data/Members.json"}, "are one file where upper and lower case are the same"),
        ({"file": "log/loans.txt"}, "holds no records; its ending is one of json, jsonl, csv"),
        ({"file": "/log/loans.csv"}, "is not relative"),
        ({"file": "docs/loans.json"}, "no records lie beside the documents"),
        ({"name": "documents"}, "The table documents is there already"),
        ({"ddl": _LOANS.format("day TEXT", ", PRIMARY KEY (day, member_id)", "")}, "records in a file have one key"),
        ({"ddl": _LOANS.format("id REAL PRIMARY KEY", "", "")}, "records in a file have one key"),
        ({"ddl": _LOANS.format("id TEXT PRIMARY KEY", "", ", WITHOUT ROWID")}, "leave out WITHOUT ROWID"),
        ({"ddl": _LOANS.format("id INTEGER PRIMARY KEY, n INTEGER DEFAULT 1", "", "")}, "leave out its DEFAULT"),
        ({"ddl": _LOANS.format("id INTEGER PRIMARY KEY, oid INTEGER", "", "")}, "loans.oid: call it otherwise"),
        ({"ddl": _LOANS.format("id INTEGER PRIMARY KEY -- its key\n", "", "")}, "leave comments out"),
        ({"ddl": _LOANS.format("id INTEGER PRIMARY KEY, n TEXT CHECK (n <> '--')", "", "")}, ""),
        ({"ddl": "CREATE TABLE IF NOT EXISTS loans (id INTEGER PRIMARY KEY) STRICT"}, "write it as CREATE TABLE loans"),
        (
            {"file": "log/loans.csv"},
            "loans.returned_on: it may be NULL, which log/loans.csv could not tell from an empty text",
        ),
    ],
)
def test_what_cannot_be_a_file_is_told_to_the_author(of_loans: Answer, said: str) -> None:
    found = wrong(answer_with(**of_loans))
    assert said in found and bool(found) == bool(said)


@pytest.mark.parametrize("ddl", [_LOANS.format("id INTEGER", "", "").replace("loans", "lent"), "CREATE TABLE loans ("])
def test_what_is_no_such_table_is_for_the_usual_gate_to_tell(ddl: str) -> None:
    assert wrong(answer_with(ddl=ddl)) == ""


@pytest.mark.parametrize(
    ("path", "said"),
    [("docs/rates.csv", "docs/rates.csv is no text"), ("rates.md", "documents lie in the folder docs/")],
)
def test_a_document_is_a_text_among_documents(path: str, said: str) -> None:
    answer = answer_with()
    more = [*answer.documents, answer.documents[0].model_copy(update={"path": path})]
    assert said in wrong(answer.model_copy(update={"documents": more}))


def test_a_schema_of_files_is_none_of_sqlite() -> None:
    answer = answer_with()
    made = filed(answer.tables, answer.documents)
    assert "documents" in made.model_dump() and made.tables[-1].name == "documents"
    assert "documents" not in DatabaseSchema(tables=plain(answer.tables)).model_dump()


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ([["docs/notice.txt", "Open."]], "The document docs/house_rules.md is missing"),
        ([["docs/house_rules.md", "Rules."], ["docs/notice.txt", " "]], "The document docs/notice.txt is empty"),
        (
            [["docs/house_rules.md", "Rules."], ["docs/notice.txt", "Open."], ["docs/more.md", "More."]],
            "There is no document 'docs/more.md'; there are docs/house_rules.md, docs/notice.txt",
        ),
        ([["docs/house_rules.md", "Rules.\0"], ["docs/notice.txt", "Open."]], "docs/house_rules.md holds a NUL"),
    ],
)
async def test_documents_are_those_that_were_named(runtime: Runtime, texts: list[list[str]], said: str) -> None:
    answer = answer_with()
    rows = [TableRows.model_validate(table) for table in shed.ROWS["tables"][:3]]
    rows.append(TableRows(table="documents", columns=["path", "text"], rows=[list(text) for text in texts]))
    problems = await problems_of_rows(runtime, filed(answer.tables, answer.documents), rows)
    assert said in " ".join(problem.message for problem in problems)


async def problems_of_code(finished: Finished, runtime: Runtime, tool: str, old: str, new: str) -> str:
    """What the gate says of a function that has something else in it."""
    artifacts = {name: record.artifact or {} for name, record in finished.records.items()}
    schema = load_schema(DatabaseSchema.model_validate(artifacts["database_schema"]).sql())
    seed = SeedRows.model_validate(artifacts["seed_rows"])
    basis = await CodeBasis.of(runtime, finished.bundle.theme, schema, seed, finished.bundle.tools)
    functions = {one["name"]: ToolFunction.model_validate(one) for one in shed.FUNCTIONS}
    source = functions[tool].source.replace(old, new)
    assert source != functions[tool].source
    functions[tool] = functions[tool].model_copy(update={"source": source})
    found = await try_functions(runtime, basis, functions)
    return " ".join(problem.message for problem in found.problems.get(tool, []))


@pytest.mark.parametrize(
    ("tool", "old", "new", "said"),
    [
        (
            "read_document",
            'if path not in env.files.paths("docs/*")',
            "if not env.files.exists(path)",
            "data/members.json",
        ),
        ("get_my_membership", '"data/members.json"', '"data/people.json"', "no records in a file 'data/people.json'"),
        ("get_my_membership", '"data/members.json"', '"data/" + "members.json"', "write the path of the file out"),
        ("return_tool", '"returned_on": env.now[:10]}', '"back_on": env.now[:10]}', "has no field 'back_on'"),
        ("return_tool", '"status": "returned", ', '"status": "back", ', "CHECK constraint failed"),
        ("find_tools", 'tool["id"] not in out,', 'tool["id"] in out,', "foretold to answer tools[0].is_free = True"),
        ("extend_loan", 'or loan["member_id"] != env.user_id', "", "a row of loans that belongs to somebody else"),
        ("borrow_tool", 'env.files.get("data/inventory.csv", tool_id) is None', "False", "FOREIGN KEY"),
        ("find_tools", "env.files.records(", "env.query(", "env has no query"),
    ],
)
async def test_wrong_code_is_found(
    finished: Finished, runtime: Runtime, tool: str, old: str, new: str, said: str
) -> None:
    assert said in await problems_of_code(finished, runtime, tool, old, new)


def test_a_person_sees_that_a_world_is_of_files(finished: Finished) -> None:
    assert finished.records["theme"].metadata["storage"] == "files"
    assert '-- "log/loans.jsonl"' in finished.records["database_schema"].metadata["schema.sql"]


def test_a_world_is_made_from_what_is_told_of_files_too(finished: Finished) -> None:
    assert (finished.records["source_document"].artifact or {})["words"] == WORDS
    assert (finished.records["database_schema"].artifact or {})["words"] == WORDS


def test_tools_of_files_have_no_sql() -> None:
    source = 'def count(env) -> dict:\n    """How many."""\n    return {"n": len(env.query("SELECT 1 FROM loans"))}\n'
    [problem] = screen_tools(source, files=True)
    assert "env has no query; it offers Error, files, new_id" in problem.sentence
    assert screen_tools(source) == []
