"""What the learning benchmarks make of results: means over seeds, and gains of those tasks that a window can change."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import orjson
import pytest

from benchmarks.history import _gains, _longer_tasks, _same_times
from benchmarks.learning import _over_seeds
from benchmarks.learning_ground import Ground
from benchmarks.learning_plots import _scaling, draw
from benchmarks.learning_runs import Runs
from envfactory_dagster.rollouts.results import TaskResult


def seed(known: float, gains: dict[str, Any] | None = None) -> dict[str, Any]:
    exams = {"sft": {"held_out": {"greedy": {"pass@1": known}, "environments": 7}}}
    shares = {"environment_time_share": 0.02, "session_wait_share": None}
    return {"exams": exams, "grpo_gain": gains or {}, "parameters": 5, **shares}


def test_figures_are_means_of_the_seeds_that_have_them() -> None:
    figures = _over_seeds([seed(0.5), seed(0.75, {"greedy": {"held_out": [1.0, -2.0, 4.0]}})])
    assert figures["sft_pass1"] == 0.625
    assert figures["third_pass1"] is None, "what nobody measured is not nought"
    assert figures["grpo_gain_by_seed"] == [None, [1.0, -2.0, 4.0]]
    assert (figures["environment_time_share"], figures["session_wait_share"]) == (0.02, None)
    assert (figures["heldout_environments"], figures["parameters"]) == (7, 5)


def test_sizes_and_seeds_are_drawn_as_far_as_they_were_measured(tmp_path: Path) -> None:
    figures = {"ground": {"environments": {"sft": 9}}, "seeds": [seed(0.5), seed(0.75)]}
    sizes = {"4": {"held_out": 0.25}, "16": "there are fewer than 16 training environments"}
    for scaling in (sizes, None):
        draw({**figures, "scaling": scaling}, ("held_out", "held_out_modules"), tmp_path / "learning.png")
        assert (tmp_path / "learning.png").read_bytes().startswith(b"\x89PNG")
    _, chart = plt.subplots()
    _scaling(chart, {**figures, "scaling": sizes}, ("held_out",))
    line, ends = (list(zip(*one.get_data(), strict=True)) for one in chart.lines)
    assert line == [(4, 0.25), (9, 0.5)], "the sizes, and the first seed on all environments"
    assert ends == [(9, 0.75)], "the other seed there"
    plt.close()


def task(number: int, calls: int, split: str) -> dict[str, Any]:
    return {"trace": {"environment": f"e{number}", "task": "t", "split": split, "difficulty": {"calls": calls}}}


def examined(folder: Path, passed: dict[int, bool]) -> None:
    folder.mkdir(parents=True)
    results = [
        TaskResult(f"e{number}", "v", "t", "held_out", "action", 3, "graph", 1, int(well), 0, 0.0, 1.0, None, {})
        for number, well in passed.items()
    ]
    lines = [{"way": way, **asdict(one)} for way in ("greedy", "sampled") for one in results]
    (folder / "tasks.jsonl").write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    rows = [task(n, calls, "held_out") for n, calls in enumerate((2, 3, 4, 5, 6))] + [
        task(9, 3, "rl"),
        task(8, 1, "rl"),
    ]
    (tmp_path / "rl.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return Ground(tmp_path, {})


def test_gains_are_of_tasks_from_which_the_window_leaves_something_out(ground: Ground) -> None:
    runs = Runs(ground, _longer_tasks(ground), ground.folder / "runs", 0)
    chosen = [row["trace"]["environment"] for row in map(orjson.loads, runs.tasks.read_bytes().splitlines())]
    assert chosen == ["e9", "e1", "e2", "e3", "e4"]
    examined(runs.folder / "exam-sft-all", {1: True, 2: True, 3: True, 4: True})
    examined(runs.folder / "exam-sft-three", {1: False, 2: False, 3: False, 4: True})
    examined(runs.folder / "exam-sft-one", {1: False, 2: True, 3: False, 4: False})
    [(three, gained)] = _gains(runs, "three", {"sft": "policy"}).items()
    assert (three, gained["greedy"]["tasks"], gained["greedy"]["points"][0]) == ("shown less", 2, -50.0)
    assert _gains(runs, "one", {"sft": "policy"})["shown less"]["sampled"]["tasks"] == 4, "from three calls on"


def test_a_run_that_has_another_time_is_another_run(tmp_path: Path) -> None:
    _same_times(tmp_path / "times.json", {"minutes": 15.0})
    _same_times(tmp_path / "times.json", {"minutes": 15.0})
    with pytest.raises(SystemExit, match="begun with other times"):
        _same_times(tmp_path / "times.json", {"minutes": 16.0})


def test_what_a_run_took_is_read_from_what_it_told(ground: Ground) -> None:
    runs = Runs(ground, ground.folder / "rl.jsonl", ground.folder / "runs", 0)
    playing = {"step_time": 6.0, "seconds/playing": 5.0, "seconds/environments": 0.4}
    lines = [playing, {"step_time": 2.0}, playing, {"step_time": 2.0}, {"train_runtime": 90.0}]
    folder = runs.folder / "grpo"
    folder.mkdir(parents=True)
    (folder / "progress.jsonl").write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
    assert runs.training_minutes("grpo") == 1.5
    assert len(runs.batches("grpo")) == 2
    assert runs.share("grpo", "environments") == pytest.approx(0.05)
    assert (runs.batches("never begun"), runs.share("never begun", "environments")) == ([], None)
