"""What somebody of the trade finds odd about rows is mended by their author, or kept, and people see which."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.database import SeedRows
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.runtime.runtime import Runtime
from tests.authoring.line_kit import line, proposal_of
from tests.support import shed_author as shed
from tests.support.alpine_author import Answer, Asked, alpine_author, huts, seed

UNTIL, REVIEW = "seed_rows", "rows_review"
INITIAL, WINTER = seed().states
FINDING: Answer = {
    "table": "meals",
    "ids": [3],
    "odd": "Breakfast costs more than supper. It is always the cheapest meal.",
    "change": "Let breakfast cost less than supper.",
}
CLOCK: Answer = {"table": None, "ids": [], "odd": "No hut is open on that day.", "change": "Set the clock to summer."}
CHEAP = 111

Author = Callable[[Asked, Answer], Answer | str]


@dataclass
class Made:
    record: StageRecord
    asked: list[Asked]

    def of(self, schema: str, state: str = "") -> list[Asked]:
        return [one for one in self.asked if one.schema == schema and state in ("", one.context.get("state"))]

    def price(self, meal: int, state: str = "initial") -> int:
        assert self.record.status == "ok", self.record.reason
        states = SeedRows.model_validate(self.record.artifact).states
        rows = cells(next(one for one in states if one.name == state).model_dump()["tables"], "meals")
        return int(next(row["price_cents"] for row in rows if row["id"] == meal))


Make = Callable[..., Any]


@pytest.fixture
def make(proposal: PooledProposal, settings: AuthoringSettings, runtime: Runtime, tmp_path: Path) -> Make:
    async def made(findings: Mapping[str, Sequence[Answer]], author: Author = lambda asked, answer: answer) -> Made:
        """`findings`: by the clock of a state."""

        def judge(asked: Asked) -> Answer | None:
            return {"findings": list(findings.get(asked.context["clock"], ()))} if asked.schema == REVIEW else None

        app = alpine_author(author, judge)
        async with line(app, runtime, tmp_path, replace(settings, attempts=3)) as running:
            records = await running.run(proposal, UNTIL)
        return Made(records[UNTIL], app.state.asked)

    return made


def cells(tables: Sequence[Answer], name: str) -> list[Answer]:
    (table,) = (table for table in tables if table["table"] == name)
    return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]


def cheaper(answer: Answer) -> Answer:
    """The rows with what was found mended."""
    (meals,) = (table for table in answer["tables"] if table["table"] == "meals")
    id_, price = meals["columns"].index("id"), meals["columns"].index("price_cents")
    rows = [[CHEAP if n == price and row[id_] == 3 else cell for n, cell in enumerate(row)] for row in meals["rows"]]
    mended = meals | {"rows": rows}
    return answer | {"tables": [mended if table is meals else table for table in answer["tables"]]}


def listening(asked: Asked, answer: Answer) -> Answer:
    return cheaper(answer) if asked.schema == UNTIL and asked.reports else answer


async def test_the_author_of_the_rows_is_told_what_is_odd_and_mends_it(make: Make) -> None:
    made = await make({INITIAL.clock: [FINDING]}, listening)
    first, again = made.of(UNTIL, "initial")
    assert first.reports == [] and len(made.of(UNTIL, "winter")) == 1
    assert len(made.of(REVIEW)) == 2, "one for each state: what was mended is not reviewed again"
    (report,) = again.reports
    assert "[rows] meals, 3: " in report and FINDING["odd"] in report and FINDING["change"] in report
    assert made.price(3) == CHEAP != made.price(3, "winter")
    assert [attempt.problems for attempt in made.record.attempts] == [[]] * 5
    told = made.record.metadata
    assert told["rows_findings"] == 1
    assert told["rows_review"] == [
        FINDING | {"state": "initial", "ids": "3", "became": "the rows were changed"},
    ]
    assert told["rows_review_changed"] == {"initial": "meals 1"}
    assert not {"rows_review_untold", "rows_review_refused"} & told.keys()


async def test_a_judge_of_the_trade_sees_rules_tables_tasks_and_the_rows_as_they_are_accepted(make: Make) -> None:
    def clumsy_at_first(asked: Asked, answer: Answer) -> Answer:
        is_first = asked.schema == UNTIL and not asked.reports
        return answer | {"tables": answer["tables"][1:]} if is_first else answer

    made = await make({}, clumsy_at_first)
    reviews = {one.context["clock"]: one.context for one in made.of(REVIEW)}
    assert len(made.of(REVIEW)) == 2
    for state in (INITIAL, WINTER):
        context = reviews[state.clock]
        assert context["rows"] == [table.model_dump(mode="json") for table in state.tables]
        assert [one["id"] for one in context["tasks"]] == [one.id for one in huts().tasks if one.state == state.name]
        assert context["theme"]["rules"] and context["tables"][0]["ddl"] and "mined" not in context


async def test_where_nothing_is_odd_nobody_is_asked_again(make: Make) -> None:
    made = await make({})
    assert len(made.of(UNTIL)) == len(made.of(REVIEW)) == 2
    assert made.record.metadata["rows_findings"] == 0
    assert not {name for name in made.record.metadata if name.startswith("rows_review")}


async def test_what_the_author_keeps_stays_as_it_is(make: Make) -> None:
    missing = FINDING | {"ids": []}
    made = await make({INITIAL.clock: [FINDING, CLOCK], WINTER.clock: [missing]})
    assert len(made.of(UNTIL)) == 4 and len(made.of(REVIEW)) == 2
    assert [(one["state"], one["became"]) for one in made.record.metadata["rows_review"]] == [
        ("initial", "the rows are as they were"),
        ("initial", "the clock is as it was"),
        ("winter", "the rows are as they were"),
    ]
    assert made.price(3) != CHEAP
    assert not {"rows_review_changed", "rows_review_refused"} & made.record.metadata.keys()


async def test_rows_that_were_accepted_are_kept_where_those_after_the_review_are_wrong(make: Make) -> None:
    """As those of the other state are, for one."""

    def copying(asked: Asked, answer: Answer) -> Answer:
        if asked.schema != UNTIL or not asked.reports:
            return answer
        return cheaper({"clock": INITIAL.clock, "tables": [one.model_dump(mode="json") for one in INITIAL.tables]})

    made = await make({WINTER.clock: [FINDING]}, copying)
    assert len(made.of(UNTIL, "winter")) == 1 + 3
    assert made.record.artifact == seed().model_dump(mode="json")
    refused = made.record.metadata["rows_review_refused"]
    assert refused.keys() == {"winter"} and "are the same as in the state initial" in refused["winter"]
    assert made.record.metadata["rows_review"][0]["became"] == "the rows are as they were"


@pytest.mark.parametrize(
    ("findings", "said"),
    [
        ([FINDING] * 500, "There are 500 findings; give the gravest, 6 at most."),
        ([FINDING | {"table": "dishes"}], "Finding 1: `rows` have no table dishes"),
        ([FINDING | {"ids": [3, 4444, "x"]}], "Finding 1: meals has no row 4444, x."),
        ([CLOCK | {"ids": [3]}], "Finding 1: `ids` are of no table"),
        ([FINDING | {"change": "so" * 450}], "Finding 1: `change` has 900 characters; 600 is the most."),
    ],
    ids=["endless", "an unknown table", "an unknown row", "rows of no table", "a long one"],
)
async def test_a_list_that_is_wrong_is_asked_for_again_and_then_done_without(
    make: Make, findings: list[Answer], said: str
) -> None:
    made = await make({INITIAL.clock: findings})
    reviews = [one for one in made.of(REVIEW) if one.context["clock"] == INITIAL.clock]
    assert len(reviews) == 3 and said in reviews[1].reports[0]
    assert made.record.status == "ok" and len(made.of(UNTIL)) == 2
    untold = made.record.metadata["rows_review_untold"]
    assert untold.keys() == {"initial"} and "not accepted after 3 attempts" in untold["initial"]
    assert made.record.metadata["rows_findings"] == 0, "of the other state"


@pytest.mark.parametrize("answer", [{"findings": [{"table": "meals"}]}, "Nothing is odd."])
async def test_a_review_that_cannot_be_read_is_done_without(make: Make, answer: Answer | str) -> None:
    made = await make({}, lambda asked, right: answer if asked.schema == REVIEW else right)
    assert made.record.status == "ok" and len(made.of(UNTIL)) == 2
    assert "could not be used" in made.record.metadata["rows_review_untold"]["winter"]
    assert "rows_findings" not in made.record.metadata


async def test_of_a_world_of_files_the_judge_reads_the_texts_and_without_one_the_rows_stay(
    runtime: Runtime, tmp_path: Path
) -> None:
    """The built-in judge knows no trade."""
    app = shed.shed_author()
    proposal = proposal_of(shed.KEY, "Shared tool shed", "Neighbourhood", "A shed of tools that allotments share.")
    proposal = proposal.model_copy(update={"storage": "files"})
    settings = AuthoringSettings(size="small", tasks=5, rules_asked=3, states=("initial",))
    async with line(app, runtime, tmp_path, settings) as running:
        record = (await running.run(proposal, UNTIL))[UNTIL]
    (asked,) = (one for one in app.state.asked if one.schema == REVIEW)
    assert {one["path"]: one["text"] for one in cells(asked.context["rows"], "documents")} == {
        "docs/house_rules.md": shed.HOUSE_RULES,
        "docs/notice.txt": shed.NOTICE,
    }
    assert record.status == "ok" and len(record.attempts) == 1, "that nobody is there is no attempt"
    assert "initial" in record.metadata["rows_review_untold"]
