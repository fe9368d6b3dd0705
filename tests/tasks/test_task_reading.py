"""Somebody of the trade reads what was made: what nobody would ask is mended, or left out."""

from collections.abc import Callable
from pathlib import Path

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.database import DatabaseSchema
from envfactory_dagster.contracts.families import TaskFamilies
from envfactory_dagster.contracts.synthesis import MadeTasks
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.families.settings import FamilySettings
from envfactory_dagster.tasks.program_tasks.settings import ProgramTaskSettings
from envfactory_dagster.tasks.task_reading import CALL_CHARS
from tests.support import alpine_author as alpine
from tests.support.alpine_author import Answer, Asked
from tests.tasks.family_kit import cancelling, family
from tests.tasks.graph_kit import made_by, stage_over
from tests.tasks.program_kit import Answers, Built, all_natural, gateway_of, read_as
from tests.tasks.program_kit import make as make_programs
from tests.tasks.test_graph_task_choice import FIRST, SECOND
from tests.tasks.test_program_tasks import GOOD, TEXT
from tests.tasks.test_task_families_stage import Author, written
from tests.tasks.test_task_families_stage import made_by as families_by
from tests.tasks.wording_kit import plain_words

ODD = "nobody adds up climbs of huts"


@pytest.fixture(scope="module")
def built() -> Built:
    return Built(alpine.huts(), DatabaseSchema(tables=alpine.tables()), alpine.seed())


class Reader:
    """Reads as it is told, and remembers what it was shown."""

    def __init__(self, reads: Callable[[int, Asked], Answer]) -> None:
        self.reads = reads
        self.asked: list[Asked] = []

    def __call__(self, asked: Asked) -> Answer:
        self.asked.append(asked)
        return self.reads(len(self.asked), asked)


def wrong(asked: Asked, count: int, verdict: str = "wrong") -> Answer:
    """The first tasks that are shown read wrong."""
    return read_as(asked, {one["text"]: ODD for one in asked.context["tasks"][:count]}, verdict)


async def families(
    runtime: Runtime, folder: Path, author: Answers, reader: Answers, wanted: int = 1, attempts: int = 2
) -> TaskFamilies:
    asked, settings = gateway_of(folder, author, reading=reader), FamilySettings(families=wanted, instances=8)
    outcome = await families_by(runtime, folder, asked, settings, attempts)
    return TaskFamilies.model_validate(outcome.artifact)


async def test_a_family_whose_tasks_read_wrong_is_mended_by_its_author(runtime: Runtime, tmp_path: Path) -> None:
    author = Author({"families": [written(family())]}, {"families": [written(cancelling())]})
    reader = Reader(lambda number, asked: wrong(asked, 2 if number == 1 else 0))

    made = await families(runtime, tmp_path, author, reader)

    assert [one.family.name for one in made.families] == ["call_off"]
    [report] = author.asked[1].reports
    assert f"The family order_some: somebody of the trade finds it wrong: {ODD}" in report
    shown = reader.asked[1].context["tasks"]
    assert len(shown) == 3 and all(one["rows"][0]["table"] == "orders" for one in shown), "with the rows they bring"
    assert shown[0]["calls"] and all(len(line) <= CALL_CHARS + 1 for line in shown[0]["calls"])


async def test_what_is_merely_odd_is_told_once_and_passes_then(runtime: Runtime, tmp_path: Path) -> None:
    author = Author(*[{"families": [written(family())]}] * 2)
    made = await families(runtime, tmp_path, author, Reader(lambda number, asked: wrong(asked, 3, "odd")))
    assert f"The family order_some: somebody of the trade finds it odd: {ODD}" in author.asked[1].reports[0]
    assert ([one.family.name for one in made.families], len(made.tasks)) == (["order_some"], 3)


async def test_a_family_that_is_merely_odd_passes_if_nothing_better_comes(runtime: Runtime, tmp_path: Path) -> None:
    author = Author({"families": [written(family())]})
    reader = Reader(lambda number, asked: wrong(asked, 3, "odd"))
    made = await families(runtime, tmp_path, author, reader, attempts=1)
    assert ([one.family.name for one in made.families], len(made.tasks), made.dropped) == (["order_some"], 3, [])


async def test_an_odd_family_does_not_pass_beside_its_mended_copy(runtime: Runtime, tmp_path: Path) -> None:
    author = Author({"families": [written(family())]}, {"families": [written(family(name="order_several"))]})
    made = await families(
        runtime, tmp_path, author, Reader(lambda number, asked: wrong(asked, 3 * (number == 1), "odd"))
    )
    assert [one.family.name for one in made.families] == ["order_several"]


async def test_a_family_that_is_given_twice_is_taken_once(runtime: Runtime, tmp_path: Path) -> None:
    one = written(family())
    author = Author({"families": [one, one, written(cancelling())]})
    made = await families(runtime, tmp_path, author, all_natural, wanted=2)
    assert [one.family.name for one in made.families] == ["order_some", "call_off"]
    assert made.dropped == []


async def test_one_unlucky_task_of_a_family_is_left_out(runtime: Runtime, tmp_path: Path) -> None:
    reader = Reader(lambda number, asked: wrong(asked, 1))
    made = await families(runtime, tmp_path, Author({"families": [written(family())]}), reader)
    assert [one.family.name for one in made.families] == ["order_some"]
    assert len(made.tasks) == 2


async def test_a_family_that_never_reads_well_is_given_up_with_the_reason(runtime: Runtime, tmp_path: Path) -> None:
    author = Author(*[{"families": [written(family())]}] * 2)
    made = await families(runtime, tmp_path, author, Reader(lambda number, asked: wrong(asked, 3)))
    assert (made.families, made.tasks) == ([], [])
    assert [(one.task, ODD in one.reason) for one in made.dropped] == [("order_some", True)]


async def test_all_families_of_an_answer_are_read_in_one_question(runtime: Runtime, tmp_path: Path) -> None:
    reader = Reader(lambda number, asked: all_natural(asked))
    author = Author({"families": [written(family()), written(cancelling())]})
    made = await families(runtime, tmp_path, author, reader, wanted=2)
    assert (len(made.families), len(made.tasks), len(reader.asked)) == (2, 6, 1)


@pytest.mark.parametrize("verdict", ["wrong", "odd"])
async def test_a_program_task_that_reads_wrong_is_asked_for_again(
    verdict: str, runtime: Runtime, built: Built, tmp_path: Path
) -> None:
    better, asked = "We train for a week: " + TEXT, list[Asked]()

    def author(one: Asked) -> Answer:
        asked.append(one)
        return GOOD | {"text": better} if one.reports else GOOD

    async with gateway_of(tmp_path, author, reading=lambda one: read_as(one, {TEXT: ODD}, verdict)) as gateway:
        made = await make_programs(gateway, runtime, tmp_path, built, ProgramTaskSettings(tasks=1, levels=(3,)))

    assert [one.task.text for one in made.tasks.tasks] == [better]
    assert ODD in asked[1].reports[0]
    assert len(made.outcome.attempts) == 5, "two answers, two readings and the review of what is kept"


async def test_a_program_task_that_is_merely_odd_passes_if_nothing_better_comes(
    runtime: Runtime, built: Built, tmp_path: Path
) -> None:
    async with gateway_of(tmp_path, lambda _: GOOD, reading=lambda one: read_as(one, {TEXT: ODD}, "odd")) as gateway:
        wanted = ProgramTaskSettings(tasks=1, levels=(3,))
        made = await make_programs(gateway, runtime, tmp_path, built, wanted, attempts=1)
    assert [one.task.text for one in made.tasks.tasks] == [TEXT]
    assert made.tasks.dropped == []


async def graph_tasks(huts: Bundle, runtime: Runtime, folder: Path, verdict: str) -> tuple[MadeTasks, list[Asked]]:
    """Two tasks, the first of which reads so; with what the author was asked again."""
    worded: list[Asked] = []

    def author(asked: Asked) -> Answer:
        worded.append(asked)
        return plain_words(asked)

    def first(asked: Asked) -> Answer:
        return wrong(asked, int(asked.context["tasks"][0]["task"] == FIRST), verdict)

    async with gateway_of(folder, author, reading=first) as gateway:
        made = await made_by(stage_over(huts, gateway, runtime, folder, count=2, levels=(1, 3)), huts)
    return made, [one for one in worded if one.reports]


async def test_a_graph_task_that_reads_wrong_is_worded_once_more_and_then_given_up(
    huts: Bundle, runtime: Runtime, tmp_path: Path
) -> None:
    made, again = await graph_tasks(huts, runtime, tmp_path, "wrong")
    assert [one.task.id for one in made.tasks] == [SECOND]
    assert ODD in next(one.reason for one in made.dropped if one.task.startswith(FIRST))
    assert again and all(ODD in one.reports[0] for one in again)


async def test_a_graph_task_that_is_merely_odd_is_worded_once_more_and_passes(
    huts: Bundle, runtime: Runtime, tmp_path: Path
) -> None:
    made, again = await graph_tasks(huts, runtime, tmp_path, "odd")
    assert [one.task.id for one in made.tasks] == [FIRST, SECOND]
    assert [ODD in one.reports[0] for one in again] == [True]


@pytest.mark.parametrize(
    ("spoils", "told"),
    [
        (lambda tasks: tasks[1:], "Nothing is said of the task"),
        (lambda tasks: [*tasks, tasks[0]], "stands there twice"),
        (lambda tasks: [*tasks, {"task": "another", "verdict": "natural"}], "There is no task another"),
        (lambda tasks: [one | {"verdict": "wrong"} for one in tasks], "say what is wrong with it"),
    ],
)
async def test_a_reading_that_is_none_is_asked_for_again_and_speaks_against_nothing(
    spoils: Callable[[list[Answer]], list[Answer]], told: str, built: Built, runtime: Runtime, tmp_path: Path
) -> None:
    reader = Reader(lambda number, asked: {"tasks": spoils(all_natural(asked)["tasks"])})
    async with gateway_of(tmp_path, lambda asked: GOOD, reading=reader) as gateway:
        made = await make_programs(gateway, runtime, tmp_path, built, ProgramTaskSettings(tasks=1, levels=(3,)))
    assert len(made.tasks.tasks) == 1
    assert len(reader.asked) == 3
    assert told in reader.asked[1].reports[0]
