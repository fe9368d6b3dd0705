"""Worlds of the library in a test: built through the real line, answered from their folders."""

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.library.parts import WHOLE
from envfactory_dagster.library.world import World

SMALL = "little-quay-forest-edge-day-nursery"


def settings_of(world: World) -> AuthoringSettings:
    """Those that the world was made with, as far as its parts tell."""
    return AuthoringSettings(
        size=world.card.size,
        tasks=len(world.parts["task_set", WHOLE]["tasks"]),
        rules_asked=len(world.parts["theme", WHOLE]["rules"]),
        states=tuple(name for question, name in world.parts if question == "seed_rows"),
    )
