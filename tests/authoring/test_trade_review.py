"""What somebody of the trade finds odd about tools is mended by their author, or kept, and people see which."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.sources import SourceDocument, SourceSection
from envfactory_dagster.language.built_in.app import create_app
from envfactory_dagster.library.app import LibraryApp
from envfactory_dagster.library.collection import Library
from envfactory_dagster.runtime.runtime import Runtime
from tests.authoring.line_kit import line, proposal_of
from tests.library.library_kit import SMALL, settings_of
from tests.support import shed_author as shed
from tests.support.alpine_author import Answer, Asked, alpine_author, huts

UNTIL, REVIEW = "tool_spec", "trade_review"
FINDING: Answer = {
    "tool": "confirm_booking",
    "odd": "A confirmed booking can never be a held one again. Everybody reopens them until the evening before.",
    "change": "Let confirm_booking be undone until the day before check-in.",
}
NOBODYS: Answer = {"tool": None, "odd": "A lost item cannot be given up.", "change": "Add a tool that gives it up."}
UNDONE = "Confirms a booking; until the day before check-in that can be undone."

Author = Callable[[Asked, Answer], Answer | str]


@dataclass
class Made:
    record: StageRecord
    asked: list[Asked]

    def of(self, schema: str) -> list[Asked]:
        return [one for one in self.asked if one.schema == schema]

    @property
    def tools(self) -> dict[str, Any]:
        assert self.record.status == "ok" and self.record.artifact is not None, self.record.reason
        return {tool["name"]: tool for tool in self.record.artifact["tools"]}


Make = Callable[..., Any]


@pytest.fixture
def make(proposal: PooledProposal, settings: AuthoringSettings, runtime: Runtime, tmp_path: Path) -> Make:
    async def made(
        findings: Sequence[Answer], author: Author = lambda asked, answer: answer, text: str = "", **others: Answer
    ) -> Made:
        """`others`: what else the judge is asked, by schema."""

        def judge(asked: Asked) -> Answer | None:
            return {"findings": list(findings)} if asked.schema == REVIEW else others.get(asked.schema)

        app = alpine_author(author, judge)
        section = SourceSection(title="What is wanted", text=text)
        document = SourceDocument(kind="typed", sections=[section]) if text else None
        async with line(app, runtime, tmp_path, replace(settings, attempts=3)) as running:
            records = await running.run(proposal.model_copy(update={"document": document}), UNTIL)
        return Made(records[UNTIL], app.state.asked)

    return made


def undone(answer: Answer) -> Answer:
    """The tools with what was found mended."""
    tools = [tool | {"description": UNDONE} if tool["name"] == "confirm_booking" else tool for tool in answer["tools"]]
    return answer | {"tools": tools}


def listening(asked: Asked, answer: Answer) -> Answer:
    return undone(answer) if asked.schema == UNTIL and asked.reports else answer


async def test_the_author_of_the_tools_is_told_what_is_odd_and_mends_it(make: Make) -> None:
    made = await make([FINDING], listening)
    first, again = made.of(UNTIL)
    assert first.reports == [] and len(made.of(REVIEW)) == 1, "what was mended is not reviewed again"
    (report,) = again.reports
    assert "[spec] confirm_booking: " in report and FINDING["odd"] in report and FINDING["change"] in report
    assert made.tools["confirm_booking"]["description"] == UNDONE
    assert [attempt.problems for attempt in made.record.attempts] == [[], [], []]
    told = made.record.metadata
    assert told["trade_findings"] == 1
    assert told["trade_review"] == [FINDING | {"became": "the tool was changed"}]
    assert told["trade_review_changed"] == "confirm_booking"
    assert not {"trade_review_added", "trade_review_untold", "trade_review_refused"} & told.keys()


async def test_a_judge_of_the_trade_sees_rules_tables_tasks_and_the_tools_as_they_are_accepted(make: Make) -> None:
    def clumsy_at_first(asked: Asked, answer: Answer) -> Answer:
        is_first = asked.schema == UNTIL and not asked.reports
        return answer | {"tools": answer["tools"][:5]} if is_first else answer

    made = await make([], clumsy_at_first)
    (review,) = made.of(REVIEW)
    context = review.context
    assert [tool["name"] for tool in context["tools"]] == [tool.name for tool in huts().tools]
    assert [task["text"] for task in context["tasks"]] == [task.text for task in huts().tasks]
    assert context["theme"]["rules"] and context["tables"][0]["ddl"]
    assert context["documents"] == [] and context["room_for_tools"] == 128 - len(huts().tools)


async def test_where_nothing_is_odd_nobody_is_asked_again(make: Make) -> None:
    made = await make([])
    assert len(made.of(UNTIL)) == len(made.of(REVIEW)) == 1
    assert made.record.metadata["trade_findings"] == 0 and "trade_review" not in made.record.metadata


async def test_what_the_author_keeps_stays_as_it_is(make: Make) -> None:
    made = await make([FINDING, NOBODYS])
    assert len(made.of(UNTIL)) == 2 and len(made.of(REVIEW)) == 1
    assert made.tools["confirm_booking"]["description"] == huts_tool("confirm_booking").description
    assert [one["became"] for one in made.record.metadata["trade_review"]] == ["the tool is as it was", ""]
    assert not {"trade_review_changed", "trade_review_added", "trade_review_refused"} & made.record.metadata.keys()


async def test_a_tool_may_be_added_or_go(make: Make) -> None:
    def rebuilding(asked: Asked, answer: Answer) -> Answer:
        if asked.schema != UNTIL or not asked.reports:
            return answer
        given_up = next(tool for tool in answer["tools"] if tool["name"] == "remove_companion")
        left = [tool for tool in answer["tools"] if tool["name"] != "list_lost_claims"]
        return answer | {"tools": [*left, given_up | {"name": "remove_fellow"}]}

    made = await make([NOBODYS, FINDING | {"tool": "list_lost_claims"}], rebuilding)
    assert "remove_fellow" in made.tools and "list_lost_claims" not in made.tools
    assert [one["became"] for one in made.record.metadata["trade_review"]] == ["", "the tool is gone"]
    assert made.record.metadata["trade_review_added"] == "remove_fellow"


async def test_tools_that_were_accepted_are_kept_where_those_after_the_review_are_wrong(make: Make) -> None:
    def clumsy(asked: Asked, answer: Answer) -> Answer:
        return answer | {"tools": answer["tools"][:5]} if asked.schema == UNTIL and asked.reports else answer

    made = await make([FINDING], clumsy)
    assert len(made.of(UNTIL)) == 1 + 3
    assert made.tools.keys() == {tool.name for tool in huts().tools}
    assert "not accepted after 3 attempts; spec: There are 5 tools" in made.record.metadata["trade_review_refused"]
    assert made.record.metadata["trade_review"][0]["became"] == "the tool is as it was"


@pytest.mark.parametrize(
    ("findings", "said"),
    [
        ([FINDING] * 500, "There are 500 findings; give the gravest, 6 at most."),
        ([FINDING | {"tool": "fly"}], "Finding 1: there is no tool fly"),
        ([NOBODYS | {"odd": "so" * 450}], "Finding 1: `odd` has 900 characters; 600 is the most."),
    ],
    ids=["endless", "an unknown tool", "a long one"],
)
async def test_a_list_that_is_wrong_is_asked_for_again_and_then_done_without(
    make: Make, findings: list[Answer], said: str
) -> None:
    made = await make(findings)
    reviews = made.of(REVIEW)
    assert len(reviews) == 3 and said in reviews[1].reports[0]
    assert made.tools and len(made.of(UNTIL)) == 1
    assert "not accepted after 3 attempts" in made.record.metadata["trade_review_untold"]
    assert "trade_findings" not in made.record.metadata


@pytest.mark.parametrize("answer", [{"findings": [{"tool": None}]}, {"oddities": []}, "Nothing is odd."])
async def test_a_review_that_cannot_be_read_is_done_without(make: Make, answer: Answer | str) -> None:
    made = await make([], lambda asked, right: answer if asked.schema == REVIEW else right)
    assert made.tools and len(made.of(UNTIL)) == 1
    assert "could not be used" in made.record.metadata["trade_review_untold"]


async def test_without_a_model_that_judges_the_tools_stay_and_no_attempt_is_counted(
    runtime: Runtime, tmp_path: Path
) -> None:
    """The library has no review of this world, and the built-in judge knows no trade."""
    library = Library()
    world = library.world(SMALL)
    async with line(LibraryApp(library, create_app()), runtime, tmp_path, settings_of(world)) as running:
        record = (await running.run(world.card.proposal, UNTIL))[UNTIL]
    assert record.status == "ok" and len(record.attempts) == 1
    assert "cannot answer trade_review" in record.metadata["trade_review_untold"]


async def test_of_a_world_of_files_the_judge_reads_the_documents(runtime: Runtime, tmp_path: Path) -> None:
    app = shed.shed_author()
    proposal = proposal_of(shed.KEY, "Shared tool shed", "Neighbourhood", "A shed of tools that allotments share.")
    proposal = proposal.model_copy(update={"storage": "files"})
    settings = AuthoringSettings(size="small", tasks=5, rules_asked=3, states=("initial",))
    async with line(app, runtime, tmp_path, settings) as running:
        record = (await running.run(proposal, UNTIL))[UNTIL]
    (asked,) = (one for one in app.state.asked if one.schema == REVIEW)
    assert {one["path"]: one["text"] for one in asked.context["documents"]} == {
        "docs/house_rules.md": shed.HOUSE_RULES,
        "docs/notice.txt": shed.NOTICE,
    }
    assert record.status == "ok" and "trade_review_untold" in record.metadata


async def test_what_a_description_names_is_looked_for_in_the_mended_tools_as_well(make: Make) -> None:
    nowhere: Answer = {"tables": [], "tools": [], "tasks": [], "tables_for_a_tool": []}
    bunks = nowhere | {"words": "bunks", "tables": ["rooms"]}
    refunds = nowhere | {"words": "refunds", "tables_for_a_tool": ["refunds"]}
    made = await make(
        [FINDING],
        listening_to_the_last,
        "Huts with bunks, and refunds.",
        named_things={"things": ["bunks", "refunds"]},
        named_things_found={"things": [bunks, refunds]},
    )
    assert len(made.of(UNTIL)) == 3 + 1, "what was never offered is not asked for again after the review"
    assert len(made.of("named_things_found")) == 2, "the same tools are held against the description once"
    assert made.tools["confirm_booking"]["description"] == UNDONE
    assert made.record.artifact is not None
    assert [(one["words"], one["left_out"]) for one in made.record.artifact["named"]] == [
        ("bunks", None),
        ("refunds", "no_tool"),
    ]
    assert made.record.metadata["trade_review"][0]["became"] == "the tool was changed"


def listening_to_the_last(asked: Asked, answer: Answer) -> Answer:
    told_of_the_trade = asked.schema == UNTIL and asked.reports and FINDING["odd"] in asked.reports[-1]
    return undone(answer) if told_of_the_trade else answer


def huts_tool(name: str) -> Any:
    return next(tool for tool in huts().tools if tool.name == name)
