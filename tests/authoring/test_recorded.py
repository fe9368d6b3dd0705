"""Environments that a large language model wrote, from its own themes: its recorded answers go through the line again.

The model saw the requests and nothing else. What was accepted of it must stay accepted, with no more attempts.
"""

import re
from collections import Counter
from pathlib import Path

import pytest

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.runtime.runtime import Runtime
from tests.authoring.line_kit import line
from tests.support.recorded_author import Recording, recorded_author, recordings

DOCUMENT = Path(__file__).parents[2] / "docs" / "design" / "real-models.md"
ENDS = Path(__file__).parents[2] / "benchmarks" / "spoken_ends"


def test_there_are_recordings_of_both_sizes() -> None:
    sizes = Counter(Recording.read(path).size for path in recordings())
    assert sizes["small"] >= 5
    assert sizes["full"] >= 2


def test_the_document_tells_how_large_the_recorded_environments_are() -> None:
    told = re.findall(r"\| (small|full) \|.*\| (\d+) \| (\d+), (\d+) \| (\d+) \|$", DOCUMENT.read_text(), re.MULTILINE)
    assert sorted(told) == sorted(tuple(map(str, _size(Recording.read(path)))) for path in recordings())


def _size(recording: Recording) -> tuple[object, ...]:
    """What the document says of it: tables, rows of either state, tools."""
    (tables,), (tools,) = (recording.answers[schema][""] for schema in ("database_schema", "tool_spec"))
    states = recording.answers["seed_rows"]
    rows = [sum(len(table["rows"]) for table in states[state][-1]["tables"]) for state in ("initial", "second")]
    return recording.size, len(tables["tables"]), *rows, len(tools["tools"])


@pytest.mark.long
@pytest.mark.parametrize("path", recordings(), ids=lambda path: path.name.removesuffix(".json.gz"))
async def test_what_a_model_wrote_is_accepted_again(path: Path, runtime: Runtime, tmp_path: Path) -> None:
    recording = Recording.read(path)
    settings = AuthoringSettings(size=recording.size)

    async with line(recorded_author(recording), runtime, tmp_path, settings) as stages:
        made = await stages.run(recording.proposal, until=recording.until)

    assert {name: record.reason for name, record in made.items() if record.status != "ok"} == {}
    assert [dropped for record in made.values() for dropped in record.metadata.get("dropped", [])] == []
    attempts = {name: len(record.attempts) for name, record in made.items()}
    since = {"seed_rows": 2, "tool_spec": 1, "reference_solutions": 1, "verifiers": 1}
    for stage in attempts.keys() & since.keys():  # the reviews of the rows of two states, of tools and of tasks, and
        attempts[stage] -= since[stage]  # messages in other words, which nobody was asked for then
    assert {name: most for name, most in recording.attempts.items() if attempts[name] > most} == {}
    for stage, part in (("reference_solutions", "reference_solution"), ("verifiers", "verifier")):
        given = {task: len(answers) for task, answers in recording.answers.get(part, {}).items()}
        assert made[stage].metadata["answers_of_a_task"] == given
        assert attempts[stage] == 2, "the tasks of each state are asked for in one question"


def test_every_end_that_verdicts_are_measured_on_is_of_a_recorded_world() -> None:
    ends = sorted(path.name.partition(".")[0] for path in ENDS.glob("*.jsonl.gz"))
    known = [path.name for path in recordings()]
    assert len(ends) == len(known) + 1
    assert [name for name in ends if name != "huts" and not any(one.startswith(name) for one in known)] == []
