"""The card of a dataset: what is in it, what is not, and why, as Markdown.

Belongs here: words and tables. Does not: counting (`summary`).
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.dataset import LeftOut
from envfactory_dagster.datasets.summary import Summary

_MOST_TOOLS = 20
_MOST_EXAMPLES = 3

_ABOUT = {
    "sft": (
        "Verified episodes to learn from. Each row is made from one trajectory whose verifier gave 1, and says which; "
        "`rows/` holds them in full, the other folders the same rows as trainers read them."
    ),
    "rl": (
        "Tasks to be played, and turns of conversations, with where the database stands when they begin and what they "
        "are judged by. `rl` is for training; `held_out` and `held_out_modules` are for measuring only."
    ),
}


def card(
    name: str,
    version: str,
    summary: Summary,
    left_out: Sequence[LeftOut],
    withheld: Mapping[str, Sequence[str]],
    note: str,
) -> str:
    """`withheld`: held-out environment → tools that are not there."""
    parts = [f"# Dataset `{name}`, version `{version}`", _ABOUT[name], note, "## Splits", table(summary.splits())]
    if withheld:
        parts += ["Tools that training has seen the code of, and that are therefore not there:", _withheld(withheld)]
    parts.append("## Rows")
    for column in ("model", "form", "source", "kind", "level", "outcome"):
        counted = summary.counts(column)
        if counted:
            parts.append(table(counted))
    parts += ["## Lengths", table(summary.lengths()), "## Tools", f"The {_MOST_TOOLS} that are called most:"]
    parts += [table(summary.tools(_MOST_TOOLS)), "## Left out", _reasons(left_out)]
    return "\n\n".join(part for part in parts if part) + "\n"


def table(rows: Sequence[Mapping[str, Json]]) -> str:
    if not rows:
        return "Nothing."
    columns = list(rows[0])
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    lines += ["| " + " | ".join(str(row[column]) for column in columns) + " |" for row in rows]
    return "\n".join(lines)


def _withheld(withheld: Mapping[str, Sequence[str]]) -> str:
    return table([{"environment": key, "tools": ", ".join(tools) or "none"} for key, tools in withheld.items()])


def _reasons(left_out: Sequence[LeftOut]) -> str:
    """All of it is in `left_out.jsonl`."""
    examples: defaultdict[str, list[str]] = defaultdict(list)
    for one in left_out:
        examples[one.reason].append(f"{one.what} ({one.detail})" if one.detail else one.what)
    counted = Counter(one.reason for one in left_out)
    return table(
        [
            {"reason": reason, "number": number, "such as": "; ".join(examples[reason][:_MOST_EXAMPLES])}
            for reason, number in counted.most_common()
        ]
    )
