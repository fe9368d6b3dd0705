"""Evaluate a task file of Inspect with its mock model, which plays recorded calls, then nothing: `… FOLDER CALLS`."""

import importlib.util
import json
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import tiktoken

# It would download a vocabulary to count tokens of a model that is not there.
tiktoken.get_encoding = lambda name: SimpleNamespace(encode=lambda text, **more: text.split())

from inspect_ai import eval as evaluate  # noqa: E402
from inspect_ai.model import ModelOutput, get_model  # noqa: E402


def main():
    folder, calls = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text())
    rows = [json.loads(line) for line in (folder / "prompts.jsonl").read_text().splitlines()]
    task_of = {row["prompt"]: row["task"] for row in rows}
    spec = importlib.util.spec_from_file_location("task", folder / "task.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def gold(messages, tools, tool_choice, config):
        task = task_of[next(one for one in messages if one.role == "user").text]
        call = calls[task][sum(one.role == "assistant" for one in messages)]
        return ModelOutput.for_tool_call("mockllm", call["name"], call["arguments"])

    def noop(messages, tools, tool_choice, config):
        return ModelOutput.from_content("mockllm", "It is done.")

    found = {row["task"]: {} for row in rows}
    for name, answer in (("gold", gold), ("noop", noop)):
        model = get_model("mockllm/model", custom_outputs=answer)
        [log] = evaluate(module.world(), model=model, display="none", log_dir=tempfile.mkdtemp())
        assert log.status == "success", log.error
        for sample in log.samples:
            found[sample.id][name] = sample.scores["verdict"].value
    print(json.dumps(found))


if __name__ == "__main__":
    main()
