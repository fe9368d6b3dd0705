"""Rows in figures: how many, how long, which tools, which outcomes.

Belongs here: one line per row, and counting over the lines. Does not: the words around the figures (`cards`).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.dataset import RlRow, SftRow, calls_of

if TYPE_CHECKING:
    import polars as pl

_QUANTILES = (("half", 0.5), ("nine in ten", 0.9), ("longest", 1.0))
_LENGTHS = ("messages", "calls", "tools", "tokens")
Table = list[dict[str, Json]]


@dataclass(slots=True)
class Summary:
    """Grows row by row, and holds a line for each."""

    lines: list[dict[str, Any]] = field(default_factory=list)
    called: Counter[str] = field(default_factory=Counter)
    """Tool → calls that are learned from, or that reference solutions make."""

    def add(self, row: SftRow | RlRow) -> None:
        asked = _learned(row) if isinstance(row, SftRow) else [call.tool for call in row.target_calls]
        self.called.update(asked)
        trace = row.trace
        self.lines.append(
            {
                "split": trace.split,
                "environment": trace.environment,
                "task": f"{trace.environment}/{trace.task}",
                "source": trace.source,
                "kind": trace.kind,
                "level": trace.difficulty.level,
                "form": _form(row),
                "model": row.trajectory.model if isinstance(row, SftRow) else None,
                "outcome": row.outcome if isinstance(row, SftRow) else None,
                "removed_calls": row.removed_calls if isinstance(row, SftRow) else 0,
                "messages": len(row.messages),
                "calls": len(asked),
                "tools": len(row.tools),
                "tokens": row.tokens,
            }
        )

    def frame(self) -> "pl.DataFrame":
        import polars as pl

        return pl.DataFrame(self.lines, infer_schema_length=None)

    def splits(self) -> Table:
        """Of each split: its rows, tasks and environments."""
        import polars as pl

        if not self.lines:
            return []
        counts = [pl.len().alias("rows"), pl.col("task").n_unique().alias("tasks")]
        counts.append(pl.col("environment").n_unique().alias("environments"))
        return self.frame().group_by("split").agg(counts).sort("split").to_dicts()

    def counts(self, column: str) -> Table:
        import polars as pl

        if not self.lines:
            return []
        counted = self.frame().drop_nulls(column).group_by(column).agg(pl.len().alias("rows"))
        return counted.sort("rows", column, descending=[True, False]).to_dicts()

    def lengths(self) -> Table:
        if not self.lines:
            return []
        frame = self.frame()
        return [
            {"of a row": name} | {word: int(frame[name].quantile(share, "higher") or 0) for word, share in _QUANTILES}
            for name in _LENGTHS
        ]

    def tools(self, most: int) -> Table:
        return [{"tool": tool, "calls": number} for tool, number in self.called.most_common(most)]

    @property
    def removed_calls(self) -> int:
        return sum(line["removed_calls"] for line in self.lines)


def _learned(row: SftRow) -> Sequence[str]:
    """The tools that the trained messages call; under the meta-tools those that are called through them."""
    trained = row.messages if row.step is None else row.messages[-1:]
    functions = [call["function"] for message in trained for call in calls_of(message)]
    return [_meant(one["name"], orjson.loads(one["arguments"])) for one in functions]


def _meant(name: str, arguments: dict[str, Any]) -> str:
    inner = arguments.get("tool_name") if name == "call_tool" else None
    return inner if isinstance(inner, str) else name


def _form(row: SftRow | RlRow) -> str:
    if isinstance(row, SftRow):
        return "episode" if row.step is None else "step"
    return row.setting if row.turn is None else "turn"
