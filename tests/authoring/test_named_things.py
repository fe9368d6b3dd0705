"""What a person names who describes a world is in the world that is made of it, or people see that it is left out."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.sources import SourceDocument, SourceSection
from envfactory_dagster.runtime.runtime import Runtime
from tests.authoring.line_kit import line
from tests.support.alpine_author import Answer, Asked, alpine_author, huts

UNTIL = "tool_spec"
LISTED, FOUND = "named_things", "named_things_found"
REFUNDS = "money comes back for what is cancelled in time"
TEXT = (
    f"I want mountain huts where hikers book bunks. Bunks are by the night, and {REFUNDS}. There is a cable car, too."
)
PORTUGUESE = "Cabanas de montanha: reservam-se beliches por noite, e o tempo de amanhã decide se a excursão sai."

Place = dict[str, list[str]]
NOWHERE: Place = {"tables": [], "tools": [], "tasks": [], "tables_for_a_tool": []}
BUNKS = NOWHERE | {"tables": ["rooms", "rooms.bunks"], "tools": ["hold_bunks"], "tasks": ["last_morning"]}
OUT_OF_REACH = NOWHERE
MENDABLE = NOWHERE | {"tables_for_a_tool": ["refunds", "bookings"]}


@dataclass
class Reader:
    """A judge who lists these words, and finds them where `place` says, among the tools that it is shown."""

    things: Sequence[str]
    place: Callable[[str, set[str]], Place] = lambda words, tools: BUNKS
    at_first: dict[str, Answer] = field(default_factory=dict)
    """By schema, what it answers before it is told that this is wrong."""

    def __call__(self, asked: Asked) -> Answer | None:
        if asked.schema in self.at_first and not asked.reports:
            return self.at_first[asked.schema]
        if asked.schema == LISTED:
            return {"things": list(self.things)}
        if asked.schema == FOUND:
            tools = {tool["name"] for tool in asked.context["tools"]}
            return {"things": [{"words": one} | self.place(one, tools) for one in asked.context["things"]]}
        return None


Make = Callable[..., Any]


@pytest.fixture
def make(proposal: PooledProposal, settings: AuthoringSettings, runtime: Runtime, tmp_path: Path) -> Make:
    async def made(
        reader: Reader, text: str = TEXT, author: Callable[[Asked, Answer], Answer | str] = lambda asked, answer: answer
    ) -> tuple[StageRecord, dict[str, list[Asked]]]:
        """The record of the tools, and what was asked, by schema."""
        app = alpine_author(author, reader)
        document = SourceDocument(kind="typed", sections=[SourceSection(title="What is wanted", text=text)])
        async with line(app, runtime, tmp_path, replace(settings, attempts=3)) as running:
            records = await running.run(proposal.model_copy(update={"document": document}), UNTIL)
        asked: dict[str, list[Asked]] = {LISTED: [], FOUND: [], UNTIL: []}
        for one in app.state.asked:
            asked.setdefault(one.schema, []).append(one)
        return records[UNTIL], asked

    return made


def named(record: StageRecord) -> dict[str, Any]:
    assert record.status == "ok" and record.artifact is not None, record.reason
    return {one["words"]: one for one in record.artifact["named"]}


def without_refunds(answer: Answer) -> Answer:
    return answer | {"tools": [tool for tool in answer["tools"] if tool["name"] != "list_refunds"]}


def with_refunds(words: str, tools: set[str]) -> Place:
    if words != REFUNDS:
        return BUNKS
    return NOWHERE | {"tools": ["list_refunds"]} if "list_refunds" in tools else MENDABLE


async def test_where_everything_is_that_was_named_is_kept_and_shown(make: Make) -> None:
    record, asked = await make(Reader(["mountain huts", "bunks"]))
    assert list(named(record)) == ["mountain huts", "bunks"]
    assert named(record)["bunks"] == {
        "words": "bunks",
        "tables": ["rooms", "rooms.bunks"],
        "tools": ["hold_bunks"],
        "tasks": ["last_morning"],
        "left_out": None,
    }
    assert record.metadata["named_left_out"] == 0
    shown = {"words": "bunks", "is_in": "rooms, rooms.bunks, hold_bunks, last_morning", "left_out": ""}
    assert shown in record.metadata["named"]
    assert {name: len(each) for name, each in asked.items() if name in (LISTED, FOUND, UNTIL)} == {
        LISTED: 1,
        FOUND: 1,
        UNTIL: 1,
    }


async def test_whoever_lists_what_was_named_sees_the_words_and_nothing_of_the_world(make: Make) -> None:
    _, asked = await make(Reader(["bunks"]))
    context = {name: value for name, value in asked[LISTED][0].context.items() if name != "subject"}
    assert context == {"text": TEXT}
    found = asked[FOUND][0].context
    assert found["things"] == ["bunks"]
    assert {tool["name"] for tool in found["tools"]} == {tool.name for tool in huts().tools}
    assert len(found["tasks"]) == len(huts().tasks) and found["tables"][0]["purpose"]


async def test_a_description_in_another_language_is_quoted_in_that_language(make: Make) -> None:
    """An accent may come back as a letter and a mark."""
    weather = unicodedata.normalize("NFD", "tempo de amanhã")
    record, asked = await make(Reader(["beliches por noite", weather, "EXCURSÃO"]), PORTUGUESE)
    assert list(named(record)) == ["beliches por noite", weather, "EXCURSÃO"]
    assert not asked[LISTED][0].reports and len(asked[LISTED]) == 1


async def test_a_thing_that_is_named_twice_is_asked_for_once(make: Make) -> None:
    record, asked = await make(Reader(["bunks", "hikers", "Bunks"]))
    assert asked[FOUND][0].context["things"] == list(named(record)) == ["bunks", "hikers"]


@pytest.mark.parametrize(
    ("schema", "answer", "said"),
    [
        (LISTED, {"things": ["bunks", "a ski lift"]}, "“a ski lift” does not stand in the text"),
        (LISTED, {"things": []}, "`things` is empty"),
        (FOUND, {"things": []}, "Say once where “bunks” is; it is said 0 times."),
        (FOUND, {"things": [{"words": "lifts"} | BUNKS, {"words": "bunks"} | BUNKS]}, "“lifts” is none of `things`"),
        (FOUND, {"things": [{"words": "bunks"} | BUNKS | {"tools": ["fly"]}]}, "`tools` names “fly”, which is no tool"),
        (FOUND, {"things": [{"words": "bunks"} | BUNKS | {"tables": ["rooms.wings"]}]}, "`tables` names “rooms.wings”"),
        (FOUND, {"things": [{"words": "bunks"} | BUNKS | {"tasks": ["nap"]}]}, "`tasks` names “nap”, which is no task"),
        (FOUND, {"things": [{"words": "bunks"} | NOWHERE | {"tables_for_a_tool": ["wings"]}]}, "names “wings”"),
    ],
    ids=["words", "nothing", "a thing less", "a thing more", "a tool", "a column", "a task", "a table"],
)
async def test_an_answer_that_invents_or_forgets_something_is_asked_for_again(
    make: Make, schema: str, answer: Answer, said: str
) -> None:
    record, asked = await make(Reader(["bunks"], at_first={schema: answer}))
    assert asked[schema][0].reports == []
    (report,) = asked[schema][1].reports
    assert said in report
    assert list(named(record)) == ["bunks"] and len(asked[UNTIL]) == 1


async def test_the_author_of_the_tools_is_told_what_is_missing_and_offers_it(make: Make) -> None:
    def forgetful(asked: Asked, answer: Answer) -> Answer:
        return without_refunds(answer) if asked.schema == UNTIL and not asked.reports else answer

    record, asked = await make(Reader(["bunks", REFUNDS], with_refunds), author=forgetful)
    assert asked[UNTIL][0].reports == []
    (report,) = asked[UNTIL][1].reports
    assert f"named “{REFUNDS}”, and no table, tool or task has it." in report and "over refunds, bookings" in report
    assert "bunks" not in report
    assert named(record)[REFUNDS]["tools"] == ["list_refunds"]
    assert record.metadata["named_left_out"] == 0
    assert len(asked[LISTED]) == 1 and len(asked[FOUND]) == 2, "what was named stays the same"


async def test_what_no_table_holds_is_left_out_at_once(make: Make) -> None:
    place = {"bunks": BUNKS, "cable car": OUT_OF_REACH}
    record, asked = await make(Reader(list(place), lambda words, tools: place[words]))
    assert named(record)["cable car"]["left_out"] == "no_table" and named(record)["bunks"]["left_out"] is None
    assert len(asked[UNTIL]) == 1, "no other tools could have it"
    assert record.metadata["named_left_out"] == 1
    assert {"words": "cable car", "is_in": "", "left_out": "no table"} in record.metadata["named"]


async def test_what_the_author_never_offers_is_left_out_and_no_reason_to_do_without_the_world(make: Make) -> None:
    def stubborn(asked: Asked, answer: Answer) -> Answer:
        return without_refunds(answer) if asked.schema == UNTIL else answer

    record, asked = await make(Reader(["bunks", REFUNDS], with_refunds), author=stubborn)
    assert len(asked[UNTIL]) == 3
    assert named(record)[REFUNDS]["left_out"] == "no_tool"
    assert record.artifact is not None and len(record.artifact["tools"]) == len(huts().tools) - 1


async def test_tools_that_lacked_one_thing_are_kept_where_later_ones_are_wrong(make: Make) -> None:
    def clumsy(asked: Asked, answer: Answer) -> Answer:
        if asked.schema != UNTIL:
            return answer
        return without_refunds(answer) if not asked.reports else answer | {"tools": answer["tools"][:5]}

    record, asked = await make(Reader(["bunks", REFUNDS], with_refunds), author=clumsy)
    assert len(asked[UNTIL]) == 3 and len(asked[FOUND]) == 1
    assert named(record)[REFUNDS]["left_out"] == "no_tool"
    assert record.artifact is not None and len(record.artifact["tools"]) == len(huts().tools) - 1


@pytest.mark.parametrize("schema", [LISTED, FOUND])
async def test_where_the_judge_cannot_be_read_the_world_is_made_and_that_is_said(make: Make, schema: str) -> None:
    def mute(asked: Asked, answer: Answer) -> Answer | str:
        return {"things": []} if asked.schema == schema else answer

    record, asked = await make(Reader(["bunks"]), author=mute)
    assert record.status == "ok" and len(asked[schema]) == 3 and len(asked[UNTIL]) == 1
    assert record.artifact is not None and "named" not in record.artifact
    assert "not accepted after 3 attempts" in record.metadata["named_untold"]
    assert "named" not in record.metadata


@pytest.mark.parametrize("document", [None, SourceDocument(kind="prd", sections=[SourceSection(title="", text=TEXT)])])
async def test_of_what_nobody_typed_nothing_is_asked(
    document: SourceDocument | None,
    proposal: PooledProposal,
    settings: AuthoringSettings,
    runtime: Runtime,
    tmp_path: Path,
) -> None:
    app = alpine_author()
    async with line(app, runtime, tmp_path, settings) as running:
        records = await running.run(proposal.model_copy(update={"document": document}), UNTIL)
    assert not {LISTED, FOUND} & {one.schema for one in app.state.asked}
    assert records[UNTIL].artifact is not None and "named" not in records[UNTIL].artifact
    assert not {"named", "named_left_out", "named_untold"} & records[UNTIL].metadata.keys()
