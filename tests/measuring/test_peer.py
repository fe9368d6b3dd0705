"""The environment of another project's package is made once, whoever wants it first."""

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.measuring import peer


def test_two_first_uses_at_once_make_one_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("txt", "no-deps"):
        (tmp_path / f"nothing.{kind}").touch()
    monkeypatch.setattr(peer, "_PEERS", tmp_path)
    run, commands = subprocess.run, list[list[str]]()

    def counted(command: list[str], **how: Any) -> Any:
        commands.append(command)
        return run(command, **how)

    monkeypatch.setattr(subprocess, "run", counted)
    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(lambda _: peer.install("nothing", tmp_path), range(2))
    assert first == second and first.exists()
    assert len(commands) == 3, commands
