"""What the learning benchmark keeps in a folder belongs to one ground."""

import asyncio
from pathlib import Path

import pytest

from benchmarks.learning_ground import GroundSettings, prepare


def test_a_folder_that_was_begun_with_another_ground_is_refused(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"seed": 0}')
    with pytest.raises(SystemExit, match="Choose another --folder"):
        asyncio.run(prepare(tmp_path, GroundSettings(1, 1, 1)))
