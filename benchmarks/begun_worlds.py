"""How worlds went that a language model wrote from a source document, up to their release or their end.

    python -m benchmarks.begun_worlds [--json]

The worlds of the library tell of their answers (`provenance.json`; where a stage was made anew, of the last time). How
all that were begun ended is in `begun_worlds.yaml`, with what third parties said of refusals. `first_answer_accepted`:
the share of questions whose first answer was not refused; `attempts_mean`: answers to a question.
`source_tools_realized`: of all the tools of the mirrored specifications, the share that the worlds have under their
names. `wrong_refusals`: refusals that two readers, who wrote neither the gate nor the answer, call wrong, for each of
the worlds that were read, the latest last.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from envfactory_dagster.library.collection import Library
from envfactory_dagster.library.world import LibraryWorld

BEGUN = Path(__file__).with_name("begun_worlds.yaml")

Figures = dict[str, Any]


def figures(worlds: Sequence[LibraryWorld], begun: Mapping[str, Any]) -> Figures:
    asked, refused, first_refused = (defaultdict[str, int](int) for _ in range(3))
    for world in worlds:
        for stage in world.provenance.stages:
            asked[stage.stage] += stage.attempts
            refused[stage.stage] += len(stage.refused)
            first_refused[stage.stage] += sum(one.attempt == 1 for one in stage.refused)
    stages = {
        stage: _of_answers(answers, refused[stage], first_refused[stage]) for stage, answers in asked.items() if answers
    }
    ends = [one["end"] for one in begun["worlds"]]
    return {
        "library_worlds": len(worlds),
        **_of_answers(sum(asked.values()), sum(refused.values()), sum(first_refused.values())),
        "by_stage": stages,
        "environments_begun": len(ends),
        "environments_released": ends.count("released"),
        "not_released": {one["name"]: one["end"] for one in begun["worlds"] if one["end"] != "released"},
        "source_tools_realized": _realized(begun["mirrors"]),
        "wrong_refusals": begun["refusals"],
    }


def _of_answers(answers: int, refused: int, first_refused: int) -> Figures:
    questions = answers - refused
    return {
        "answers": answers,
        "first_answer_accepted": round(1 - first_refused / questions, 3),
        "attempts_mean": round(answers / questions, 2),
    }


def _realized(mirrors: Iterable[Mapping[str, Any]]) -> Figures:
    of_each = {one["name"]: f"{one['realized']} of {one['tools']}" for one in mirrors}
    share = sum(one["realized"] for one in mirrors) / sum(one["tools"] for one in mirrors)
    return {"share": round(share, 3), **of_each}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    chosen = arguments.parse_args()
    library = Library()
    worlds = [library.world(key) for key, card in library.cards.items() if card.proposal.document is not None]
    found = figures(worlds, yaml.safe_load(BEGUN.read_text()))
    if chosen.json:
        print(json.dumps(found, indent=2))
        return
    for name, value in found.items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
