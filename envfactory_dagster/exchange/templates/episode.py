"""One episode of one task, over the bundle's own `server.py` and `judge.py`. Python's standard library only.

with Episode(Path("bundle"), "some_task") as episode:
    episode.tools()                        what the agent may call, `finish` among them
    episode.call("list_loans", {})         an MCP result: content, isError, structuredContent
episode.verdict                            {"status": "judged", "score": …} or {"status": "invalid", "reason": …}
"""

import json
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

INVALID = "invalid"


class ToolFailed(Exception):
    """A call was refused; the message is what the tool said."""


class Episode:
    """A world in its initial state, until it is closed and judged."""

    def __init__(self, bundle: Path, task: str) -> None:
        self._bundle = bundle
        self._left = tempfile.TemporaryDirectory(prefix="episode-")
        command = [sys.executable, "-I", "-S", str(bundle / "server.py"), "--task", task, "--episode", self._left.name]
        self._server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._asked = 0
        self._lock = threading.Lock()
        self.over = False
        """Whether the report is handed in."""
        self.verdict: dict[str, Any] = {"status": INVALID, "reason": "the episode is not over"}

    def tools(self) -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = self._ask("tools/list", {})["tools"]
        return listed

    def call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        try:
            json.dumps(arguments)
        except (RecursionError, TypeError, ValueError) as unreadable:
            return {"content": [{"type": "text", "text": f"the arguments are no JSON: {unreadable}"}], "isError": True}
        result = self._ask("tools/call", {"name": name, "arguments": arguments})
        self.over = self.over or result.get("structuredContent") == {"report": "taken"}
        return result

    def close(self) -> dict[str, Any]:
        """End it, and judge it once."""
        if self._server.stdin is not None and not self._server.stdin.closed:
            _, complaint = self._server.communicate()
            command = [sys.executable, "-I", "-S", str(self._bundle / "judge.py"), "--episode", self._left.name]
            judged = subprocess.run(command, capture_output=True, check=False)
            try:
                self.verdict = json.loads(judged.stdout)
            except ValueError:
                said = (judged.stderr or complaint).decode(errors="replace").strip()
                self.verdict = {"status": INVALID, "reason": f"judge.py gave no verdict: {said[-500:]}"}
            self._left.cleanup()
        return self.verdict

    def _ask(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        with self._lock:
            return self._asked_alone(method, parameters)

    def _asked_alone(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        assert self._server.stdin is not None and self._server.stdout is not None
        self._asked += 1
        request = {"jsonrpc": "2.0", "id": self._asked, "method": method, "params": parameters}
        self._server.stdin.write(json.dumps(request).encode() + b"\n")
        self._server.stdin.flush()
        line = self._server.stdout.readline()
        if not line:
            assert self._server.stderr is not None
            said = self._server.stderr.read().decode(errors="replace").strip()
            raise RuntimeError(f"server.py ended: {said[-500:]}")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(f"server.py: {answer['error']['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    def __enter__(self) -> "Episode":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def replay(bundle: Path, task: str, calls: list[dict[str, Any]]) -> dict[str, Any]:
    """The verdict on these calls, `{"name": …, "arguments": …}` each, from the start of a task."""
    with Episode(bundle, task) as episode:
        for call in calls:
            episode.call(call["name"], call["arguments"])
    return episode.verdict


def solve(bundle: Path, task: str, source: str) -> dict[str, Any]:
    """The verdict on a reference solution: a module whose `solve(tools)` returns the arguments of `finish`."""

    class Tools:
        Error = ToolFailed

        def __getattr__(self, name: str) -> Any:
            def call(**arguments: Any) -> Any:
                result = episode.call(name, arguments)
                if result["isError"]:
                    raise ToolFailed(result["content"][0]["text"])
                return result["structuredContent"]

            return call

    namespace: dict[str, Any] = {"__name__": "solution"}
    with Episode(bundle, task) as episode:
        exec(compile(source, "solution", "exec"), namespace)
        report = namespace["solve"](Tools())
        episode.call(episode.tools()[-1]["name"], report)  # `finish` is listed last
    return episode.verdict
