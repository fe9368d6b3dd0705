"""Telling whoever started the process how it goes: lines for a person or for Dagster, and the outcome in the folder.

Belongs here: one reporter for both. Does not: what is measured (`sft`, `grpo`, `evaluate`), and drawing (`charts`).

    FOLDER/progress.jsonl   one object for each logged step, whoever started the run
    FOLDER/result.json      what came of it; pictures and tables lie beside it as .png and .md
    FOLDER/failure.json     why nothing did: the sentence and the exit status
    FOLDER/running.json     there while a run is, with its last step and its memory: what is left of one that was killed
"""

import errno
import fcntl
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import TYPE_CHECKING, Any

import orjson

from envfactory_dagster.contracts.errors import InfrastructureFault

from .charts import curves
from .checkpoints import checkpoints, step_of
from .failures import RecipeError
from .processes import is_first

if TYPE_CHECKING:
    from dagster_pipes import PipesContext

Figures = Mapping[str, float]
_LAST = (
    "loss",
    "reward",
    "reward_std",
    "format_errors",
    "environment_errors",
    "tools/call_frequency",
    "seconds/sessions",
    "rewards/",
)
"""What a run measured in the end, where it measures such things: part of what came of it."""


@dataclass(slots=True)
class Reporter:
    """Where the figures of a run go."""

    folder: Path
    pipes: "PipesContext | None" = None
    first: bool = True
    """Of the processes of a run; the others say nothing and write nothing but why they failed."""
    _since: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    _steps: list[dict[str, float]] = field(default_factory=list)
    _checkpoints: set[str] = field(default_factory=set)
    """Those that are known of."""

    def begin(self) -> None:
        """The outcome of an earlier run in the folder is forgotten. What it measured is, or is gone on with, as soon as
        it is known which: `begins_anew`, `goes_on_from`."""
        if not self.first:
            return
        if self._running.is_file():
            self.say(f"The run before was killed here and could not say why: {self._running.read_text()}. Where it was "
                     "memory that lacked, take smaller batches.")  # fmt: skip
        self._mark(0)
        for outcome in ("result.json", "failure.json"):
            (self.folder / outcome).unlink(missing_ok=True)

    def begins_anew(self) -> None:
        """What an earlier run in the folder measured is not of this one."""
        if self.first:
            self._steps, self._checkpoints = [], set()
            self._progress.unlink(missing_ok=True)

    def goes_on_from(self, checkpoint: Path) -> None:
        """With what was measured up to it: later steps are made again, and later checkpoints told again."""
        if not self.first:
            return
        last = step_of(checkpoint)
        self._steps = [step for step in _read_steps(self._progress) if step["step"] <= last]
        self._checkpoints = {path.name for path in self._saved() if step_of(path) <= last}
        _replace(self._progress, b"".join(map(_line, self._steps)))

    def step(self, number: int, figures: Figures) -> None:
        """What a step measured, as it happens."""
        if not self.first:
            return
        line = {"step": number, **figures}
        self._steps.append(line)
        with self._progress.open("ab") as file:
            file.write(_line(line))
        # One of this step is saved after its figures are told; what there is by then is torn, and made again.
        self._tell_checkpoints([path for path in self._saved() if step_of(path) < number])
        self._mark(number)
        self.say(", ".join(f"{name} {value:.4g}" for name, value in line.items()))

    def _mark(self, step: int) -> None:
        memory = getrusage(RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1_024) / 1e9
        mark = {"process": os.getpid(), "since": self._since, "step": step, "memory_gb": round(memory, 1)}
        _replace(self._running, orjson.dumps(mark))

    def ended(self) -> None:
        """By itself, and not killed."""
        if self.first:
            self._running.unlink(missing_ok=True)

    def say(self, sentence: str) -> None:
        if self.pipes is not None:
            self.pipes.log.info(sentence)
        elif self.first:
            with suppress(OSError):  # whoever read it is gone, as `tee` is after Ctrl-C; the run is to be saved yet
                print(sentence, file=sys.stderr, flush=True)

    def done(self, result: Mapping[str, Any], drawn: Sequence[str]) -> None:
        """The end of a training run: what came of it, with a curve for each of these figures. A name that ends in a
        slash is that of all that begin so."""
        names = self._measured(drawn)
        drawn_now = curves(self._steps, names) if len(self._steps) > 1 and names else None
        self._tell_checkpoints(self._saved())
        last = {f"last {name}": self._last(name) for name in self._measured(_LAST)}
        self.tell({**result, **last}, {"curves": drawn_now} if drawn_now is not None else {}, {})

    def _measured(self, names: Sequence[str]) -> list[str]:
        found = dict.fromkeys(name for step in self._steps for name in step)
        return [one for name in names for one in found if one == name or (name[-1] == "/" and one.startswith(name))]

    def _last(self, name: str) -> float:
        return next(step[name] for step in reversed(self._steps) if name in step)

    def _tell_checkpoints(self, saved: Sequence[Path]) -> None:
        """Each once, with the next figures after it: by then it is whole."""
        for path in saved if self.first else ():
            if path.name not in self._checkpoints:
                self._checkpoints.add(path.name)
                self.say(f"checkpoint of step {step_of(path)}: {path}")

    def _saved(self) -> list[Path]:
        return checkpoints(self.folder / "checkpoints")

    @property
    def _running(self) -> Path:
        return self.folder / "running.json"

    @property
    def _progress(self) -> Path:
        return self.folder / "progress.jsonl"

    def tell(self, result: Mapping[str, Any], pictures: Mapping[str, bytes], texts: Mapping[str, str]) -> None:
        """What came of a run, with pictures (PNG) and texts (Markdown) by name.

        Dagster finds it in the folder: its reader of messages takes what is half written for a whole message, which
        pictures are long enough to suffer from.
        """
        if not self.first:
            return
        for name, text in texts.items():
            (self.folder / f"{name}.md").write_text(text)
        for name, picture in pictures.items():
            (self.folder / f"{name}.png").write_bytes(picture)
        _replace(self.folder / "result.json", orjson.dumps(result, option=orjson.OPT_INDENT_2))
        if self.pipes is None:
            print(orjson.dumps(result).decode())

    def failed(self, sentence: str, status: int) -> None:
        """For whoever started the process and does not read its stderr. Of several processes, the one that failed: the
        others fail because it is gone."""
        print(f"trainer: {sentence}", file=sys.stderr)
        path = self.folder / "failure.json"
        if not path.exists():
            with suppress(OSError):  # the disk may be full: that is then what the run ended with
                _replace(path, orjson.dumps({"sentence": sentence, "status": status}))


def _line(step: Figures) -> bytes:
    return orjson.dumps(step) + b"\n"


def _read_steps(progress: Path) -> list[dict[str, float]]:
    """Without the last one where the run ended while it was written."""
    lines = progress.read_bytes().splitlines(keepends=True) if progress.is_file() else []
    return [orjson.loads(line) for line in lines if line.endswith(b"\n")]


def _replace(path: Path, content: bytes) -> None:
    """Whole or not at all, also where several processes write it."""
    written = path.with_name(f"{path.name}.{os.environ.get('RANK', '0')}.new")
    written.write_bytes(content)
    written.replace(path)


@contextmanager
def reporter(folder: Path) -> Iterator[Reporter]:
    """For Dagster when it started this process, else for a person. Of several processes the first one tells."""
    told = Reporter(folder, first=is_first())
    if not told.first:
        yield told
        return
    with _claimed(folder), ExitStack() as opened:
        if "DAGSTER_PIPES_CONTEXT" in os.environ:
            from dagster_pipes import open_dagster_pipes

            told.pipes = opened.enter_context(open_dagster_pipes())
        told.begin()
        opened.callback(told.ended)
        yield told


@contextmanager
def _claimed(folder: Path) -> Iterator[None]:
    """No other run is in the folder meanwhile: both would write its checkpoints. Whoever started one may be gone, and
    it goes on all the same."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        claim = (folder / ".running").open("w")
    except (FileExistsError, NotADirectoryError, PermissionError) as error:
        raise RecipeError(f"A run cannot be kept in {folder} ({error.strerror}): choose another --out.") from error
    with claim:
        try:
            fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InfrastructureFault(
                f"Another process still runs in {folder}. Wait until it is done or stop it (SIGTERM), or choose "
                "another --out."
            ) from error
        except OSError as error:
            if error.errno not in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP):  # this file system has no locks
                raise
        yield
