"""`envfactory export`: an environment in the form of another project."""

from collections.abc import Callable
from pathlib import Path

from tests.commands.terminal import Said


def test_the_command_exports_and_names_its_forms(type_here: Callable[..., Said], tmp_path: Path) -> None:
    done = type_here(tmp_path, "export", "alpine-huts", "--to", "trl", "--out", str(tmp_path / "out"))
    assert done.status == 0 and "alpine-huts: 6 tasks in" in done.out
    assert "left out, the person has to call confirm_payment: tour_with_ida" in done.out
    assert (tmp_path / "out" / "alpine-huts" / "environment.py").exists()
    unknown = type_here(tmp_path, "export", "alpine-huts", "--to", "gymnasium", "--out", str(tmp_path / "out"))
    assert unknown.status == 2 and "harbor, hub, inspect" in unknown.err
    absent = type_here(tmp_path, "export", "nowhere", "--to", "trl", "--out", str(tmp_path / "out"))
    assert absent.status == 2 and "nowhere" in absent.err
