"""A body as it arrives: whole, or as a stream of events that are put together to the body they stand for.

Belongs here: server-sent events of one chat completion, and telling a whole answer from half of one. Does not: reading
from the wire and its time limits (`wire`), or what an answer says (`replies`).
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any

CHARS_PER_TOKEN = 64
"""More than any model writes for one token on average: what is longer than so many times the length limit does not keep
the limit, and would perhaps never end."""

_BEGINS_AS_EVENTS = re.compile(rb"\s*(?:data|event|id|retry|):")
_BLANK_SO_FAR = re.compile(rb"\s*[a-z]{0,5}\Z")
_FIELD = re.compile(rb"[A-Za-z_-]*:")
_DONE = b"[DONE]"


class Garbled(ValueError):
    """Something in a stream that is no part of any answer: `data`."""

    def __init__(self, data: bytes) -> None:
        super().__init__("not part of an answer")
        self.data = data


@dataclass(slots=True)
class _Call:
    """A tool call, of which more may come."""

    identity: str
    name: str = ""
    arguments: list[str] = field(default_factory=list)

    def is_another(self, identity: str, name: str, arguments: str) -> bool:
        """Whether a piece with the same index begins another call."""
        if identity and self.identity and identity != self.identity:
            return True
        return bool(name and self.name and arguments) and _is_json("".join(self.arguments))

    def whole(self) -> dict[str, Any]:
        function = {"name": self.name, "arguments": "".join(self.arguments)}
        return {"id": self.identity, "type": "function", "function": function}


class Incoming:
    """The body of one response. Give it every piece, in order."""

    def __init__(self, most_tokens: int) -> None:
        self._most_chars = most_tokens * CHARS_PER_TOKEN
        self._raw = bytearray()
        """The whole body; of a stream, its last line as far as it has come."""
        self._is_stream: bool | None = None
        self._known: dict[str, Any] = {}
        self._message: dict[str, list[Any]] = {}
        self._calls: list[_Call] = []
        self._open: dict[int | None, _Call] = {}
        """The call that each index stands for now."""
        self._finish: str | None = None
        self._has_choice = False
        self._chars = 0
        self.begun = False
        """Whether anything of the answer has come."""
        self.done = False
        """Whether the stream has said its last word."""
        self.error: bytes | None = None
        """What the stream says went wrong, as the body of a failed response would say it."""
        self.status = 500
        """Which status that response would have."""

    @property
    def complete(self) -> bool:
        """Whether all of an answer has come, whatever follows. Of a whole body only the end of the response tells."""
        return self.done or self._finish is not None

    @property
    def cut(self) -> bool:
        """Whether the response, now that it has ended, has stopped in the middle of a stream."""
        return self._is_stream is True and not self.complete

    def feed(self, piece: bytes) -> bool:
        """Whether there is more of the answer now. A sign of life that brings nothing of it does not count. Raises
        Garbled."""
        if self.done:
            return False
        self._raw += piece
        if self._is_stream is None and not _BLANK_SO_FAR.match(self._raw):
            self._is_stream = _BEGINS_AS_EVENTS.match(self._raw) is not None
        if not self._is_stream or b"\n" not in piece:
            return False
        *lines, rest = bytes(self._raw).split(b"\n")
        self._raw[:] = rest
        more = [self._line(line.strip()) for line in lines]
        return any(more)

    def end(self) -> None:
        """The response has ended; its last line need not."""
        if self._is_stream and not self.done and self._raw.strip():
            self._line(bytes(self._raw).strip())

    def body(self) -> bytes:
        """As it would have come without streaming. Raises Garbled."""
        if not self._is_stream:
            return bytes(self._raw)
        body = {"object": "chat.completion", **self._known, "choices": [self._choice()] if self._has_choice else []}
        # A character may be split between two pieces, each with one half of a surrogate pair: together they are sound.
        try:
            text = json.dumps(body, ensure_ascii=False)
        except RecursionError:
            raise Garbled(b"an answer that is nested too deeply") from None
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()

    def _choice(self) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": None}
        message |= {name: _joined(pieces) for name, pieces in self._message.items()}
        if self._calls:
            message["tool_calls"] = [call.whole() for call in self._calls]
        return {"index": 0, "message": message, "finish_reason": self._finish}

    def _line(self, line: bytes) -> bool:
        if self.done or not line:
            return False
        if not _FIELD.match(line):
            raise Garbled(line)
        name, _, data = line.partition(b":")
        return name == b"data" and self._event(data.strip())

    def _event(self, data: bytes) -> bool:
        if data == _DONE:
            self.done = True
            return True
        try:
            # Not orjson, which refuses half of a surrogate pair.
            chunk = json.loads(data)
        except (ValueError, RecursionError):
            raise Garbled(data) from None
        if not isinstance(chunk, dict):
            raise Garbled(data)
        if chunk.get("error"):
            if not self.complete:  # after the end of an answer it concerns nothing of it
                self._fail(chunk["error"])
            self.done = True
            return True
        choices = chunk.get("choices") or []
        if not isinstance(choices, list) or not all(isinstance(choice, dict) for choice in choices):
            raise Garbled(data)
        self._known |= {name: chunk[name] for name in ("id", "model", "usage") if chunk.get(name) is not None}
        # Only one continuation was asked for.
        more = [self._part(choice, data) for choice in choices if choice.get("index") in (0, None)]
        return any(more)

    def _fail(self, error: Any) -> None:
        code = error.get("code") if isinstance(error, dict) else None
        self.status = code if isinstance(code, int) and 400 <= code < 600 else 500
        self.error = json.dumps({"error": error}).encode()

    def _part(self, choice: dict[str, Any], data: bytes) -> bool:
        self._has_choice = True
        # Some servers send a whole message as the only piece.
        delta = choice.get("delta", choice.get("message")) or {}
        calls = delta.get("tool_calls") or [] if isinstance(delta, dict) else None
        if not isinstance(calls, list) or not all(isinstance(call, dict) for call in calls):
            raise Garbled(data)
        for call in calls:
            self._part_of_call(call)
        said = {name: value for name, value in delta.items() if name not in ("role", "tool_calls")}
        for name, value in said.items():
            if value is not None:
                self._message.setdefault(name, []).append(value)
                self._chars += len(value) if isinstance(value, str) else 1
        more = bool(calls) or any(said.values())
        self.begun = self.begun or more
        self._finish = choice.get("finish_reason") or self._finish
        if self._chars > self._most_chars:
            self._finish, self.done = "length", True
        return more or choice.get("finish_reason") is not None

    def _part_of_call(self, part: dict[str, Any]) -> None:
        """By its index. Some servers give every call the same one, or none; some say the name again in every piece."""
        index, function = part.get("index"), part.get("function")
        index = index if isinstance(index, int) else None
        function = function if isinstance(function, dict) else {}
        identity, name = str(part.get("id") or ""), str(function.get("name") or "")
        arguments = function.get("arguments")
        text = arguments if isinstance(arguments, str) else "" if arguments is None else json.dumps(arguments)
        call = self._open.get(index)
        if call is None or call.is_another(identity, name, text):
            call = self._open[index] = _Call(identity)
            self._calls.append(call)
        call.identity = call.identity or identity
        call.name += name if name != call.name else ""
        call.arguments.append(text)
        self._chars += len(text)


def _joined(pieces: list[Any]) -> Any:
    """A text, or the parts of a content that has several."""
    if all(isinstance(piece, str) for piece in pieces):
        return "".join(pieces)
    if not any(isinstance(piece, list) for piece in pieces):
        return pieces[-1]
    parts: list[Any] = []
    for piece in pieces:
        parts += piece if isinstance(piece, list) else [{"type": "text", "text": str(piece)}]
    return parts


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
