"""The worker that runs one solution program. It calls tools by message; the supervisor carries the calls to a session.

Belongs here: what a program sees (`tools`), and what is kept of what it says. Does not: tools or databases, which live
in other processes.
"""

import io
import sys
from typing import Any

from envfactory_dagster.runtime.facade import SAFE_BUILTINS, Refusal, describe
from envfactory_dagster.runtime.frames import Channel

MOST_PRINTED = 20_000


class CallLimitPassed(Exception):
    """The program made more tool calls than it may."""


class _Tool:
    """A tool as a program sees it: a function that takes keyword arguments only."""

    def __init__(self, channel: Channel, name: str) -> None:
        self._channel = channel
        self._name = name

    def __call__(self, /, **arguments: Any) -> Any:
        self._channel.send(["tool", self._name, arguments])
        frame = self._channel.receive()
        if frame is None:
            raise SystemExit
        outcome, value, error = frame[0]
        if outcome == "ok":
            return value
        if outcome == "limit":
            raise CallLimitPassed(error)
        raise Refusal(error)


class _Tools:
    Error = Refusal

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def __getattr__(self, name: str) -> _Tool:
        return _Tool(self._channel, name)


class _Printed(io.TextIOBase):
    """Keeps the beginning of what is printed and drops the rest."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += str(text)[: MOST_PRINTED - len(self.text)]
        return len(text)


def serve(channel: Channel) -> None:
    frame = channel.receive()
    if frame is None:
        return
    source = frame[0][0]
    printed = _Printed()
    sys.stdout = printed
    answer = error = None
    try:
        namespace: dict[str, Any] = {"__builtins__": SAFE_BUILTINS, "__name__": "solution"}
        exec(compile(source, "tools.py", "exec", dont_inherit=True), namespace)
        solve = namespace.get("solve")
        if not callable(solve):
            raise LookupError("the program defines no function solve(tools)")
        answer = solve(_Tools(channel))
    except BaseException as failure:  # noqa: BLE001 - a program may raise anything, SystemExit included
        error = describe(failure).replace("tools.py", "solution")
    try:
        channel.send(["ok", [answer, error, printed.text]])
    except (TypeError, ValueError, RecursionError) as failure:
        channel.send(["ok", [None, f"the answer is not JSON: {failure}", printed.text]])
