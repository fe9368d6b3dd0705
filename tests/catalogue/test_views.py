"""The views: they say what the records say, wherever the home is and however little is in it."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from envfactory_dagster.catalogue.opening import Catalogue, open_catalogue
from envfactory_dagster.contracts.domain import TaskSet, Theme
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.tools import ServerCode, ToolSpec
from envfactory_dagster.contracts.truth import VerifierSet
from envfactory_dagster.language.ledger import read_ledger
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.objects import Objects
from envfactory_dagster.store.records import RecordStore
from tests.catalogue import home_kit
from tests.catalogue.home_kit import NURSERY, REJECTED, TOWER, WORLDS, artifact_of, rollout, step

VIEWS = (
    "attempts", "conversations", "costs", "dataset_rows", "dropped", "environments", "files", "gates",
    "reference_calls", "splits", "stages", "steps", "tables", "tasks", "taxonomy", "tool_edges", "tools",
    "trajectories", "trials", "turns",
)  # fmt: skip


def columns(catalogue: Catalogue, view: str) -> list[tuple[object, ...]]:
    return [row[:2] for row in catalogue.ask(f"DESCRIBE {view}").rows]


def test_every_view_says_what_it_holds(catalogue: Catalogue) -> None:
    views = catalogue.views()
    assert tuple(views) == VIEWS
    assert all(views.values())


@pytest.mark.parametrize("view", VIEWS)
def test_without_anything_made_views_have_their_columns_and_no_rows(
    catalogue: Catalogue, nothing: Catalogue, view: str
) -> None:
    assert columns(nothing, view) == columns(catalogue, view)
    assert nothing.ask(f"FROM {view}").rows == []
    assert catalogue.ask(f"FROM {view}").rows != []


def test_environments_are_what_their_artifacts_say(catalogue: Catalogue, records: RecordStore) -> None:
    rows = {row["environment"]: row for row in catalogue.ask("FROM environments").records()}
    assert rows.keys() == {*WORLDS, REJECTED}
    for key, (name, category) in WORLDS.items():
        theme = Theme.model_validate(artifact_of(records, "theme", key))
        spec = ToolSpec.model_validate(artifact_of(records, "tool_spec", key))
        code = ServerCode(source=artifact_of(records, "server_code", key)["source"])
        built = artifact_of(records, "environment", key)
        row = rows[key]
        assert (row["name"], row["category"], row["status"]) == (name, category, "accepted")
        assert (row["size"], row["rules"]) == ("small", len(theme.rules))
        assert (row["tables"], row["rows"]) == (built["tables"], built["rows"]["initial"])
        assert (row["tools"], row["user_tools"]) == (len(spec.tools), len(spec.of("user")))
        assert row["reading_tools"] == sum(tool.annotations.readOnlyHint for tool in spec.tools)
        assert row["code_lines"] == len(code.source.splitlines())
        assert row["version"] == built["version"]
        assert row["inspection_score"] == artifact_of(records, "inspection", key)["score"]


def test_a_rejected_environment_says_who_gave_it_up(catalogue: Catalogue) -> None:
    (row,) = catalogue.ask(f"FROM environments WHERE environment = '{REJECTED}'").records()
    assert (row["name"], row["status"], row["rejected_by"]) == ("Harbour office", "rejected", "theme")
    assert row["reason"] == "not accepted after 2 attempts"
    assert catalogue.ask(f"SELECT accepted, len(problems) FROM attempts WHERE environment = '{REJECTED}'").rows == [
        (False, 1),
        (False, 1),
    ]


@pytest.mark.parametrize("key", WORLDS)
def test_tables_have_the_columns_and_rows_of_the_database(catalogue: Catalogue, home: Home, key: str) -> None:
    database = sqlite3.connect(":memory:")
    database.deserialize(BundleStore(home).load(key).states["initial"].image)
    named = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    expected = {
        name: (
            len(database.execute(f"PRAGMA table_info({name})").fetchall()),
            len({row[0] for row in database.execute(f"PRAGMA foreign_key_list({name})")}),
            database.execute(f"SELECT count(*) FROM {name}").fetchone()[0],
        )
        for (name,) in named.fetchall()
    }
    found = catalogue.ask(f"SELECT name, columns, foreign_keys, rows FROM tables WHERE environment = '{key}'").rows
    assert {name: tuple(counts) for name, *counts in found} == expected


@pytest.mark.parametrize("key", WORLDS)
def test_tools_have_their_parameters(catalogue: Catalogue, records: RecordStore, key: str) -> None:
    spec = ToolSpec.model_validate(artifact_of(records, "tool_spec", key))
    found = catalogue.ask(f"SELECT name, parameters, required, internal FROM tools WHERE environment = '{key}'")
    internal = {
        tool["name"]: sum(parameter["internal"] for parameter in tool["parameters"])
        for tool in artifact_of(records, "tool_graph", key)["tools"]
    }
    assert sorted(found.rows) == sorted(
        (
            tool.name,
            len(tool.inputSchema["properties"]),
            len(tool.inputSchema.get("required", [])),
            internal[tool.name],
        )
        for tool in spec.tools
    )


def test_tasks_tell_where_they_come_from_and_how_far_they_came(catalogue: Catalogue, records: RecordStore) -> None:
    key = NURSERY
    rows = {row["task"]: row for row in catalogue.ask(f"FROM tasks WHERE environment = '{key}'").records()}
    authored = TaskSet.model_validate(artifact_of(records, "task_set", key)).tasks
    verified = VerifierSet.model_validate(artifact_of(records, "verifiers", key)).verifiers
    assert rows.keys() == {*(task.id for task in authored), "walk", "question", "talk"}
    assert {task for task, row in rows.items() if row["verified"]} == {
        *(one.verifier.task for one in verified),
        "walk",
        "question",
        "talk",
    }
    assert {task for task, row in rows.items() if row["released"]} == {"walk", "question", "talk"}
    walk, talk = rows["walk"], rows["talk"]
    assert (walk["source"], walk["level"], walk["pass_rate"], walk["turns"]) == ("graph", 3, 0.5, None)
    assert (talk["source"], talk["parent"], talk["pass_rate"], talk["turns"]) == ("conversation", "walk", None, 2)


def test_gates_are_the_rates_of_the_trials(catalogue: Catalogue, records: RecordStore) -> None:
    for key in WORLDS:
        gates = [one.gate for one in VerifierSet.model_validate(artifact_of(records, "verifiers", key)).verifiers]
        found = catalogue.ask(
            f"""SELECT task, trials, kill_rate, acceptance_rate, noop_rejected, missing_writes_rejected
            FROM gates WHERE environment = '{key}' AND source = 'task_set' ORDER BY task"""
        )
        assert found.rows == [
            (g.task, len(g.trials), g.kill_rate, g.acceptance_rate, g.rate("noop"), g.rate("minus_write"))
            for g in sorted(gates, key=lambda gate: gate.task)
        ]


def test_what_was_given_up_is_listed_once(catalogue: Catalogue) -> None:
    assert catalogue.ask("FROM dropped WHERE task = 'dull'").rows == [(NURSERY, "dull", "graph_tasks", "says nothing")]


def test_costs_are_the_sealed_ledger(catalogue: Catalogue, home: Home) -> None:
    ledger = read_ledger(home.local)
    assert catalogue.ask("SELECT count(*), sum(tokens_in)::BIGINT FROM costs").rows == [
        (ledger.height, ledger["tokens_in"].sum())
    ]


def test_the_bundle_of_a_release_goes_before_the_base_environment(catalogue: Catalogue, home: Home) -> None:
    for key in WORLDS:
        paths = {path for (path,) in catalogue.ask(f"SELECT path FROM files WHERE environment = '{key}'").rows}
        assert paths == set(BundleStore(home).load(key).files())


def test_an_episode_counts_as_it_was_played_last(catalogue: Catalogue) -> None:
    played = catalogue.ask("SELECT seed, cause, steps, score FROM trajectories WHERE task = 'walk' AND seed = 2")
    assert played.rows == [(2, "answered", 4, 1.0)]


def test_steps_name_the_tools_under_either_protocol(catalogue: Catalogue) -> None:
    sql = """SELECT number, steps.calls, failed_calls, tools FROM steps JOIN trajectories USING (episode)
        WHERE protocol = '{}' AND task = 'walk' AND seed = {} ORDER BY number"""
    assert catalogue.ask(sql.format("native", 1)).rows == [(0, 1, 0, ["find"]), (1, 1, 1, ["find"]), (2, 0, 0, [])]
    assert catalogue.ask(sql.format("meta_tools", 0)).rows == [
        (0, 1, 0, []),
        (1, 1, 0, ["find"]),
        (2, 1, 0, ["book"]),
        (3, 0, 0, []),
    ]


def test_turns_are_those_of_the_conversation(catalogue: Catalogue) -> None:
    (turns, calls) = catalogue.ask("SELECT count(*), sum(calls)::BIGINT FROM turns WHERE task = 'talk'").rows[0]
    expected = "SELECT count(*) FROM reference_calls WHERE task = 'talk'"
    assert (turns, calls) == (2, catalogue.ask(expected).rows[0][0])


def test_rows_are_those_of_the_latest_version_of_a_dataset(catalogue: Catalogue) -> None:
    rows = catalogue.ask("SELECT dataset, id, split, setting, protocol, step, turn, messages FROM dataset_rows")
    assert sorted(rows.rows) == [
        ("rl", "talk", "rl", "conversation", "native", None, 1, 2),
        ("sft", "walk-0", "sft", "single", "meta_tools", 0, None, 3),
        ("sft", "walk-1", "sft", "single", "meta_tools", 1, None, 3),
    ]
    assert catalogue.ask("FROM splits ORDER BY ALL").rows == [(NURSERY, "sft"), (TOWER, "rl")]


# -- homes -------------------------------------------------------------------------------------------------------------


def test_what_is_made_while_it_is_open_is_seen(tmp_path: Path) -> None:
    home = Home.resolve(tmp_path / "home")
    with open_catalogue(home) as catalogue:
        assert catalogue.ask("FROM environments").rows == []
        home_kit.keep_proposal(RecordStore(home), "night-ferry", "Night ferry", "Travel", "Boats.")
        assert catalogue.ask("SELECT environment, status FROM environments").rows == [("night-ferry", "unfinished")]
        assert catalogue.ask("FROM trajectories").rows == []
        trajectories = TrajectoryStore(home)
        trajectories.add([rollout("night-ferry", "cabin", [step(0, text="Done.")], 1.0)])
        trajectories.flush()
        assert catalogue.ask("SELECT environment, score FROM trajectories").rows == [("night-ferry", 1.0)]


def test_only_the_latest_record_counts(tmp_path: Path) -> None:
    home = Home.resolve(tmp_path / "home")
    store = RecordStore(home)
    home_kit.keep_proposal(store, "night-ferry", "Old name", "Travel", "Boats.")
    first = store.latest("proposal", "night-ferry")
    home_kit.keep_proposal(store, "night-ferry", "New name", "Travel", "Boats.")
    with open_catalogue(home) as catalogue:
        assert catalogue.ask("SELECT name FROM environments").rows == [("New name",)]
        assert first is not None
        store.point_to(first)
        assert catalogue.ask("SELECT name FROM environments").rows == [("Old name",)]


@pytest.mark.parametrize("damage", [b"", b'{"stage": "proposal", "par', b"null"])
def test_a_damaged_record_counts_as_not_made(tmp_path: Path, damage: bytes) -> None:
    home = Home.resolve(tmp_path / "home")
    store = RecordStore(home)
    for key in ("cello-workshop", "night-ferry"):
        home_kit.keep_proposal(store, key, key, "Travel", "Somebody is served.")
    record = store.latest("proposal", "night-ferry")
    assert record is not None
    Path(home.records / "proposal" / "night-ferry" / f"{record.inputs}.json").write_bytes(damage)
    assert store.latest("proposal", "night-ferry") is None
    with open_catalogue(home) as catalogue:
        assert catalogue.ask("SELECT environment FROM environments").rows == [("cello-workshop",)]


def test_signs_in_the_name_of_the_home_stand_for_themselves(home: Home, tmp_path: Path) -> None:
    shutil.copytree(home.local, tmp_path / "o*[a-z]?")
    shutil.copytree(home.local, tmp_path / "other")
    with open_catalogue(Home.resolve(tmp_path / "o*[a-z]?")) as catalogue:
        assert catalogue.ask("SELECT count(*) FROM environments").rows == [(3,)]


def test_a_home_in_an_object_store_answers_the_same(home: Home, catalogue: Catalogue, bucket: str) -> None:
    there = Home.resolve(f"{bucket}/home")
    for file in home.local.rglob("*"):
        if file.is_file():
            Objects(there.root).upload(file, file.relative_to(home.local).as_posix())
    with open_catalogue(there) as remote:
        for view in VIEWS:
            sql = f"SELECT * FROM {view} ORDER BY ALL"
            assert remote.ask(sql).rows == catalogue.ask(sql).rows, view


# -- what one may ask --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE mine (a INTEGER)",
        "COPY (SELECT 1) TO 'here.csv'",
        "EXPLAIN ANALYZE COPY (SELECT 1) TO 'here.csv'",
        "SELECT 1; DROP VIEW environments",
        "ATTACH 'somewhere.duckdb'",
        "SET autoinstall_known_extensions = true",
        "INSTALL httpfs",
        "PRAGMA version",
    ],
)
def test_nothing_can_be_changed(catalogue: Catalogue, sql: str) -> None:
    with pytest.raises(UsageError, match="only answers questions"):
        catalogue.ask_all(sql)
    assert catalogue.ask("SELECT count(*) FROM environments").rows == [(3,)]


def test_nothing_is_fetched(catalogue: Catalogue) -> None:
    switches = "SELECT value FROM duckdb_settings() WHERE name LIKE 'auto%_known_extensions'"
    assert catalogue.ask(switches).rows == [("false",), ("false",)]


@pytest.mark.parametrize("sql", ["SELEC 1", "SELECT nothing FROM tasks", "FROM nowhere"])
def test_a_question_that_cannot_be_answered_says_why(catalogue: Catalogue, sql: str) -> None:
    with pytest.raises(UsageError, match="Error"):
        catalogue.ask(sql)


@pytest.mark.parametrize("sql", ["", "SELECT 1; SELECT 2"])
def test_one_question_is_one_statement(catalogue: Catalogue, sql: str) -> None:
    with pytest.raises(UsageError, match="one question is expected"):
        catalogue.ask(sql)


def test_no_file_outside_of_the_home_is_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("elsewhere")
    records = tmp_path / "a [strange]'s home" / "records"
    records.mkdir(parents=True)
    (records / "link.json").symlink_to(tmp_path / "secret")
    (records / "own.json").write_text("own")
    with open_catalogue(Home.resolve(records.parent)) as catalogue:
        assert catalogue.ask("SELECT content FROM read_text(getvariable('home') || '/records/own.json')").rows == [
            ("own",)
        ]
        for path in (f"'{tmp_path}/secret'", f"'{tmp_path}/*'", "'/etc/hostname'"):
            with pytest.raises(UsageError, match="Cannot access file"):
                catalogue.ask(f"SELECT content FROM read_text({path})")
        for path in ("/../secret", "/records/../../secret", "/records/link.json", "/records/link*"):
            with pytest.raises(UsageError, match="Cannot access file"):
                catalogue.ask(f"SELECT content FROM read_text(getvariable('home') || '{path}')")


def test_a_home_behind_a_link_is_read(home: Home, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(home.local)
    with open_catalogue(Home.resolve(tmp_path / "link")) as catalogue:
        assert catalogue.ask("FROM environments").rows != []


def test_the_taxonomy_tells_where_every_environment_is(catalogue: Catalogue) -> None:
    rows = {row["environment"]: row for row in catalogue.ask("FROM taxonomy").records()}
    assert rows.keys() == WORLDS.keys()
    nursery = rows[NURSERY]
    assert (nursery["category"], nursery["label"]) == ("Families", "Day nurseries")
    assert (nursery["label_author"], nursery["category_author"]) == ("model", "people")
    assert [rows[key]["provisional"] for key in (NURSERY, TOWER)] == [False, True]


def test_what_is_of_many_environments_is_none(catalogue: Catalogue) -> None:
    for view in ("environments", "stages", "attempts"):
        assert catalogue.ask(f"FROM {view} WHERE environment IN ('all', 'first-r00')").rows == []
