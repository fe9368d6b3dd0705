"""Messages between the supervisor and its processes: a JSON part and a binary part, each with its length in front.

Belongs here: the byte format, and the blocking end that workers hold. Does not: what the messages mean.
"""

import socket
import struct
from typing import Any

import orjson

HEADER = struct.Struct("<II")
MOST_JSON_BYTES = 64 * 1024 * 1024
MOST_BLOB_BYTES = 256 * 1024 * 1024
READ_SIZE = 1 << 16


class FrameError(ValueError):
    """The other side did not speak the format."""


def encode(message: Any, blob: bytes = b"") -> bytes:
    data = orjson.dumps(message, default=_default)
    return HEADER.pack(len(data), len(blob)) + data + blob


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

    def receive(self, connection: socket.socket) -> list[tuple[bytes, bytes]] | None:
        """Read what is there; None at the end of the stream."""
        size = connection.recv_into(self._arrived)
        return self.feed(self._arrived[:size]) if size else None

    def feed(self, data: bytes | memoryview) -> list[tuple[bytes, bytes]]:
        buffer, frames, start = self._data, [], 0
        buffer += data
        while len(buffer) - start >= HEADER.size:
            json_size, blob_size = HEADER.unpack_from(buffer, start)
            if json_size > MOST_JSON_BYTES or blob_size > MOST_BLOB_BYTES:
                raise FrameError(f"a frame of {json_size} + {blob_size} bytes")
            middle = start + HEADER.size + json_size
            if len(buffer) < middle + blob_size:
                break
            json_part = bytes(buffer[start + HEADER.size : middle])
            frames.append((json_part, bytes(buffer[middle : middle + blob_size])))
            start = middle + blob_size
        del buffer[:start]
        return frames


class Channel:
    """The worker's end: blocking, one frame after the other. `None` means that the supervisor has gone."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._buffer = FrameBuffer()
        self._waiting: list[tuple[bytes, bytes]] = []

    def receive(self) -> tuple[Any, bytes] | None:
        while not self._waiting:
            frames = self._buffer.receive(self._connection)
            if frames is None:
                return None
            frames.reverse()
            self._waiting = frames
        json_part, blob = self._waiting.pop()
        return orjson.loads(json_part), blob

    def send(self, message: Any, blob: bytes = b"") -> None:
        # At once: an answer held back to travel with the next would be lost if the next request never ends.
        self._connection.sendall(encode(message, blob))
