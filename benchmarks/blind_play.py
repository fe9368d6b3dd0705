#!/usr/bin/env python3
"""Play one task that `benchmarks.blind prepare` laid out, over the REST side of `envfactory serve`. Nothing but Python.

    python benchmarks/blind_play.py FOLDER NUMBER                    what the task is
    python benchmarks/blind_play.py FOLDER NUMBER TOOL '{"a": 1}'    one call; the tool `finish` takes the report

Belongs here: what a player sees. Does not: anything that says whether it was right.
"""

import json
import os
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

ADDRESS = os.environ.get("BLIND_ADDRESS", "http://127.0.0.1:8200")


def asked(path: str, body: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(
        f"{ADDRESS}{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            return dict(json.load(answer))
    except urllib.error.HTTPError as error:
        return {"outcome": "agent", "error": error.read().decode()}


def session(log: Path, task: dict[str, str]) -> str:
    """The one that the first call opened."""
    if not log.exists():
        opened = asked("/sessions", task)
        if "id" not in opened:
            sys.exit(f"No session could be opened: {opened}")
        log.write_text(json.dumps({"session": opened["id"]}) + "\n")
    return str(json.loads(log.read_text().splitlines()[0])["session"])


def main() -> None:
    folder, number, *call = sys.argv[1:]
    if not call:
        print((Path(folder) / "tasks" / f"{number}.md").read_text())
        return
    tool, arguments = call[0], json.loads(call[1] if len(call) > 1 else "{}")
    log = Path(folder) / "logs" / f"{number}.jsonl"
    task = json.loads((Path(folder) / "hidden.json").read_text())[number]
    opened = session(log, {"environment": task["environment"], "task": task["task"]})
    result = asked(f"/sessions/{opened}/calls", {"tool": tool, "arguments": arguments})
    with log.open("a") as file:
        file.write(json.dumps({"tool": tool, "arguments": arguments, "result": result}) + "\n")
    print(json.dumps(result, ensure_ascii=False))


if __name__ == "__main__":
    main()
