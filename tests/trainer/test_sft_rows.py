"""The rows that SFT learns from: which are refused or dropped with a reason, and what is told of the rest."""

import json
from pathlib import Path

import pytest

from tests.trainer.training import ROW, fails, recipe, rows_of_lengths, steps
from trainer.__main__ import main


@pytest.mark.parametrize(
    ("content", "said"),
    [("", "no example"), ("{", "cannot be read"), ('{"text": "x"}', "no messages"), (None, "cannot be read"),
     ('{"messages": [{"content": "x"}]}', "has no role"), ('{"messages": "x"}', "has no role")],
)  # fmt: skip
def test_data_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None, said: str) -> None:
    data = tmp_path / "rows.jsonl"
    if content is not None:
        data.write_text(content)
    status, complained = fails(capsys, "sft", "--recipe", recipe(tmp_path), "--data", data, "--out", tmp_path)
    assert (status, said in complained) == (2, True), complained


def test_a_row_without_tools_has_none(tmp_path: Path) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_text(json.dumps({"messages": ROW["messages"]}))
    how = recipe(tmp_path, sft={"most_steps": 1})
    assert main(["sft", "--recipe", str(how), "--data", str(data), "--out", str(tmp_path / "out")]) == 0


def test_rows_in_which_the_assistant_says_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_text(json.dumps(ROW | {"messages": ROW["messages"][:-1]}))
    status, complained = fails(capsys, "sft", "--recipe", recipe(tmp_path), "--data", data, "--out", tmp_path)
    assert (status, "In no row has the assistant written anything" in complained) == (2, True), complained


def test_one_row_is_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_text(json.dumps(ROW))
    given = ("sft", "--data", data, "--out", tmp_path, "--resume", "--recipe")
    status, said = fails(capsys, *given, recipe(tmp_path, sft={"epochs": 1}))
    assert status == 0, said
    assert "no whole checkpoint" not in said, "nothing was begun, so that nothing is lost"


def test_rows_that_are_all_too_long(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_text(
        json.dumps(ROW | {"messages": [*ROW["messages"][:-1], {"role": "assistant", "content": "x " * 99}]})
    )
    short = recipe(tmp_path, sft={"longest": 16})
    status, complained = fails(capsys, "sft", "--recipe", short, "--data", data, "--out", tmp_path)
    assert (status, "more than 16 tokens" in complained) == (2, True), complained


def test_how_many_examples_are_left_is_told_and_too_few_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = rows_of_lengths(tmp_path / "rows.jsonl", 1, 99, 99)
    given = ("--data", data, "--out", tmp_path / "out")
    few = recipe(tmp_path, sft={"longest": 60, "most_steps": 2})
    status, said = fails(capsys, "sft", "--recipe", few, *given)
    assert (status, "Too little is left to learn from (`sft.least_kept`). 1 of 3" in said) == (2, True), said
    enough = recipe(tmp_path, sft={"longest": 60, "most_steps": 2, "least_kept": 0.3})
    status, said = fails(capsys, "sft", "--recipe", enough, *given)
    assert status == 0, said
    assert "1 of 3 messages are kept. 2 dropped: more than 60 tokens (`sft.longest`)." in said
    assert "The first step took" in said and "tokens a second: at this speed the other 1 take about 1 min." in said
    result = json.loads((tmp_path / "out" / "result.json").read_text())
    assert (result["examples"], result["dropped"]) == (1, 2)


def test_a_row_that_the_template_cannot_render_is_dropped_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = rows_of_lengths(tmp_path / "rows.jsonl", 1, 1, 1)
    torn = ROW | {"messages": [*ROW["messages"][:-1], {"role": "assistant", "content": {"no": "text"}}]}
    data.write_text(data.read_text() + json.dumps(torn) + "\n")
    how = recipe(tmp_path, sft={"most_steps": 1})
    status, said = fails(capsys, "sft", "--recipe", how, "--data", data, "--out", tmp_path / "out")
    assert (status, "3 of 4 messages are kept. 1 dropped: The chat template does not render" in said) == (0, True), said


def test_the_loss_on_what_is_held_out_is_told(tmp_path: Path) -> None:
    data = tmp_path / "rows.jsonl"
    data.write_text("".join(json.dumps(ROW | {"trace": {"task": f"t{n}"}}) + "\n" for n in range(20)))
    how = recipe(tmp_path, sft={"most_steps": 2, "held_out": 0.3, "evaluate_every": 1})
    assert main(["sft", "--recipe", str(how), "--data", str(data), "--out", str(tmp_path / "out")]) == 0
    told = json.loads((tmp_path / "out" / "result.json").read_text())
    assert 0 < told["held_out"] < 20 == told["held_out"] + told["examples"]
    assert [one["step"] for one in steps(tmp_path / "out") if "eval_loss" in one] == [1, 2]


def test_batches_of_a_step_count_like_one(tmp_path: Path) -> None:
    """Of equal examples, so that any two batches have the same loss and gradient."""
    data = tmp_path / "rows.jsonl"
    data.write_text((json.dumps(ROW) + "\n") * 8)
    found = []
    for batches in (1, 4):
        how = recipe(tmp_path, sft={"most_steps": 1, "batch": 2, "accumulate": batches})
        how.write_text(how.read_text() + "log_every: 1\n")
        out = tmp_path / str(batches)
        assert main(["sft", "--recipe", str(how), "--data", str(data), "--out", str(out)]) == 0
        [first, *_] = [json.loads(line) for line in (out / "progress.jsonl").read_text().splitlines()]
        found.append((first["grad_norm"], first["loss"]))
    assert found[0] == pytest.approx(found[1], rel=1e-3)
