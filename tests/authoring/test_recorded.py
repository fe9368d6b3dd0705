"""Environments that a large language model wrote, from its own themes: its recorded answers go through the line again.

The model saw the requests and nothing else. What was accepted of it must stay accepted, with no more attempts.
"""

from pathlib import Path

import pytest

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.runtime.runtime import Runtime
from tests.authoring.line_kit import line
from tests.support.recorded_author import Recording, recorded_author, recordings


@pytest.mark.parametrize("path", recordings(), ids=lambda path: path.name.removesuffix(".json.gz"))
async def test_what_a_model_wrote_is_accepted_again(path: Path, runtime: Runtime, tmp_path: Path) -> None:
    recording = Recording.read(path)
    settings = AuthoringSettings(size=recording.size)

    async with line(recorded_author(recording), runtime, tmp_path, settings) as stages:
        made = await stages.run(recording.proposal)

    assert {name: record.reason for name, record in made.items() if record.status != "ok"} == {}
    attempts = {name: len(record.attempts) for name, record in made.items()}
    assert {name: most for name, most in recording.attempts.items() if attempts[name] > most} == {}
