"""Telling whoever started the process how it goes: lines for a person, messages for Dagster, a table in the folder.

Belongs here: one reporter for both, the curves. Does not: what is measured (`sft`, `grpo`, `evaluate`).

    FOLDER/progress.jsonl   one object for each logged step, whoever started the run
"""

import base64
import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from dagster_pipes import PipesContext

Figures = Mapping[str, float]


@dataclass(slots=True)
class Reporter:
    """Where the figures of a run go."""

    folder: Path
    pipes: "PipesContext | None" = None
    _steps: list[dict[str, float]] = field(default_factory=list)

    def step(self, number: int, figures: Figures) -> None:
        """What a step measured, as it happens."""
        line = {"step": number, **figures}
        self._steps.append(line)
        with (self.folder / "progress.jsonl").open("ab") as file:
            file.write(orjson.dumps(line) + b"\n")
        self.say(", ".join(f"{name} {value:.4g}" for name, value in line.items()))

    def say(self, sentence: str) -> None:
        if self.pipes is not None:
            self.pipes.log.info(sentence)
        else:
            print(sentence, file=sys.stderr, flush=True)

    def done(self, result: Mapping[str, Any], curves: Sequence[str]) -> None:
        """The end of a run: what came of it, with a curve for each of these figures."""
        (self.folder / "result.json").write_bytes(orjson.dumps(result, option=orjson.OPT_INDENT_2))
        drawn = [name for name in curves if any(name in step for step in self._steps)]
        picture = plot(self._steps, drawn) if len(self._steps) > 1 and drawn else None
        if picture is not None:
            (self.folder / "curves.png").write_bytes(picture)
        if self.pipes is not None:
            metadata: dict[str, Any] = {name: value for name, value in result.items() if value is not None}
            if picture is not None:
                image = f"![curves](data:image/png;base64,{base64.b64encode(picture).decode()})"
                metadata["curves"] = {"type": "md", "raw_value": image}
            self.pipes.report_asset_materialization(metadata=metadata)
        else:
            print(orjson.dumps(result).decode())


@contextmanager
def reporter(folder: Path) -> Iterator[Reporter]:
    """For Dagster when it started this process, else for a person."""
    import os

    folder.mkdir(parents=True, exist_ok=True)
    if "DAGSTER_PIPES_CONTEXT" not in os.environ:
        yield Reporter(folder)
        return
    from dagster_pipes import open_dagster_pipes

    with open_dagster_pipes() as pipes:
        yield Reporter(folder, pipes)


def plot(steps: Sequence[Mapping[str, float]], names: Sequence[str]) -> bytes:
    """A small chart for each figure, as PNG."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    rows = -(-len(names) // 2)
    figure, charts = plt.subplots(rows, 2, figsize=(9, 2.4 * rows), squeeze=False)
    for chart, name in zip(charts.flat, names, strict=False):
        points = [(step["step"], step[name]) for step in steps if name in step]
        chart.plot(*zip(*points, strict=True))
        chart.set_title(name, fontsize=9)
        chart.grid(alpha=0.3)
    for chart in list(charts.flat)[len(names) :]:
        chart.axis("off")
    figure.tight_layout()
    sealed = io.BytesIO()
    figure.savefig(sealed, format="png", dpi=80)
    plt.close(figure)
    return sealed.getvalue()
