"""From a home to a folder, and from the folder to another home: the same artifacts, and nothing is asked twice."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from fastapi import Request, Response

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.language.questions import AnsweredQuestion, answered_questions
from envfactory_dagster.language.structured import read_object
from envfactory_dagster.library.app import LibraryApp
from envfactory_dagster.library.collection import Library
from envfactory_dagster.library.folders import read_world, write_world
from envfactory_dagster.library.parts import WHOLE, kind_of
from envfactory_dagster.library.recording import REVISION, record_world, revised_tools
from envfactory_dagster.library.taking_out import without
from envfactory_dagster.library.world import LibraryWorld, part_hash
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from tests.authoring.line_kit import line
from tests.library.library_kit import SMALL, settings_of, with_parts

SHIPPED = Library()
WORLD = SHIPPED.world(SMALL)
SUBJECT = WORLD.card.proposal.subject


class Model:
    """A model that writes the world of the library, and mends what it got wrong when it is told."""

    title, version = "model", "1"

    def __init__(self, *, spoiled: str = "") -> None:
        self._library = LibraryApp(SHIPPED)
        self._spoiled = spoiled

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        request = orjson.loads(await Request(scope, receive).body())
        question = orjson.loads(request["messages"][1]["content"].removeprefix("```json\n").removesuffix("\n```"))
        if question["schema"] == self._spoiled and len(request["messages"]) == 2:
            await _completion(_spoiled(self._spoiled))(scope, receive, send)
            return
        body = orjson.dumps(request | {"messages": request["messages"][:2]})

        async def again() -> Any:
            return {"type": "http.request", "body": body, "more_body": False}

        await self._library(scope, again, send)


def _completion(answer: dict[str, Any]) -> Response:
    message = {"role": "assistant", "content": f"Well:\n{orjson.dumps(answer).decode()}"}
    choices = [{"index": 0, "finish_reason": "stop", "message": message}]
    body = {"id": "x", "object": "chat.completion", "created": 0, "model": "author", "choices": choices}
    return Response(orjson.dumps(body), media_type="application/json")


def _spoiled(schema: str) -> dict[str, Any]:
    (part,) = (part for (question, _), part in WORLD.parts.items() if question == schema)
    name = next(iter(part))
    return part | {name: part[name][:1]}


async def _line(app: Any, runtime: Runtime, home: Path, until: str) -> dict[str, StageRecord]:
    async with line(app, runtime, home, settings_of(WORLD)) as stages:
        return await stages.run(WORLD.card.proposal, until=until)


async def test_a_world_goes_into_a_folder_and_comes_out_of_it(runtime: Runtime, tmp_path: Path) -> None:
    made = await _line(Model(spoiled="task_set"), runtime, tmp_path / "home", "server_code")
    recorded = record_world(Home.resolve(tmp_path / "home"), SMALL, tmp_path / "library")
    again = await _line(LibraryApp(Library(tmp_path / "library")), runtime, tmp_path / "other", "server_code")

    assert {name: record.status for name, record in made.items()} == dict.fromkeys(made, "ok")
    assert {name: record.artifact for name, record in again.items()} == {n: r.artifact for n, r in made.items()}
    assert len(made["task_set"].attempts) == 2
    assert {len(again[name].attempts) for name in ("theme", "task_set", "database_schema", "tool_spec")} == {1}
    assert recorded.changed and recorded.left_out == []
    assert read_world(tmp_path / "library" / SMALL) == recorded.world
    answered_by_the_library = record_world(Home.resolve(tmp_path / "other"), SMALL, tmp_path / "library")
    assert not answered_by_the_library.changed, "it does not come from itself"


class _Reviewed(Model):
    """A model that finds something odd once it has answered a question, and answers it otherwise when it is told."""

    def __init__(self, reviewed: str, finding: dict[str, Any], again: Callable[[dict[str, Any]], dict[str, Any]]):
        super().__init__()
        self._review = {"tool_spec": "trade_review", "seed_rows": "rows_review"}[reviewed]
        self._reviewed, self._finding, self._again = reviewed, finding, again

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body = await Request(scope, receive).body()
        messages = orjson.loads(body)["messages"]
        question = orjson.loads(messages[1]["content"].removeprefix("```json\n").removesuffix("\n```"))
        if question["schema"] == self._review:
            odd = f"It is odd at {question['context'].get('clock', 'all times')}."
            answer: dict[str, Any] = {"findings": [self._finding | {"odd": odd, "change": "Say so."}]}
        elif question["schema"] == self._reviewed and len(messages) > 2:
            answer = self._again(WORLD.parts[self._reviewed, question["context"].get("state", WHOLE)])
        else:

            async def again() -> Any:
                return {"type": "http.request", "body": body, "more_body": False}

            await super().__call__(scope, again, send)
            return
        await _completion(answer)(scope, receive, send)


MENDED = "Does it as everybody does."


def _tools_mended(part: dict[str, Any]) -> dict[str, Any]:
    first, *others = part["tools"]
    return {"tools": [first | {"description": MENDED}, *others]}


def _rows_mended(part: dict[str, Any]) -> dict[str, Any]:
    """Somebody has another name in the first table."""
    first, *others = part["tables"]
    name = next(n for n, column in enumerate(first["columns"]) if "name" in column)
    (*before, last) = first["rows"]
    return part | {"tables": [first | {"rows": [*before, [*last[:name], MENDED, *last[name + 1 :]]]}, *others]}


@pytest.mark.parametrize(
    ("stage", "finding", "mended", "field"),
    [
        ("tool_spec", {"tool": None}, _tools_mended, "tools"),
        ("seed_rows", {"table": None, "ids": []}, _rows_mended, "tables"),
    ],
    ids=["tools", "rows"],
)
async def test_what_was_mended_after_a_review_is_recorded_and_what_was_refused_then_is_not(
    stage: str, finding: dict[str, Any], mended: Any, field: str, runtime: Runtime, tmp_path: Path
) -> None:
    def emptied(part: dict[str, Any]) -> dict[str, Any]:
        return part | {field: part[field][:1]}

    for name, again, is_mended in (("mended", mended, True), ("refused", emptied, False)):
        home, library = tmp_path / name, tmp_path / f"{name}_library"
        made = await _line(_Reviewed(stage, finding, again), runtime, home, stage)
        recorded = record_world(Home.resolve(home), SMALL, library).world
        rebuilt = await _line(LibraryApp(Library(library)), runtime, tmp_path / f"{name}_again", stage)

        assert (MENDED in str(made[stage].artifact)) is is_mended
        assert made[stage].status == rebuilt[stage].status == "ok", rebuilt[stage].reason
        assert rebuilt[stage].artifact == made[stage].artifact
        assert not any(attempt.problems for attempt in rebuilt[stage].attempts)
        _come_from_the_answers(recorded, home)


async def test_provenance_says_where_parts_come_from_and_what_was_refused(runtime: Runtime, tmp_path: Path) -> None:
    await _line(Model(spoiled="task_set"), runtime, tmp_path, "database_schema")
    world = record_world(Home.resolve(tmp_path), SMALL, tmp_path / "library").world

    stages = {stage.stage: stage for stage in world.provenance.stages}
    (refused,) = stages["task_set"].refused
    assert (stages["task_set"].attempts, refused.attempt) == (2, 1)
    assert refused.problems[0].startswith("tasks: 10 tasks were asked for, there are 1")
    assert {(one.question, one.answers, one.model) for one in world.provenance.parts} == {
        ("theme", 1, "author"),
        ("task_set", 2, "author"),
        ("database_schema", 1, "author"),
    }
    _come_from_the_answers(world, tmp_path)


def _come_from_the_answers(world: LibraryWorld, home: Path) -> None:
    """Every part is in the answer that its origin names."""
    given = {content_hash(one.text): one for one in answered_questions(home, world.key)}
    assert world.provenance.parts
    for origin in world.provenance.parts:
        assert origin.answer is not None
        one = given[origin.answer]
        assert (one.schema_name, one.stage, one.prompt) == (origin.question, origin.stage, origin.prompt)
        assert one.context["subject"] == SUBJECT.model_dump()
        parts = kind_of(one.schema_name).cut.cut(one.context, read_object(one.text))
        assert part_hash(parts[origin.part]) == origin.hash == part_hash(world.parts[origin.question, origin.part])


async def test_a_world_is_recorded_again_when_it_has_come_further(runtime: Runtime, tmp_path: Path) -> None:
    home, library = Home.resolve(tmp_path / "home"), tmp_path / "library"

    await _line(Model(), runtime, tmp_path / "home", "theme")
    first = record_world(home, SMALL, library)
    same = record_world(home, SMALL, library)
    await _line(Model(), runtime, tmp_path / "home", "seed_rows")
    further = record_world(home, SMALL, library)

    assert (first.changed, same.changed, further.changed) == (True, False, True)
    assert (first.world.until, further.world.until) == ("theme", "seed_rows")
    assert {question for question, _ in further.world.parts} == {"theme", "task_set", "database_schema", "seed_rows"}


async def test_what_a_reader_called_wrong_is_taken_out_and_does_not_come_back(runtime: Runtime, tmp_path: Path) -> None:
    home, library = Home.resolve(tmp_path / "home"), tmp_path / "library"
    await _line(Model(), runtime, tmp_path / "home", "verifiers")
    whole = record_world(home, SMALL, library).world
    task = next(part for question, part in whole.parts if question == "verifier")

    write_world(without(whole, [f"reference_solution/{task}"], "nobody rings on a Sunday"), library / SMALL)
    again = record_world(home, SMALL, library)

    assert not again.changed
    assert whole.parts.keys() - again.world.parts.keys() == {("reference_solution", task), ("verifier", task)}
    told = [one for stage in again.world.provenance.stages for one in stage.dropped or [] if one.task == task]
    assert [(one.stage, one.reason) for one in told] == [
        ("reference_solutions", "Taken out after reading: nobody rings on a Sunday")
    ]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("theme/whole", "no part that can be taken out"),
        ("task_families/1.none", "has no task_families called '1.none'"),
    ],
)
def test_only_what_a_world_can_do_without_is_taken_out(name: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        without(WORLD, [name], "it is odd")


async def test_what_another_home_made_before_stays(runtime: Runtime, tmp_path: Path) -> None:
    library = tmp_path / "library"
    await _line(Model(), runtime, tmp_path / "first", "database_schema")
    record_world(Home.resolve(tmp_path / "first"), SMALL, library)

    await _line(Model(), runtime, tmp_path / "second", "theme")
    kept = record_world(Home.resolve(tmp_path / "second"), SMALL, library)

    assert not kept.changed
    assert kept.world.until == "database_schema"


async def test_a_part_that_is_given_up_goes_and_its_stage_tells_of_it(runtime: Runtime, tmp_path: Path) -> None:
    """What is told of a stage is told of the parts that it has now."""
    library, name = tmp_path / "library", next(name for name in WORLD.parts if name[0] == "reference_solution")
    write_world(WORLD, library / SMALL)
    worse = WORLD.parts | {name: WORLD.parts[name] | {"source": "def solve(tools):\n    pass"}}
    write_world(with_parts(WORLD, worse), tmp_path / "worse" / SMALL)

    await _line(LibraryApp(Library(tmp_path / "worse")), runtime, tmp_path / "home", "reference_solutions")
    again = record_world(Home.resolve(tmp_path / "home"), SMALL, library).world

    assert name not in again.parts
    stages = {stage.stage: stage for stage in again.provenance.stages}
    before = {stage.stage: stage for stage in WORLD.provenance.stages}
    solutions = stages.pop("reference_solutions")
    assert [one.task for one in solutions.dropped or []] == [name[1]]
    assert any(problem.startswith(f"solution: {name[1]}: ") for one in solutions.refused for problem in one.problems)
    assert stages == {stage: account for stage, account in before.items() if stage != "reference_solutions"}


async def test_what_was_rejected_is_not_recorded(runtime: Runtime, tmp_path: Path) -> None:
    class Stubborn(Model):
        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            request = orjson.loads(await Request(scope, receive).body())
            body = orjson.dumps(request | {"messages": request["messages"][:2]})

            async def again() -> Any:
                return {"type": "http.request", "body": body, "more_body": False}

            await super().__call__(scope, again, send)

    await _line(Stubborn(spoiled="task_set"), runtime, tmp_path / "home", "task_set")
    recorded = record_world(Home.resolve(tmp_path / "home"), SMALL, tmp_path / "library")

    assert {question for question, _ in recorded.world.parts} == {"theme"}
    assert recorded.left_out[0].startswith("task_set: rejected, not accepted after 5 attempts; tasks: 10 tasks")
    rejected = recorded.world.provenance.stages[-1]
    assert (rejected.stage, rejected.status, rejected.attempts) == ("task_set", "rejected", 5)


def test_code_that_the_inspection_had_mended_is_recorded_as_the_code_of_its_tool() -> None:
    before, after = "def add(env):\n    return 1\n", "LEAST = 2\n\ndef add(env):\n    return LEAST\n"
    given_up = "def remove(env):\n    return 3\n"

    def answered(text: str) -> AnsweredQuestion:
        return AnsweredQuestion("inspection", REVISION, "", "author", {}, again=False, text=text)

    def revision(**sources: str) -> AnsweredQuestion:
        made = {"tools": [{"tool": tool, "source": source} for tool, source in sources.items()]}
        return answered(orjson.dumps(made).decode())

    def inspected(module: str | None) -> dict[str, StageRecord]:
        artifact = {"revised_source": module}
        record = StageRecord(
            stage="inspection", partition=SMALL, status="ok", inputs="i", version="v", artifact=artifact
        )
        return {"inspection": record}

    unusable = [answered("I refuse."), answered('{"tools": [{"tool": "add"}]}')]
    asked = [*unusable, revision(add=before, remove=given_up), revision(add=after)]
    standing = f"{after}\n\ndef remove(env):\n    return 0\n"
    assert list(revised_tools(asked, inspected(standing))) == [("add", after.strip())]
    dated = "def add(env):\n    return math.floor(datetime.date.today().day)"
    with_imports = f"import datetime\nimport math\nimport json\n\n\n{dated}\n\n\ndef remove(env):\n    return 0\n"
    found = list(revised_tools([revision(add="import math\n\n\n" + dated)], inspected(with_imports)))
    assert found == [("add", f"import datetime\nimport math\n\n\n{dated}")]
    used = "def add(env):\n    return _twice(LEAST)"
    beside = "LEAST = 2\nMOST = 9\n\n\ndef _twice(number):\n    return 2 * number + OFF\n\n\nOFF: int = 0\n\n\n"
    found = list(revised_tools([revision(add=used)], inspected(f"{beside}{used}\n")))
    assert found == [("add", f"LEAST = 2\ndef _twice(number):\n    return 2 * number + OFF\nOFF: int = 0\n{used}")]
    used, beside = "def add(env):\n    return DOUBLE + STEP", "STEP = 2\nDOUBLE = 2 * STEP\n"
    found = list(revised_tools([revision(add=used)], inspected(f"{beside}{used}\n")))
    assert found == [("add", f"{beside}{used}")], "a constant comes after those that it is made of"
    assert list(revised_tools(asked, inspected(None))) == list(revised_tools(asked, {})) == []


def test_an_environment_that_is_not_there_cannot_be_recorded(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is no environment 'nowhere'"):
        record_world(Home.resolve(tmp_path), "nowhere", tmp_path / "library")
