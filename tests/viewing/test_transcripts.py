"""Episodes in other projects' forms; with Inspect itself in `make test-peers`."""

import json
import subprocess
import zipfile
from pathlib import Path

import pytest

from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.viewing.gathering import world_of
from envfactory_dagster.viewing.transcripts import Form, write_transcripts
from tests.commands.terminal import Terminal
from tests.viewing.conftest import BUY, REFUND, TODAY, Ground

INSPECT = Path(__file__).parents[2] / ".venv-peers" / "inspect" / "bin"


def written(ground: Ground, form: Form, out: Path) -> tuple[int, int]:
    world = world_of(ground.home, ground.bundle.key, {"": TrajectoryStore(ground.home)})
    return write_transcripts([world], form, out, TODAY)


def test_a_trace_is_a_session_and_its_messages(ground: Ground, tmp_path: Path) -> None:
    assert written(ground, "traces", tmp_path / "traces") == (4, 4)
    file = next((tmp_path / "traces" / "tiny-shop").glob(f"{REFUND}-*.jsonl"))
    head, *rest = map(json.loads, file.read_text().splitlines())
    assert (head["type"], head["harness"], head["outcome"]) == ("session", "envfactory", "agent_error")
    assert head["reasons"][0] == "goal not reached: has ordered"
    assert {one["type"] for one in rest} == {"message"}
    said = [one["message"] for one in rest]
    assert [one["role"] for one in said[:4]] == ["system", "user", "assistant", "tool"]
    (call,) = said[2]["toolCalls"]
    assert said[3]["toolCallId"] == call["id"] and "no item 999" in said[3]["content"]
    assert json.loads(call["function"]["arguments"]) == {"item_id": 999}
    broken = next(one for one in said if len(one.get("toolCalls", [])) == 2)["toolCalls"][1]
    assert broken["function"]["arguments"].startswith('{"item_id": <script>'), "as the agent wrote it"


def test_a_log_has_a_sample_for_each_task_and_an_epoch_for_each_episode(ground: Ground, tmp_path: Path) -> None:
    assert written(ground, "inspect", tmp_path / "logs") == (1, 4)
    (file,) = (tmp_path / "logs").glob("*.eval")
    with zipfile.ZipFile(file) as packed:
        names = packed.namelist()
        sample = json.loads(packed.read(f"samples/{BUY}_epoch_2.json"))
        header = json.loads(packed.read("header.json"))
    assert {f"samples/{task}_epoch_{epoch}.json" for task in (BUY, REFUND) for epoch in (1, 2)} <= set(names)
    assert sample["scores"]["verifier"]["value"] == 1.0 and sample["metadata"]["outcome"] == "completed"
    assert header["results"]["scores"][0]["metrics"]["mean"]["value"] == 0.5


def test_the_command_says_what_it_wrote(ground: Ground, tmp_path: Path) -> None:
    terminal = Terminal(Path(ground.home.root))
    said = terminal.factory("view", "--to", "traces", "--out", str(tmp_path / "traces")).out
    assert said == f"4 episodes in 4 files in {tmp_path / 'traces'}\n"
    failed = terminal.factory("view", "--to", "inspect")
    assert failed.status == 2 and "--out" in failed.err


READ = """
import json, sys
from inspect_ai.log import read_eval_log, list_eval_logs
(found,) = list_eval_logs(sys.argv[1])
log = read_eval_log(found)
samples = {f"{one.id} {one.epoch}": [one.scores["verifier"].value, len(one.messages)] for one in log.samples}
print(json.dumps([log.status, log.eval.model, samples]))
"""


@pytest.mark.peers
def test_inspect_reads_the_logs_and_bundles_its_own_viewer_with_them(ground: Ground, tmp_path: Path) -> None:
    written(ground, "inspect", tmp_path / "logs")
    read = subprocess.run(
        [INSPECT / "python", "-c", READ, tmp_path / "logs"], capture_output=True, text=True, check=True
    )
    status, model, samples = json.loads(read.stdout)
    assert status == "success" and model.startswith("by-task")
    assert {name: score for name, (score, _) in samples.items()} == {
        f"{BUY} 1": 1.0,
        f"{BUY} 2": 1.0,
        f"{REFUND} 1": 0.0,
        f"{REFUND} 2": 0.0,
    }
    command = [
        INSPECT / "inspect",
        "view",
        "bundle",
        "--log-dir",
        tmp_path / "logs",
        "--output-dir",
        tmp_path / "bundle",
    ]
    subprocess.run(command, capture_output=True, text=True, check=True)
    assert (tmp_path / "bundle" / "index.html").is_file()
