"""The shipped questions: their answers are the figures of the home, counted here from its artifacts once more."""

from collections import Counter
from statistics import mean, median
from typing import Any

import pytest

from envfactory_dagster.catalogue.opening import Catalogue
from envfactory_dagster.catalogue.shipped import find_query, queries
from envfactory_dagster.contracts.domain import Theme
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.tools import ToolSpec
from envfactory_dagster.contracts.truth import VerifierSet
from envfactory_dagster.language.ledger import read_ledger
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from tests.catalogue.home_kit import NURSERY, WORLDS, artifact_of


def ask(catalogue: Catalogue, name: str) -> list[dict[str, Any]]:
    return catalogue.ask(find_query(name).sql).records()


def specs(records: RecordStore) -> list[ToolSpec]:
    return [ToolSpec.model_validate(artifact_of(records, "tool_spec", key)) for key in WORLDS]


@pytest.mark.parametrize("name", queries())
def test_every_query_is_answered_and_says_what_it_corresponds_to(
    catalogue: Catalogue, nothing: Catalogue, name: str
) -> None:
    query = find_query(name)
    assert query.shows.endswith(".") and len(query.shows) < 130
    assert any(
        paper in query.sql
        for paper in ("Agent World Model, ", "EnvScaler, ", "EnvFactory, ", "Agent-World, ", "No paper has this table")
    )
    full, empty = catalogue.ask(query.sql), nothing.ask(query.sql)
    assert full.rows != []
    assert empty.rows == []
    assert empty.columns == full.columns


def test_a_query_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(UsageError, match="environment_statistics"):
        find_query("nothing")


def test_pipeline_statistics(catalogue: Catalogue, home: Home, records: RecordStore) -> None:
    rows = {row["stage"]: row for row in ask(catalogue, "pipeline_statistics")}
    assert list(rows)[:3] == ["proposal", "theme", "mined_data"] and list(rows)[-1] == "total"
    theme, code = rows["theme"], rows["server_code"]
    assert (theme["environments"], theme["success_percent"]) == (3, pytest.approx(100 * 2 / 3))
    assert theme["answers"] == pytest.approx(4 / 3), "two worlds took one answer, the third took two"
    assert (code["environments"], code["success_percent"], code["answers"]) == (2, 100, 1)
    ledger = read_ledger(home.local).rows(named=True)
    spent = sum(row["tokens_in"] for row in ledger if row["asset"] == "server_code")
    assert code["tokens_in"] == spent / 2
    assert rows["environment"]["answers"] is None, "no model is asked for it"
    assert rows["total"]["tokens_in"] == pytest.approx(sum(row["tokens_in"] for row in list(rows.values())[:-1]))


def test_environment_statistics(catalogue: Catalogue, records: RecordStore) -> None:
    rows = {row["metric"]: row for row in ask(catalogue, "environment_statistics")}
    built = [artifact_of(records, "environment", key) for key in WORLDS]
    code = [len(artifact_of(records, "server_code", key)["source"].splitlines()) for key in WORLDS]
    for metric, values in {
        "database tables": [one["tables"] for one in built],
        "sample data records": [one["rows"]["initial"] for one in built],
        "exposed tools": [one["tools"] for one in built],
        "tool code lines": code,
        "agent steps per episode": [3, 3, 4, 4, 4],
        "unique tools per episode": [3, 1, 2, 2, 2],
    }.items():
        row = rows[metric]
        assert (row["counted"], row["mean"], row["median"]) == (len(values), mean(values), median(values)), metric
        low, high = sorted(values)[-2:]
        assert row["top_90"] == pytest.approx(low + 0.9 * (high - low) if len(values) == 2 else _ninetieth(values))


def _ninetieth(values: list[int]) -> float:
    place = 0.9 * (len(values) - 1)
    low, high = sorted(values)[int(place) : int(place) + 2]
    return low + (place - int(place)) * (high - low)


def test_skeleton_statistics(catalogue: Catalogue, records: RecordStore) -> None:
    rows = {row["item"]: (row["mean"], row["median"]) for row in ask(catalogue, "skeleton_statistics")}
    rules = [len(Theme.model_validate(artifact_of(records, "theme", key)).rules) for key in WORLDS]
    reading = [sum(tool.annotations.readOnlyHint for tool in spec.tools) for spec in specs(records)]
    widths = [
        [len(table["columns"]) for table in artifact_of(records, "seed_rows", key)["states"][0]["tables"]]
        for key in WORLDS
    ]
    assert rows["constraint rules"] == (mean(rules), median(rules))
    assert rows["tools that query"] == (mean(reading), median(reading))
    every = [width for one in widths for width in one]
    assert rows["state categories, level 2 per level 1"] == pytest.approx((mean(every), median(every)))
    assert rows["state categories, total"] == pytest.approx((mean(map(sum, widths)), median(map(sum, widths))))


def test_environment_distributions(catalogue: Catalogue, records: RecordStore) -> None:
    found = {(row["measure"], row["value"]): row["environments"] for row in ask(catalogue, "environment_distributions")}
    tools = Counter(len(spec.tools) for spec in specs(records))
    assert {value: count for (measure, value), count in found.items() if measure == "tools"} == tools
    verified = [
        len(VerifierSet.model_validate(artifact_of(records, "verifiers", key)).verifiers) + (3 if key == NURSERY else 0)
        for key in WORLDS
    ]
    assert {value: n for (measure, value), n in found.items() if measure == "verified tasks"} == Counter(verified)


def test_theme_diversity_counts_themes_by_tenths(catalogue: Catalogue) -> None:
    assert ask(catalogue, "theme_diversity") == [{"similarity_from": 0.2, "themes": 2}]


def test_environment_types(catalogue: Catalogue) -> None:
    rows = ask(catalogue, "environment_types")
    assert [(row["category"], row["environments"], row["percent"]) for row in rows] == [
        ("Childcare and family", 1, 50.0),
        ("Faith and congregations", 1, 50.0),
    ]


def test_tool_statistics(catalogue: Catalogue, records: RecordStore) -> None:
    (row,) = ask(catalogue, "tool_statistics")
    tools = [tool for spec in specs(records) for tool in spec.tools]
    parameters = [len(tool.inputSchema["properties"]) for tool in tools]
    assert (row["environments"], row["tools"]) == (2, len(tools))
    assert row["different_tools"] == len({(t.name, n) for t, n in zip(tools, parameters, strict=True)})
    assert row["parameters_mean"] == pytest.approx(mean(parameters))
    assert row["parameters_most"] == max(parameters)


def test_file_types(catalogue: Catalogue) -> None:
    found = {row["kind"]: (row["files"], row["environments"]) for row in ask(catalogue, "file_types")}
    assert found["sqlite"] == (4, 2), "two worlds with two initial states"
    assert found["jsonl"] == (2, 2)


def test_task_lengths(catalogue: Catalogue) -> None:
    rows = [row for row in ask(catalogue, "task_lengths") if row["measure"] == "steps of an episode"]
    assert [(row["length"], row["tasks"], row["percent"], row["at_least_percent"]) for row in rows] == [
        (3, 2, 40.0, 100.0),
        (4, 3, 60.0, 60.0),
    ]
    assert {row["mean"] for row in rows} == {3.6}


def test_pass_counts(catalogue: Catalogue) -> None:
    rows = ask(catalogue, "pass_counts")
    counted = {(row["setting"], row["protocol"], row["attempts"], row["solved"]): row["tasks"] for row in rows}
    assert counted == {
        ("single", "native", 3, 2): 1,
        ("single", "meta_tools", 1, 1): 1,
        ("conversation", "native", 1, 1): 1,
    }


def test_agent_results(catalogue: Catalogue) -> None:
    rows = {(row["setting"], row["protocol"]): row for row in ask(catalogue, "agent_results")}
    native = rows["single", "native"]
    assert (native["episodes"], native["tasks"], native["surroundings_failed"]) == (3, 1, 0)
    assert native["solved_percent"] == pytest.approx(200 / 3)


def test_conversation_statistics(catalogue: Catalogue) -> None:
    rows = ask(catalogue, "conversation_statistics")
    found = {row["measure"]: (row["value"], row["counted"], row["mean"]) for row in rows if row["counted"] == 1}
    assert found["turns per conversation"] == (2, 1, 2)
    assert found["tool calls per turn"] == (1, 1, 1), "two calls in two turns"
    assert found["user messages per turn"] == (1, 1, 1), "the opening, and one answer"
    assert found["steps per turn"] == (2, 1, 2)


def test_dataset_statistics(catalogue: Catalogue) -> None:
    rows = ask(catalogue, "dataset_statistics")
    assert [(row["dataset"], row["split"], row["environments"], row["tasks"], row["rows"]) for row in rows] == [
        ("rl", "rl", 1, 1, 1),
        ("sft", "sft", 1, 1, 2),
    ]


def test_the_kill_matrix_counts_every_trial(catalogue: Catalogue, records: RecordStore) -> None:
    rows = [row for row in ask(catalogue, "kill_matrix") if row["source"] == "task_set"]
    expected: Counter[tuple[str, str, str]] = Counter()
    for key in WORLDS:
        for one in VerifierSet.model_validate(artifact_of(records, "verifiers", key)).verifiers:
            expected.update((one.gate.task, trial.kind, trial.operator) for trial in one.gate.trials)
    found: Counter[tuple[str, str, str]] = Counter()
    for row in rows:
        found[row["task"], row["kind"], row["operator"]] += row["trials"]
        assert row["judged_rightly"] == row["trials"], "a kept verifier judged everything rightly"
    assert found == expected


def test_rejections(catalogue: Catalogue) -> None:
    rows = [row for row in ask(catalogue, "rejections") if row["stage"] == "theme"]
    assert rows == [
        {"stage": "theme", "fault": "answer", "problems": 2, "environments": 1, "example": "the rules are missing"}
    ]


def test_spending(catalogue: Catalogue, home: Home) -> None:
    rows = {(row["asset"], row["role"]): row for row in ask(catalogue, "spending")}
    calls = Counter((row["asset"], row["role"]) for row in read_ledger(home.local).rows(named=True))
    assert {key: row["calls"] for key, row in rows.items()} == calls


def test_taxonomy_counts(catalogue: Catalogue) -> None:
    assert ask(catalogue, "taxonomy_counts") == [
        {"category": "Faith", "in_category": 1, "label": "Bell towers", "environments": 1, "provisional": 1},
        {"category": "Families", "in_category": 1, "label": "Day nurseries", "environments": 1, "provisional": 0},
    ]
