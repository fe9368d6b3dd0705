"""Results as Markdown, for a folder, a terminal and Dagster.

Belongs here: how figures are shown in words and columns. Does not: the figures (`envfactory_dagster.rollouts.results`),
and pictures (`charts`).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from envfactory_dagster.language.settings import is_reference
from envfactory_dagster.rollouts.results import GROUPS, Comparison

Found = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Split → way of writing → summary."""


def evaluation_table(found: Found) -> str:
    """Every split and way, and below each of them its kinds, levels and sources."""
    head = ["split", "way", "tasks", "environments", "pass@1", "pass@k", "reward", "steps", "tokens", "env. errors"]
    rows = [
        [split, way, *(str(one[name]) for name in ("tasks", "environments")), percent(one["pass@1"]), _at_most(one),
         _range(one["reward"]), _number(one["steps"]), _number(one["tokens"]), str(one["environment_errors"])]
        for split, ways in found.items()
        for way, one in ways.items()
    ]  # fmt: skip
    parts = [table(head, rows), *(_broken_down(found, group) for group in GROUPS), _outcomes(found), *_users(found)]
    return "\n\n".join(parts) + "\n"


def user_in_words(name: str) -> str:
    return f"{name}, a script that understands nothing," if is_reference(name) else name


def _users(found: Found) -> list[str]:
    """A sentence, where there were conversations."""
    names = sorted({one["user"] for ways in found.values() for one in ways.values() if one["user"] is not None})
    return [f"In conversations {user_in_words(name)} plays the user." for name in names]


def _broken_down(found: Found, group: str) -> str:
    rows = [
        [split, way, name, str(one["tasks"]), percent(one["pass@1"])]
        for split, ways in found.items()
        for way, summary in ways.items()
        for name, one in summary[f"by_{group}"].items()
    ]
    return table(["split", "way", group, "tasks", "pass@1"], rows)


def _outcomes(found: Found) -> str:
    names = sorted({name for ways in found.values() for one in ways.values() for name in one["outcomes"]})
    rows = [
        [split, way, *(f"{one['outcomes'].get(name, 0):.1%}" for name in names)]
        for split, ways in found.items()
        for way, one in ways.items()
    ]
    return table(["split", "way", *(name.replace("_", " ") for name in names)], rows)


def comparison_table(found: Mapping[str, Comparison]) -> str:
    rows = [
        [split, str(one.tasks), f"{one.before:.1%}", f"{one.after:.1%}",
         f"{100 * one.gain.mean:+.1f} ({100 * one.gain.low:+.1f} to {100 * one.gain.high:+.1f}) points",
         str(one.better), str(one.worse)]
        for split, one in found.items()
    ]  # fmt: skip
    return table(["split", "tasks of both", "before", "after", "gain", "better", "worse"], rows) + "\n"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def percent(interval: Mapping[str, float] | None) -> str:
    if interval is None:
        return "–"
    return f"{interval['mean']:.1%} ({interval['low']:.1%} to {interval['high']:.1%})"


def _at_most(summary: Mapping[str, Any]) -> str:
    """The rate of several tries, where there were several."""
    names = [name for name in summary if name.startswith("pass@") and name != "pass@1"]
    return f"@{names[0].partition('@')[2]}: {percent(summary[names[0]])}" if names else "–"


def _range(interval: Mapping[str, float] | None) -> str:
    if interval is None:
        return "–"
    return f"{interval['mean']:.3f} ({interval['low']:.3f} to {interval['high']:.3f})"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"
