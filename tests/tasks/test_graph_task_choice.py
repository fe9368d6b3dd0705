"""Which drafts of graph tasks a person would really ask for: the author chooses, and the rest is left out."""

from pathlib import Path

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.synthesis import MadeTasks
from envfactory_dagster.runtime.runtime import Runtime
from tests.support.alpine_author import Answer, Asked
from tests.tasks.graph_kit import made_by, stage_over
from tests.tasks.program_kit import gateway_of
from tests.tasks.wording_kit import chosen, plain_words

FIRST, SECOND = "graph_1_level_1", "graph_2_level_3"


class Author:
    """Chooses these drafts, and remembers what it was asked."""

    def __init__(self, *choices: Answer) -> None:
        self.choices = list(choices)
        self.asked: list[Asked] = []

    def __call__(self, asked: Asked) -> Answer:
        self.asked.append(asked)
        return self.choices.pop(0) if asked.schema == "graph_task_choice" else plain_words(asked)

    def of(self, schema: str) -> list[Asked]:
        return [one for one in self.asked if one.schema == schema]


async def made(huts: Bundle, runtime: Runtime, folder: Path, author: Author) -> MadeTasks:
    async with gateway_of(folder, author) as gateway:
        return await made_by(stage_over(huts, gateway, runtime, folder, count=2, levels=(1, 3)), huts)


async def test_the_draft_that_is_chosen_is_worded_with_its_motive(
    huts: Bundle, runtime: Runtime, tmp_path: Path
) -> None:
    author = Author(chosen({FIRST: [3], SECOND: [2]}))

    found = await made(huts, runtime, tmp_path, author)

    [question] = author.of("graph_task_choice")
    shown = {one["task"]: one["drafts"] for one in question.context["tasks"]}
    assert all(3 <= len(drafts) <= 6 for drafts in shown.values())
    worded = [one.context for one in author.of("graph_task_wording")]
    assert {one["motive"] for one in worded} == {"We are planning a weekend."}
    for task, place in ((FIRST, 2), (SECOND, 1)):
        assert shown[task][place]["wishes"] in [one["wishes"] for one in worded]
    assert len(worded) == 2
    assert [one.task.id for one in found.tasks] == [FIRST, SECOND]


async def test_what_nobody_would_ask_for_is_not_made(huts: Bundle, runtime: Runtime, tmp_path: Path) -> None:
    author = Author(chosen({FIRST: [1], SECOND: []}))

    found = await made(huts, runtime, tmp_path, author)

    assert [one.task.id for one in found.tasks] == [FIRST]
    assert len(author.of("graph_task_wording")) == 1
    assert [(one.task, one.reason) for one in found.dropped] == [(SECOND, "nobody would ask for it")]


async def test_a_choice_that_cannot_be_is_asked_again(huts: Bundle, runtime: Runtime, tmp_path: Path) -> None:
    author = Author(chosen({FIRST: [9, 9], "another": [1]}), chosen({FIRST: [1], SECOND: [1]}))

    found = await made(huts, runtime, tmp_path, author)

    [report] = author.of("graph_task_choice")[1].reports
    for said in (
        f"Nothing is said of {SECOND}.",
        f"{FIRST} has no draft 9",
        f"{FIRST} names a draft twice.",
        "There is no task another to choose for.",
    ):
        assert said in report
    assert len(found.tasks) == 2


async def test_where_nobody_can_choose_drafts_are_taken_as_they_were_drawn(
    huts: Bundle, runtime: Runtime, tmp_path: Path
) -> None:
    author = Author(*[{"tasks": "none"}] * 40)

    found = await made(huts, runtime, tmp_path, author)

    assert [one.task.id for one in found.tasks] == [FIRST, SECOND]
    assert all("motive" not in one.context for one in author.of("graph_task_wording"))
