"""What the learning benchmark keeps in a folder belongs to one ground."""

import asyncio
import json
from dataclasses import asdict
from pathlib import Path

import pytest

from benchmarks.learning_ground import GroundSettings, prepare


def test_a_folder_that_was_begun_with_another_ground_is_refused(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"seed": 0}')
    with pytest.raises(SystemExit, match="Choose another --folder"):
        asyncio.run(prepare(tmp_path, GroundSettings(1, 1, 1)))


def test_a_ground_that_is_finished_is_found_as_it_is(tmp_path: Path) -> None:
    settings = GroundSettings(1, 1, 1)
    (tmp_path / "settings.json").write_text(json.dumps(asdict(settings), indent=1))
    (tmp_path / "ground.json").write_text('{"demonstrations": 3}')
    found = asyncio.run(prepare(tmp_path, settings))
    assert (found.folder, found.figures) == (tmp_path, {"demonstrations": 3})
    assert not found.home.exists(), "nothing is made again"
