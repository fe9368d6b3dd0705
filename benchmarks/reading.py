"""What readers say of the requests of tasks, among requests written by hand and planted nonsense.

    python -m benchmarks.reading [--json] [--round first|second|third|fourth]

`benchmarks/reading_ratings/ROUND/items.jsonl` holds the requests, in the shuffled order in which they were read, with
where each comes from; `reader_N.jsonl` the ratings of one reader, who saw the requests and what the service is, and
nothing else. Every round was read by two language models with fresh contexts in November 2026: the first, six of the
eight oldest worlds; the second, five worlds made from source documents, before they were released; the third, two later
ones; the fourth, the four newest.

`mean`: of coherence, realism and naturalness, 1 to 5, with a bootstrapped interval of 95 % over the items.
`called_nonsense`: items that every reader, or some reader, called garbled, impossible or torn.
"""

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

FOLDER = Path(__file__).parent / "reading_ratings"
ROUNDS = ("first", "second", "third", "fourth")
LIBRARY = ("task_set", "conversation", "program", "family", "graph")
RATED = ("coherence", "realism", "naturalness")
SAMPLES = 4_000

Rating = Mapping[str, Any]


def figures(folder: Path) -> dict[str, Any]:
    items = {item["n"]: item for item in _lines(folder / "items.jsonl")}
    ratings: dict[int, list[Rating]] = defaultdict(list)
    readers = sorted(folder.glob("reader_*.jsonl"))
    for path in readers:
        for rating in _lines(path):
            ratings[rating["n"]].append(rating)
    if any(len(ratings[number]) != len(readers) for number in items):
        raise SystemExit("Every reader has to rate every item once.")

    def of(kinds: Collection[str]) -> dict[str, Any]:
        return _summary([ratings[number] for number, item in items.items() if item["kind"] in kinds])

    kinds = dict.fromkeys(item["kind"] for item in items.values())
    return {"readers": len(readers), "library": of(LIBRARY), **{kind: of({kind}) for kind in sorted(kinds)}}


def _summary(rated: Sequence[Sequence[Rating]]) -> dict[str, Any]:
    """Of some items, each with the ratings of all readers."""
    of_items = [mean(rating[what] for rating in ratings for what in RATED) for ratings in rated]
    return {
        "items": len(rated),
        **{what: round(mean(rating[what] for ratings in rated for rating in ratings), 2) for what in RATED},
        "mean": round(mean(of_items), 2),
        "interval": _interval(of_items),
        "called_nonsense": {
            "by_all": sum(all(rating["nonsense"] for rating in ratings) for ratings in rated),
            "by_any": sum(any(rating["nonsense"] for rating in ratings) for ratings in rated),
        },
    }


def _interval(values: Sequence[float]) -> list[float]:
    chance = random.Random(0)
    means = sorted(mean(chance.choices(values, k=len(values))) for _ in range(SAMPLES))
    return [round(means[int(share * SAMPLES)], 2) for share in (0.025, 0.975)]


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object on one line")
    parser.add_argument("--round", choices=ROUNDS, default=ROUNDS[-1])
    arguments = parser.parse_args()
    print(json.dumps(figures(FOLDER / arguments.round), indent=None if arguments.json else 2))


if __name__ == "__main__":
    main()
