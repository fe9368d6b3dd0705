"""What a run tells of itself: as it happens, and in the end."""

import json
from pathlib import Path

from trainer.reporting import Reporter

GRPO = {
    "loss": 0.5,
    "reward": 0.25,
    "reward_std": 0.1,
    "format_errors": 0.0,
    "environment_errors": 0.125,
    "tools/call_frequency": 2.5,
    "seconds/sessions": 0.75,
    "entropy": 1.5,
}


def test_what_was_measured_last_is_part_of_the_outcome(tmp_path: Path) -> None:
    told = Reporter(tmp_path)
    told.begin(resume=False)
    told.step(1, GRPO | {"reward": 0.0})
    told.step(2, GRPO)
    told.step(2, {"train_runtime": 12.0})
    told.done({"steps": 2, "finished": True}, ["reward"])
    result = json.loads((tmp_path / "result.json").read_text())
    last = {f"last {name}": value for name, value in GRPO.items() if name != "entropy"}
    assert result == {"steps": 2, "finished": True, **last}


def test_every_checkpoint_is_told_once(tmp_path: Path) -> None:
    said: list[str] = []

    class Listening(Reporter):
        def say(self, sentence: str) -> None:
            said.append(sentence)

    def checkpoints() -> list[str]:
        return [sentence for sentence in said if sentence.startswith("checkpoint")]

    told = Listening(tmp_path)
    told.begin(resume=False)
    first, second = (tmp_path / "checkpoints" / f"checkpoint-{step}" for step in (10, 20))
    first.mkdir(parents=True)
    told.step(11, {"loss": 1.0})
    told.step(12, {"loss": 1.0})
    second.mkdir()
    told.done({"finished": False}, [])
    assert checkpoints() == [f"checkpoint of step 10: {first}", f"checkpoint of step 20: {second}"]

    said.clear()
    resumed = Listening(tmp_path)
    resumed.begin(resume=True)
    resumed.step(21, {"loss": 1.0})
    assert not checkpoints(), "what the run begins from was told when it was saved"
