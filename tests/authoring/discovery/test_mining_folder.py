"""What a theme's author is shown of documents that a world is mined from."""

from pathlib import Path

from envfactory_dagster.authoring.discovery import read_data
from envfactory_dagster.authoring.discovery.mining_folder import BEGINNING_CHARS, TEXT_CHARS, TEXTS_CHARS
from envfactory_dagster.store.home import Home


def shown(folder: Path, home: Path) -> dict[str, str]:
    document, _ = read_data(folder, Home.resolve(home).snapshots)
    return {section.title: section.text for section in document.sections}


def test_rules_are_shown_whole_and_tables_by_their_beginning(tmp_path: Path) -> None:
    folder = tmp_path / "office"
    folder.mkdir()
    rules = "\n".join(f"{number}. Rule {number} holds at every lock." for number in range(1, 101))
    rows = "lock,rise\n" + "\n".join(f"Lock {number},2.{number % 9}" for number in range(200))
    (folder / "by-laws.md").write_text(rules)
    (folder / "locks.csv").write_text(rows)
    (folder / "notice.html").write_text(f"<p>{'No passage today. ' * 300}</p><p>Signed.</p>")
    found = shown(folder, tmp_path / "home")
    assert found["by-laws.md"] == rules
    assert found["notice.html"].endswith("Signed.")
    assert found["locks.csv"].startswith("lock,rise\nLock 0") and "Lock 99" not in found["locks.csv"]


def test_many_long_texts_leave_room_for_the_beginning_of_each(tmp_path: Path) -> None:
    folder = tmp_path / "minutes"
    folder.mkdir()
    for number in range(30):
        (folder / f"{number:02d}.txt").write_text("\n".join(["It was agreed that the dues stay."] * 400))
    lengths = [len(text) for text in shown(folder, tmp_path / "home").values()]
    whole = TEXTS_CHARS // TEXT_CHARS
    assert lengths[:whole] == [TEXT_CHARS] * whole
    assert len(lengths) == 30 and all(0 < length <= BEGINNING_CHARS for length in lengths[whole:])
