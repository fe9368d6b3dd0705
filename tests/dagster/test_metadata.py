"""What a person sees of a record: tables as tables, code as code, costs as numbers."""

import dagster as dg
import pytest

from envfactory_dagster.assets.metadata import record_metadata
from envfactory_dagster.contracts.records import Attempt, Problem, Spent, StageRecord

HOME = "s3://envs/home"


def record(**fields: object) -> StageRecord:
    known = {"stage": "s", "partition": "p", "status": "ok", "inputs": "i", "version": "v"}
    return StageRecord.model_validate(known | fields)


def test_the_making_is_told_in_numbers_and_a_table_of_problems() -> None:
    first = Attempt(number=1, problems=[Problem(fault="code", message="off by one", snippet="x + 1")], tokens_in=10)
    second = Attempt(number=2, tokens_in=20, tokens_out=7)
    shown = record_metadata(
        record(status="rejected", reason="never right", attempts=[first, second]), HOME, reused=False
    )
    assert shown["status"] == dg.MetadataValue.text("rejected")
    assert shown["reason"] == dg.MetadataValue.text("never right")
    assert {name: shown[name].value for name in ("attempts", "tokens_in", "tokens_out")} == {
        "attempts": 2,
        "tokens_in": 30,
        "tokens_out": 7,
    }
    problems = shown["problems"]
    assert isinstance(problems, dg.TableMetadataValue)
    row = {"attempt": 1, "fault": "code", "message": "off by one", "snippet": "x + 1"}
    assert [dict(found.data) for found in problems.records] == [row]


def test_what_a_stage_reports_is_shown_by_its_kind() -> None:
    facts = {
        "schema.sql": "CREATE TABLE a (\n id INTEGER\n)",
        "note": "short",
        "cost_usd": 0.25,
        "tables": 18,
        "full": True,
        "counts": {"a": 1},
        "rows": [{"table": "a", "rows": 3}, {"table": "b", "rows": 0, "why": ["empty"]}],
    }
    shown = record_metadata(record(metadata=facts), HOME, reused=False)
    assert shown["schema.sql"].value == "````sql\nCREATE TABLE a (\n id INTEGER\n)\n````"
    assert isinstance(shown["schema.sql"], dg.MarkdownMetadataValue)
    kinds = (dg.TextMetadataValue, dg.FloatMetadataValue, dg.IntMetadataValue, dg.BoolMetadataValue)
    assert [type(shown[name]) for name in ("note", "cost_usd", "tables", "full")] == list(kinds)
    assert shown["counts"].value == {"a": 1}
    rows = shown["rows"]
    assert isinstance(rows, dg.TableMetadataValue)
    assert [dict(found.data) for found in rows.records] == [
        {"table": "a", "rows": 3, "why": None},
        {"table": "b", "rows": 0, "why": '["empty"]'},
    ]


def test_what_is_long_is_cut_with_a_word() -> None:
    facts = {"code": "x\n" * 50_000, "rows": [{"n": n} for n in range(1000)], "all": {"many": list(range(5000))}}
    shown = record_metadata(record(metadata=facts), HOME, reused=False)
    assert str(shown["code"].value).endswith("… cut: 100,000 characters in all\n````")
    assert '{"many":[0,1,2,3,' in str(shown["all"].value)
    rows = shown["rows"]
    assert isinstance(rows, dg.TableMetadataValue)
    assert len(rows.records) > 2
    assert dict(rows.records[-1].data) == {"n": f"… and {1001 - len(rows.records)} more"}


@pytest.mark.parametrize("table", [1, 5, 40], ids="columns: {}".format)
def test_a_record_takes_few_bytes_in_the_event_log_whatever_a_stage_reports(table: int) -> None:
    facts: dict[str, object] = {f"figure {number}": number for number in range(8)}
    facts |= {f"table {number}": [{f"c{n}": "word " * 4 for n in range(table)}] * 60 for number in range(3)}
    facts |= {f"code {number}.py": "def tool(env):\n    pass\n" * 400 for number in range(3)}
    shown = record_metadata(record(metadata=facts), HOME, reused=False)
    assert {*facts} <= {*shown}
    assert len(dg.serialize_value(dg.AssetMaterialization("asset", metadata=shown))) < 8_000


def test_a_reason_is_told_however_much_else_there_is() -> None:
    facts: dict[str, object] = {f"figure {number}": number for number in range(40)}
    facts |= {f"table {number}": [{"n": n} for n in range(1000)] for number in range(9)}
    reason = "The booking of 3 May was cancelled although its rule forbids it. " * 4
    shown = record_metadata(record(status="rejected", reason=reason, metadata=facts), HOME, reused=False)
    assert str(shown["reason"].value).startswith(reason[:200])


def test_a_wide_table_is_one_of_markdown() -> None:
    rows = [{f"column {number}": number if number else "a|b\nc" for number in range(20)}, {"column 1": None}]
    shown = record_metadata(record(metadata={"matrix": rows}), HOME, reused=False)["matrix"]
    assert isinstance(shown, dg.MarkdownMetadataValue)
    head, _, first, second = shown.value.splitlines()
    assert head.startswith("|column 0|column 1|")
    assert first.startswith("|a\\|b c|1|2|")
    assert second == "|" * 21


@pytest.mark.parametrize(
    ("spent", "told"),
    [
        (
            Spent(calls=3, reused=1, tokens_in=900, tokens_out=100, cost_usd=0.0123),
            {"cost": "$0.0123", "calls": 3, "tokens_in": 900, "tokens_out": 100, "cost_usd": 0.0123},
        ),
        (
            Spent(calls=3, tokens_in=900, tokens_out=100, cost_usd=None),
            {"cost": "1,000 tokens of unknown price", "calls": 3, "tokens_in": 900, "tokens_out": 100},
        ),
        (Spent(reused=4), {"cost": "reused"}),
        (Spent(), {}),
    ],
)
def test_the_cost_is_told_in_dollars_where_a_price_is_known_and_as_reused_where_nothing_was_paid(
    spent: Spent, told: dict[str, object]
) -> None:
    shown = record_metadata(record(attempts=[Attempt(number=1, tokens_in=5)], spent=spent), HOME, reused=False)
    names = ("cost", "calls", "tokens_in", "tokens_out", "cost_usd")
    assert {name: shown[name].value for name in names if name in shown} == told


def test_what_was_there_already_is_told_as_reused() -> None:
    made, again = (record_metadata(record(), HOME, reused=reused) for reused in (False, True))
    assert [shown["reused"].value for shown in (made, again)] == [False, True]


def test_a_path_leads_to_where_the_files_are() -> None:
    shown = record_metadata(record(metadata={"path": "bundles/shop/0123"}), HOME, reused=False)
    assert shown["path"] == dg.MetadataValue.path("s3://envs/home/bundles/shop/0123")


def test_what_is_on_a_card_names_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    sealed = record(stage="release", partition="shop")
    assert record_metadata(sealed, "/homes/mine", reused=False)["page"] == dg.MetadataValue.path(
        "/homes/mine/site/environments/shop/index.html"
    )
    monkeypatch.setenv("ENVFACTORY_SITE_URL", "https://envs.example/")
    assert record_metadata(sealed, HOME, reused=False)["page"] == dg.MetadataValue.url(
        "https://envs.example/environments/shop/index.html"
    )
    rejected = record(stage="release", partition="shop", status="rejected", reason="no task is left")
    assert "page" not in record_metadata(rejected, HOME, reused=False)
    assert "page" not in record_metadata(record(stage="theme"), HOME, reused=False)
