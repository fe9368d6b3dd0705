"""Folders of worlds: what is written is read again, and whatever is wrong with one is told in words."""

import shutil
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.library.collection import SHIPPED, Library
from envfactory_dagster.library.folders import read_world, tidied, write_world
from envfactory_dagster.library.parts import WHOLE, kind_of
from envfactory_dagster.library.world import LibraryWorld, PartOrigin, part_hash
from tests.library.library_kit import SMALL
from tests.support.recorded_author import Recording, recordings


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SHIPPED / SMALL, tmp_path / SMALL))


@pytest.mark.parametrize("key", sorted(Library().cards))
def test_every_world_is_whole_and_as_a_model_gave_it(key: str, tmp_path: Path) -> None:
    world = Library().world(key)

    assert world.until in ("verifiers", "inspection", "release")
    assert write_world(world, tmp_path / key)
    assert read_world(tmp_path / key) == world
    for path in (SHIPPED / key).rglob("*.*"):
        assert path.read_text() == (tmp_path / key / path.relative_to(SHIPPED / key)).read_text()


@pytest.mark.parametrize("key", sorted(Library().cards))
def test_every_task_that_is_solved_is_verified_or_told_of_as_given_up(key: str) -> None:
    world = Library().world(key)
    tasks = {task["id"] for task in world.parts["task_set", WHOLE]["tasks"]}
    solved, verified = (
        {part for question, part in world.parts if question == asked} for asked in ("reference_solution", "verifier")
    )
    given_up = {one.task for stage in world.provenance.stages for one in stage.dropped or []}

    assert tasks - solved <= given_up, "neither solved nor told of"
    assert solved - verified <= given_up, "solved, neither verified nor told of"
    assert verified <= solved <= tasks


@pytest.mark.parametrize(
    "recording", [Recording.read(path) for path in recordings()], ids=lambda recording: recording.proposal.key
)
def test_the_parts_of_a_world_are_the_answers_that_a_model_gave(recording: Recording) -> None:
    world = Library().world(recording.proposal.key)

    assert world.parts
    for origin in [one for one in world.provenance.parts if one.question in recording.answers and one.model is None]:
        of_this_part = "" if origin.part == WHOLE else origin.part
        answers = recording.answers[origin.question][of_this_part]
        assert origin.hash in [part_hash(tidied(answer)) for answer in answers]


def test_writing_a_world_again_changes_nothing(folder: Path) -> None:
    assert not write_world(read_world(folder), folder)


def test_a_schema_says_in_which_file_a_table_lies_and_what_texts_lie_beside_it(folder: Path) -> None:
    world = read_world(folder)
    schema = tidied(
        {
            "tables": [
                table | {"file": f"data/{table['name']}.csv"}
                for table in world.parts["database_schema", WHOLE]["tables"]
            ],
            "documents": [{"path": "docs/rules.md", "purpose": "The rules of the house: who may,\nand until when."}],
        }
    )
    origins = [
        origin.model_copy(update={"hash": part_hash(schema)}) if origin.question == "database_schema" else origin
        for origin in world.provenance.parts
    ]
    provenance = world.provenance.model_copy(update={"parts": origins})
    files = LibraryWorld(world.card, provenance, world.parts | {("database_schema", WHOLE): schema})

    assert write_world(files, folder)
    assert read_world(folder) == files


def _edited(path: Path) -> None:
    path.write_text(path.read_text() + "# just a word\n")


def _of_another_version(path: Path) -> None:
    path.write_bytes(orjson.dumps(orjson.loads(path.read_bytes()) | {"format": 9}))


def _without_a_part(path: Path) -> None:
    parts = orjson.loads(path.read_bytes())
    del parts[min(parts)]
    path.write_bytes(orjson.dumps(parts))


def _with_another_part(path: Path) -> None:
    parts = orjson.loads(path.read_bytes())
    path.write_bytes(orjson.dumps(parts | {"one_more": parts[min(parts)]}))


def _with_a_changed_part(path: Path) -> None:
    parts = orjson.loads(path.read_bytes())
    path.write_bytes(orjson.dumps(parts | {min(parts): {"task": "another"}}))


@pytest.mark.parametrize(
    ("name", "harm", "told"),
    [
        ("theme.json", Path.unlink, "theme.json is missing"),
        ("provenance.json", Path.unlink, "provenance.json is missing"),
        ("tools/book_visit.py", Path.unlink, "edited, added or lost"),
        ("tools/book_visit.py", _edited, "edited, added or lost"),
        ("schema.sql", _edited, "edited, added or lost"),
        ("tasks.json", lambda path: path.write_text("{"), "is no JSON"),
        ("tasks.json", lambda path: path.write_text("[]"), "holds no JSON object"),
        ("task_review.json", _without_a_part, r"has lost the part '\w+\.\w+', which provenance.json lists"),
        ("task_review.json", _with_another_part, "lists no part 'one_more' of it; take it away"),
        ("task_review.json", _with_a_changed_part, "edited, added or lost"),
        ("task_review.json", lambda path: path.write_text("{}"), "has lost the part"),
        ("notes.txt", lambda path: path.write_text("Mind the gap."), "belongs to no part"),
        ("world.json", _of_another_version, "stored by another version of this program, in format 9"),
        ("provenance.json", _of_another_version, "stored by another version of this program, in format 9"),
        ("theme.json", lambda path: path.write_bytes(b"\xff\xfe"), "cannot be read"),
    ],
)
def test_a_harmed_folder_says_what_is_wrong(folder: Path, name: str, harm: Callable[[Path], None], told: str) -> None:
    if name.startswith("tools/"):
        name = str(sorted((folder / "tools").glob("*.py"))[0].relative_to(folder))
    harm(folder / name)

    with pytest.raises(UsageError, match=told) as error:
        read_world(folder)

    assert str(folder / name).removesuffix(".py") in str(error.value)


def test_a_part_that_is_no_answer_is_refused_though_its_hash_is_right(folder: Path) -> None:
    world = read_world(folder)
    theme = {"name": "A theme without rules"}
    origins = [
        origin.model_copy(update={"hash": part_hash(theme)}) if origin.question == "theme" else origin
        for origin in world.provenance.parts
    ]
    provenance = world.provenance.model_copy(update={"parts": origins})
    write_world(LibraryWorld(world.card, provenance, world.parts | {("theme", "whole"): theme}), folder)

    with pytest.raises(UsageError, match=r"theme\.json: category: Field required"):
        read_world(folder)


def test_a_part_whose_name_is_a_path_is_not_written(folder: Path) -> None:
    world = read_world(folder)
    name = ("verifier", "../../escaped")
    origin = PartOrigin(question=name[0], part=name[1], stage="verifiers", hash="")

    with pytest.raises(UsageError, match="a name that no file can have"):
        write_world(
            LibraryWorld(
                world.card,
                world.provenance.model_copy(update={"parts": [*world.provenance.parts, origin]}),
                world.parts | {name: {"source": "pass"}},
            ),
            folder,
        )


def test_a_folder_is_named_after_its_world(folder: Path) -> None:
    folder.rename(folder.parent / "another")

    with pytest.raises(UsageError, match="name the folder so"):
        Library(folder.parent).world("another")


def test_names_that_only_help_to_word_a_question_do_not_make_it_another() -> None:
    """Worlds were recorded before such names were shown."""
    thing = {"kind": "visit", "signs": [], "of": [{"kind": "trader"}]}
    helped = {**thing, "called": ["Ada Moss"], "of": [{"kind": "trader", "called": ["Moss & Daughter"]}]}
    names = [kind_of("graph_task_wording").cut.asked({"wishes": [{"things": [one]}]}, ()) for one in (thing, helped)]
    assert names[0] == names[1]
