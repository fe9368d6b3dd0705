"""Which runs of the learning benchmark are over: what was cut off is gone on with or made again."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchmarks.learning_ground import Ground
from benchmarks.learning_runs import ROUNDS, Runs, has_had_its_time, is_finished


def left(folder: Path, **files: Any) -> Path:
    """The folder of a run with what it wrote there, by name."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content))
    return folder


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(Ground(tmp_path / "ground", {}), tmp_path / "no-tasks.jsonl", tmp_path / "runs", 0)


def test_a_run_that_was_stopped_is_not_finished(tmp_path: Path) -> None:
    assert not is_finished(tmp_path / "nothing")
    assert not is_finished(left(tmp_path / "stopped", result={"finished": False}))
    assert is_finished(left(tmp_path / "done", result={"finished": True}))


def test_grpo_may_also_end_by_the_clock_or_for_want_of_differences(tmp_path: Path) -> None:
    stopped = left(tmp_path / "grpo", result={"finished": False})
    assert not has_had_its_time(stopped), "somebody else stopped it"
    (stopped / "time-over").touch()
    assert has_had_its_time(stopped)
    assert has_had_its_time(left(tmp_path / "flat", failure={"status": 3}))
    assert not has_had_its_time(left(tmp_path / "diverged", failure={"status": 4}))


def test_sft_that_was_stopped_is_resumed(runs: Runs, tmp_path: Path) -> None:
    stopped = left(runs.folder / "sft", result={"finished": False})
    (stopped / "checkpoints" / "checkpoint-100").mkdir(parents=True)
    with pytest.raises(SystemExit, match=r"sft\.yaml .*--resume` ended with 2"):
        runs.sft("sft", tmp_path / "no-rows.jsonl", 600)
    left(runs.folder / "sft", result={"finished": True})
    assert runs.sft("sft", tmp_path / "no-rows.jsonl", 600) == stopped / "policy", "nothing is started any more"


def test_what_differs_from_the_recipe_is_written_into_that_of_the_run(runs: Runs, tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        runs.sft("sft", tmp_path / "no-rows.jsonl", 600, longest=1_600)
    with pytest.raises(SystemExit):
        runs.exam("one", tmp_path / "policy", window=1)
    written = {
        name: yaml.safe_load((runs.folder / "recipes" / f"{name}.yaml").read_text()) for name in ("sft", "exam-one")
    }
    assert (written["sft"]["sft"]["longest"], written["sft"]["grpo"]["window"]) == (1_600, None)
    assert (written["exam-one"]["sft"]["longest"], written["exam-one"]["grpo"]["window"]) == (1_000, 1)


def test_a_control_that_was_stopped_begins_anew(runs: Runs, tmp_path: Path) -> None:
    """GRPO takes as long as it took: of a part of it, nobody could say."""
    left(runs.folder / "control", result={"finished": False})
    with pytest.raises(SystemExit) as ended:
        runs.sft("control", tmp_path / "no-rows.jsonl", 600, tmp_path / "policy", timed=True)
    assert "--policy" in str(ended.value)
    assert "--resume" not in str(ended.value)


def test_a_run_with_another_recipe_is_not_taken_for_this_one(runs: Runs, tmp_path: Path) -> None:
    """A folder may have been begun with other `--minutes`, or before this benchmark was changed."""
    rows = tmp_path / "no-rows.jsonl"
    with pytest.raises(SystemExit, match="ended with 2"):
        runs.sft("sft", rows, 600)
    left(runs.folder / "sft", result={"finished": True})
    assert runs.sft("sft", rows, 600).is_relative_to(runs.folder / "sft")
    with pytest.raises(SystemExit, match=r"begun with another recipe \(.*sft\.yaml\)"):
        runs.sft("sft", rows, 700)


def test_how_fast_a_machine_is_is_asked_once(runs: Runs, tmp_path: Path) -> None:
    probe = left(runs.folder / "probe", result={"finished": True})
    (probe / "progress.jsonl").write_text('{"step": 60, "train_runtime": 6.0}\n')
    assert runs.steps_per_minute(tmp_path / "no-rows.jsonl") == pytest.approx(600.0)


def test_sft_has_no_time_that_could_be_over(runs: Runs, tmp_path: Path) -> None:
    """It comes to an end of its own, or has failed."""
    (left(runs.folder / "sft") / "time-over").touch()
    with pytest.raises(SystemExit, match=r"sft\.yaml .* ended with 2"):
        runs.sft("sft", tmp_path / "no-rows.jsonl", 600)


def test_grpo_that_was_cut_off_begins_anew(runs: Runs, tmp_path: Path) -> None:
    cut_off = left(runs.folder / "grpo", result={"finished": False})
    (cut_off / "policy").mkdir()
    with pytest.raises(SystemExit, match=r"grpo\.yaml .* ended with 2"):
        runs.grpo("grpo", 60.0, tmp_path)
    assert not (cut_off / "policy").exists(), "what it had learned is of a run that is no more"


def test_grpo_whose_time_is_over_is_not_started_again(runs: Runs, tmp_path: Path) -> None:
    assert runs.grpo("grpo", 0.0, tmp_path) is None, "it had no time for a step"
    assert (runs.folder / "grpo" / "time-over").is_file()
    assert runs.grpo("grpo", 1.0, tmp_path) is None, "and is not started again"


def test_rounds_follow_one_another_with_other_exercises_and_half_the_rate(runs: Runs, tmp_path: Path) -> None:
    for name in ROUNDS:
        left(runs.folder / name, result={"finished": True})
    three, four = (runs.rounds(tmp_path / "rows.jsonl", 600, names) for names in (ROUNDS[:3], ROUNDS))
    assert four[:3] == three
    assert [policy.parent.name for policy in four] == ["sft", "second", "third", "fourth"]
    written = [yaml.safe_load((runs.folder / "recipes" / f"{name}.yaml").read_text()) for name in ROUNDS]
    assert len({one["seed"] for one in written}) == 4
    first, *later = (one["sft"]["learning_rate"] for one in written)
    assert later == [first / 2] * 3
    left(runs.folder / "fourth", result={"finished": False})
    with pytest.raises(SystemExit, match=r"fourth\.yaml .*--policy .*/third/policy"):
        runs.rounds(tmp_path / "rows.jsonl", 600)


def test_what_a_resumed_run_took_is_what_both_parts_took(runs: Runs) -> None:
    lines = [{"train_runtime": 30.0}, {"loss": 1.0}, {"train_runtime": 60.0}]
    (left(runs.folder / "second") / "progress.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    assert runs.training_minutes("second") == 1.5
    with pytest.raises(SystemExit, match=r"third/progress\.jsonl does not tell how long"):
        runs.training_minutes("third")


def test_how_many_steps_grpo_has_time_for_is_known_from_a_few(runs: Runs, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"grpo-probe\.yaml .* ended with 2"):
        runs.grpo_steps(5.0, tmp_path)
    probe = left(runs.folder / "grpo-probe", result={"finished": True})
    assert runs.grpo_steps(5.0, tmp_path) == 1, "it had no time for a step"
    lines = "".join(json.dumps({"step_time": seconds}) + "\n" for seconds in (9.0, 1.0) * 10)
    (probe / "progress.jsonl").write_text(lines)
    assert runs.grpo_steps(5.0, tmp_path) == 60
    with pytest.raises(SystemExit, match=r"grpo\.yaml .* ended with 2"):
        runs.grpo("grpo", 5.0, tmp_path, steps=60)
    written = yaml.safe_load((runs.folder / "recipes" / "grpo.yaml").read_text())["grpo"]
    assert (written["steps"], written["schedule"]) == (60, "linear"), "its rate has come down when they are over"


def test_shares_are_of_all_steps_also_of_those_that_play_nothing(runs: Runs) -> None:
    played = {"step_time": 6.0, "seconds/sessions": 1.0, "seconds/environments": 2.0}
    lines = [played, {"step_time": 2.0}, {"step_time": 2.0}, {"train_runtime": 10.0}]
    (left(runs.folder / "grpo") / "progress.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    assert runs.share("grpo", "environments") == 0.2
    assert runs.share("grpo", "sessions") == 0.1
    assert runs.share("not-begun", "sessions") is None
