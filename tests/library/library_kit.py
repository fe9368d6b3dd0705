"""Worlds of the library in a test: built through the real line, answered from their folders."""

from typing import Any

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.library.parts import WHOLE
from envfactory_dagster.library.world import LibraryWorld, PartName, part_hash

SMALL = "little-quay-forest-edge-day-nursery"


def settings_of(world: LibraryWorld) -> AuthoringSettings:
    """Those that the world was made with, as far as its parts tell."""
    return AuthoringSettings(
        size=world.card.size,
        tasks=len(world.parts["task_set", WHOLE]["tasks"]),
        rules_asked=len(world.parts["theme", WHOLE]["rules"]),
        states=tuple(name for question, name in world.parts if question == "seed_rows"),
    )


def with_parts(world: LibraryWorld, parts: dict[PartName, dict[str, Any]]) -> LibraryWorld:
    """A world that somebody else wrote: other parts, which its provenance knows."""
    origins = [
        origin.model_copy(update={"hash": part_hash(parts[origin.question, origin.part])})
        for origin in world.provenance.parts
        if (origin.question, origin.part) in parts
    ]
    return LibraryWorld(world.card, world.provenance.model_copy(update={"parts": origins}), parts)
