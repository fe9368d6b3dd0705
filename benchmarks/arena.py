"""Figures of the arena and what belongs to it.

    python -m benchmarks.arena [--json] [--only NAME …]

`planted_clusters`: 160 made-up themes of eight kinds (`planted_themes`), clustered by Ward's method into eight with the
embedder of the environment variables. `planted_ari` is the adjusted Rand index against the kinds, the mean of five
draws, and `planted_ari_worst` the lowest of them; `planted_ari_blurred`: the mean where half of the things and three
quarters of the sentences of a theme are such as any kind has.

`files_beside_tables`: see `file_environments`. `files_worst_ratio`: of the costliest kind of call, reset or fork.

`workspaces`: tasks across the servers of the library's workspaces; what its figures are is said in that module.

`planted_mistakes`: a round of 20 environments of the library, played by the reference policy with mistakes of one kind
(competence 0.6). `mistakes_named_by_…`: how often the commonest class of the failures of a round, or of an environment,
names the planted kind, and how often the class of an episode does; `named_…` is that by kind of mistake.
`weak_precision`: of the environments that are called weak where mistakes are planted in one kind of world only (there
competence 0.6, elsewhere 0.9 with all mistakes), those of that kind, the mean of all kinds with all mistakes;
`weak_recall`: of those of that kind, the ones that are called weak. It takes some minutes.

`rounds`: two rounds of co-evolution of a simulated learner, which learns nothing, see `benchmarks.rounds`: killed after
every stage (`rounds_kills`), what is left is the same as without a kill (`rounds_same_after_kills` is 1), and another
run writes nothing (`rounds_files_touched_by_another_run` is 0). Figures that begin with `simulated_learner_` show that
tasks reach whom they are meant for; none of them is a gain.

`mined`: what mining finds in the samples, see `benchmarks.mining`.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import mean

from benchmarks import file_environments
from benchmarks.mining import mined
from benchmarks.planted_mistakes import planted_mistakes
from benchmarks.planted_themes import BLURRED, KINDS, Mixture, planted
from benchmarks.rounds import rounds
from benchmarks.workspaces import workspaces
from envfactory_dagster.arena.taxonomy.agreement import adjusted_rand
from envfactory_dagster.arena.taxonomy.clustering import cut, ward
from envfactory_dagster.arena.taxonomy.placing import unit
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.language.settings import LanguageSettings

Figures = dict[str, float]

DRAWS = 5
EACH = 20


async def planted_clusters(folder: Path) -> Figures:
    async with Gateway(LanguageSettings.from_environment(), folder) as gateway:
        clear = [await _recovered(gateway, seed, Mixture()) for seed in range(DRAWS)]
        blurred = [await _recovered(gateway, seed, BLURRED) for seed in range(DRAWS)]
    return {
        "planted_ari": round(mean(clear), 3),
        "planted_ari_worst": round(min(clear), 3),
        "planted_ari_blurred": round(mean(blurred), 3),
    }


async def _recovered(gateway: Gateway, seed: int, mixture: Mixture) -> float:
    environments, kinds = planted(EACH, seed, mixture)
    caller = Caller("benchmark", "", Role.EMBEDDER)
    vectors = await gateway.embed(caller=caller, texts=[one.text for one in environments])
    return adjusted_rand(cut(ward(unit(vectors)), len(KINDS)), kinds)


async def files_beside_tables(folder: Path) -> Figures:
    return {f"files_{name}": float(value) for name, value in (await file_environments.figures()).items()}


PARTS: dict[str, Callable[[Path], Awaitable[Figures]]] = {
    "planted_clusters": planted_clusters,
    "files_beside_tables": files_beside_tables,
    "workspaces": workspaces,
    "planted_mistakes": planted_mistakes,
    "rounds": rounds,
    "mined": mined,
}
"""Each is given an empty folder."""


async def figures(names: list[str]) -> Figures:
    found: Figures = {}
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            found |= await PARTS[name](Path(folder))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument("--only", nargs="+", choices=list(PARTS), default=list(PARTS), help="only these parts")
    arguments = parser.parse_args()
    found = asyncio.run(figures(arguments.only))
    if arguments.json:
        print(json.dumps(found))
    else:
        for name, value in found.items():
            sys.stdout.write(f"{name:24} {value}\n")


if __name__ == "__main__":
    main()
