"""Chromium without a window, asked over its debugging pipe: no package and no port are needed.

Belongs here: opening pages and asking what is on them. Does not: tests.
"""

import base64
import fcntl
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"),
    "--remote-debugging-pipe",
)
WIDE, PHONE = (1280, 900), (390, 844)


class Page:
    """One tab. Whatever goes wrong in it, and whatever its policy keeps from running, is in `complaints`."""

    def __init__(self, asking: int, answering: int) -> None:
        self._asking, self._answers = asking, os.fdopen(answering, "rb")
        self._number, self._session = 0, ""
        self._waiting = b""
        self.complaints: list[str] = []
        self._events: list[str] = []
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._ask(f"{domain}.enable")

    def open(self, url: str, size: tuple[int, int] = WIDE, scheme: str = "light") -> None:
        phone = size == PHONE
        self._ask(
            "Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=phone
        )
        self._ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        for one in ("about:blank", url):  # so that an address that differs in its `#` alone is opened anew, too
            self._events.clear()
            self._ask("Page.navigate", url=one)
            while "Page.loadEventFired" not in self._events:
                self._hear()

    def value(self, expression: str) -> Any:
        """Of an expression in JavaScript; a promise is waited for."""
        said = self._ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in said, said["exceptionDetails"]
        return said["result"].get("value")

    def text(self, selector: str = "body") -> str:
        return str(self.value(f"document.querySelector({json.dumps(selector)}).innerText"))

    def picture(self, path: Path) -> None:
        """Of the whole page."""
        size = self._ask("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 6000), "scale": 1}
        shot = self._ask("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        path.write_bytes(base64.b64decode(shot["data"]))

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._asking, json.dumps(message).encode() + b"\0")
        while True:
            said = self._hear()
            if said.get("id") == self._number:
                assert "error" not in said, said["error"]
                result: dict[str, Any] = said["result"]
                return result

    def _hear(self) -> dict[str, Any]:
        while b"\0" not in self._waiting:
            more = self._answers.read1(1 << 16)
            assert more, "Chromium has ended"
            self._waiting += more
        message, _, self._waiting = self._waiting.partition(b"\0")
        said: dict[str, Any] = json.loads(message)
        self._events.append(said.get("method", ""))
        if said.get("method") == "Runtime.exceptionThrown":
            self.complaints.append(str(said["params"]["exceptionDetails"]))
        if said.get("method") == "Log.entryAdded":
            self.complaints.append(said["params"]["entry"]["text"])
        return said


@contextmanager
def browser() -> Iterator[Page]:
    assert CHROMIUM
    ends = (*os.pipe(), *os.pipe())
    to_it, our_asking, our_answers, from_it = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends)
    for end in ends:
        os.close(end)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        # Chromium reads what it is asked from file 3, and answers in file 4.
        shell = ["bash", "-c", f'exec "$@" 3<&{to_it} 4>&{from_it}', "bash"]
        command = [*shell, CHROMIUM, *_FLAGS, f"--user-data-dir={profile}", "about:blank"]
        process = subprocess.Popen(
            command, pass_fds=(to_it, from_it), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(to_it)
        os.close(from_it)
        try:
            yield Page(our_asking, our_answers)
        finally:
            process.terminate()
            process.wait(timeout=30)
            os.close(our_asking)
