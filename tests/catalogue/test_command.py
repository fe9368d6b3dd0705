"""`envfactory catalog`: one question, a shipped one, a file of them on stdin, or a shell."""

import io
import json
import sys
from collections.abc import Callable

import pytest

from envfactory_dagster.catalogue.opening import Catalogue
from envfactory_dagster.catalogue.shipped import queries
from envfactory_dagster.cli import main
from envfactory_dagster.commands.catalog import converse
from envfactory_dagster.store.home import Home
from tests.catalogue.home_kit import NURSERY, TOWER

Typed = Callable[..., tuple[int, str, str]]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def typed(home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    def run(*arguments: str, stdin: io.StringIO | None = None) -> tuple[int, str, str]:
        monkeypatch.setenv("ENVFACTORY_HOME", str(home.root))
        monkeypatch.setenv("COLUMNS", "100")
        monkeypatch.setattr(sys, "argv", ["envfactory", "catalog", *arguments])
        monkeypatch.setattr(sys, "stdin", stdin or io.StringIO())
        with pytest.raises(SystemExit) as end:
            main()
        return int(end.value.code or 0), *capsys.readouterr()

    return run


def test_a_question_as_a_table_and_as_json(typed: Typed) -> None:
    sql = "SELECT environment, status FROM environments ORDER BY ALL"
    _, table, _ = typed(sql)
    assert [line.split() for line in table.splitlines()] == [
        ["environment", "status"],
        ["harbour-office", "rejected"],
        [NURSERY, "accepted"],
        [TOWER, "accepted"],
    ]
    _, text, _ = typed(sql, "--json")
    assert json.loads(text)["rows"][0] == {"environment": "harbour-office", "status": "rejected"}


def test_json_holds_times_sums_and_lists(typed: Typed) -> None:
    _, text, _ = typed(
        "--json", "SELECT sum(range) AS n, 1.5::DECIMAL AS d, DATE '2026-01-31' AS t, [1] AS l FROM range(5)"
    )
    assert json.loads(text)["rows"] == [{"n": 10, "d": 1.5, "t": "2026-01-31", "l": [1]}]


def test_what_is_too_wide_for_a_table_is_shown_row_by_row(typed: Typed) -> None:
    _, text, _ = typed(f"FROM environments WHERE environment = '{TOWER}'")
    assert "\nname: Marlow Fen parish bell ringing tower\n" in text


def test_long_answers_are_cut_and_say_so(typed: Typed) -> None:
    _, text, _ = typed("SELECT repeat('x', 300) AS one, range AS two FROM range(300)")
    assert "200 of 300 rows" in text
    assert typed("SELECT 1 WHERE false")[1].endswith("no rows\n")


def test_a_shipped_question(typed: Typed) -> None:
    status, text, _ = typed("--query", "environment_statistics", "--json")
    assert (status, json.loads(text)["columns"]) == (0, ["metric", "counted", "mean", "median", "top_90"])
    status, _, error = typed("--query", "nothing")
    assert status == 2 and "there is no query 'nothing'" in error


def test_the_list_of_views_and_questions(typed: Typed) -> None:
    _, text, _ = typed("--list", "--json")
    listed = json.loads(text)
    assert listed["queries"].keys() == queries().keys()
    assert "environments" in listed["views"]
    assert "kill_matrix" in typed("--list")[1]


def test_questions_on_stdin_are_answered_one_after_the_other(typed: Typed) -> None:
    _, text, _ = typed("--json", stdin=io.StringIO("SELECT 1 AS a;\nSELECT 2 AS a -- the end"))
    assert [json.loads(line)["rows"] for line in text.splitlines()] == [[{"a": 1}], [{"a": 2}]]


def test_a_wrong_question_is_one_sentence_and_status_2(typed: Typed) -> None:
    status, _, error = typed("SELECT nothing FROM tasks")
    assert status == 2 and error.startswith("envfactory: Binder Error")
    status, _, error = typed("SELECT 1", "--list")
    assert status == 2 and "exclude each other" in error


def test_the_shell_goes_on_until_it_is_left(typed: Typed) -> None:
    lines = (
        "",
        "SELECT count(*) AS environments",
        "FROM environments;",
        "SELEC;",
        ".query file_types",
        ".quit",
        "SHOW;",
    )
    status, text, error = typed(stdin=Terminal("\n".join(lines)))
    assert status == 0
    assert "Ask in SQL" in text and "environments\n           3\n" in text and "sqlite" in text
    assert error.count("Parser Error") == 1, "what comes after the end is not asked any more"


def test_the_shell_knows_its_own_words(catalogue: Catalogue, capsys: pytest.CaptureFixture[str]) -> None:
    words = iter([".tables", ".queries", ".what", ".query nothing"])

    def read_line(prompt: str) -> str:
        try:
            return next(words)
        except StopIteration:
            raise EOFError from None

    converse(catalogue, read_line, lambda answer: None)
    said, errors = capsys.readouterr()
    assert "trajectories" in said and "kill_matrix" in said and "Ask in SQL" in said
    assert "there is no query 'nothing'" in errors


def test_an_interrupt_forgets_what_was_begun(catalogue: Catalogue) -> None:
    said: list[str] = ["SELECT 1", "", "SELECT 2 AS two;"]
    answers: list[list[str]] = []

    def read_line(prompt: str) -> str:
        if not said:
            raise EOFError
        line = said.pop(0)
        if not line:
            raise KeyboardInterrupt
        return line

    converse(catalogue, read_line, lambda answer: answers.append(answer.columns))
    assert answers == [["two"]]
