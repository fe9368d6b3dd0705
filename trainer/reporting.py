"""Telling whoever started the process how it goes: lines for a person or for Dagster, and the outcome in the folder.

Belongs here: one reporter for both. Does not: what is measured (`sft`, `grpo`, `evaluate`), and drawing (`charts`).

    FOLDER/progress.jsonl   one object for each logged step, whoever started the run
    FOLDER/result.json      what came of it; pictures and tables lie beside it as .png and .md
    FOLDER/failure.json     why nothing did: the sentence and the exit status
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from trainer.charts import curves
from trainer.processes import is_first

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
)
"""What a run measured in the end, where it measures such things: part of what came of it."""


@dataclass(slots=True)
class Reporter:
    """Where the figures of a run go."""

    folder: Path
    pipes: "PipesContext | None" = None
    first: bool = True
    """Of the processes of a run; the others say nothing and write nothing."""
    _steps: list[dict[str, float]] = field(default_factory=list)
    _checkpoints: set[str] = field(default_factory=set)
    """Those that are known of."""

    def begin(self, *, resume: bool) -> None:
        """Whatever an earlier run left in the folder is gone on with, or forgotten."""
        if not self.first:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        for outcome in ("result.json", "failure.json"):
            (self.folder / outcome).unlink(missing_ok=True)
        progress = self.folder / "progress.jsonl"
        if resume and progress.is_file():
            self._steps = [orjson.loads(line) for line in progress.read_bytes().splitlines()]
            self._checkpoints = {path.name for path in self._saved()}
        else:
            progress.unlink(missing_ok=True)

    def step(self, number: int, figures: Figures) -> None:
        """What a step measured, as it happens. Steps that a killed run had made after its checkpoint are made again."""
        if not self.first:
            return
        line = {"step": number, **figures}
        self._steps = [*(step for step in self._steps if step["step"] <= number), line]
        with (self.folder / "progress.jsonl").open("ab") as file:
            file.write(orjson.dumps(line) + b"\n")
        self._tell_checkpoints()
        self.say(", ".join(f"{name} {value:.4g}" for name, value in line.items()))

    def say(self, sentence: str) -> None:
        if self.pipes is not None:
            self.pipes.log.info(sentence)
        elif self.first:
            print(sentence, file=sys.stderr, flush=True)

    def done(self, result: Mapping[str, Any], drawn: Sequence[str]) -> None:
        """The end of a training run: what came of it, with a curve for each of these figures."""
        names = [name for name in drawn if any(name in step for step in self._steps)]
        drawn_now = curves(self._steps, names) if len(self._steps) > 1 and names else None
        self._tell_checkpoints()
        last = {f"last {name}": value for name in _LAST if (value := self._last(name)) is not None}
        self.tell({**result, **last}, {"curves": drawn_now} if drawn_now is not None else {}, {})

    def _last(self, name: str) -> float | None:
        return next((step[name] for step in reversed(self._steps) if name in step), None)

    def _tell_checkpoints(self) -> None:
        """Each once, with the next figures after it: by then it is whole."""
        for path in self._saved() if self.first else ():
            if path.name not in self._checkpoints:
                self._checkpoints.add(path.name)
                self.say(f"checkpoint of step {path.name.rpartition('-')[2]}: {path}")

    def _saved(self) -> list[Path]:
        return sorted((self.folder / "checkpoints").glob("checkpoint-*"), key=lambda path: path.stat().st_mtime)

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
        written = self.folder / "result.json.new"
        written.write_bytes(orjson.dumps(result, option=orjson.OPT_INDENT_2))
        written.replace(self.folder / "result.json")
        if self.pipes is None:
            print(orjson.dumps(result).decode())

    def failed(self, sentence: str, status: int) -> None:
        """For whoever started the process and does not read its stderr."""
        if self.first:
            (self.folder / "failure.json").write_bytes(orjson.dumps({"sentence": sentence, "status": status}))
        print(f"trainer: {sentence}", file=sys.stderr)


@contextmanager
def reporter(folder: Path, *, resume: bool = False) -> Iterator[Reporter]:
    """For Dagster when it started this process, else for a person. Of several processes the first one tells."""
    told = Reporter(folder, first=is_first())
    told.begin(resume=resume)
    if "DAGSTER_PIPES_CONTEXT" not in os.environ or not told.first:
        yield told
        return
    from dagster_pipes import open_dagster_pipes

    with open_dagster_pipes() as pipes:
        told.pipes = pipes
        yield told
