"""What a person sees of a record: tables as tables, code as code, costs as numbers."""

import dagster as dg

from envfactory_dagster.assets.metadata import record_metadata
from envfactory_dagster.contracts.records import Attempt, Problem, StageRecord

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
    facts = {"code": "x\n" * 50_000, "rows": [{"n": n} for n in range(1000)]}
    shown = record_metadata(record(metadata=facts), HOME, reused=False)
    assert str(shown["code"].value).endswith("… cut: 100,000 characters in all\n````")
    rows = shown["rows"]
    assert isinstance(rows, dg.TableMetadataValue)
    assert dict(rows.records[-1].data) == {"n": "… and 950 more"}


def test_what_was_there_already_cost_nothing_now() -> None:
    attempts = [Attempt(number=1, tokens_in=10, tokens_out=7)]
    made, again = (record_metadata(record(attempts=attempts), HOME, reused=reused) for reused in (False, True))
    assert [shown["reused"].value for shown in (made, again)] == [False, True]
    assert [shown["tokens_in"].value for shown in (made, again)] == [10, 0]
    assert [shown["tokens_out"].value for shown in (made, again)] == [7, 0]


def test_a_path_leads_to_where_the_files_are() -> None:
    shown = record_metadata(record(metadata={"path": "bundles/shop/0123"}), HOME, reused=False)
    assert shown["path"] == dg.MetadataValue.path("s3://envs/home/bundles/shop/0123")
