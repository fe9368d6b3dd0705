"""Other projects' packages, each in a virtual environment of its own: what they need clashes with what we need.

Belongs here: making such an environment at first use, and asking a script in it. Does not: the scripts (`peers`).
"""

import asyncio
import fcntl
import subprocess
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import orjson

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.errors import InfrastructureFault

_PEERS = Path(__file__).parent / "peers"
_LONGEST_LINE = 256 * 1024 * 1024
_SECONDS = 120.0


def environment_of(name: str, root: Path) -> Path:
    """The folder of the virtual environment: another one for other requirements."""
    requirements = [(_PEERS / f"{name}.{kind}").read_text() for kind in ("txt", "no-deps")]
    return root / "peers" / f"{name}-{content_hash([requirements, sys.version_info[:2]])[:8]}"


def install(name: str, root: Path) -> Path:
    """The Python of the package's environment, which is made if it is not there. Of several at once one makes it."""
    folder = environment_of(name, root)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f".{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / ".installed").exists():
            _install(name, folder)
    return folder / "bin" / "python"


def _install(name: str, folder: Path) -> None:
    python = folder / "bin" / "python"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for command in (
        [sys.executable, "-m", "venv", "--clear", str(folder)],
        [*pip, "-r", str(_PEERS / f"{name}.txt")],
        [*pip, "--no-deps", "-r", str(_PEERS / f"{name}.no-deps")],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            said = (done.stderr or done.stdout).strip().splitlines()
            raise InfrastructureFault(f"{' '.join(command)} failed: {said[-1] if said else 'without a word'}")
    (folder / ".installed").touch()


@dataclass(slots=True)
class Peer:
    """A script of `peers` at work. Use as `async with`. It sees none of our environment's variables."""

    name: str
    python: Path
    _process: Process | None = None
    _reading: "asyncio.Task[None] | None" = None
    _asked: dict[int, "asyncio.Future[Any]"] = field(default_factory=dict)
    _numbers: "count[int]" = field(default_factory=count)

    async def __aenter__(self) -> Self:
        # What these packages write beside themselves goes into their environment.
        environ = {"BFCL_PROJECT_ROOT": str(self.python.parents[1] / "left"), "PYTHONUNBUFFERED": "1"}
        script = str(_PEERS / f"{self.name}.py")
        self._process = await asyncio.create_subprocess_exec(
            str(self.python), "-sP", script, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=environ, limit=_LONGEST_LINE
        )
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process is not None and self._reading is not None
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        await self._reading

    async def ask(self, question: str, seconds: float | None = _SECONDS, **given: Any) -> Any:
        """Several may be asked at once; some scripts answer one after the other."""
        assert self._process is not None and self._process.stdin is not None and self._reading is not None
        if self._reading.done():
            raise self._ended(question)
        number, future = next(self._numbers), asyncio.get_running_loop().create_future()
        self._asked[number] = future
        try:
            async with asyncio.timeout(seconds):
                self._process.stdin.write(orjson.dumps({"number": number, "ask": question, **given}) + b"\n")
                await self._process.stdin.drain()
                answer = await future
        except (TimeoutError, OSError) as error:
            raise InfrastructureFault(f"The process of {self.name} does not answer {question!r}.") from error
        finally:
            del self._asked[number]
        if answer is None:
            raise self._ended(question)
        if "failure" in answer:
            raise InfrastructureFault(f"{self.name} failed at {question!r}: {answer['failure']}")
        return answer["answer"]

    def _ended(self, question: str) -> InfrastructureFault:
        return InfrastructureFault(f"The process of {self.name} ended at {question!r}; is {self.python} whole?")

    async def _read(self) -> None:
        assert self._process is not None and self._process.stdout is not None
        while line := await self._process.stdout.readline():
            answer = orjson.loads(line)
            if (future := self._asked.get(answer["number"])) is not None and not future.done():
                future.set_result(answer)
        for future in self._asked.values():
            if not future.done():
                future.set_result(None)
