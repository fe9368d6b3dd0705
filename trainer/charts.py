"""Pictures of runs and evaluations, as PNG.

Belongs here: drawing. Does not: what is drawn, and where pictures go (`reporting`).
"""

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .tables import Found

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def curves(steps: Sequence[Mapping[str, float]], names: Sequence[str]) -> bytes:
    """A small chart for each figure, over the steps of a run."""
    plt = _drawing()
    rows = -(-len(names) // 2)
    figure, charts = plt.subplots(rows, 2, figsize=(9, 2.4 * rows), squeeze=False)
    for chart, name in zip(charts.flat, names, strict=False):
        points = [(step["step"], step[name]) for step in steps if name in step]
        chart.plot(*zip(*points, strict=True))
        chart.set_title(name, fontsize=9)
        chart.grid(alpha=0.3)
    for chart in list(charts.flat)[len(names) :]:
        chart.axis("off")
    return _sealed(plt, figure)


def pass_rates(found: Found) -> bytes:
    """What is passed of each split, in each way of writing, with its interval; and by kind of task."""
    plt = _drawing()
    kinds = sorted({kind for ways in found.values() for one in ways.values() for kind in one["by_kind"]})
    figure, (whole, by_kind) = plt.subplots(1, 2, figsize=(11, 3.4), width_ratios=(1, max(1, len(kinds) / 2)))
    bars = [(f"{split}\n{way}", one["pass@1"]) for split, ways in found.items() for way, one in ways.items()]
    _bars(whole, 0.0, bars, None)
    whole.set_title("pass@1", fontsize=9)
    rows = [(f"{split}, {way}", one["by_kind"]) for split, ways in found.items() for way, one in ways.items()]
    for number, (label, of_kinds) in enumerate(rows):
        given = [(kind, of_kinds.get(kind, {}).get("pass@1")) for kind in kinds]
        _bars(by_kind, (number - (len(rows) - 1) / 2) * 0.8 / len(rows), given, label, 0.8 / len(rows))
    by_kind.set_title("pass@1 by kind of task", fontsize=9)
    by_kind.legend(fontsize=7)
    return _sealed(plt, figure)


def _bars(
    chart: Any,
    shift: float,
    bars: Sequence[tuple[str, Mapping[str, float] | None]],
    label: str | None,
    width: float = 0.6,
) -> None:
    shown = [(place, one) for place, (_, one) in enumerate(bars) if one is not None]
    means = [one["mean"] for _, one in shown]
    below = [max(0.0, one["mean"] - one["low"]) for _, one in shown]
    above = [max(0.0, one["high"] - one["mean"]) for _, one in shown]
    chart.bar([place + shift for place, _ in shown], means, width, yerr=[below, above], capsize=3, label=label)
    chart.set_xticks(range(len(bars)), [name for name, _ in bars], fontsize=7)
    chart.set_ylim(0, 1)
    chart.grid(alpha=0.3, axis="y")


def _drawing() -> Any:
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    return plt


def _sealed(plt: Any, figure: "Figure") -> bytes:
    figure.tight_layout()
    sealed = io.BytesIO()
    figure.savefig(sealed, format="png", dpi=80)
    plt.close(figure)
    return sealed.getvalue()
