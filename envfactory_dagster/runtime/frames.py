"""Messages between the supervisor and its processes: a JSON part and a binary part, each with its length in front.

Belongs here: the byte format, and the blocking end that workers hold. Does not: what the messages mean.
"""

import socket
import struct
from typing import Any, NamedTuple

import orjson

HEADER = struct.Struct("<II")
READ_SIZE = 1 << 16


class Limit(NamedTuple):
    """How many bytes a frame may have. Parsed JSON takes up to 35 times its bytes, so what comes from untrusted code
    is bounded by what was asked of it, before it is read."""

    json: int
    blob: int = 0


NOTHING = Limit(0)
ANYTHING = Limit(2**32 - 1, 2**32 - 1)


class FrameError(ValueError):
    """The other side did not speak the format."""


def encode(message: Any, blob: bytes = b"") -> bytes:
    data = orjson.dumps(message, default=_default)
    return HEADER.pack(len(data), len(blob)) + data + blob


def json_size(value: Any) -> int:
    """How many bytes a value takes in a message."""
    return len(orjson.dumps(value, default=_default))


def _default(value: object) -> object:
    if isinstance(value, bytes):
        return value.hex()  # a BLOB column, in listings of changed rows
    raise TypeError(f"{type(value).__name__} is not JSON")


class FrameBuffer:
    """Takes bytes as they arrive and gives whole frames back as `(json bytes, blob)`."""

    __slots__ = ("_arrived", "_data")

    def __init__(self) -> None:
        self._data = bytearray()
        # Reused: `recv` would allocate, fault in and give back as many bytes as it is asked for, every time.
        self._arrived = memoryview(bytearray(READ_SIZE))

    def receive(self, connection: socket.socket) -> bool:
        """Read what is there; False at the end of the stream."""
        size = connection.recv_into(self._arrived)
        self.feed(self._arrived[:size])
        return size > 0

    def feed(self, data: bytes | memoryview) -> None:
        self._data += data

    def take(self, limit: Limit) -> tuple[bytes, bytes] | None:
        """The next frame, or None while it is not complete."""
        buffer = self._data
        if len(buffer) < HEADER.size:
            return None
        json_size, blob_size = HEADER.unpack_from(buffer)
        if json_size > limit.json or blob_size > limit.blob:
            raise FrameError(f"a frame of {json_size} + {blob_size} bytes, where {limit.json} + {limit.blob} may come")
        middle = HEADER.size + json_size
        end = middle + blob_size
        if len(buffer) < end:
            return None
        frame = bytes(buffer[HEADER.size : middle]), bytes(buffer[middle:end])
        del buffer[:end]
        return frame


class Channel:
    """The worker's end: blocking, one frame after the other. `None` means that the supervisor has gone."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._buffer = FrameBuffer()

    def receive(self) -> tuple[Any, bytes] | None:
        while (frame := self._buffer.take(ANYTHING)) is None:
            if not self._buffer.receive(self._connection):
                return None
        json_part, blob = frame
        return orjson.loads(json_part), blob

    def send(self, message: Any, blob: bytes = b"") -> None:
        # At once: an answer held back to travel with the next would be lost if the next request never ends.
        self._connection.sendall(encode(message, blob))
