"""What a run tells of itself: as it happens, and in the end."""

import json
import sys
from pathlib import Path

import pytest

from envfactory_dagster.contracts.errors import InfrastructureFault
from trainer.reporting import Reporter, reporter
from trainer.watching import Watch

GRPO = {
    "loss": 0.5,
    "reward": 0.25,
    "reward_std": 0.1,
    "format_errors": 0.0,
    "environment_errors": 0.125,
    "tools/call_frequency": 2.5,
    "seconds/sessions": 0.75,
    "rewards/checks": 0.5,
    "rewards/outcome": -1.0,
    "entropy": 1.5,
}


def test_what_was_measured_last_is_part_of_the_outcome(tmp_path: Path) -> None:
    told = Reporter(tmp_path)
    told.begin()
    told.step(1, GRPO | {"reward": 0.0})
    told.step(2, GRPO)
    told.step(2, {"train_runtime": 12.0})
    told.done({"steps": 2, "finished": True}, ["reward"])
    result = json.loads((tmp_path / "result.json").read_text())
    last = {f"last {name}": value for name, value in GRPO.items() if name != "entropy"}
    assert result == {"steps": 2, "finished": True, **last}


class Listening(Reporter):
    """Says it to the test."""

    def say(self, sentence: str) -> None:
        said.append(sentence)


said: list[str] = []


def checkpoints() -> list[str]:
    return [sentence for sentence in said if sentence.startswith("checkpoint")]


def steps(folder: Path) -> list[int]:
    return [json.loads(line)["step"] for line in (folder / "progress.jsonl").read_text().splitlines()]


def test_every_checkpoint_is_told_once(tmp_path: Path) -> None:
    said.clear()
    told = Listening(tmp_path)
    told.begin()
    first, second = (tmp_path / "checkpoints" / f"checkpoint-{step}" for step in (10, 20))
    first.mkdir(parents=True)
    told.step(11, {"loss": 1.0})
    told.step(12, {"loss": 1.0})
    second.mkdir()
    told.done({"finished": False}, [])
    assert checkpoints() == [f"checkpoint of step 10: {first}", f"checkpoint of step 20: {second}"]

    said.clear()
    resumed = Listening(tmp_path)
    resumed.begin()
    resumed.goes_on_from(second)
    resumed.step(21, {"loss": 1.0})
    assert not checkpoints(), "what the run begins from was told when it was saved"


def test_a_run_that_goes_on_has_what_was_measured_before_its_checkpoint(tmp_path: Path) -> None:
    """The run before ended in the middle of a line, and of a checkpoint, which are made again."""
    told = Reporter(tmp_path)
    told.begin()
    first, torn = (tmp_path / "checkpoints" / f"checkpoint-{step}" for step in (2, 4))
    for checkpoint in (first, torn):
        checkpoint.mkdir(parents=True)
    for number in range(1, 5):
        told.step(number, {"loss": 1.0})
    with (tmp_path / "progress.jsonl").open("ab") as file:
        file.write(b'{"step": 5, "lo')

    said.clear()
    resumed = Listening(tmp_path)
    resumed.begin()
    resumed.goes_on_from(first)
    for number in (3, 4):
        resumed.step(number, {"loss": 0.5})
    assert not checkpoints(), "the one of step 4 is still the torn one"
    resumed.step(5, {"loss": 0.5})
    assert checkpoints() == [f"checkpoint of step 4: {torn}"]
    assert steps(tmp_path) == [1, 2, 3, 4, 5]


def test_a_run_that_begins_anew_has_nothing_of_the_one_before(tmp_path: Path) -> None:
    for _ in range(2):
        said.clear()
        told = Listening(tmp_path)
        told.begin()
        told.begins_anew()
        (tmp_path / "checkpoints" / "checkpoint-1").mkdir(parents=True, exist_ok=True)
        told.step(2, {"loss": 1.0})
        assert (steps(tmp_path), len(checkpoints())) == ([2], 1)


def test_of_several_processes_the_one_that_failed_first_says_why(tmp_path: Path) -> None:
    first, second = (Reporter(tmp_path, first=first) for first in (True, False))
    first.begin()
    second.failed("There is no memory left.", 5)
    first.failed("The others are gone.", 6)
    assert json.loads((tmp_path / "failure.json").read_text()) == {"sentence": "There is no memory left.", "status": 5}
    first.begin()
    assert not (tmp_path / "failure.json").exists()


def test_a_failure_is_told_where_it_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Reporter(tmp_path / "no folder").failed("There is no room left.", 6)
    assert capsys.readouterr().err == "trainer: There is no room left.\n"


def test_one_run_at_a_time_is_in_a_folder(tmp_path: Path) -> None:
    with reporter(tmp_path) as told:
        told.tell({"finished": False}, {}, {})
        with pytest.raises(InfrastructureFault, match="Another process still runs in"), reporter(tmp_path):
            raise AssertionError("two runs would write the same checkpoints")
        assert (tmp_path / "result.json").exists(), "the run that is there is left alone"
    with reporter(tmp_path):
        assert not (tmp_path / "result.json").exists()


def test_a_run_that_is_told_to_stop_is_saved_where_nobody_listens_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Gone:
        """As stderr is, once Ctrl-C has ended the `tee` that read it."""

        def write(self, text: str) -> int:
            raise BrokenPipeError

        def flush(self) -> None: ...

    watch = Watch(Reporter(tmp_path))
    monkeypatch.setattr(sys, "stderr", Gone())
    watch.stop(2, None)
    assert watch.stopped
