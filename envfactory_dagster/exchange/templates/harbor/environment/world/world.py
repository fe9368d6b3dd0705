"""The world of one task, served as MCP over HTTP: one POST a message, to /mcp. Python's standard library only.

It runs in a container that the agent can reach by this port alone. SIGUSR1 ends the episode: what happened is then in
/episode, for whoever may look into this container, and calls are refused.
"""

import json
import signal
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import FrameType

HERE = Path(__file__).resolve().parent
MOST_BYTES = 4_000_000


class World:
    """The bundle's own server, asked by one at a time."""

    def __init__(self, task: str, episode: str) -> None:
        script = str(HERE / "bundle" / "server.py")
        command = [sys.executable, "-I", "-S", script, "--task", task, "--episode", episode]
        self._server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._lock = threading.Lock()
        self._over = False

    def ask(self, message: bytes, answered: bool) -> bytes | None:
        assert self._server.stdin is not None and self._server.stdout is not None
        with self._lock:
            if self._over:
                return None
            self._server.stdin.write(message + b"\n")
            self._server.stdin.flush()
            return self._server.stdout.readline().strip() if answered else b""

    def end(self) -> None:
        with self._lock:
            if not self._over:
                self._over = True
                assert self._server.stdin is not None
                self._server.stdin.close()
                self._server.wait(timeout=60)


class Handler(BaseHTTPRequestHandler):
    world: World
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        if self.path.rstrip("/") != "/mcp" or not 0 < length <= MOST_BYTES:
            return self._answer(404 if length <= MOST_BYTES else 413, b"")
        try:
            message = json.loads(self.rfile.read(length))
        except ValueError:
            return self._answer(400, b"")
        if not isinstance(message, dict):
            return self._answer(400, b"")
        answered = "id" in message
        answer = self.world.ask(json.dumps(message).encode(), answered)
        if answer is None:
            return self._answer(410, b"")
        return self._answer(200 if answered else 202, answer)

    def do_GET(self) -> None:
        """No stream of the server's own is offered; /health says that it runs."""
        self._answer(200 if self.path == "/health" else 405, b"")

    def do_DELETE(self) -> None:
        self._answer(405, b"")

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Quiet."""


def main() -> None:
    task, episode, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
    Handler.world = World(task, episode)
    http = ThreadingHTTPServer(("0.0.0.0", port), Handler)

    def end(signum: int, frame: FrameType | None) -> None:
        threading.Thread(target=Handler.world.end).start()

    signal.signal(signal.SIGUSR1, end)
    print(f"listening at port {http.server_address[1]}", flush=True)
    http.serve_forever()


if __name__ == "__main__":
    main()
