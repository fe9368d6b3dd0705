"""Runs an embedded-model theme through every stage and tries everything in it; the tool of module and blueprint
authors.

    python -m tests.language.embedded.check module bookings
    python -m tests.language.embedded.check blueprint "climbing gym"
    python -m tests.language.embedded.check text "A lending library of garden tools"

It asks the real app (in process) for every artifact, builds the databases with apsw, calls every tool, and runs
every task's solution and verifier. What it finds is a list of sentences; empty means sound.
"""

import asyncio
import sys
from collections import Counter

from envfactory_dagster.language.embedded.blueprint import Blueprint
from envfactory_dagster.language.embedded.blueprints import all_blueprints
from envfactory_dagster.language.embedded.modules import all_modules
from envfactory_dagster.language.embedded.text import identifier
from tests.language.embedded.artifacts import Environment, author_environment
from tests.language.embedded.executor import check_environment

VARIANTS = 6


def blueprint_for_module(name: str) -> Blueprint:
    """A made-up domain whose heart is the module, with default nouns."""
    return Blueprint(name=f"{name.replace('_', ' ')} office", category="Testing", about="Trial.", uses={name: {}})


async def check_theme(name: str, category: str, description: str = "A place.", size: str = "full") -> list[str]:
    environment = await author_environment(name, category, description, size)
    return [f"{name} ({size}): {finding}" for finding in check_environment(environment)]


async def check_module(name: str, variants: int = VARIANTS) -> list[str]:
    """The module at the heart of several themes, so that its options are drawn both ways, in both sizes."""
    kind = blueprint_for_module(name).name
    findings = []
    for variant in range(variants):
        size = "small" if variant == 0 else "full"
        findings += await check_theme(f"Variant {variant} {kind}", f"Testing {name}", size=size)
    return findings


async def check_blueprint(blueprint: Blueprint) -> list[str]:
    findings = []
    for variant, flavour in enumerate(blueprint.flavours[: VARIANTS - 1] or ("plain",)):
        findings += await check_theme(f"Oakridge {blueprint.name} for {flavour}", blueprint.category, blueprint.about)
        if variant == 0:
            findings += await check_theme(f"Small {blueprint.name}", blueprint.category, blueprint.about, "small")
    return findings


def summary(environment: Environment) -> str:
    rows = sum(len(t.rows) for t in environment.states["initial"].tables)
    return (
        f"{len(environment.tables)} tables, {rows} rows, {len(environment.tools)} tools, {len(environment.tasks)} tasks"
    )


def main(arguments: list[str]) -> int:
    what, name = arguments
    if what == "module":
        if name not in all_modules():
            print(f"There is no module {name!r}; there are {', '.join(all_modules())}.")
            return 2
        findings = asyncio.run(check_module(name))
    elif what == "blueprint":
        findings = asyncio.run(check_blueprint(next(b for b in all_blueprints() if b.name == name)))
    else:
        environment = asyncio.run(author_environment(name, "Anything", name, "full"))
        print(summary(environment), [identifier(t.name) for t in environment.tables])
        findings = check_environment(environment)
    for finding, count in Counter(findings).items():
        print(f"- {finding}" + (f" ({count} times)" if count > 1 else ""))
    print("sound" if not findings else f"{len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
