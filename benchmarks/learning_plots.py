"""The figures of the learning benchmark as one picture.

Belongs here: drawing. Does not: any figure (`learning`).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.learning_runs import ROUNDS

POLICIES = ("base", *ROUNDS, "control", "grpo")


def draw(figures: Mapping[str, Any], splits: Sequence[str], path: Path) -> None:
    """Every policy of every seed; where it was measured, left of it what is passed after so many environments."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    widths = (1, 2) if figures["scaling"] else (2,)
    figure, (charts,) = plt.subplots(1, len(widths), figsize=(13, 3.8), width_ratios=widths, squeeze=False)
    if figures["scaling"]:
        _scaling(charts[0], figures, splits)
    _seeds(charts[-1], figures["seeds"], splits)
    for chart in charts:
        chart.set_ylim(0, 1.05)
        chart.grid(alpha=0.3, axis="y")
        chart.legend(fontsize=7, loc="upper center", ncols=2)
    figure.tight_layout()
    figure.savefig(path, dpi=90)
    plt.close(figure)


def _scaling(chart: Any, figures: Mapping[str, Any], splits: Sequence[str]) -> None:
    """The last points are of all environments: the first round of each seed. The sizes have the first seed."""
    chart.set_title("pass@1, greedily, by training environments", fontsize=9)
    sizes = {int(number): found for number, found in figures["scaling"].items() if isinstance(found, Mapping)}
    first, *others = (one["exams"]["sft"] for one in figures["seeds"])
    everything = figures["ground"]["environments"]["sft"]
    for split in splits:
        points = sorted((number, found[split]) for number, found in sizes.items() if found.get(split) is not None)
        ends = [exam[split]["greedy"]["pass@1"] for exam in (first, *others) if split in exam]
        points += [(everything, rate) for rate in ends[:1]]
        numbers, rates = [number for number, _ in points], [rate for _, rate in points]
        (line,) = chart.plot(numbers, rates, marker="o", label=split)
        chart.plot([everything] * len(ends[1:]), ends[1:], "x", color=line.get_color())
    chart.set_xscale("log", base=2)
    ticks = sorted({*sizes, everything})
    chart.set_xticks(ticks, [str(number) for number in ticks], fontsize=7, rotation=60)


def _seeds(chart: Any, seeds: Sequence[Mapping[str, Any]], splits: Sequence[str]) -> None:
    chart.set_title("pass@1, greedily, by seed", fontsize=9)
    shown = [(seed, name) for seed in range(len(seeds)) for name in POLICIES if name in seeds[seed]["exams"]]
    for number, split in enumerate(splits):
        rates = [seeds[seed]["exams"][name].get(split, {}).get("greedy", {}).get("pass@1") for seed, name in shown]
        places = [place + (number - 0.5) * 0.4 for place in range(len(shown))]
        chart.bar(places, [rate or 0.0 for rate in rates], 0.4, label=split)
    chart.set_xticks(range(len(shown)), [f"{name} {seed}" for seed, name in shown], fontsize=7, rotation=60)
