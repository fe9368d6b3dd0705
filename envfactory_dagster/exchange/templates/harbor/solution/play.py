"""Plays the reference solution over MCP: `play.py URL`. Python's standard library only."""

import importlib.util
import json
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


class ToolFailed(Exception):
    """A call was refused; the message is what the tool said."""


class Tools:
    Error = ToolFailed

    def __init__(self, url: str) -> None:
        self._url = url

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(**arguments: Any) -> Any:
            result = self._ask("tools/call", {"name": name, "arguments": arguments})
            if result["isError"]:
                raise ToolFailed(result["content"][0]["text"])
            return result["structuredContent"]

        return call

    def _names(self) -> list[str]:
        return [tool["name"] for tool in self._ask("tools/list", {})["tools"]]

    def _ask(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}).encode()
        request = urllib.request.Request(self._url, message, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            result: dict[str, Any] = json.load(answer)["result"]
        return result


def main() -> None:
    tools = Tools(sys.argv[1])
    spec = importlib.util.spec_from_file_location("solution", HERE / "solution.py")
    assert spec is not None and spec.loader is not None
    solution = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(solution)
    report = solution.solve(tools)
    getattr(tools, tools._names()[-1])(**report)  # `finish` is listed last


if __name__ == "__main__":
    main()
