"""Figures of the conversations that an author writes: their turns, and what the refinements change in their words.

    python -m benchmarks.refinements [--json] [--environments 6]

The gated tasks of library worlds are told as conversations by the model that `ENVFACTORY_LLM_BASE_URL` and
`ENVFACTORY_AUTHOR_MODEL` name, or by the library, as far as it holds conversations of them. Goal expansion changes no
words and is not measured here. `before` is the wording with everything spelled out, as the author gives it beside each
refinement.
"""

import argparse
import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.made_worlds import LIBRARY, Made, make
from envfactory_dagster.contracts.conversations import ToldConversation
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.authored import authored_tasks
from envfactory_dagster.tasks.conversations.expanding import Expanded
from envfactory_dagster.tasks.conversations.identifiers import Internals, names_inside
from envfactory_dagster.tasks.conversations.making import SpokenEnvironment, Writer, told
from envfactory_dagster.tasks.conversations.planning import LEAST_TURNS, Planned, planned
from envfactory_dagster.tasks.conversations.refinements import OF_WORDS, made_of, said_with
from tests.support.model import library_gateway

ATTEMPTS, TOGETHER = 5, 3

Figures = dict[str, Any]


async def measure(made: Sequence[Made], folder: Path) -> Figures:
    """Over environments that are there already."""
    plans: list[Planned] = []
    conversations: list[tuple[Planned, ToldConversation]] = []
    models = LanguageSettings.from_environment()
    async with library_gateway(folder) if models.base_url is None else Gateway(models, folder) as gateway:
        for one in made:
            gateway.about(one.bundle.key, LIBRARY.cards[one.bundle.key].proposal.subject)
            spoken, found = plans_of(one)
            plans += found
            enough = [plan for plan in found if plan.most_turns >= LEAST_TURNS]
            for begin in range(0, len(enough), TOGETHER):
                batch = enough[begin : begin + TOGETHER]
                writer = Writer(gateway, Caller("benchmark", one.bundle.key, Role.AUTHOR), ATTEMPTS)
                given = await told(writer, spoken, batch)
                results = [(plan, given[plan.parent.task.id]) for plan in batch]
                conversations += [(plan, talk) for plan, talk in results if isinstance(talk, ToldConversation)]
    return {
        "tasks": len(plans),
        "too_short_for_a_conversation": sum(plan.most_turns < LEAST_TURNS for plan in plans),
        "conversations": len(conversations),
    } | figures(conversations)


def plans_of(one: Made) -> tuple[SpokenEnvironment, list[Planned]]:
    facts = analyze_tools(one.bundle.tools_source, one.bundle.schema_sql)
    names = names_inside(one.bundle, list(one.schema.tables))
    spoken = SpokenEnvironment(one.bundle, Internals(), facts, names)
    parents = authored_tasks(one.bundle, one.solutions.values(), one.verifiers.values(), facts)
    return spoken, [
        planned(one.bundle, spoken.internals, facts, names, Expanded(parent, parent), OF_WORDS) for parent in parents
    ]


def figures(conversations: Sequence[tuple[Planned, ToldConversation]]) -> Figures:
    """What the words of conversations are like, and what they would be with everything spelled out."""
    turns = [turn for _, talk in conversations for turn in talk.turns]
    recorded = Counter(one for plan, talk in conversations for one in made_of(talk, plan.wanted))
    spelled_out = [[said_with(turn, talk.answers, ()) for turn in talk.turns] for _, talk in conversations]
    leaked = [len(plan.secrets.leaked(plain)) for (plan, _), plain in zip(conversations, spelled_out, strict=True)]
    plainly = sum(len(request.split()) for plain in spelled_out for request in plain)
    return {
        "turns_per_conversation": _per(len(turns), len(conversations)),
        "asked_back_per_conversation": _per(sum(turn.kind == "detail" for turn in turns), len(conversations)),
        "leaked_identifiers_before": sum(leaked),
        "words_per_turn_before": _per(plainly, len(turns)),
        "words_per_turn_after": _per(sum(len(turn.request.split()) for turn in turns), len(turns)),
        **{f"with_{one}": _per(recorded[one], len(conversations)) for one in OF_WORDS},
    }


def _per(amount: int, each: int) -> float | None:
    return round(amount / each, 4) if each else None


async def measure_alone(folder: Path, environments: int) -> Figures:
    async with Runtime() as runtime:
        made, _ = await make(folder, environments, runtime)
        return await measure(made, folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--environments", type=int, default=6)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = asyncio.run(measure_alone(Path(folder), given.environments))
    if given.json:
        print(json.dumps(result))
    else:
        for name, value in result.items():
            print(f"{name:48} {value}")


if __name__ == "__main__":
    main()
